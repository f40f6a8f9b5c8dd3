// Keys of the pages of evaluation. Everything works without them by links and forms.
"use strict";
(() => {
  const go = (id) => { const link = document.getElementById(id); if (link) location.href = link.href; return Boolean(link); };
  const toRow = (step) => {
    const rows = [...document.querySelectorAll("#list tbody th a")];
    const here = rows.indexOf(document.activeElement);
    const next = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
    return Boolean(next);
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
    let done = false;
    if (step) done = document.getElementById("list") ? !event.key.startsWith("Arrow") && toRow(step) : go(step > 0 ? "after" : "before");
    else if (event.key === "f") done = go("failed");
    else if (event.key === "u") done = go("up");
    else if (/^(Home|End)$/.test(event.key) && document.getElementById("scrub")) {
      const scrub = document.getElementById("scrub");
      location.search = `?step=${event.key === "Home" ? scrub.min : scrub.max}`;
      done = true;
    }
    if (done) event.preventDefault();
  });

  const scrub = document.getElementById("scrub");
  if (scrub) {
    scrub.addEventListener("input", () => { document.getElementById("at").textContent = `${scrub.value} of ${scrub.max}`; });
    scrub.addEventListener("change", () => { location.search = `?step=${scrub.value}`; });
    const here = document.querySelector(".list [aria-current]");
    if (here) { const list = here.closest(".list"); list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2; }
    const next = document.querySelector("[data-next]");
    if (next) new Image().src = next.dataset.next;
  }

  document.addEventListener("click", (event) => {
    const all = event.target.closest("[data-open]");
    if (all) for (const one of document.querySelectorAll("#tree details")) one.open = all.dataset.open === "all";
    const kept = event.target.closest("[data-keep]");
    if (kept) {
      event.preventDefault();
      const asked = new URLSearchParams(location.search);
      const wanted = new URL(kept.href).searchParams.get("slides");
      if (wanted) asked.set("slides", wanted); else asked.delete("slides");
      location.href = `?${asked}#seen`;
    }
  });
})();
