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

  const last = () => { const turns = document.getElementById("turns"); if (turns) turns.scrollTop = turns.scrollHeight; };
  last();
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "turns") last();
    if (event.target.id !== "looked") return;
    const here = document.querySelector(".film [aria-current]");
    if (here) here.scrollIntoView({ block: "nearest", inline: "center" });
  });
})();
