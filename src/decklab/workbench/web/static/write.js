// Drafts: the form with its files, the outline that is changed in place, and the full-screen show.
"use strict";
(() => {
  const make = (name, set = {}, ...children) => {
    const made = Object.assign(document.createElement(name), set);
    made.append(...children);
    return made;
  };

  const brief = document.getElementById("brief");
  if (brief) {
    const notice = document.getElementById("brief-notice");
    const sent = document.getElementById("brief-sent");
    const files = document.getElementById("documents");
    const zone = brief.querySelector("[data-drop]");
    const look = document.getElementById("look");
    const tell = (text) => { sent.hidden = true; notice.textContent = text; notice.hidden = false; notice.scrollIntoView({ block: "nearest" }); };
    const shown = () => zone.querySelector(".chosen").replaceChildren(
      ...[...files.files].map((one) => make("li", { textContent: `${one.name}, ${Math.max(1, Math.round(one.size / 1024))} KB` })));
    files.addEventListener("change", shown);
    zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault(); zone.classList.remove("over");
      const both = new DataTransfer();
      for (const one of [...files.files, ...event.dataTransfer.files]) both.items.add(one);
      files.files = both.files; shown();
    });
    const looked = () => {
      document.getElementById("design").hidden = look.value === "theme";
      brief.querySelector(".looks").classList.toggle("other", look.value !== "theme");
    };
    look.addEventListener("change", looked); looked();
    for (const one of brief.querySelectorAll("[name=theme]")) {
      one.addEventListener("change", () => { look.value = "theme"; looked(); });
    }
    brief.addEventListener("submit", (event) => {
      event.preventDefault();
      const request = new XMLHttpRequest();
      request.open("POST", brief.action);
      request.upload.onprogress = (now) => { if (now.lengthComputable) sent.value = 100 * now.loaded / now.total; };
      request.onload = () => {
        let said = {};
        try { said = JSON.parse(request.responseText); } catch { said = { error: request.responseText.trim() }; }
        if (request.status < 400) location.href = `/write/${said.id}`; else tell(said.error);
      };
      request.onerror = () => tell("The workbench does not answer.");
      sent.hidden = false; notice.hidden = true;
      request.setRequestHeader("x-decklab", "1");
      request.send(new FormData(brief));
    });
  }

  // The outline: what is on the page is put together with what the server gave, and kept soon.
  const readOutline = (section) => {
    const given = JSON.parse(section.dataset.outline);
    const visuals = [...document.getElementById("visuals").content.children].map((one) => one.dataset);
    const pages = [...section.querySelectorAll(".page")].map((item) => {
      const page = { ...(given.pages[item.dataset.page] || { role: "body" }) };
      page.title = item.querySelector(".page-title").value.trim() || "Untitled";
      const form = item.querySelector(".page-form").value;
      if (form !== (page.form || "points")) page.layout = null; // it would stay the layout that it was
      page.form = form;
      page.points = [...item.querySelectorAll("[data-point]")].map((line) => {
        const point = { ...((page.points || [])[line.dataset.point] || {}) };
        point.text = line.querySelector(".point-text").value.trim();
        const label = line.querySelector(".point-label");
        if (label) point.label = label.value.trim();
        return point;
      }).filter((point) => point.text);
      const chosen = item.querySelector(".page-visual");
      if (chosen) {
        const one = visuals[chosen.value];
        const same = one && page.visual && page.visual.kind === one.kind && page.visual.document === one.document && page.visual.number === Number(one.number);
        if (!one) page.visual = null;
        else if (!same) page.visual = { kind: one.kind, document: one.document, number: Number(one.number) };
      }
      return page;
    });
    return { ...given, pages };
  };
  let timer = 0;
  let saving = Promise.resolve(true);
  const saved = (text) => { const line = document.getElementById("saved"); if (line) line.textContent = text; };
  const save = () => {
    clearTimeout(timer); timer = 0;
    const section = document.querySelector("[data-outline]");
    if (!section) return Promise.resolve(true);
    const outline = readOutline(section);
    if (!outline.pages.length) { saved("An outline has at least one page."); return Promise.resolve(false); }
    const draft = document.getElementById("draft-body").dataset.draft;
    saving = saving.then(() => fetch(`/api/drafts/${draft}/outline`, {
      method: "PUT", headers: { "content-type": "application/json", "x-decklab": "1" }, body: JSON.stringify(outline),
    })).then(async (answer) => {
      saved(answer.ok ? "Saved" : (await answer.json()).error);
      return answer.ok;
    }).catch(() => { saved("Not saved: the workbench does not answer."); return false; });
    return saving;
  };
  const later = () => { saved("Saving…"); clearTimeout(timer); timer = setTimeout(save, 400); };
  const renumber = () => {
    document.querySelectorAll(".page").forEach((item, at) => {
      item.querySelector(".handle").setAttribute("aria-label", `Page ${at + 1}: drag, or move with Alt and an arrow key`);
      item.querySelector(".page-title").setAttribute("aria-label", `Title of page ${at + 1}`);
      item.querySelector(".drop-page").setAttribute("aria-label", `Delete page ${at + 1}`);
    });
  };
  const pointLine = () => make("li", {},
    make("textarea", { className: "point-text", rows: 1, ariaLabel: "Point", maxLength: 2000 }),
    make("button", { type: "button", className: "quiet drop-point", ariaLabel: "Delete this point", textContent: "×" }));
  const move = (item, step) => {
    const other = step < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) return;
    if (step < 0) other.before(item); else other.after(item);
    renumber(); later(); item.scrollIntoView({ block: "nearest" });
  };
  const showVisual = (select) => {
    const figure = select.closest(".page").querySelector(".visual");
    const one = document.getElementById("visuals").content.children[select.value];
    figure.hidden = !(select.value && one && one.dataset.drawn);
    if (figure.hidden) return;
    const picture = figure.querySelector("img");
    picture.src = `/write/${document.getElementById("draft-body").dataset.draft}/visuals/${select.value}.png`;
    picture.alt = one.textContent;
  };
  const grow = (area) => { if (!CSS.supports("field-sizing", "content")) { area.style.height = "auto"; area.style.height = `${area.scrollHeight}px`; } };
  const ready = () => {
    document.querySelectorAll(".page textarea").forEach(grow);
    document.querySelectorAll(".page-visual").forEach(showVisual);
    for (const one of document.querySelectorAll("#choices-designs [name=theme]")) if (theme !== null && one.value === theme) one.checked = true;
  };

  document.addEventListener("input", (event) => {
    if (!event.target.closest(".page")) return;
    if (event.target.matches("textarea")) grow(event.target);
    if (event.target.matches(".page-visual")) showVisual(event.target);
    later();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button, .handle");
    if (!button) return;
    const item = button.closest(".page");
    if (button.dataset.wish) { const wish = document.getElementById("wish"); wish.value = button.dataset.wish; wish.focus(); return; }
    if (button.id === "present") { present(button); return; }
    if (button.id === "add-page") {
      const model = document.querySelector(".page");
      const added = model.cloneNode(true);
      added.dataset.page = "new";
      added.querySelector(".page-title").value = "New page";
      added.querySelector(".points").replaceChildren();
      added.querySelectorAll(".evidence, .page-head .tag").forEach((one) => one.remove());
      added.querySelector(".page-form").value = "points";
      const visual = added.querySelector(".page-visual");
      if (visual) { visual.value = ""; }
      document.getElementById("pages").append(added);
      if (visual) showVisual(visual);
      renumber(); later(); added.querySelector(".page-title").select();
      return;
    }
    if (!item) return;
    if (button.matches(".up")) { move(item, -1); button.focus(); }
    if (button.matches(".down")) { move(item, 1); button.focus(); }
    if (button.matches(".drop-point")) {
      const next = item.querySelector(".add-point");
      button.closest("li").remove(); later(); next.focus();
    }
    if (button.matches(".drop-page")) {
      if (document.querySelectorAll(".page").length === 1) { saved("An outline has at least one page."); return; }
      const next = item.nextElementSibling || item.previousElementSibling;
      item.remove(); renumber(); later(); next.querySelector(".handle").focus();
    }
    if (button.matches(".add-point")) {
      const line = pointLine();
      line.dataset.point = "new";
      item.querySelector(".points").append(line);
      line.querySelector("textarea").focus();
    }
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const item = event.target.closest && event.target.closest(".page");
    if (item && event.altKey && step) { event.preventDefault(); const held = event.target; move(item, step); held.focus(); }
    if (item && event.key === "Enter" && event.target.matches(".page-title, .point-text")) {
      event.preventDefault(); // titles and points are one line of text
      if (event.target.matches(".point-text")) item.querySelector(".add-point").click();
    }
  });

  let dragged = null;
  const clear = () => document.querySelectorAll(".above, .below").forEach((one) => one.classList.remove("above", "below"));
  document.addEventListener("dragstart", (event) => {
    const handle = event.target.closest && event.target.closest(".handle");
    if (!handle) return;
    dragged = handle.closest(".page");
    dragged.classList.add("dragged");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "page");
    event.dataTransfer.setDragImage(dragged, 20, 20);
  });
  document.addEventListener("dragover", (event) => {
    const over = dragged && event.target.closest(".page");
    if (!over) return;
    event.preventDefault(); clear();
    const box = over.getBoundingClientRect();
    if (over !== dragged) over.classList.add(event.clientY < box.top + box.height / 2 ? "above" : "below");
  });
  document.addEventListener("drop", (event) => {
    const over = dragged && event.target.closest(".page");
    if (!over || over === dragged) return;
    event.preventDefault();
    if (over.classList.contains("above")) over.before(dragged); else over.after(dragged);
    renumber(); later();
  });
  document.addEventListener("dragend", () => { if (dragged) dragged.classList.remove("dragged"); dragged = null; clear(); });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id !== "go-on" || form.dataset.saved) return;
    event.preventDefault(); event.stopPropagation();
    save().then((well) => { if (well) { form.dataset.saved = "yes"; form.requestSubmit(); } });
  }, true);
  let theme = null;
  document.addEventListener("change", (event) => { if (event.target.matches("#choices-designs [name=theme]")) theme = event.target.value; });
  window.addEventListener("beforeunload", (event) => { if (timer) event.preventDefault(); });
  document.addEventListener("DOMContentLoaded", ready);
  document.addEventListener("htmx:afterSettle", ready);

  // The show: slides over the whole screen, by key or by a click on either half.
  const present = (button) => {
    const show = document.getElementById("show");
    const slides = [...show.querySelectorAll("li")];
    const notes = show.querySelector(".show-notes");
    let here = Number(button.dataset.slide);
    let calm = 0;
    const turn = (to) => {
      here = Math.min(Math.max(to, 1), slides.length);
      const slide = slides[here - 1];
      const picture = show.querySelector("img");
      picture.alt = `Slide ${here}: ${slide.dataset.title}`;
      if (slide.dataset.drawn) picture.src = `${button.dataset.base}${here}.webp`; else picture.removeAttribute("src");
      notes.textContent = slide.textContent.trim() || "No notes.";
      document.getElementById("show-number").textContent = `${here} / ${slides.length}`;
      if (here < slides.length) new Image().src = `${button.dataset.base}${here + 1}.webp`;
      show.classList.remove("calm"); clearTimeout(calm); calm = setTimeout(() => show.classList.add("calm"), 2500);
    };
    const keys = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Backspace: -1 }[event.key];
      event.stopPropagation();
      if (step) { event.preventDefault(); turn(here + step); }
      if (event.key === "Home") turn(1);
      if (event.key === "End") turn(slides.length);
      if (event.key === "n" || event.key === "N") notes.hidden = !notes.hidden;
    };
    const click = (event) => { if (event.target.closest("img")) turn(here + (event.clientX < innerWidth / 2 ? -1 : 1)); };
    const left = () => { if (!document.fullscreenElement && show.open) show.close(); };
    show.addEventListener("keydown", keys);
    show.addEventListener("click", click);
    document.addEventListener("fullscreenchange", left);
    show.addEventListener("close", () => {
      show.removeEventListener("keydown", keys); show.removeEventListener("click", click);
      document.removeEventListener("fullscreenchange", left); clearTimeout(calm);
      if (document.fullscreenElement) document.exitFullscreen();
      button.focus();
    }, { once: true });
    show.showModal(); turn(here);
    if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(() => {});
  };
})();
