// A deck's page: shapes that name themselves in the request, the slider, and undo by keys.
"use strict";
(() => {
  const field = () => document.getElementById("instruction");

  // The name of a shape goes in where the cursor was.
  const choose = (shape) => {
    const into = field();
    if (!into) return;
    const at = into.selectionEnd ?? into.value.length;
    const before = into.value.slice(0, at), after = into.value.slice(at);
    const blank = before && !/\s$/.test(before) ? " " : "";
    into.value = `${before}${blank}${shape.dataset.shape}${after.startsWith(" ") ? "" : " "}${after}`;
    const end = into.value.length - after.length;
    into.focus();
    into.setSelectionRange(end, end);
  };
  const shapeOf = (event) => event.target.closest && event.target.closest("[data-shape]");
  document.addEventListener("click", (event) => { const shape = shapeOf(event); if (shape) choose(shape); });
  const tell = (event) => {
    const name = document.getElementById("shape-name"), shape = shapeOf(event);
    if (!name) return;
    name.hidden = !shape;
    if (shape) name.textContent = shape.getAttribute("aria-label");
  };
  document.addEventListener("pointerover", tell);
  document.addEventListener("focusin", tell);

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
    const shape = shapeOf(event);
    if (shape && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); choose(shape); return; }
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

  const last = () => { const turns = document.getElementById("turns"); if (turns) turns.scrollTop = turns.scrollHeight; };
  last();
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "turns") last();
    if (event.target.id !== "looked") return;
    const here = document.querySelector(".film [aria-current]");
    if (here) here.scrollIntoView({ block: "nearest", inline: "center" });
  });
})();
