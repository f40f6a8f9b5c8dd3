// Keys, drag and drop, and what htmx does not do. No address or text of a deck is run here.
"use strict";
(() => {
  const drop = document.getElementById("drop");
  if (drop) {
    const notice = document.getElementById("upload-notice");
    const sent = document.getElementById("sent");
    const cancel = document.getElementById("cancel-upload");
    const send = (files) => {
      const body = new FormData();
      for (const file of files) body.append("files", file);
      const request = new XMLHttpRequest();
      request.open("POST", "/decks");
      request.upload.onprogress = (event) => { if (event.lengthComputable) sent.value = 100 * event.loaded / event.total; };
      request.onload = () => {
        if (request.status < 400) { location.href = request.responseURL || "/"; return; }
        const page = new DOMParser().parseFromString(request.responseText, "text/html");
        tell((page.querySelector(".notice") || page.body).textContent.trim());
      };
      request.onerror = () => tell("The workbench does not answer.");
      request.onabort = () => tell("The upload was cancelled; nothing was kept.");
      request.onloadend = () => { cancel.hidden = true; };
      cancel.onclick = () => request.abort();
      sent.hidden = false; notice.hidden = true; cancel.hidden = false;
      request.send(body);
    };
    const tell = (text) => { sent.hidden = true; notice.textContent = text; notice.hidden = false; };
    drop.addEventListener("submit", (event) => {
      event.preventDefault();
      send(document.getElementById("files").files);
    });
    document.getElementById("files").addEventListener("change", (event) => { if (event.target.files.length) send(event.target.files); });
    for (const name of ["dragenter", "dragover"]) {
      document.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
    }
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
    document.addEventListener("drop", (event) => {
      event.preventDefault(); drop.classList.remove("over");
      if (event.dataTransfer.files.length) send(event.dataTransfer.files);
    });
  }

  // News of jobs: what shows a job names it, and asks the server again when the job has news.
  let news = null;
  let watched = "";
  const watch = () => {
    const shown = [...document.querySelectorAll("[data-job]")].map((one) => one.dataset.job);
    const wanted = [...new Set(shown)].sort().slice(0, 50).map((id) => `job=${id}`).join("&");
    if (wanted === watched) return;
    if (news) news.close();
    news = null; watched = wanted;
    if (!wanted) return;
    news = new EventSource(`/events?${wanted}`);
    news.addEventListener("job", (event) => {
      const id = JSON.parse(event.data);
      for (const one of document.querySelectorAll(`[data-job="${id}"]`)) htmx.trigger(one, "news");
    });
    news.addEventListener("end", () => { news.close(); news = null; watched = ""; setTimeout(watch, 500); });
  };
  document.addEventListener("htmx:load", watch);
  document.addEventListener("htmx:afterSettle", watch);
  window.addEventListener("pagehide", () => { if (news) news.close(); });

  document.addEventListener("click", (event) => {
    const copied = event.target.closest("[data-copy]");
    if (copied) navigator.clipboard.writeText(copied.dataset.copy).then(() => { copied.textContent = "Copied"; }, () => { copied.textContent = copied.dataset.copy; });
    if (event.target.closest("[data-all]")) {
      const boxes = [...document.querySelectorAll(".pick")], all = boxes.every((box) => box.checked);
      for (const box of boxes) box.checked = !all;
    }
    for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target) || event.target.closest(".menu a, .menu button")) menu.open = false;
    const asked = event.target.closest("[data-ask]");
    const field = document.getElementById("instruction");
    if (!asked || !field) return;
    field.value = asked.dataset.ask; field.focus();
    const model = field.form.elements.model;
    if (model && "by" in asked.dataset) model.value = asked.dataset.by;
  });

  // A form with data-api asks the JSON API. After that comes data-to, a page with fields of the answer in braces; a
  // data-part of this page anew; the turn of a job (data-turn); or words (data-told).
  const ask = async (form, button) => {
    const [method, place] = form.dataset.api.split(" ");
    const given = new FormData(form, button);
    const files = form.enctype === "multipart/form-data";
    const fields = {};
    for (const [name, value] of given) if (name.endsWith("[]")) (fields[name.slice(0, -2)] ||= []).push(value); else fields[name] = value;
    const headers = { "x-decklab": "1", ...(files ? {} : { "content-type": "application/json" }) };
    if (button) button.disabled = true;
    let ok = false;
    let said = {};
    try {
      const answer = await fetch(place, { method, headers, body: method === "DELETE" ? undefined : files ? given : JSON.stringify(fields) });
      ok = answer.ok;
      said = answer.status === 204 ? {} : await answer.json();
    } catch { said = { error: "The workbench does not answer." }; }
    const { to: then, part, told, turn } = form.dataset;
    const filled = (words, as) => words.replace(/\{(\w+)\}/g, (_, name) => as(said[name]));
    if (ok && then !== undefined) {
      const to = new URL(filled(then, encodeURIComponent), location);
      if (to.pathname + to.search !== location.pathname + location.search) { location.href = to; return; }
      history.replaceState(null, "", to); location.reload();
      return;
    }
    if (button) button.disabled = false;
    if (ok && turn !== undefined) htmx.ajax("GET", `/jobs/${said.id}`, { target: "#turns", swap: "beforeend" });
    if (ok && part) htmx.ajax("GET", location.pathname + location.search, { target: part, select: part, swap: "outerHTML" });
    if (ok && form.id === "ask") form.reset();
    if (ok && told === undefined) return;
    const notice = Object.assign(document.createElement("p"), { className: "notice", textContent: ok ? filled(told, String) : said.error });
    notice.setAttribute("role", ok ? "status" : "alert");
    if (ok) { document.getElementById("told").replaceChildren(notice); return; }
    if (form.previousElementSibling && form.previousElementSibling.matches(".notice[role=alert]")) form.previousElementSibling.remove();
    form.before(notice);
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.confirm && !confirm(form.dataset.confirm)) event.preventDefault();
    else if (form.dataset.api) { event.preventDefault(); ask(form, event.submitter); }
  });

  // A finished edit leads to its version, unless somebody is writing the next request.
  const known = new Set([...document.querySelectorAll(".turn[data-version]")].map((turn) => turn.id));
  document.addEventListener("htmx:afterSettle", () => {
    const field = document.getElementById("instruction");
    if (!field || field.value || document.querySelector(".turn[hx-get]")) return;
    const made = [...document.querySelectorAll(".turn[data-version]")].filter((turn) => !known.has(turn.id)).pop();
    if (made) { known.add(made.id); location.href = made.querySelector("a").href; }
  });

  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".menu[open]");
    if (menu) { menu.open = false; menu.firstElementChild.focus(); }
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "instruction") {
        document.getElementById("ask").requestSubmit();
      }
      return;
    }
    const film = document.getElementById("film");
    const step = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, j: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, k: -1 }[event.key];
    if (!film || !step) return;
    const links = [...film.querySelectorAll("a")];
    const here = links.findIndex((link) => link.getAttribute("aria-current"));
    const next = links[here + step];
    if (next) { event.preventDefault(); location.href = next.href; }
  });

  const here = document.querySelector(".film [aria-current]");
  if (here) here.scrollIntoView({ block: "nearest", inline: "center" });
})();
