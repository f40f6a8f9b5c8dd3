// Ranking by drag or by keys. Each change is sent at once; letters and pictures are all that is known of a deck.
"use strict";
(() => {
  const root = document.getElementById("ranking");
  if (!root) return;
  const ranked = document.getElementById("ranked");
  const left = document.getElementById("left");
  const state = document.getElementById("state");
  const note = document.getElementById("note");
  const flag = document.getElementById("flag");
  const viewers = document.getElementById("viewers");
  const marks = [...document.querySelectorAll("#marks select")];
  const number = root.dataset.number;
  const at = {};
  let beside = false;
  let other = null;
  let chosen = null;
  let spent = 0;
  let lastSign = Date.now();

  const items = () => [...root.querySelectorAll(".item")];
  const places = () => [...ranked.children];

  // --- what is sent
  let waiting = null;
  let sending = Promise.resolve();
  const order = () => places().map((place) => [...place.querySelectorAll(".item")].map((one) => one.dataset.key));
  const send = (done) => {
    clearTimeout(waiting); waiting = null;
    const flags = {};
    const marked = {};
    for (const one of items()) if (one.dataset.marks !== "{}") marked[one.dataset.key] = JSON.parse(one.dataset.marks);
    for (const one of items()) if (one.dataset.flag) flags[one.dataset.key] = one.dataset.flag;
    const seconds = spent; spent = 0;
    const body = JSON.stringify({ ranked: order(), flags, marks: marked, note: note.value, seconds, done });
    sending = sending.then(async () => {
      try {
        const answer = await fetch(`/rank/own/${number}`, { method: "POST", headers: { "content-type": "application/json" }, body, keepalive: true });
        if (!answer.ok) throw new Error(String(answer.status));
        state.textContent = done ? "Done." : "Saved.";
        return true;
      } catch {
        spent += seconds;
        state.textContent = "Not saved: the server does not answer. It is tried again.";
        clearTimeout(waiting); waiting = setTimeout(() => send(false), 3000);
        return false;
      }
    });
    return sending;
  };
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(() => send(false), 400); };

  // --- time at work: no more than half a minute after the last sign of the person
  for (const sign of ["pointermove", "keydown", "wheel", "pointerdown"]) document.addEventListener(sign, () => { lastSign = Date.now(); }, { passive: true });
  setInterval(() => { if (document.visibilityState === "visible" && Date.now() - lastSign < 30000) spent += 1; }, 1000);
  setInterval(() => { if (spent >= 20) send(done_); }, 5000);
  let done_ = state.textContent.trim() === "Done.";

  // --- the list
  const tidy = () => {
    for (const one of [...ranked.querySelectorAll(":scope > .item")]) {
      const place = document.createElement("li");
      place.className = "place";
      const group = document.createElement("ol");
      group.className = "group";
      place.append(group);
      one.replaceWith(place);
      group.append(one);
      sortable(group);
    }
    for (const place of places()) if (!place.querySelector(".item")) place.remove();
    if (!places().length) ranked.replaceChildren();
    for (const group of left.querySelectorAll(".place")) { left.append(...group.querySelectorAll(".item")); group.remove(); }
    places().forEach((place, index) => {
      for (const one of place.querySelectorAll(".item")) one.querySelector(".pick").setAttribute("aria-label", `Deck ${one.dataset.letter}, place ${index + 1}`);
    });
    for (const one of left.querySelectorAll(".item")) one.querySelector(".pick").setAttribute("aria-label", `Deck ${one.dataset.letter}, not ranked`);
    for (const one of items()) {
      const option = [...flag.options].find((each) => each.value === one.dataset.flag && each.value);
      one.querySelector(".mark").textContent = option ? option.textContent : "";
    }
  };
  const changed = () => { tidy(); done_ = false; soon(); };
  const sortable = (list) => new Sortable(list, { group: "decks", animation: 120, draggable: list === ranked ? ".place, .item" : ".item", onEnd: changed });

  const choose = (one, focus) => {
    if (!one) return;
    for (const each of items()) each.removeAttribute("aria-current");
    if (beside && chosen && chosen !== one) other = chosen;
    chosen = one;
    one.setAttribute("aria-current", "true");
    flag.value = one.dataset.flag;
    const own = JSON.parse(one.dataset.marks);
    for (const each of marks) each.value = own[each.dataset.criterion] || "";
    if (marks.length) document.getElementById("marked").textContent = one.dataset.letter;
    if (focus) one.querySelector(".pick").focus();
    show();
  };

  const show = () => {
    const shown = beside && other && other !== chosen ? [other, chosen] : [chosen];
    viewers.classList.toggle("two", shown.length > 1);
    viewers.replaceChildren(...shown.filter(Boolean).map(viewer));
  };
  const viewer = (one) => {
    const key = one.dataset.key;
    const count = Number(one.dataset.slides);
    at[key] = Math.min(Math.max(at[key] || 1, 1), Math.max(count, 1));
    const box = document.createElement("figure");
    box.className = "viewer";
    const bar = document.createElement("figcaption");
    bar.className = "bar";
    const name = document.createElement("strong");
    name.textContent = `Deck ${one.dataset.letter}`;
    bar.append(name);
    const turn = (step, label) => {
      const button = document.createElement("button");
      button.type = "button"; button.className = "quiet"; button.textContent = label;
      button.setAttribute("aria-label", `${step < 0 ? "Slide before" : "Next slide"} of deck ${one.dataset.letter}`);
      button.addEventListener("click", () => { at[key] += step; show(); });
      button.disabled = at[key] + step < 1 || at[key] + step > count;
      return button;
    };
    const where = document.createElement("span");
    where.className = "soft"; where.textContent = count ? `${at[key]} of ${count}` : "being drawn…";
    bar.append(turn(-1, "←"), where, turn(1, "→"));
    if (count) {
      const picture = document.createElement("img");
      picture.className = "large";
      picture.alt = `Slide ${at[key]} of deck ${one.dataset.letter}`;
      picture.src = `/rank/own/${number}/${key}/${at[key]}.webp`;
      box.append(picture);
      if (at[key] < count) new Image().src = `/rank/own/${number}/${key}/${at[key] + 1}.webp`;
    }
    box.append(bar);
    return box;
  };

  const place = (one) => one.closest(".place");
  const acts = {
    up() {
      const here = place(chosen);
      if (!here) return acts.rank();
      const alone = here.querySelectorAll(".item").length === 1;
      if (!alone) ranked.insertBefore(chosen, here);
      else if (here.previousElementSibling) ranked.insertBefore(here, here.previousElementSibling);
    },
    down() {
      const here = place(chosen);
      if (!here) return acts.rank();
      const alone = here.querySelectorAll(".item").length === 1;
      if (!alone) ranked.insertBefore(chosen, here.nextElementSibling);
      else if (here.nextElementSibling) ranked.insertBefore(here.nextElementSibling, here);
    },
    tie() {
      const here = place(chosen);
      const above = here && here.previousElementSibling;
      if (above) above.querySelector(".group").append(chosen);
    },
    leave() { left.append(chosen); },
    rank() { if (!place(chosen)) ranked.append(chosen); },
    beside() {
      beside = !beside;
      root.querySelector('[data-act="beside"]').setAttribute("aria-pressed", String(beside));
      if (beside && !other) other = items().find((one) => one !== chosen) || null;
      show();
    },
  };
  const act = (name) => {
    if (!chosen) return;
    acts[name]();
    if (name !== "beside") { changed(); chosen.querySelector(".pick").focus(); state.textContent = `Deck ${chosen.dataset.letter}: ${place(chosen) ? `place ${places().indexOf(place(chosen)) + 1}` : "not ranked"}.`; }
  };

  root.addEventListener("click", (event) => {
    const picked = event.target.closest(".pick");
    if (picked) choose(picked.closest(".item"), false);
    const asked = event.target.closest("[data-act]");
    if (asked) act(asked.dataset.act);
  });
  root.addEventListener("focusin", (event) => {
    const picked = event.target.closest(".pick");
    if (picked && picked.closest(".item") !== chosen) choose(picked.closest(".item"), false);
  });
  flag.addEventListener("change", () => { if (chosen) { chosen.dataset.flag = flag.value; changed(); } });
  for (const each of marks) each.addEventListener("change", () => {
    const own = JSON.parse(chosen.dataset.marks);
    if (each.value) own[each.dataset.criterion] = Number(each.value); else delete own[each.dataset.criterion];
    chosen.dataset.marks = JSON.stringify(own); changed();
  });
  note.addEventListener("input", () => { done_ = false; soon(); });
  document.getElementById("done").addEventListener("click", async () => {
    done_ = true;
    if (await send(true)) location.href = root.dataset.next;
  });
  window.addEventListener("pagehide", () => { if (waiting) send(false); });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const all = items();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && event.shiftKey) act(step < 0 ? "up" : "down");
    else if (step) choose(all[Math.min(Math.max(all.indexOf(chosen) + step, 0), all.length - 1)], true);
    else if (turn && chosen) { at[chosen.dataset.key] = Math.min(Math.max((at[chosen.dataset.key] || 1) + turn, 1), Math.max(Number(chosen.dataset.slides), 1)); show(); }
    else if (event.key === "t" || event.key === "T") act("tie");
    else if (event.key === "x" || event.key === "X") act("leave");
    else if (event.key === "b" || event.key === "B") act("beside");
    else if (event.key === "Enter" && event.target.closest(".pick")) act("rank");
    else return;
    event.preventDefault();
  });

  // Decks that are being drawn come as soon as they are.
  const undrawn = () => items().filter((one) => one.dataset.slides === "0");
  const later = async () => {
    if (!undrawn().length) return;
    try {
      const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
      for (const one of undrawn()) {
        const now = page.querySelector(`[data-key="${one.dataset.key}"]`);
        if (!now || now.dataset.slides === "0") continue;
        one.dataset.slides = now.dataset.slides;
        one.querySelector(".cover").replaceWith(now.querySelector(".cover"));
      }
      show();
    } catch { /* the server does not answer: it is asked again */ }
    setTimeout(later, 4000);
  };
  setTimeout(later, 4000);

  for (const list of [ranked, left, ...root.querySelectorAll(".place .group")]) sortable(list);
  tidy();
  choose(left.querySelector(".item") || items()[0], false);
})();
