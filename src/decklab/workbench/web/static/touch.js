// Touching a slide: typing, moving, slides of the filmstrip, notes, grids of numbers, pictures. The
// page shows each change itself until the slide is drawn again.
"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const desk = () => document.querySelector(".desk");
  const svg = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const content = (shape) => JSON.parse(shape.dataset.content);
  const shapeOf = (target) => target.closest && target.closest("[data-content]");
  const shapeById = (id) => document.querySelector(`[data-content][data-id="${id}"]`);
  const slideNow = () => Number(desk().dataset.slide);
  const say = (text) => { if (by("touch-said")) by("touch-said").textContent = text; };

  // Changes go to the server one after the other; the page is shown anew after the last of them.
  let pending = 0, fault = "", stale = null, turns = 0, afterwards = null, refocus = () => {};
  let line = Promise.resolve(), held = ""; // what is pressed stays until the click, what is dragged until the drop
  for (const name of ["pointerdown", "pointerup", "pointercancel", "dragstart", "dragend"]) {
    addEventListener(name, () => {
      if (name === "pointercancel" && held === "dragstart") return; // a drag begins with it
      held = name === "pointerdown" || name === "dragstart" ? name : "";
      if (!held) setTimeout(settled);
    }, true);
  }
  const busy = () => Boolean(held || typing || drag || nudged || document.querySelector("dialog[open]")
    || (document.activeElement && document.activeElement.id === "notes" && notesChanged()));

  const asked = async (path, body) => {
    const { deck, version } = desk().dataset;
    const json = !(body instanceof FormData);
    const answer = await fetch(`/api/decks/${deck}/versions/${version}/${path}`, {
      method: "POST", body: json ? JSON.stringify(body) : body,
      headers: json ? { "content-type": "application/json" } : {},
    });
    let job = await answer.json();
    if (!answer.ok) throw new Error(job.error);
    while (job.open) job = await (await fetch(`/api/jobs/${job.id}?wait=20`)).json();
    if (job.state !== "done") throw new Error(job.message || "It was stopped.");
    if (job.result.fork) fault = job.result.fork;
  };
  const send = (path, body, slide = slideNow()) => {
    pending += 1;
    stale = slide;
    say("Changing the slide…");
    const stage = by("stage");
    if (stage) stage.setAttribute("aria-busy", "true");
    line = line.then(() => asked(path, body)).catch((error) => { fault = error.message; }).then(() => {
      pending -= 1;
      if (!pending) return refresh();
    });
    return line;
  };
  const operate = (calls, slide) => send("touch", { calls, follow: "current" in desk().dataset }, slide);
  const operation = (name, more) => ({ operation: name, arguments: { slide: slideNow(), ...more } });

  let inFilm = false; // what moves in the filmstrip loses the focus there
  const focused = () => {
    const here = document.activeElement;
    if (inFilm) return () => { inFilm = false; document.querySelector("#film a[aria-current]").focus({ preventScroll: true }); };
    if (!here || here === document.body) return () => {};
    const id = here.dataset && here.dataset.id, film = here.closest("#film"), act = here.dataset && here.dataset.film;
    return () => {
      const again = id ? shapeById(id) : film ? document.querySelector("#film a[aria-current]")
        : act ? document.querySelector(`[data-film="${act}"]:not(:disabled)`) : here.id && by(here.id);
      if (again) again.focus({ preventScroll: true });
      if (again && id) choose(again); // it may have had the focus already
    };
  };
  const refresh = async () => {
    if (stale === null || pending || busy()) return;
    const { deck, version } = desk().dataset, slide = stale, turn = ++turns;
    const place = `/decks/${deck}?${"current" in desk().dataset || !fault ? "" : `version=${version}&`}slide=${slide}`;
    const answer = await fetch(place);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const picture = page.querySelector("#stage img");
    if (picture) {
      const drawn = new Image();
      drawn.src = picture.getAttribute("src");
      await drawn.decode().catch(() => {});
    }
    if (turn !== turns || pending || busy() || !page.querySelector(".desk")) return; // a later one shows more
    stale = null;
    const again = focused(), words = by("instruction"), said = words && words.value;
    for (const part of [".tools", ".desk"]) {
      const fresh = document.adoptNode(page.querySelector(part));
      document.querySelector(part).replaceWith(fresh);
      htmx.process(fresh);
      htmx.trigger(fresh, "htmx:load"); // its jobs are watched from now on
    }
    if (said && by("instruction")) by("instruction").value = said;
    history.replaceState(null, "", place);
    shown();
    again();
    if (fault) by("told").replaceChildren(element("p", { className: "notice", textContent: fault }));
    else by("told").replaceChildren();
    say(fault ? "" : "Changed.");
    fault = "";
    if (afterwards) { const next = afterwards; afterwards = null; next(); }
  };
  const settled = () => { if (stale !== null) refresh(); };
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.target.id !== "looked") return;
    if (!(pending || busy() || stale !== null)) { refocus = focused(); return; }
    event.detail.shouldSwap = false;
    if (stale === null) stale = slideNow();
  });

  // A shape is chosen by a click or by Tab: it has handles, and its buttons below the slide.
  let chosen = null;
  const point = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(by("shapes").getScreenCTM().inverse());
  const unit = () => 1 / by("shapes").getScreenCTM().a;
  const rectOf = (shape) => shape.querySelector("rect");
  const boxOf = (shape) => ["x", "y", "width", "height"].map((side) => Number(rectOf(shape).getAttribute(side)));
  const EDGES = [[0, 0], [.5, 0], [1, 0], [1, .5], [1, 1], [.5, 1], [0, 1], [0, .5]];
  const CURSORS = ["nwse", "ns", "nesw", "ew"];
  const handles = (shape) => {
    for (const old of document.querySelectorAll(".handle")) old.remove();
    if (!shape || content(shape).turn) return;
    const [x, y, width, height] = boxOf(shape), side = 10 * unit();
    EDGES.forEach(([across, down], place) => {
      const handle = svg("rect", {
        class: "handle", x: x + across * width - side / 2, y: y + down * height - side / 2, width: side, height: side, "data-edge": place,
      });
      handle.style.cursor = `${CURSORS[place % 4]}-resize`;
      by("shapes").append(handle);
    });
  };
  const ACTS = {
    type: (one) => "text" in one, cells: (one) => one.cells, numbers: (one) => one.chart && one.chart.length,
    picture: (one) => one.picture, copy: () => true, front: () => true, delete: () => true, ask: () => by("instruction"),
  };
  const choose = (shape) => {
    if (chosen && chosen !== shape) chosen.classList.remove("chosen");
    chosen = shape;
    handles(shape);
    if (shape) shape.classList.add("chosen");
    if (!by("touchbar")) return;
    by("touch-hint").hidden = Boolean(shape);
    by("touch-name").hidden = !shape;
    by("touch-name").textContent = shape ? shape.getAttribute("aria-label") : "";
    for (const button of by("touchbar").querySelectorAll("[data-act]")) {
      button.hidden = !shape || !ACTS[button.dataset.act](content(shape));
    }
  };
  document.addEventListener("focusin", (event) => {
    const shape = shapeOf(event.target);
    if (shape) choose(shape);
    else if (!event.target.closest(".touchbar, dialog, .typing")) choose(null);
  });

  // What is behind a text or shape is painted over, in the colour of most of a box's edge.
  const ground = (box) => {
    const picture = document.querySelector("#stage img");
    if (!picture.complete || !picture.naturalWidth) return "#fff";
    const canvas = element("canvas", { width: 240, height: 135 });
    const paper = canvas.getContext("2d", { willReadFrequently: true });
    paper.drawImage(picture, 0, 0, 240, 135);
    const [x, y, width, height] = box.map((side) => side / 4), counts = new Map();
    for (let step = 0; step <= 40; step += 1) {
      for (const [across, down] of [[step / 40, 0], [step / 40, 1], [0, step / 40], [1, step / 40]]) {
        const left = Math.min(Math.max(x + across * width, 0), 239), top = Math.min(Math.max(y + down * height, 0), 134);
        const color = `rgb(${paper.getImageData(left, top, 1, 1).data.slice(0, 3).join(" ")})`;
        counts.set(color, (counts.get(color) || 0) + 1);
      }
    }
    return [...counts].sort((one, other) => other[1] - one[1])[0][0];
  };
  const ghost = (shape) => {
    const known = document.querySelector(`.ghost[data-of="${shape.dataset.id}"]`);
    if (known) return known.lastChild;
    const [x, y, width, height] = boxOf(shape), made = svg("g", { class: "ghost", "data-of": shape.dataset.id });
    const piece = svg("svg", { viewBox: `${x} ${y} ${width} ${height}`, preserveAspectRatio: "none", x, y, width, height });
    piece.append(svg("image", { href: document.querySelector("#stage img").src, width: 960, height: 540, preserveAspectRatio: "none" }));
    made.append(svg("rect", { x: x - 2, y: y - 2, width: width + 4, height: height + 4, fill: ground([x - 6, y - 6, width + 12, height + 12]) }), piece);
    by("shapes").prepend(made);
    return piece;
  };
  const place = (shape, box) => {
    const piece = ghost(shape), one = content(shape);
    ["x", "y", "width", "height"].forEach((side, at) => {
      piece.setAttribute(side, box[at]);
      rectOf(shape).setAttribute(side, box[at]);
    });
    if (one.turn) rectOf(shape).setAttribute("transform", `rotate(${one.turn} ${box[0] + box[2] / 2} ${box[1] + box[3] / 2})`);
    handles(shape);
  };
  const settle = (shape, from) => {
    const box = boxOf(shape), names = ["x", "y", "width", "height"], changed = {};
    names.forEach((name, at) => { if (Math.abs(box[at] - from[at]) > .01) changed[name] = Math.round(box[at] * 100) / 100; });
    if (Object.keys(changed).length) operate([operation("set_geometry", { shape: Number(shape.dataset.id), ...changed })]);
    else settled();
  };

  // Guides: edges and middles of the slide and of other shapes, near which a shape is held.
  const guided = (shape, box, edge) => {
    for (const old of document.querySelectorAll(".guide")) old.remove();
    const others = [...document.querySelectorAll("[data-content]")].filter((other) => other !== shape).map(boxOf);
    const near = 6 * unit(), held = [...box];
    for (const [at, long, end] of [[0, 960, 540], [1, 540, 960]]) {
      const lines = [0, long / 2, long, ...others.flatMap((other) => [other[at], other[at] + other[at + 2] / 2, other[at] + other[at + 2]])];
      const own = edge === null ? [0, .5, 1] : [[0], [], [1]][EDGES[edge][at] * 2];
      const fits = own.flatMap((share) => lines.map((value) => ({ value, way: value - box[at] - share * box[at + 2], share })))
        .filter((fit) => Math.abs(fit.way) < near).sort((one, other) => Math.abs(one.way) - Math.abs(other.way))[0];
      if (!fits) continue;
      if (edge === null || fits.share === 0) held[at] += fits.way;
      if (edge !== null) held[at + 2] += fits.share === 0 ? -fits.way : fits.way;
      const ends = at ? { x1: 0, x2: end, y1: fits.value, y2: fits.value } : { y1: 0, y2: end, x1: fits.value, x2: fits.value };
      by("shapes").append(svg("line", { class: "guide", ...ends }));
    }
    return held;
  };
  const sized = (from, edge, across, down) => {
    const box = [...from];
    [across, down].forEach((way, at) => {
      const share = EDGES[edge][at];
      if (share === .5) return;
      const shift = share ? Math.max(way, 8 - from[at + 2]) : Math.min(way, from[at + 2] - 8);
      if (!share) box[at] += shift;
      box[at + 2] += share ? shift : -shift;
    });
    return box;
  };

  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest && event.target.closest(".handle");
    const shape = handle ? chosen : shapeOf(event.target);
    if (!shape || event.button) return;
    const again = shape === chosen;
    if (!handle) { shape.focus({ preventScroll: true }); choose(shape); }
    if (event.pointerType === "touch" && !again) { drag = { shape, still: true }; return; }
    event.preventDefault();
    drag = { shape, start: point(event), from: boxOf(shape), edge: handle ? Number(handle.dataset.edge) : null, moved: false };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || drag.still) return;
    const now = point(event), across = now.x - drag.start.x, down = now.y - drag.start.y;
    if (!drag.moved && Math.hypot(across, down) < 4 * unit()) return;
    drag.moved = true;
    const { from, edge } = drag;
    const box = edge === null ? [from[0] + across, from[1] + down, from[2], from[3]] : sized(from, edge, across, down);
    place(drag.shape, event.altKey ? box : guided(drag.shape, box, edge));
  });
  document.addEventListener("pointerup", () => {
    if (!drag) return;
    const { shape, from, moved, edge } = drag;
    drag = null;
    for (const old of document.querySelectorAll(".guide")) old.remove();
    if (moved) settle(shape, from);
    else if (edge === null || edge === undefined) { if (content(shape).text) type(shape); else settled(); }
  });
  document.addEventListener("pointercancel", () => { if (drag && drag.moved) place(drag.shape, drag.from); drag = null; settled(); });
  document.addEventListener("dblclick", (event) => { const shape = shapeOf(event.target); if (shape) enter(shape); });

  // Arrow keys move or size; what they did is sent when they rest.
  let nudged = null;
  const rested = () => {
    if (!nudged) return;
    const { shape, from } = nudged;
    clearTimeout(nudged.timer);
    nudged = null;
    settle(shape, from);
  };
  const nudge = (shape, event) => {
    const step = event.altKey || event.ctrlKey ? 1 : 8;
    const [across, down] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!nudged) nudged = { shape, from: boxOf(shape) };
    clearTimeout(nudged.timer);
    nudged.timer = setTimeout(rested, 600);
    const box = boxOf(shape);
    place(shape, event.shiftKey ? sized(box, 4, across, down) : [box[0] + across, box[1] + down, box[2], box[3]]);
  };
  document.addEventListener("focusout", (event) => { if (nudged && shapeOf(event.target)) rested(); });

  // Typing in place: paragraphs are lines; breaks inside one stay breaks while no line is added.
  let typing = null;
  const type = (shape) => {
    if (typing) finish(true);
    const one = content(shape), stage = by("stage").getBoundingClientRect(), box = rectOf(shape).getBoundingClientRect();
    const scale = 1 / unit(), breaks = [...(one.text || "").matchAll(/[\n\v]/g)].map((found) => found[0]);
    const field = element("textarea", { className: "typing", value: (one.text || "").replaceAll("\v", "\n"), maxLength: 50000 });
    field.setAttribute("aria-label", `Text of ${shape.getAttribute("aria-label")}; Escape leaves it as it was`);
    Object.assign(field.style, {
      left: `${box.left - stage.left}px`, top: `${box.top - stage.top}px`, width: `${box.width}px`, height: `${box.height}px`,
      background: ground(boxOf(shape)), color: one.color || "#000", textAlign: one.align === "justify" ? "left" : one.align || "center",
      fontSize: `${Math.max((one.size || 18) * scale, 8)}px`, fontFamily: one.font ? `"${one.font.replaceAll('"', "")}", Carlito, sans-serif` : "",
      fontWeight: one.bold ? "700" : "400", padding: `${4 * scale}px ${9 * scale}px`,
      paddingLeft: `${(9 + (one.indent || 0)) * scale}px`,
    });
    typing = { shape, field, breaks, before: field.value };
    by("stage").append(field);
    const stand = () => {
      field.style.paddingTop = `${4 * scale}px`;
      field.style.height = "0px";
      const free = box.height - field.scrollHeight;
      const share = { middle: .5, bottom: 1 }[one.anchor] || ("anchor" in one ? 0 : .5);
      field.style.height = `${Math.max(box.height, field.scrollHeight)}px`;
      field.style.paddingTop = `${4 * scale + Math.max(free, 0) * share}px`;
    };
    stand();
    field.addEventListener("input", stand);
    field.addEventListener("blur", () => finish(true));
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) {
        event.preventDefault();
        finish(event.key === "Enter");
        const again = shapeById(shape.dataset.id);
        if (again) again.focus({ preventScroll: true });
      }
    });
    field.focus();
  };
  const finish = (keep) => {
    if (!typing) return;
    const { shape, field, breaks, before } = typing;
    typing = null;
    if (!keep || field.value === before) { field.remove(); settled(); return; }
    field.readOnly = true;
    const lines = field.value.split("\n"), same = lines.length === breaks.length + 1;
    const text = lines.map((words, at) => words + (at < lines.length - 1 ? (same ? breaks[at] : "\n") : "")).join("");
    operate([operation("set_text", { shape: Number(shape.dataset.id), text })]);
  };

  // Cells of a table and numbers of a chart in a grid.
  const grid = (shape, rows, heading, figures) => {
    const dialog = element("dialog", { className: "grid" }), table = element("table", {}), fields = [];
    dialog.setAttribute("aria-label", heading);
    rows.forEach((row, down) => {
      const tr = element("tr", {});
      row.forEach((value, across) => {
        if (figures && !(down && across)) {
          const th = element("th", { textContent: value, scope: down ? "row" : "col" });
          tr.append(down || across ? th : element("td", {}));
          return;
        }
        if (value === null && !figures) { tr.append(element("td", {})); return; }
        const field = element(String(value).match(/[\n\v]/) ? "textarea" : "input", { value: value === null ? "" : String(value).replaceAll("\v", "\n") });
        const name = figures ? `${rows[down][0]}, ${rows[0][across]}` : `Row ${down + 1}, column ${across + 1}`;
        field.setAttribute("aria-label", name);
        if (figures) { field.className = "figure"; field.inputMode = "decimal"; }
        fields.push({ field, down, across, before: field.value });
        tr.append(element("td", {}, field));
      });
      table.append(tr);
    });
    const save = element("button", { type: "submit", textContent: "Change" });
    const cancel = element("button", { type: "button", className: "quiet", textContent: "Leave as it is", onclick: () => dialog.close() });
    const form = element("form", { method: "dialog" }, element("h2", { textContent: heading }), table, element("div", { className: "row" }, cancel, save));
    const calls = () => fields.filter(({ field, before }) => field.value !== before).map(({ field, down, across }) => {
      if (!figures) return operation("set_cell", { shape: Number(shape.dataset.id), row: down + 1, column: across + 1, text: field.value });
      return operation("set_chart_value", { shape: Number(shape.dataset.id), point: [rows[down][0], rows[0][across]], value: number(field.value) });
    });
    const number = (text) => { const plain = text.trim().replace(/\s/g, "").replace(",", "."); return plain === "" ? NaN : Number(plain); };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      for (const { field, before } of fields) {
        field.setCustomValidity(figures && field.value !== before && !Number.isFinite(number(field.value)) ? "A number, such as 12.5" : "");
        if (!field.reportValidity()) return;
      }
      const wanted = calls();
      dialog.close();
      if (!wanted.length) return;
      sketch(shape, fields, figures);
      operate(wanted);
    });
    form.addEventListener("input", (event) => event.target.setCustomValidity(""));
    form.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "Enter" || event.target.tagName !== "INPUT" || event.ctrlKey || event.metaKey) return;
      const here = fields.find(({ field }) => field === event.target);
      const next = fields.find(({ down, across }) => across === here.across && down === here.down + 1);
      if (next) { event.preventDefault(); next.field.focus(); next.field.select(); }
    });
    dialog.append(form);
    dialog.addEventListener("close", () => { dialog.remove(); const again = shapeById(shape.dataset.id); if (again) again.focus({ preventScroll: true }); settled(); });
    document.body.append(dialog);
    dialog.showModal();
    if (fields.length) fields[0].field.focus();
  };
  const sketch = (shape, fields, figures) => {
    const one = content(shape), [x, y, width, height] = boxOf(shape), drawn = svg("g", { class: "ghost" });
    const total = (sides) => sides.reduce((sum, side) => sum + side, 0);
    const changed = fields.filter(({ field, before }) => field.value !== before);
    changed.forEach(({ field, down, across }, place) => {
      const cell = figures ? [x + 8, y + 8 + 24 * place, Math.min(width - 16, 300), 22] : [
        x + total(one.columns.slice(0, across)) * width / total(one.columns), y + total(one.heights.slice(0, down)) * height / total(one.heights),
        one.columns[across] * width / total(one.columns), one.heights[down] * height / total(one.heights),
      ];
      const text = svg("text", { x: cell[0] + 7, y: cell[1] + cell[3] / 2 + 5, "font-size": 15, fill: "#1d1c1a" });
      text.textContent = figures ? `${field.getAttribute("aria-label")}: ${field.value}` : field.value;
      drawn.append(svg("rect", { x: cell[0] + 2, y: cell[1] + 2, width: cell[2] - 4, height: cell[3] - 4, fill: "#f7e3d9" }), text);
    });
    by("shapes").prepend(drawn);
  };

  // Pictures: dropped on one, or on the slide, or chosen as a file.
  const KINDS = /^image\/(png|jpeg|gif|bmp|tiff)$/;
  const showPicture = async (file, shape, at) => {
    if (!KINDS.test(file.type)) { say("Pictures are PNG, JPEG, GIF, BMP or TIFF."); return; }
    const body = new FormData(), source = await new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(file);
    });
    const picture = new Image();
    picture.src = source;
    await picture.decode().catch(() => {});
    const share = picture.width ? picture.height / picture.width : .75, wide = Math.min(320, 400 / share);
    const box = shape ? boxOf(shape) : [at.x - wide / 2, at.y - wide * share / 2, wide, wide * share];
    const [x, y, width, height] = box;
    by("shapes").prepend(svg("image", { class: "ghost", href: source, x, y, width, height, preserveAspectRatio: shape ? "xMidYMid slice" : "none" }));
    body.append("file", file);
    body.append("slide", slideNow());
    body.append("follow", "current" in desk().dataset);
    if (shape) body.append("shape", shape.dataset.id);
    else for (const side of box) body.append("box", side);
    send("picture", body);
  };
  const pictureAt = (event) => {
    const under = document.elementsFromPoint(event.clientX, event.clientY).map(shapeOf).find((shape) => shape && content(shape).picture);
    return under || null;
  };
  document.addEventListener("dragover", (event) => {
    const stage = event.target.closest && event.target.closest("#stage");
    for (const old of document.querySelectorAll(".target")) old.classList.remove("target");
    if (by("stage")) by("stage").classList.toggle("drop", Boolean(stage));
    if (!stage || !by("shapes") || ![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    const shape = pictureAt(event);
    if (shape) shape.classList.add("target");
  });
  document.addEventListener("drop", (event) => {
    const stage = event.target.closest && event.target.closest("#stage"), file = event.dataTransfer.files[0];
    if (by("stage")) by("stage").classList.remove("drop");
    if (!stage || !file || !by("shapes")) return;
    event.preventDefault();
    showPicture(file, pictureAt(event), point(event));
  });
  document.addEventListener("change", (event) => {
    if (event.target.id !== "picture-file" || !event.target.files.length || !chosen) return;
    showPicture(event.target.files[0], chosen);
    event.target.value = "";
  });

  const ask = (shape) => {
    const into = by("instruction"), at = into.selectionEnd ?? into.value.length;
    const before = into.value.slice(0, at), after = into.value.slice(at);
    into.value = `${before}${before && !/\s$/.test(before) ? " " : ""}${shape.dataset.shape}${after.startsWith(" ") ? "" : " "}${after}`;
    const end = into.value.length - after.length;
    into.focus();
    into.setSelectionRange(end, end);
  };
  const enter = (shape) => {
    const one = content(shape);
    if (one.cells) grid(shape, one.cells, `Cells of ${one.name}`, false);
    else if (one.chart && one.chart.length) grid(shape, one.chart, `Numbers of ${one.name}`, true);
    else if (one.picture) by("picture-file").click();
    else if ("text" in one) type(shape);
  };
  const act = (name, shape) => {
    const id = Number(shape.dataset.id);
    if (name === "ask") ask(shape);
    else if (name === "copy") operate([operation("duplicate_shape", { shape: id })]);
    else if (name === "front") operate([operation("order_shape", { shape: id, to: "front" })]);
    else if (name === "delete") { ghost(shape).remove(); shape.setAttribute("visibility", "hidden"); handles(null); operate([operation("delete_shape", { shape: id })]); }
    else enter(shape);
  };

  // The filmstrip. One change at a time: the next one counts slides as they are then.
  const film = (name, to) => {
    const slide = slideNow(), item = document.querySelector("#film a[aria-current]").parentElement, last = by("film").children.length;
    if (pending) { afterwards = () => film(name, to); return; }
    inFilm = inFilm || by("film").contains(document.activeElement);
    if (name === "add") { item.after(blank("New")); operate([{ operation: "add_slide", arguments: { position: slide + 1 } }], slide + 1); }
    if (name === "clone") { const seen = item.querySelector("img"); item.after(blank("Copy", seen && seen.src)); operate([operation("clone_slide", { position: slide + 1 })], slide + 1); }
    if (name === "hide") {
      const link = item.firstElementChild, hidden = link.classList.toggle("skipped");
      operate([operation("hide_slide", { hidden })]);
    }
    if (name === "remove" && last > 1) { item.remove(); operate([operation("delete_slide", {})], Math.min(slide, last - 1)); }
    if (name === "move" && to >= 1 && to <= last && to !== slide) {
      const others = [...by("film").children].filter((other) => other !== item);
      by("film").insertBefore(item, others[to - 1] || null);
      operate([operation("move_slide", { position: to })], to);
    }
    if (name === "earlier" || name === "later") film("move", slide + (name === "later" ? 1 : -1));
  };
  const blank = (words, picture) => element("li", {}, element("a", {},
    picture ? element("img", { src: picture, alt: "" }) : element("span", { className: "blank" }), element("span", { textContent: words })));

  // The deck in another format, and a link for others.
  const tell = (...parts) => by("told").replaceChildren(element("div", { className: "notice", role: "status" }, ...parts));
  const carry = async ({ dataset: { export: format }, textContent: label }) => {
    const { deck, version } = desk().dataset;
    tell(`${label} of version ${version} is being made…`);
    await asked("export", { format });
    const file = element("a", { href: `/decks/${deck}/versions/${version}/export/${format}`, download: "", textContent: `${label} of version ${version}` });
    tell(file, " is made.");
    file.click();
  };
  const share = async ({ dataset: { share: method } }) => {
    const answer = await fetch(`/api/decks/${desk().dataset.deck}/share`, { method });
    if (method === "DELETE") { tell("All links to this deck are ended."); return; }
    const { link } = await answer.json(), button = (textContent, name, value) => {
      const made = element("button", { type: "button", className: "quiet", textContent });
      made.dataset[name] = value;
      return made;
    };
    tell("Whoever has this link sees the slides of the current version, and can do nothing else: ", element("a", { href: link, textContent: link }), " ",
      button("Copy", "copy", link), " ", button("End all links to this deck", "share", "DELETE"));
  };
  document.addEventListener("click", (event) => {
    const { export: format, share: method } = event.target.dataset || {};
    if (format) carry(event.target).catch((error) => tell(error.message));
    if (method) share(event.target).catch((error) => tell(error.message));
  });

  const notesChanged = () => by("notes") && by("notes").value !== by("notes").defaultValue;
  document.addEventListener("change", (event) => {
    if (event.target.id !== "notes" || !notesChanged()) return;
    event.target.defaultValue = event.target.value;
    operate([operation("set_notes", { text: event.target.value })]);
  });
  document.addEventListener("focusout", (event) => { if (event.target.id === "notes") setTimeout(settled); });

  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("[data-act], [data-film]");
    if (button && button.dataset.film) film(button.dataset.film);
    else if (button && chosen) act(button.dataset.act, chosen);
    // Undo waits for what is on its way, and takes that back.
    if (event.target.id === "undo" && (pending || nudged)) {
      event.preventDefault();
      rested();
      afterwards = () => by("undo") && by("undo").click();
    }
  });
  document.addEventListener("keydown", (event) => {
    const shape = shapeOf(event.target), strip = event.target.closest && event.target.closest("#film");
    const control = event.ctrlKey || event.metaKey;
    let done = true;
    if (shape && event.key.startsWith("Arrow")) nudge(shape, event);
    else if (shape && (event.key === "Enter" || event.key === " " || event.key === "F2")) enter(shape);
    else if (shape && (event.key === "Delete" || event.key === "Backspace")) act("delete", shape);
    else if (shape && control && event.key.toLowerCase() === "d") act("copy", shape);
    else if (shape && event.key === "Escape") { shape.blur(); choose(null); }
    else if (strip && event.altKey && /^Arrow(Left|Right)$/.test(event.key)) film(event.key === "ArrowLeft" ? "earlier" : "later");
    else if (strip && event.key === "Delete") film("remove");
    else if (strip && control && event.key.toLowerCase() === "d") film("clone");
    else done = false;
    if (!done) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  const shown = () => {
    chosen = null;
    if (!by("film") || typeof Sortable === "undefined") return;
    Sortable.create(by("film"), {
      animation: 120, delay: 250, delayOnTouchOnly: true,
      onEnd: ({ oldIndex, newIndex }) => {
        if (oldIndex === newIndex || pending) { refreshNow(); return; }
        operate([{ operation: "move_slide", arguments: { slide: oldIndex + 1, position: newIndex + 1 } }], newIndex + 1);
      },
    });
    const here = document.querySelector(".film [aria-current]");
    if (here) here.parentElement.parentElement.scrollLeft = here.offsetLeft - 200;
  };
  const refreshNow = () => { if (stale === null) stale = slideNow(); refresh(); };
  document.addEventListener("htmx:afterSwap", (event) => { if (event.target.id === "looked") { shown(); refocus(); } });
  shown();
})();
