// What decklab asks of a page: which slides it has, one of them shown alone, its text, its facts.
(() => {
  const VIEW = { width: 1280, height: 720 };
  const MAX_BLOCKS = 2000;
  const MAX_WORDS = 20000;
  // Classes by which slide frameworks mark the slide that is shown.
  const SHOWN = ["active", "current", "present", "visible", "show", "shown", "is-active", "selected",
    "bespoke-marp-active"];

  const style = document.createElement("style");
  style.textContent = `
    *, *::before, *::after { animation-duration: 1ms !important; animation-delay: 0s !important;
      animation-iteration-count: 1 !important; transition: none !important;
      caret-color: transparent !important; scroll-behavior: auto !important; }
    .fragment { opacity: 1 !important; visibility: inherit !important; }
    .__decklab_hidden { display: none !important; }
    .reveal .controls, .reveal .progress, .bespoke-marp-osc, .bespoke-progress-parent,
    .__decklab_control { display: none !important; }`;
  document.documentElement.append(style);

  const outermost = (list) => list.filter((item) => !list.some((o) => o !== item && o.contains(item)));

  function findSlides() {
    const flattened = [...document.querySelectorAll(".reveal .slides > section")].flatMap((section) => {
      const nested = [...section.children].filter((child) => child.matches("section"));
      return nested.length ? nested : [section];
    });
    if (flattened.length) return { kind: "reveal", items: flattened };
    const marked = outermost([...document.querySelectorAll(".slide, [data-slide]")]);
    if (marked.length) return { kind: "marked", items: marked };
    const sections = [...document.querySelectorAll("body > section, svg[data-marpit-svg]")];
    if (sections.length) return { kind: "sections", items: sections };
    for (const names of [".print-slide-container", ".slidev-page", ".swiper-slide", ".step", ".page", "section"]) {
      const alike = outermost([...document.querySelectorAll(names)]);
      const together = alike.every((item) => item.parentElement === alike[0].parentElement);
      if (alike.length > 1 && together) return { kind: "sections", items: alike };
    }
    const height = Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight || 0);
    const count = Math.max(1, Math.ceil((height - 1) / VIEW.height));
    return { kind: "pages", items: new Array(count).fill(null) };
  }

  const found = findSlides();

  // The stage that the script of reveal.js would set up, if it does not run.
  const bare = found.kind === "reveal" && !window.Reveal && document.querySelector(".reveal").getBoundingClientRect().height < 1;
  if (bare) {
    style.textContent += `html, body, .reveal { height: 100vh !important; }
      .reveal .slides { width: 960px !important; height: 700px !important; left: 50% !important; top: 50% !important;
        right: auto !important; bottom: auto !important; transform: translate(-50%, -50%) scale(0.987) !important; }`;
  }

  // Buttons that lie over the slides and turn them are no part of any.
  for (const control of document.querySelectorAll("button, nav, [role=button], [role=navigation]")) {
    if (found.items.some((item) => item?.contains(control))) continue;
    let outer = null;
    for (let box = control; box && box !== document.body; box = box.parentElement) {
      if (found.items.some((item) => item && box.contains(item))) break;
      if (["fixed", "absolute"].includes(getComputedStyle(box).position)) outer = box;
    }
    (outer ?? (control.tagName === "NAV" ? control : null))?.classList.add("__decklab_control");
  }

  function revealTo(item) {
    const api = window.Reveal;
    if (found.kind !== "reveal" || !api?.getIndices || !api.isReady?.()) return false;
    const at = api.getIndices(item);
    api.configure({ transition: "none", backgroundTransition: "none" });
    api.slide(at.h, at.v);
    return true;
  }

  let shown = []; // elements that were made visible, to be undone

  function isolate(item) {
    for (const [box, name, was, priority] of shown.reverse()) box.style.setProperty(name, was, priority);
    shown = [];
    const force = (box, name, value) => {
      shown.push([box, name, box.style.getPropertyValue(name), box.style.getPropertyPriority(name)]);
      box.style.setProperty(name, value, "important");
    };
    for (const other of found.items) {
      other.classList.toggle("__decklab_hidden", other !== item && !other.contains(item));
    }
    const markers = SHOWN.filter((name) => found.items.some((slide) => slide.classList.contains(name)));
    for (const other of found.items) other.classList.remove(...markers);
    item.classList.add(...markers);
    if (found.kind === "reveal") { // whose script may not run
      for (const section of document.querySelectorAll(".reveal .slides section")) section.classList.toggle("present", section.contains(item));
    }
    item.removeAttribute("hidden");
    item.removeAttribute("aria-hidden");
    for (let box = item; box && box !== document.body; box = box.parentElement) {
      const computed = getComputedStyle(box);
      if (computed.display === "none") force(box, "display", "block");
      if (computed.visibility !== "visible") force(box, "visibility", "visible");
      if (computed.opacity !== "1" && box === item) force(box, "opacity", "1");
    }
  }

  const clipOf = (rect) => ({
    x: Math.max(0, rect.left + scrollX), y: Math.max(0, rect.top + scrollY),
    width: Math.min(rect.width, 8 * VIEW.width), height: Math.min(rect.height, 8 * VIEW.height),
  });

  // Show one slide (from 0) and answer the rectangle of the document that it takes.
  async function show(index) {
    const clip = reached(index);
    await calm(found.items[index] ?? document.body);
    return clip;
  }

  // Wait until elements of the page's own kinds, which lay out their content by observers, stay as
  // they are for two frames.
  async function calm(root) {
    const own = [...root.querySelectorAll("*")].filter((one) => one.shadowRoot);
    let still = own.length ? 0 : 2, last = "";
    for (let tries = 0; still < 2 && tries < 60; tries++) {
      await new Promise((done) => setTimeout(done, 16));
      const now = String(own.map((one) => Object.values(one.getBoundingClientRect().toJSON())));
      still = now === last ? still + 1 : 0;
      last = now;
    }
  }

  function reached(index) {
    const item = found.items[index];
    if (item === null) {
      scrollTo(0, 0);
      return { x: 0, y: index * VIEW.height, ...VIEW };
    }
    if (revealTo(item)) return { x: 0, y: 0, ...VIEW };
    isolate(item);
    scrollTo(0, 0);
    if (bare) return { x: 0, y: 0, ...VIEW };
    let rect = item.getBoundingClientRect();
    const outside = rect.left < -1 || rect.top + scrollY < -1 || rect.left >= document.documentElement.scrollWidth;
    if (outside) {
      item.style.setProperty("transform", "none", "important");
      item.scrollIntoView({ block: "start", inline: "start" });
      rect = item.getBoundingClientRect();
    }
    return rect.width >= 1 && rect.height >= 1 ? clipOf(rect) : { x: 0, y: 0, ...VIEW };
  }

  async function settle() {
    await Promise.race([document.fonts.ready, new Promise((done) => setTimeout(done, 3000))]);
    return found.items.length;
  }

  // ---- text as laid out ----

  const inside = (rect, clip) => {
    const x = (rect.left + rect.right) / 2 + scrollX, y = (rect.top + rect.bottom) / 2 + scrollY;
    return x >= clip.x && x <= clip.x + clip.width && y >= clip.y && y <= clip.y + clip.height;
  };

  const seen = (element) =>
    !element.closest("script, style, noscript, template, title") &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  function textNodes(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeValue.trim() && node.parentElement && seen(node.parentElement)) nodes.push(node);
    }
    return nodes;
  }

  const canvas = document.createElement("canvas").getContext("2d");
  const knownFonts = new Map();
  const GENERIC = new Set(["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji"]);

  // The first family of a list that the machine has, seen by its widths against two fallbacks.
  function usedFamily(list) {
    if (knownFonts.has(list)) return knownFonts.get(list);
    const width = (family) => {
      canvas.font = `72px ${family}`;
      return canvas.measureText("Hamburgefonstiv 0123 iIlLmMwW").width;
    };
    let used = "";
    for (const family of list.split(",").map((name) => name.trim())) {
      const differs = ["monospace", "serif"].some((base) => width(`${family}, ${base}`) !== width(base));
      if (GENERIC.has(family) || differs) { used = family.replace(/^["']|["']$/g, ""); break; }
    }
    knownFonts.set(list, used);
    return used;
  }

  // CSS colours as #RRGGBB; "" where nothing is painted or the paint is no plain colour.
  function hex(color) {
    const parts = color.match(/^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/);
    if (!parts || parts[4] === "0") return "";
    return "#" + [1, 2, 3].map((i) => Math.round(parts[i]).toString(16).padStart(2, "0")).join("").toUpperCase();
  }

  function cased(text, transform) {
    if (transform === "uppercase") return text.toUpperCase();
    if (transform === "lowercase") return text.toLowerCase();
    return text;
  }

  function wordsOf(node) {
    const words = [];
    const range = document.createRange();
    for (const match of node.nodeValue.matchAll(/\S+/g)) {
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
      rects.forEach((rect, at) => words.push({ text: at ? "" : match[0], rect }));
    }
    return words;
  }

  function scaleOf(element) {
    const box = element.closest("div, section, p, li, td, h1, h2, h3, h4, h5, h6, main, article, body");
    if (!box || !box.offsetWidth) return 1;
    const scale = box.getBoundingClientRect().width / box.offsetWidth;
    return scale > 0 && Math.abs(scale - 1) > 0.01 ? scale : 1; // offsetWidth is a rounded number
  }

  // Runs of text on one line in one style, in the CSS pixels of the clip.
  function spans(index, clip) {
    const root = found.items[index] ?? document.body;
    const runs = [];
    let line = -1, last = null, budget = MAX_WORDS;
    for (const node of textNodes(root)) {
      const computed = getComputedStyle(node.parentElement);
      const svg = node.parentElement instanceof SVGElement;
      const paint = svg ? computed.fill : computed.webkitTextFillColor || computed.color;
      const size = parseFloat(computed.fontSize) * (svg ? 1 : scaleOf(node.parentElement));
      const look = { font: usedFamily(computed.fontFamily), size, color: hex(paint) };
      let run = null;
      for (const { text, rect } of wordsOf(node)) {
        if (!inside(rect, clip) || budget-- <= 0) continue;
        const follows = last && Math.abs(rect.bottom - last.bottom) < size / 2 &&
          rect.left - last.right < 1.5 * size && rect.left - last.right > -size;
        if (!follows) line += 1;
        if (run && follows) {
          run.text += text ? " " + cased(text, computed.textTransform) : "";
          run.left = Math.min(run.left, rect.left); run.right = Math.max(run.right, rect.right);
          run.top = Math.min(run.top, rect.top); run.bottom = Math.max(run.bottom, rect.bottom);
        } else {
          run = { ...look, line, text: cased(text, computed.textTransform), left: rect.left,
            top: rect.top, right: rect.right, bottom: rect.bottom };
          runs.push(run);
        }
        last = rect;
      }
    }
    for (const run of runs) {
      run.left += scrollX - clip.x; run.right += scrollX - clip.x;
      run.top += scrollY - clip.y; run.bottom += scrollY - clip.y;
    }
    return runs.filter((run) => run.text);
  }

  // ---- facts for the editability protocol ----

  const named = (element) => {
    const id = element.id ? "#" + element.id : "";
    const classes = [...element.classList].filter((name) => !name.startsWith("__decklab"));
    return element.tagName.toLowerCase() + id + classes.slice(0, 2).map((name) => "." + name).join("");
  };

  const relative = (rect, clip) => ({
    left: rect.left + scrollX - clip.x, top: rect.top + scrollY - clip.y,
    right: rect.right + scrollX - clip.x, bottom: rect.bottom + scrollY - clip.y,
  });

  function blockOf(node) {
    let element = node.parentElement;
    if (element instanceof SVGElement) return element.closest("text, foreignObject") ?? element;
    while (element !== document.body && getComputedStyle(element).display.startsWith("inline")
      && getComputedStyle(element).position === "static") element = element.parentElement;
    return element;
  }

  function measure(block) {
    const range = document.createRange();
    range.selectNodeContents(block);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    const lines = [];
    for (const rect of rects.sort((a, b) => a.bottom - b.bottom)) {
      const line = lines.at(-1);
      if (line && rect.top < (line.top + line.bottom) / 2) line.bottom = Math.max(line.bottom, rect.bottom);
      else lines.push({ top: rect.top, bottom: rect.bottom });
    }
    const frame = block.getBoundingClientRect();
    const edge = (name, pick) => (rects.length ? pick(...rects.map((rect) => rect[name])) : frame[name]);
    return {
      lines: lines.length, frame,
      text: { left: edge("left", Math.min), top: edge("top", Math.min),
        right: edge("right", Math.max), bottom: edge("bottom", Math.max) },
    };
  }

  // Measure a block with its words changed, then put them back.
  function measuredWith(block, nodes, change) {
    const before = nodes.map((node) => node.nodeValue);
    nodes.forEach((node) => { node.nodeValue = change(node.nodeValue); });
    const after = measure(block);
    nodes.forEach((node, at) => { node.nodeValue = before[at]; });
    return after;
  }

  // Enough words for more than the lines there are, even at three times the window's width.
  const repeated = (before) => {
    const width = Math.max(8, before.text.right - before.text.left) * Math.max(1, before.lines);
    const times = Math.min(400, Math.ceil((3 * VIEW.width * (before.lines + 1)) / width));
    return (text) => Array(Math.max(2, times)).fill(text.trim()).join(" ");
  };

  function positioned(block, root) {
    for (let box = block; box && box !== root; box = box.parentElement) {
      if (["absolute", "fixed"].includes(getComputedStyle(box).position)) return true;
    }
    return false;
  }

  const state = (measured, clip) => ({
    lines: measured.lines, frame: relative(measured.frame, clip), text: relative(measured.text, clip),
  });

  function blocks(index, clip) {
    const root = found.items[index] ?? document.body;
    const groups = new Map();
    for (const node of textNodes(root)) {
      const block = blockOf(node);
      if (!groups.has(block)) groups.set(block, []);
      groups.get(block).push(node);
    }
    const facts = [];
    for (const [block, nodes] of groups) {
      const before = measure(block);
      if (!inside(before.text, clip) || facts.length >= MAX_BLOCKS) continue;
      const computed = getComputedStyle(block);
      facts.push({
        element: named(block), words: nodes.map((node) => node.nodeValue).join(" ").trim().replace(/\s+/g, " "),
        selectable: computed.userSelect !== "none" && computed.pointerEvents !== "none",
        svg: block instanceof SVGElement, absolute: positioned(block, root),
        before: state(before, clip),
        filled: state(measuredWith(block, nodes, repeated(before)), clip),
      });
    }
    return facts;
  }

  // Elements with a height of their own whose words do not stay in them or on the slide, and by how
  // many CSS pixels; tables that grew are among them.
  function overflows(index, clip) {
    const root = found.items[index] ?? document.body;
    const facts = [];
    for (const element of root.querySelectorAll("*")) {
      const stated = parseFloat(element.style?.height);
      const words = element.textContent.trim().replace(/\s+/g, " ");
      if (!(stated > 0) || !words || element instanceof SVGElement || facts.length >= MAX_BLOCKS) continue;
      const { frame, text } = measure(element);
      const box = relative(frame, clip), ink = relative(text, clip);
      const past = Math.max(
        box.left - ink.left, ink.right - box.right, box.top - ink.top, ink.bottom - box.bottom,
        frame.height - stated * scaleOf(root), -ink.left, -ink.top, ink.right - clip.width,
        ink.bottom - clip.height);
      facts.push({ element: named(element), words, past });
    }
    return facts;
  }

  const imageSize = (source) => new Promise((done) => {
    const image = new Image();
    image.onload = () => done([image.naturalWidth, image.naturalHeight]);
    image.onerror = () => done(null);
    setTimeout(() => done(null), 3000);
    image.src = source;
  });

  const isVector = (source) => /^data:image\/svg/i.test(source) || /\.svgz?([?#]|$)/i.test(source);
  const short = (source) => (source.length > 200 ? source.slice(0, 60) + "..." : source);

  async function graphicsOf(element) {
    const tag = element.tagName.toLowerCase();
    const facts = [];
    const add = (kind, vector, natural, source) =>
      facts.push({ kind, element: named(element), vector, natural, source: short(source) });
    if (tag === "img" || tag === "image") {
      const source = element.currentSrc || element.src || element.href?.baseVal || "";
      const natural = tag === "img" ? [element.naturalWidth, element.naturalHeight] : await imageSize(source);
      add("img", isVector(source), natural?.[0] ? natural : null, source);
    } else if (tag === "canvas") add("canvas", false, [element.width, element.height], "");
    else if (tag === "video") add("video", false, [element.videoWidth, element.videoHeight], element.currentSrc);
    else if (tag === "svg" && !element.parentElement?.closest("svg")) add("svg", true, null, "");
    const background = getComputedStyle(element).backgroundImage;
    for (const [, source] of background.matchAll(/url\("?(.*?)"?\)/g)) {
      add("background", isVector(source), await imageSize(source), source);
    }
    return facts;
  }

  async function graphics(index, clip) {
    const root = found.items[index] ?? document.body;
    const facts = [];
    const around = found.items[index] === null ? [document.documentElement] : [document.documentElement, document.body];
    for (const element of [...around, root, ...root.querySelectorAll("*")]) {
      const page = element === document.documentElement || element === document.body;
      if (!page && !seen(element)) continue;
      const rect = page ? { left: clip.x - scrollX, top: clip.y - scrollY,
        right: clip.x - scrollX + clip.width, bottom: clip.y - scrollY + clip.height } : element.getBoundingClientRect();
      if (!inside(rect, clip) || rect.right <= rect.left || rect.bottom <= rect.top) continue;
      for (const item of await graphicsOf(element)) {
        if (facts.length < MAX_BLOCKS) facts.push({ ...item, box: relative(rect, clip) });
      }
    }
    return facts;
  }

  const parts = { found, usedFamily, named, cased };
  window.__decklab = { settle, show, spans, blocks, overflows, graphics, parts };
})();
