// A deck's page: the slider, undo by keys, and what stays as it was opened.
"use strict";
(() => {
  // The slider can be moved before this script runs, and news can replace it.
  let cut = null;
  const showCut = () => {
    const slider = document.getElementById("cut");
    if (!slider) return;
    if (cut !== null) slider.value = cut;
    document.querySelector(".over").style.setProperty("--cut", `${slider.value}%`);
  };
  showCut();
  document.addEventListener("input", (event) => { if (event.target.id === "cut") { cut = event.target.value; showCut(); } });

  const name = document.getElementById("deck-name");
  if (name) name.addEventListener("change", () => name.form.requestSubmit());

  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    const wanted = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : "";
    const button = wanted && document.getElementById(wanted);
    if (button) { event.preventDefault(); button.click(); }
  });

  // What a person opened or closed stays so when news replace it.
  const opened = new Map();
  document.addEventListener("toggle", (event) => { if (event.target.id && event.target.isConnected) opened.set(event.target.id, event.target.open); }, true);
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, open] of opened) { const one = document.getElementById(id); if (one) one.open = open; }
    showCut();
  });

  // Findings: which are listed stays from slide to slide; the shape of one is outlined on the slide.
  const RANKS = { error: 0, warning: 1, info: 2 };
  const filter = () => document.getElementById("finding-filter");
  const list = () => {
    const { severity, family, order, here, safe } = filter().elements, slide = document.querySelector(".desk").dataset.slide;
    const on = (row) => row.dataset.slides.split(" ");
    const keys = { severity: (row) => RANKS[row.dataset.severity] * 1e6 + Number(on(row)[0]), slide: (row) => Number(on(row)[0]), family: (row) => row.dataset.family };
    const rows = [...document.querySelectorAll("#findings > li")], key = keys[order.value];
    rows.sort((one, other) => (key(one) < key(other) ? -1 : Number(key(one) > key(other))));
    const fits = rows.filter(({ dataset }, at) => [severity, family].every((field) => !field.value || field.value === dataset[field.name])
      && (!here.checked || on(rows[at]).includes(slide)) && (!safe.checked || "safe" in dataset));
    for (const row of rows) row.hidden = !fits.includes(row);
    document.getElementById("findings").append(...rows);
    document.getElementById("findings-shown").textContent = fits.length === rows.length ? rows.length : `${fits.length} of ${rows.length}`;
    document.getElementById("findings-none").hidden = fits.length > 0;
    sessionStorage.setItem("findings", JSON.stringify([...filter().elements].map((field) => (field.type === "checkbox" ? field.checked : field.value))));
  };
  const outline = () => {
    for (const old of document.querySelectorAll(".outlined")) old.classList.remove("outlined");
    const shape = location.hash.startsWith("#shape-") && document.getElementById(location.hash.slice(1));
    if (shape) shape.classList.add("outlined");
  };
  const listed = () => {
    outline();
    if (!filter()) return;
    for (const [at, value] of (JSON.parse(sessionStorage.getItem("findings")) || []).entries()) {
      const field = filter().elements[at];
      if (field.type === "checkbox") field.checked = value;
      else if ([...field.options].some((option) => option.value === value)) field.value = value;
    }
    list();
  };
  window.addEventListener("hashchange", outline);
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => { // what is open in the list stays while nothing is new
    const fresh = detail.fragment.querySelector("[data-key]");
    if (fresh && detail.target.dataset.key === fresh.dataset.key) detail.shouldSwap = false;
  });
  document.addEventListener("change", (event) => { if (event.target.form && event.target.form === filter()) list(); });
  document.addEventListener("click", (event) => { if (event.target.id === "findings-all") { filter().reset(); list(); } });
  document.addEventListener("htmx:load", (event) => { if (event.target.closest(".desk") || event.target.querySelector(".desk")) listed(); });
  listed();

  const last = () => { const turns = document.getElementById("turns"); if (turns) turns.scrollTop = turns.scrollHeight; };
  last();
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "turns") last();
    if (event.target.id !== "looked") return;
    const here = document.querySelector(".film [aria-current]");
    if (here) here.scrollIntoView({ block: "nearest", inline: "center" });
  });
})();
