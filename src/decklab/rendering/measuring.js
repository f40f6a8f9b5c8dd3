// What decklab measures of a slide that is shown: its boxes, texts, tables, pictures and drawings, as
// the browser laid them out. Lengths are CSS pixels of the slide. Loaded after slides.js.
(() => {
  const { found, usedFamily, named } = window.__decklab.parts;
  const MAX_ITEMS = 6000;
  const MAX_SHAPES = 400; // of one drawing; more are better kept as a picture
  const ALONE = new Set(["CANVAS", "VIDEO", "IFRAME", "OBJECT", "EMBED", "AUDIO", "INPUT", "SELECT",
    "TEXTAREA", "PROGRESS", "METER", "MATH", "MJX-CONTAINER"]);
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TITLE", "HEAD", "LINK", "META"]);

  // ---- colours, lengths, lists ----

  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const colors = new Map();

  // [red, green, blue, alpha] of any CSS colour; colours outside sRGB by way of one painted pixel.
  function color(text) {
    if (colors.has(text)) return colors.get(text);
    let parts = text.match(/^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/);
    if (parts) parts = [+parts[1], +parts[2], +parts[3], parts[4] === undefined ? 1 : +parts[4]];
    else {
      const alpha = text.match(/\/ ([\d.]+)(%?)\)$/);
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = "#000";
      pen.fillStyle = alpha ? text.replace(/ \/ [\d.]+%?\)$/, ")") : text;
      pen.fillRect(0, 0, 1, 1);
      const pixel = pen.getImageData(0, 0, 1, 1).data;
      const shown = alpha ? alpha[1] / (alpha[2] ? 100 : 1) : pixel[3] / 255;
      parts = [pixel[0], pixel[1], pixel[2], shown];
    }
    parts = [Math.round(parts[0]), Math.round(parts[1]), Math.round(parts[2]), parts[3]];
    colors.set(text, parts);
    return parts;
  }

  const faded = ([r, g, b, a], opacity) => [r, g, b, Math.round(a * opacity * 1000) / 1000];
  const px = (text) => parseFloat(text) || 0;
  const near = (value) => Math.round(value * 1000) / 1000;

  // The parts of a list at its outer commas.
  function split(text, mark = ",") {
    const parts = [""];
    let depth = 0;
    for (const sign of text) {
      if (sign === "(") depth += 1;
      if (sign === ")") depth -= 1;
      if (!depth && sign === mark) parts.push("");
      else parts[parts.length - 1] += sign;
    }
    return parts.map((part) => part.trim()).filter(Boolean);
  }

  const share = (text, whole) => (text.endsWith("%") ? px(text) / 100 : px(text) / (whole || 1));

  // The stops of a gradient; those without a place are spread between their neighbours.
  function stopsOf(parts, length, opacity) {
    const stops = [];
    for (const part of parts) {
      const at = part.match(/\s(-?[\d.]+(?:%|px))(?:\s(-?[\d.]+(?:%|px)))?$/);
      const paint = faded(color(at ? part.slice(0, at.index) : part), opacity);
      for (const place of at ? [at[1], at[2]].filter(Boolean) : [null]) {
        stops.push({ at: place === null ? null : share(place, length), color: paint });
      }
    }
    if (!stops.length) return stops;
    stops[0].at ??= 0;
    stops[stops.length - 1].at ??= 1;
    for (let i = 1; i < stops.length; i += 1) {
      if (stops[i].at === null) {
        let next = i;
        while (stops[next].at === null) next += 1;
        stops[i].at = stops[i - 1].at + (stops[next].at - stops[i - 1].at) / (next - i + 1);
      }
      stops[i].at = Math.max(stops[i].at, stops[i - 1].at);
    }
    return stops;
  }

  const CORNERS = { top: 0, right: 90, bottom: 180, left: 270 };

  function gradientOf(text, width, height, opacity) {
    const [, repeating, kind, inner] = text.match(/^(repeating-)?(linear|radial|conic)-gradient\((.*)\)$/s) ?? [];
    if (!kind) return null;
    const parts = split(inner);
    if (kind === "conic" || repeating) return { kind: "unknown" };
    if (kind === "linear") {
      let angle = 180;
      if (/^-?[\d.]+deg$/.test(parts[0])) angle = px(parts.shift());
      else if (/^-?[\d.]+turn$/.test(parts[0])) angle = px(parts.shift()) * 360;
      else if (/^-?[\d.]+rad$/.test(parts[0])) angle = (px(parts.shift()) * 180) / Math.PI;
      else if (parts[0].startsWith("to ")) {
        const sides = parts.shift().slice(3).split(" ");
        angle = CORNERS[sides[0]];
        if (sides.length === 2) {
          const tilt = (Math.atan2(height, width) * 180) / Math.PI;
          const right = sides.includes("right"), down = sides.includes("bottom");
          angle = right ? (down ? 90 + (90 - tilt) - 0 : tilt) : (down ? 180 + tilt : 360 - tilt);
          if (right && down) angle = 180 - tilt;
          if (!right && down) angle = 180 + tilt;
        }
      }
      const turn = (angle * Math.PI) / 180;
      const length = Math.abs(width * Math.sin(turn)) + Math.abs(height * Math.cos(turn));
      return { kind: "linear", angle: ((angle % 360) + 360) % 360, stops: stopsOf(parts, length, opacity) };
    }
    let shape = "";
    if (!/^(rgb|#|color|ok|lab|lch|hsl|transparent)/.test(parts[0])) shape = parts.shift();
    const place = shape.match(/at (.+)$/)?.[1]?.split(" ") ?? ["50%", "50%"];
    const words = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 };
    const spot = (word, whole) => (word in words ? words[word] : share(word, whole));
    const x = spot(place[0], width), y = spot(place[1] ?? "50%", height);
    const away = { x: Math.max(x, 1 - x) * width, y: Math.max(y, 1 - y) * height };
    const close = { x: Math.min(x, 1 - x) * width, y: Math.min(y, 1 - y) * height };
    const sides = /closest/.test(shape) ? close : away;
    const sizes = shape.split(" at ")[0].match(/-?[\d.]+(px|%)/g);
    let rx = sides.x, ry = sides.y;
    if (sizes) {
      rx = sizes[0].endsWith("%") ? share(sizes[0]) * width : px(sizes[0]);
      ry = sizes[1] ? (sizes[1].endsWith("%") ? share(sizes[1]) * height : px(sizes[1])) : rx;
    } else if (/circle/.test(shape)) {
      rx = ry = /side/.test(shape) ? (/closest/.test(shape) ? Math.min(sides.x, sides.y) : Math.max(sides.x, sides.y))
        : Math.hypot(sides.x, sides.y);
    } else if (!/side/.test(shape)) { rx *= Math.SQRT2; ry *= Math.SQRT2; }
    return { kind: "radial", x: near(x), y: near(y), rx: near(rx), ry: near(ry), stops: stopsOf(parts, rx, opacity) };
  }

  // ---- what is measured so far ----

  let items, order, view, gone, alone, pages;

  const substitute = (element, reason) => {
    const name = typeof element === "string" ? element : named(element);
    if (!gone.some((item) => item.element === name && item.reason === reason)) gone.push({ element: name, reason });
  };

  const plain = (rect) => ({ left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
  const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const empty = (rect) => rect.right - rect.left < 0.01 || rect.bottom - rect.top < 0.01;
  const shifted = (rect) => [near(rect.left - view.left), near(rect.top - view.top),
    near(rect.right - rect.left), near(rect.bottom - rect.top)];

  function emit(item, rect, context, key) {
    if (items.length >= MAX_ITEMS || context.opacity < 0.01) return null;
    const turned = context.turns.length > 0;
    const flat = rect.right - rect.left < 0.01 || rect.bottom - rect.top < 0.01;
    if (!turned && !(flat && item.kind === "path") && empty(meet(rect, view))) return null;
    if (!turned && item.kind !== "path" && empty(meet(rect, context.clip))) return null;
    if (!turned && item.kind === "text") {
      const seen = meet(rect, context.clip); // what screen readers alone are told is cut to a dot
      if (seen.right - seen.left < 2 || seen.bottom - seen.top < 2) return null;
    }
    if (pages) {
      const middle = (rect.top + rect.bottom) / 2;
      const whole = rect.bottom - rect.top > view.bottom - view.top;
      if (item.kind !== "box" && !whole && (middle < view.top || middle >= view.bottom)) return null;
    }
    order += 1;
    const full = { ...item, box: shifted(rect), turns: context.turns, order, key: [...key, order] };
    const clip = meet(rect, context.clip);
    const cut = Math.abs(clip.left - rect.left) + Math.abs(clip.top - rect.top) +
      Math.abs(clip.right - rect.right) + Math.abs(clip.bottom - rect.bottom) > 0.5;
    if (!turned && cut) full.clip = shifted(context.clip);
    if (context.rounded && item.kind === "picture") full.within = context.rounded;
    items.push(full);
    return full;
  }

  const keyOf = (context) => [...context.prefix, ...context.slot];

  // ---- boxes ----

  const CORNER_NAMES = ["TopLeft", "TopRight", "BottomRight", "BottomLeft"];

  function radiiOf(style, width, height, scale) {
    const radii = CORNER_NAMES.map((corner) => {
      const [x, y] = style[`border${corner}Radius`].split(" ");
      const across = x.endsWith("%") ? (px(x) / 100) * width : px(x) * scale;
      const down = (y ?? x).endsWith("%") ? (px(y ?? x) / 100) * height : px(y ?? x) * scale;
      return [across, down];
    });
    const least = Math.min(1, ...[
      [width, radii[0][0] + radii[1][0]], [width, radii[2][0] + radii[3][0]],
      [height, radii[0][1] + radii[3][1]], [height, radii[1][1] + radii[2][1]],
    ].filter(([, sum]) => sum > 0).map(([side, sum]) => side / sum));
    return radii.map(([x, y]) => [near(x * least), near(y * least)]);
  }

  const SIDES = ["Top", "Right", "Bottom", "Left"];

  const bordersOf = (style, scale, opacity) => SIDES.map((side) => {
    const kind = style[`border${side}Style`];
    const width = kind === "none" || kind === "hidden" ? 0 : px(style[`border${side}Width`]) * scale;
    const paint = faded(color(style[`border${side}Color`]), opacity);
    return { width: paint[3] > 0 ? near(width) : 0, style: kind, color: paint };
  });

  function shadowOf(style, scale, opacity, element) {
    if (style.boxShadow === "none") return null;
    let best = null;
    for (const part of split(style.boxShadow)) {
      const paint = part.match(/^((?:rgba?|color|oklch|oklab|lab|lch)\([^)]*\)|#\w+|\w+)\s/);
      const lengths = part.slice(paint?.[0].length ?? 0).match(/-?[\d.]+px/g)?.map(px) ?? [];
      if (part.endsWith("inset") || lengths.length < 3) {
        if (part.endsWith("inset")) substitute(element, "an inner shadow is left out");
        continue;
      }
      const shadow = { x: lengths[0] * scale, y: lengths[1] * scale, blur: lengths[2] * scale,
        spread: (lengths[3] || 0) * scale, color: faded(color(paint?.[1] ?? "black"), opacity) };
      const weight = shadow.color[3] * (1 + shadow.blur + Math.abs(shadow.y) + shadow.spread);
      if (shadow.color[3] > 0 && (!best || weight > best.weight)) best = { ...shadow, weight };
    }
    if (best) delete best.weight;
    return best;
  }

  const placeOf = (word, room) => (word.endsWith("%") ? (px(word) / 100) * room : px(word));

  // A background picture's rectangle in the element's.
  function backdrop(style, at, rect, natural, scale) {
    const width = rect.right - rect.left, height = rect.bottom - rect.top;
    const size = split(style.backgroundSize)[at] ?? split(style.backgroundSize)[0] ?? "auto";
    const place = split(style.backgroundPosition)[at] ?? split(style.backgroundPosition)[0] ?? "0% 0%";
    const ratio = natural[0] / natural[1];
    let wide = natural[0] * scale, high = natural[1] * scale;
    if (size === "cover" || size === "contain") {
      const pick = size === "cover" ? Math.max : Math.min;
      wide = pick(width, height * ratio);
      high = wide / ratio;
    } else if (size !== "auto" && size !== "auto auto") {
      const [first, second = "auto"] = size.split(" ");
      const across = first === "auto" ? null : first.endsWith("%") ? share(first) * width : px(first) * scale;
      const down = second === "auto" ? null : second.endsWith("%") ? share(second) * height : px(second) * scale;
      wide = across ?? down * ratio;
      high = down ?? across / ratio;
    }
    const [x, y = "50%"] = place.split(" ");
    const left = rect.left + (x.endsWith("%") ? placeOf(x, width - wide) : px(x) * scale);
    const top = rect.top + (y.endsWith("%") ? placeOf(y, height - high) : px(y) * scale);
    return { left, top, right: left + wide, bottom: top + high };
  }

  const naturals = new Map();

  const naturalOf = (source) => {
    if (!naturals.has(source)) {
      naturals.set(source, new Promise((done) => {
        const image = new Image();
        image.onload = () => done([image.naturalWidth || 300, image.naturalHeight || 150]);
        image.onerror = () => done(null);
        setTimeout(() => done(null), 3000);
        image.src = source;
      }));
    }
    return naturals.get(source);
  };

  // The boxes that an element paints: shadow, colour, pictures and gradients, borders.
  async function paint(element, style, rect, context, key, { borders = true } = {}) {
    const width = rect.right - rect.left, height = rect.bottom - rect.top;
    if (width < 0.01 || height < 0.01) return;
    const { scale, opacity } = context;
    const radii = radiiOf(style, width, height, scale);
    const edges = borders ? bordersOf(style, scale, opacity) : SIDES.map(() => ({ width: 0, style: "none", color: [0, 0, 0, 0] }));
    const clipped = /text/.test(style.backgroundClip) || /text/.test(style.webkitBackgroundClip);
    const fill = clipped ? [0, 0, 0, 0] : faded(color(style.backgroundColor), opacity);
    const base = { kind: "box", element: named(element), radii, borders: edges, fill: null, shadow: shadowOf(style, scale, opacity, element) };
    const layers = clipped || style.backgroundImage === "none" ? [] : split(style.backgroundImage);
    const paints = [];
    if (fill[3] > 0) paints.push({ kind: "solid", color: fill });
    for (let at = layers.length - 1; at >= 0; at -= 1) {
      const gradient = gradientOf(layers[at], width, height, opacity);
      if (gradient?.kind === "unknown" || (gradient && !/^(auto|cover|100% 100%|auto auto|contain)$/.test(split(style.backgroundSize)[at] ?? split(style.backgroundSize)[0] ?? "auto"))) {
        paints.push({ kind: "alone", id: bare(element, "a pattern of gradients is a picture") });
      } else if (gradient) paints.push(gradient);
      else {
        const source = layers[at].match(/^url\("?(.*?)"?\)$/s)?.[1];
        const natural = source && (await naturalOf(source));
        if (!natural) { if (source) substitute(element, `its background picture ${source.slice(0, 80)} is missing`); continue; }
        const repeat = split(style.backgroundRepeat)[at] ?? split(style.backgroundRepeat)[0] ?? "repeat";
        const drawn = backdrop(style, at, rect, natural, scale);
        const covers = drawn.left <= rect.left + 1 && drawn.top <= rect.top + 1 && drawn.right >= rect.right - 1 && drawn.bottom >= rect.bottom - 1;
        if (repeat.startsWith("no-repeat") || covers) {
          const id = isVector(source) ? bare(element, "") : null;
          paints.push({ kind: "image", source, drawn: shifted(drawn), vector: isVector(source), id });
        } else paints.push({ kind: "alone", id: bare(element, "a repeated background is a picture") });
      }
    }
    if (!paints.length && !base.shadow && !edges.some((edge) => edge.width > 0)) return;
    const whole = paints.every((layer) => layer.kind === "solid") || paints.length === 1;
    for (const [at, layer] of (paints.length ? paints : [null]).entries()) {
      const last = at === Math.max(0, paints.length - 1);
      const box = { ...base, fill: layer, shadow: at ? null : base.shadow,
        borders: last || whole ? edges : edges.map((edge) => ({ ...edge, width: 0 })) };
      if (layer?.kind === "image" || layer?.kind === "alone") {
        emit({ kind: "picture", element: named(element), source: layer.source ?? "", drawn: layer.drawn ?? shifted(rect), radii,
          alone: layer.id ?? null, vector: layer.vector ?? false, alt: "", decorative: true, opacity, tag: "background" }, rect, context, key);
        if (edges.some((edge) => edge.width > 0)) emit({ ...box, fill: null }, rect, context, key);
      } else emit(box, rect, context, key);
    }
  }

  const isVector = (source) => /^data:image\/svg/i.test(source) || /\.svgz?([?#]|$)/i.test(source);

  // ---- elements to be pictured alone ----

  function mark(element, reason, own) {
    alone.push({ element, own });
    const id = alone.length - 1;
    element.setAttribute("data-decklab-alone", id);
    if (reason) substitute(element, reason);
    return id;
  }

  const bare = (element, reason) => mark(element, reason, true); // without what is inside it

  function picture(element, rect, context, key, reason, alt = "", formula = "") {
    const seen = meet(meet(rect, context.clip), view);
    if (empty(seen)) return;
    emit({ kind: "picture", element: named(element), source: "", drawn: shifted(seen), radii: null, alone: mark(element, reason, false),
      vector: false, alt, decorative: false, opacity: 1, tag: element.tagName.toLowerCase(), formula,
      size: near(px(getComputedStyle(element).fontSize) * context.scale), color: faded(color(getComputedStyle(element).color), context.opacity) }, seen, context, key);
  }

  // ---- pseudo elements as real ones ----

  const STRINGS = /"((?:[^"\\]|\\.)*)"|counters?\(([^)]*)\)|url\("?[^)]*\)/gs;
  let pseudos = [];

  function spelled(content, counters) {
    let text = "";
    for (const [whole, quoted, counter] of content.matchAll(STRINGS)) {
      if (counter !== undefined) {
        const [name, ...rest] = counter.split(",").map((word) => word.trim());
        text += numeral(counters.get(name) ?? 0, rest.at(-1) ?? "decimal");
      } else if (!whole.startsWith("url")) {
        text += quoted.replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code) => String.fromCodePoint(parseInt(code, 16))).replace(/\\(.)/g, "$1");
      }
    }
    return text;
  }

  function numeral(value, kind) {
    if (kind === "decimal-leading-zero") return String(value).padStart(2, "0");
    if (/alpha|latin/.test(kind)) {
      const letter = String.fromCharCode(97 + ((value - 1) % 26));
      return kind.startsWith("upper") ? letter.toUpperCase() : letter;
    }
    if (/roman/.test(kind)) {
      let rest = value, text = "";
      for (const [number, sign] of [[100, "c"], [90, "xc"], [50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"]]) {
        while (rest >= number) { text += sign; rest -= number; }
      }
      return kind.startsWith("upper") ? text.toUpperCase() : text;
    }
    return String(value);
  }

  function count(style, counters) {
    const pairs = (text) => (text === "none" ? [] : [...text.matchAll(/([\w-]+) (-?\d+)/g)]);
    for (const [, name, value] of pairs(style.counterReset)) counters.set(name, +value);
    for (const [, name, value] of pairs(style.counterIncrement)) counters.set(name, (counters.get(name) ?? 0) + +value);
  }

  const visible = (element) => element.checkVisibility?.() ?? true;

  function realise() {
    const counters = new Map();
    const made = [];
    const visit = (element) => {
      if (SKIPPED.has(element.tagName) || element instanceof SVGElement && element.tagName !== "foreignObject" && element.tagName !== "svg" && element.tagName !== "g") return;
      if (!visible(element)) return;
      if (element.matches?.(".katex, mjx-container, math")) return;
      count(getComputedStyle(element), counters);
      add(element, "::before", counters, made);
      for (const child of [...element.children]) visit(child);
      add(element, "::after", counters, made);
    };
    visit(document.body);
    for (const { host, which, text, css } of made) put(host, which, text, css);
  }

  function add(host, which, counters, made) {
    const style = getComputedStyle(host, which);
    if (!style.content || style.content === "none" || style.content === "normal" || style.display === "none") return;
    count(style, counters);
    const text = spelled(style.content, counters);
    const shown = color(style.backgroundColor)[3] > 0 || style.backgroundImage !== "none" ||
      SIDES.some((side) => px(style[`border${side}Width`]) > 0 && style[`border${side}Style`] !== "none") || style.boxShadow !== "none";
    if (!text.trim() && !shown) return;
    let css = "";
    for (const name of style) {
      if (name !== "content" && !/^(animation|transition|-webkit-locale|counter)/.test(name)) css += `${name}:${style.getPropertyValue(name)}!important;`;
    }
    made.push({ host, which, text, css });
  }

  function put(host, which, text, css) {
    const before = which === "::before";
    const neighbour = before ? host.firstElementChild : host.lastElementChild;
    const was = neighbour?.getBoundingClientRect(), size = host.getBoundingClientRect();
    const real = document.createElement("decklab-pseudo");
    real.setAttribute("style", css);
    real.textContent = text;
    host.setAttribute(before ? "data-decklab-before" : "data-decklab-after", "");
    host[before ? "prepend" : "append"](real);
    const now = neighbour?.getBoundingClientRect(), later = host.getBoundingClientRect();
    const moved = (a, b) => a && b && Math.abs(a.left - b.left) + Math.abs(a.top - b.top) + Math.abs(a.width - b.width) + Math.abs(a.height - b.height) > 1;
    if (moved(was, now) || moved(size, later)) {
      real.remove();
      host.removeAttribute(before ? "data-decklab-before" : "data-decklab-after");
      substitute(host, `what ${which} adds could not be measured`);
      return;
    }
    pseudos.push({ host, real, name: before ? "data-decklab-before" : "data-decklab-after" });
  }

  function unrealise() {
    for (const { host, real, name } of pseudos) { real.remove(); host.removeAttribute(name); }
    pseudos = [];
  }

  const sheet = document.createElement("style");
  sheet.textContent = `
    [data-decklab-before]::before, [data-decklab-after]::after { content: none !important; display: none !important; }
    html.decklab-alone, html.decklab-alone * { visibility: hidden !important; }
    html.decklab-alone [data-decklab-now], html.decklab-alone [data-decklab-now]:not([data-decklab-own]) * { visibility: visible !important; }
    html.decklab-alone [data-decklab-own] { color: transparent !important; border-color: transparent !important; }
    html.decklab-alone, html.decklab-alone body { background: transparent !important; }`;
  document.documentElement.append(sheet);

  // ---- text ----

  const metrics = new Map();

  function ascentOf(style) {
    const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    if (!metrics.has(font)) {
      pen.font = font;
      const seen = pen.measureText("x");
      metrics.set(font, [seen.fontBoundingBoxAscent, seen.fontBoundingBoxDescent]);
    }
    return metrics.get(font);
  }

  // The baseline of text in a line box as high as its font.
  function baseline(rect, style, scale) {
    const [up, down] = ascentOf(style);
    const whole = Math.round(up) + Math.round(down), height = (rect.bottom - rect.top) / scale;
    const ascent = Math.abs(whole - height) < 0.6 ? Math.round(up) : (height * up) / (up + down || 1);
    return rect.top + ascent * scale;
  }

  const fonts = new Map();
  let firstFont = 0;

  const SCRIPTS = [["ea", /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/], ["cs", /[\u0590-\u10ff\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufeff]/]];

  // A number for a font as asked for; the browser is asked later which face it took.
  function fontOf(style, text, lang) {
    const scripts = SCRIPTS.filter(([, signs]) => signs.test(text)).map(([name]) => name);
    const key = JSON.stringify([style.fontFamily, style.fontWeight, style.fontStyle, lang, ...scripts]);
    if (!fonts.has(key)) {
      fonts.set(key, { id: firstFont + fonts.size, list: style.fontFamily, weight: +style.fontWeight, italic: style.fontStyle !== "normal", lang,
        scripts, used: usedFamily(style.fontFamily), samples: { latin: "Hamburg 0123", ...Object.fromEntries(
          SCRIPTS.filter(([name]) => scripts.includes(name)).map(([name, signs]) => [name, text.match(signs)[0].repeat(2)])) } });
    }
    return fonts.get(key).id;
  }

  function decorated(element, block) {
    let underline = false, strike = false;
    for (let box = element; box; box = box.parentElement) {
      const line = getComputedStyle(box).textDecorationLine;
      underline ||= line.includes("underline");
      strike ||= line.includes("line-through");
      if (box === block) break;
    }
    return [underline, strike];
  }

  function linkOf(element) {
    const link = element.closest?.("a[href]") ?? null;
    if (!link) return "";
    const stated = link.getAttribute("href") ?? link.href?.baseVal ?? "";
    return /^\s*javascript:/i.test(stated) ? "" : stated.trim();
  }

  function gradientText(element, block, context) {
    for (let box = element; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (/text/.test(style.webkitBackgroundClip) && style.backgroundImage !== "none") {
        const rect = box.getBoundingClientRect();
        const gradient = gradientOf(split(style.backgroundImage)[0], rect.width, rect.height, context.opacity);
        return gradient?.stops?.length ? gradient : null;
      }
      if (box === block) break;
    }
    return null;
  }

  function lookOf(element, block, context) {
    const style = getComputedStyle(element);
    const svg = element instanceof SVGElement;
    const [underline, strike] = decorated(element, block);
    let shift = "";
    for (let box = element; box && box !== block; box = box.parentElement) {
      const align = getComputedStyle(box).verticalAlign;
      if (align === "super" || align === "sub") { shift = align; break; }
    }
    const lang = element.closest("[lang]")?.getAttribute("lang") ?? "";
    const paint = svg ? style.fill : style.webkitTextFillColor || style.color;
    const ink = paint === "none" ? [0, 0, 0, 0] : faded(color(paint), context.opacity);
    const gradient = ink[3] === 0 ? gradientText(element, block, context) : null;
    const shadow = style.textShadow !== "none";
    let back = null;
    for (let box = element; box && box !== block; box = box.parentElement) {
      back = faded(color(getComputedStyle(box).backgroundColor), context.opacity);
      if (back[3] > 0.99) break;
      back = null;
    }
    return { style, lang, back, size: near(px(style.fontSize) * context.scale), color: ink, gradient, underline, strike, shift, shadow,
      spacing: style.letterSpacing === "normal" ? 0 : near(px(style.letterSpacing) * context.scale), link: linkOf(element),
      small: style.fontVariantCaps === "small-caps" };
  }

  function cased(text, transform) {
    if (transform === "capitalize") return text.replace(/(^|[\s"'(\u00ab-])(\p{L})/gu, (_, gap, letter) => gap + letter.toUpperCase());
    return window.__decklab.parts.cased(text, transform);
  }

  const OUT = new Set(["absolute", "fixed"]);

  function isInline(node) {
    if (node.nodeType === Node.TEXT_NODE) return true;
    if (node.nodeType !== Node.ELEMENT_NODE) return true;
    if (SKIPPED.has(node.tagName)) return true;
    const style = getComputedStyle(node);
    if (style.display === "none" || node.tagName === "BR") return true;
    if (OUT.has(style.position) || style.float !== "none") return false;
    return /^(inline|math$)/.test(style.display) || style.display === "contents" || style.display.startsWith("ruby");
  }

  const isDrawn = (element) => ALONE.has(element.tagName.toUpperCase()) || ["IMG", "PICTURE"].includes(element.tagName) ||
    element instanceof SVGSVGElement || element.matches(".katex, mjx-container");

  // A formula as MathML that a page states itself; KaTeX and MathJax draw theirs another way.
  const isFormula = (node) => node.tagName.toLowerCase() === "math" && !node.closest(".katex, mjx-container");

  const markupOf = (formula) => new XMLSerializer().serializeToString(formula);

  const wordsOf = (formula) => [...formula.querySelectorAll("mi, mn, mo, mtext, ms")].map((part) => part.textContent.trim()).join("");

  // Whether an inline block is one line of words that belongs into the line around it.
  function flows(element, style) {
    if (isDrawn(element) || !/^inline-(block|flex)$/.test(style.display)) return false;
    if (style.transform !== "none" || [...element.querySelectorAll("*")].some((inner) => !isInline(inner) || isDrawn(inner))) return false;
    const range = document.createRange();
    range.selectNodeContents(element);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    if (!rects.length) return false;
    const high = Math.max(...rects.map((rect) => rect.bottom)) - Math.min(...rects.map((rect) => rect.top));
    return high < 1.6 * Math.min(...rects.map((rect) => rect.height));
  }

  async function inline(node, block, context, pieces) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.nodeValue) pieces.push({ node, element: node.parentElement, context });
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || SKIPPED.has(node.tagName)) return;
    if (node.tagName === "BR") { pieces.push({ mark: "\v", element: node.parentElement, context }); return; }
    if (isFormula(node)) { pieces.push({ formula: node, element: node.parentElement, context }); return; }
    const style = getComputedStyle(node);
    if (style.display === "none" || style.visibility === "hidden" && !node.children.length) return;
    const line = style.display === "inline" || style.display === "contents" || style.display.startsWith("ruby");
    if (isDrawn(node) || !(line || flows(node, style))) {
      pieces.push({ atom: node });
      await walk(node, context);
      return;
    }
    const inner = { ...context, opacity: context.opacity * px(style.opacity) };
    if (style.display !== "contents") {
      for (const rect of node.getClientRects()) await paint(node, style, plain(rect), inner, keyOf(context));
    }
    for (const child of node.childNodes) await inline(child, block, inner, pieces);
  }

  const SPACES = /[ \t\n\r\f]+/g;

  // Text as it is shown, with white space as the style keeps or collapses it.
  function textOf(piece, state) {
    const style = getComputedStyle(piece.element);
    const kind = style.whiteSpaceCollapse ?? "collapse";
    let text = piece.node.nodeValue;
    if (kind === "preserve" || kind === "break-spaces") {
      text = text.replace(/\r\n?/g, "\n").replace(/\t/g, " ".repeat(px(style.tabSize) || 8)).replace(/\n/g, "\v");
      state.open = false;
    } else {
      if (kind === "preserve-breaks") text = text.replace(/[ \t]*\r?\n[ \t]*/g, "\v").replace(/[ \t]+/g, " ");
      else text = text.replace(SPACES, " ");
      if (state.open) text = text.replace(/^ +/, "");
      text = text.replace(/\v /g, "\v");
      if (text) state.open = / $|\v$/.test(text);
    }
    return cased(text.replace(/[\u200b\u00ad\u2060\ufeff]/g, ""), style.textTransform);
  }

  // Lines of a group of pieces: ends, baseline, and how wide the word is that begins the line.
  function linesOf(pieces) {
    const lines = [];
    const range = document.createRange();
    const lineOf = (rect, base, size) => {
      const known = lines.findLast((line) => Math.abs(line.base - base) < 0.45 * Math.max(size, line.size) &&
        !(rect.left < line.right - size && rect.left < line.left - size && rect.top > line.bottom - 1));
      if (known) return known;
      lines.push({ left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom, base, size, word: 0, lowered: false, below: 0 });
      return lines.at(-1);
    };
    for (const piece of [...pieces.filter((one) => one.node), ...pieces.filter((one) => one.formula)]) {
      if (!piece.text) continue;
      if (piece.formula) { withFormula(piece, lines); continue; }
      range.selectNodeContents(piece.node);
      if (!piece.shown) { // a space between two elements
        const [blank] = [...range.getClientRects()].filter((rect) => rect.width > 0);
        const line = lines.findLast((one) => blank && blank.top < one.bottom && blank.bottom > one.top);
        if (line) piece.rects = [{ left: blank.left, right: blank.right, line }];
        continue;
      }
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
      const size = piece.look.size;
      piece.rects = rects.map((rect) => {
        let base = baseline(rect, piece.look.style, piece.context.scale);
        if (piece.look.shift && lines.length) base = lines.at(-1).base;
        const line = lineOf(rect, base, size);
        if (size > line.size) { line.size = size; if (!piece.look.shift) line.base = base; }
        line.below = Math.max(line.below, ascentOf(piece.look.style)[1] * piece.context.scale);
        line.lowered ||= piece.look.shift === "sub";
        line.left = Math.min(line.left, rect.left); line.right = Math.max(line.right, rect.right);
        line.top = Math.min(line.top, rect.top); line.bottom = Math.max(line.bottom, rect.bottom);
        return { left: rect.left, right: rect.right, line };
      });
      if (rects.length > 1) measureWords(piece, range);
      else if (piece.rects[0]) {
        const line = piece.rects[0].line;
        if (!line.word && rects[0].left - line.left < 1) firstWord(piece, range, line);
      }
    }
    return lines;
  }

  // A formula stands on the line of the words beside it; alone it makes one.
  function withFormula(piece, lines) {
    const rect = piece.formula.getBoundingClientRect(), size = piece.look.size, middle = (rect.top + rect.bottom) / 2;
    let line = lines.find((one) => middle > one.top - size / 2 && middle < one.bottom + size / 2 && rect.left > one.left - rect.width - size);
    if (!line) {
      line = { left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom, base: middle + size * 0.3, size, word: 0, lowered: false, below: size * 0.3 };
      const after = lines.findIndex((one) => one.top > middle);
      lines.splice(after < 0 ? lines.length : after, 0, line);
    }
    line.left = Math.min(line.left, rect.left); line.right = Math.max(line.right, rect.right);
    piece.rects = [{ left: rect.left, right: rect.right, line }];
  }

  function firstWord(piece, range, line) {
    const word = piece.node.nodeValue.match(/\S+/);
    if (!word) return;
    range.setStart(piece.node, word.index);
    range.setEnd(piece.node, word.index + (SCRIPTS[0][1].test(word[0]) ? 1 : word[0].length));
    line.word = range.getBoundingClientRect().width;
  }

  function measureWords(piece, range) {
    let last = null, budget = 4000;
    for (const word of piece.node.nodeValue.matchAll(/[\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]+/g)) {
      if (budget-- < 0) break;
      range.setStart(piece.node, word.index);
      range.setEnd(piece.node, word.index + word[0].length);
      for (const rect of range.getClientRects()) { // several for a word with a hyphen at the end of a line
        if (!rect.width) continue;
        const off = ({ line }) => Math.abs(rect.top + rect.bottom - line.top - line.bottom); // tall lines overlap
        const [at] = piece.rects.filter((known) => rect.left >= known.left - 1 && rect.right <= known.right + 1 && rect.top < known.line.bottom && rect.bottom > known.line.top)
          .sort((one, other) => off(one) - off(other));
        if (at && at.line !== last && rect.left - at.line.left < 1 && !at.line.word) at.line.word = rect.width;
        if (at) last = at.line;
      }
    }
  }

  // The words that stand in line in a block, a paragraph for each column that they are in.
  async function paragraph(nodes, block, context) {
    let pieces = [];
    for (const node of nodes) await inline(node, block, context, pieces);
    while (pieces) {
      const rest = nextColumn(pieces);
      line(pieces, block, context, !rest);
      pieces = rest;
    }
  }

  // The pieces from where the words go on in another column; null if they do not.
  function nextColumn(pieces) {
    const range = document.createRange();
    let last = null;
    for (const [at, piece] of pieces.entries()) {
      if (!piece.node?.nodeValue.trim()) continue;
      range.selectNodeContents(piece.node);
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
      for (const rect of rects) {
        const back = last && rect.bottom < last.top && rect.left > last.left + 2 * rect.height;
        if (back) {
          if (rect === rects[0]) return pieces.splice(at);
          for (const word of piece.node.nodeValue.matchAll(/\S+/g)) {
            range.setStart(piece.node, word.index);
            range.setEnd(piece.node, word.index + word[0].length);
            const box = range.getBoundingClientRect();
            if (box.top > rect.top - 2 && box.bottom < rect.bottom + 2 && box.left > rect.left - 2) {
              const later = piece.node.splitText(word.index);
              return [{ ...piece, node: later }, ...pieces.splice(at + 1)];
            }
          }
        }
        last = rect;
      }
    }
    return null;
  }

  function line(pieces, block, context, ends) {
    if (!pieces.some((piece) => piece.formula || piece.node && piece.node.nodeValue.trim())) return;
    const state = { open: true };
    const runs = [];
    for (const piece of pieces) {
      if (piece.atom) { state.open = false; continue; }
      const hidden = getComputedStyle(piece.element).visibility !== "visible";
      piece.look = lookOf(piece.element, block, piece.context);
      piece.text = piece.mark ?? (hidden ? "" : piece.formula ? wordsOf(piece.formula) : textOf(piece, state));
      if (piece.mark || piece.formula) state.open = Boolean(piece.mark);
      piece.shown = !hidden && piece.text.trim() !== "";
      if (piece.look.size < 0.5 || piece.look.color[3] < 0.01 && !piece.look.gradient) { piece.shown = false; if (!piece.mark) piece.text = ""; }
    }
    const lines = linesOf(pieces);
    if (!lines.length) return;
    const shown = pieces.filter((piece) => piece.text);
    for (const [at, piece] of shown.entries()) {
      const { style, ...look } = piece.look;
      const next = shown.slice(at + 1).find((other) => other.rects?.length);
      let gap = 0;
      const end = piece.rects?.at(-1), start = next?.rects?.[0];
      if (end && start && end.line === start.line) gap = near(start.left - end.right);
      runs.push({ ...look, text: piece.text, font: fontOf(style, piece.text, look.lang),
        formula: piece.formula ? markupOf(piece.formula) : "", gap: Math.abs(gap) > 0.6 ? gap : 0 });
    }
    const style = getComputedStyle(block);
    const rect = block.getBoundingClientRect(), { scale } = context;
    const content = {
      left: rect.left + (px(style.borderLeftWidth) + px(style.paddingLeft)) * scale,
      right: rect.right - (px(style.borderRightWidth) + px(style.paddingRight)) * scale,
    };
    if (style.columnCount !== "auto" || lines.every((one) => one.right < content.left || one.left > content.right)) {
      content.left = Math.min(...lines.map((one) => one.left)); content.right = Math.max(...lines.map((one) => one.right));
    }
    const own = columnBox(block, lines[0]);
    if (own) { content.left = own.left; content.right = own.right; }
    const box = { left: Math.min(...lines.map((line) => line.left)), top: Math.min(...lines.map((line) => line.top)),
      right: Math.max(...lines.map((line) => line.right)), bottom: Math.max(...lines.map((line) => line.bottom)) };
    const item = emit({
      kind: "text", element: named(block), tag: (block.closest("h1,h2,h3,h4,h5,h6,li,p,pre,blockquote,figcaption,td,th,header,footer") ?? block).tagName.toLowerCase(),
      role: roleOf(block), ...slotOf(block), content: [near(content.left - view.left), near(content.right - view.left)],
      align: style.textAlign, ends, rtl: style.direction === "rtl", vertical: style.writingMode !== "horizontal-tb",
      wraps: style.textWrapMode !== "nowrap", height: style.lineHeight === "normal" ? 0 : near(px(style.lineHeight) * scale),
      indent: near(px(style.textIndent) * scale), flexed: /flex|grid/.test(style.display),
      lines: lines.map((line) => ({ left: near(line.left - view.left), right: near(line.right - view.left), top: near(line.top - view.top),
        bottom: near(line.bottom - view.top), base: near(line.base - view.top), size: line.size, lowered: line.lowered, below: near(line.below), word: near(line.word) })),
      runs, marker: null, level: context.level, column: columnOf(block), lang: block.closest("[lang]")?.getAttribute("lang") ?? "",
    }, box, context, keyOf(context));
    if (item && context.marker) {
      item.marker = context.marker.given;
      context.marker.given = null;
    }
  }

  // The part of a block in the column that a line is in, if it is broken over several.
  function columnBox(block, line) {
    const rects = [...block.getClientRects()];
    return rects.length < 2 ? null : rects.find((rect) => line.left >= rect.left - 1 && line.right <= rect.right + 1 && line.base <= rect.bottom + 1 && line.base >= rect.top - 1) ?? null;
  }

  const slots = new Map();

  // The placeholder that the page wants a block in, and a number for the element that says so.
  function slotOf(block) {
    const holder = block.closest("[data-slot]");
    if (!holder) return { slot: "", place: -1 };
    if (!slots.has(holder)) slots.set(holder, slots.size);
    return { slot: holder.dataset.slot, place: slots.get(holder) };
  }

  const roleOf = (block) => block.closest("[role]")?.getAttribute("role") ?? (block.closest("footer") ? "footer" : block.closest("header") ? "header" : "");
  const columns = new Map();

  // A number for the box in which paragraphs follow each other: that around a list, or the parent.
  function columnOf(block) {
    let box = block.parentElement ?? block;
    while (box.parentElement && /^(UL|OL|LI|DL|DD|DT|BLOCKQUOTE)$/.test(box.tagName)) box = box.parentElement;
    if (!columns.has(box)) columns.set(box, columns.size);
    return columns.get(box);
  }

  // ---- lists ----

  const DISCS = { disc: "•", circle: "◦", square: "▪" };
  const SCHEMES = { decimal: "arabicPeriod", "decimal-leading-zero": "arabicPeriod", "lower-alpha": "alphaLcPeriod", "lower-latin": "alphaLcPeriod",
    "upper-alpha": "alphaUcPeriod", "upper-latin": "alphaUcPeriod", "lower-roman": "romanLcPeriod", "upper-roman": "romanUcPeriod" };

  function ordinal(item) {
    if (item.hasAttribute("value")) return item.value;
    const list = item.parentElement;
    if (list?.tagName !== "OL") return 1;
    const members = [...list.children].filter((child) => child.tagName === "LI");
    let number = list.reversed ? list.start || members.length : list.hasAttribute("start") ? list.start : 1;
    for (const member of members) {
      if (member.hasAttribute("value")) number = member.value;
      if (member === item) return number;
      number += list.reversed ? -1 : 1;
    }
    return number;
  }

  function markerOf(item, style, context) {
    const look = getComputedStyle(item, "::marker");
    const paint = faded(color(look.color), context.opacity);
    const content = look.content;
    const size = px(look.fontSize) * context.scale;
    const base = { color: paint, size: near(size), inside: style.listStylePosition === "inside" };
    if (content && content !== "normal" && content !== "none") {
      const text = spelled(content, new Map()).trim();
      return text ? { ...base, kind: "character", text, start: 1, scheme: "", width: near(wide(text + " ", look) * context.scale) } : null;
    }
    const type = style.listStyleType;
    if (type === "none" && style.listStyleImage === "none") return null;
    if (type in SCHEMES) {
      const number = ordinal(item);
      const text = `${numeral(number, type)}. `;
      return { ...base, kind: "number", text, start: number, scheme: SCHEMES[type], width: near(wide(text, look) * context.scale) };
    }
    const text = /^"/.test(type) ? spelled(type, new Map()).trim() : DISCS[type] ?? "•";
    const [up] = ascentOf(look);
    const width = /^"/.test(type) ? wide(spelled(type, new Map()), look) : Math.round((up * 2) / 3) + 8;
    // The disc of Chromium is half of two thirds of the ascent wide, the sign of Arial .3 of its size.
    const sign = /^"/.test(type) ? size : (((up * 2) / 3 + 1) / 2 / 0.298) * context.scale;
    return { ...base, kind: "character", text, size: near(sign), start: 1, scheme: "", width: near(width * context.scale) };
  }

  function wide(text, style) {
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return pen.measureText(text).width;
  }

  // A short sign before the first line, made by ::before or a leading element, is a bullet.
  function signOf(element, context) {
    const sign = element.firstElementChild;
    if (!sign || sign.tagName !== "DECKLAB-PSEUDO") return null;
    const text = sign.textContent.trim();
    if (!text || [...text].length > 3) return null;
    const style = getComputedStyle(sign);
    if (color(style.backgroundColor)[3] > 0 || style.backgroundImage !== "none" || bordersOf(style, 1, 1).some((edge) => edge.width)) return null;
    const range = document.createRange();
    range.selectNodeContents(sign);
    const rect = range.getBoundingClientRect();
    const words = [...element.childNodes].slice(1).map((node) => { range.selectNode(node); return [...range.getClientRects()].find((box) => box.width > 0); }).find(Boolean);
    if (!words || rect.right > words.left + 1 || rect.bottom < words.top || rect.top > words.bottom) return null;
    const digits = text.match(/^(\d+)([.)]?)$/);
    return { kind: digits ? "number" : "character", text: digits ? text + " " : text, start: digits ? +digits[1] : 1,
      scheme: digits ? { ".": "arabicPeriod", ")": "arabicParenR", "": "arabicPlain" }[digits[2]] : "",
      color: faded(color(style.color), context.opacity * px(style.opacity)), size: near(px(style.fontSize) * context.scale), inside: false,
      width: near(words.left - rect.left), font: usedFamily(style.fontFamily), skip: sign };
  }

  // ---- tables ----

  async function table(element, style, context) {
    if (element.querySelector("table, img, svg, canvas, video, iframe, .katex, [style*='position: absolute']")) return false;
    const rows = [...element.rows].filter((row) => visible(row) && row.cells.length);
    if (!rows.length || rows.length > 100) return false;
    const taken = [];
    const cells = [];
    for (const [row, line] of rows.entries()) {
      taken[row] ??= [];
      let column = 0;
      for (const cell of line.cells) {
        if (!visible(cell)) continue;
        while (taken[row][column]) column += 1;
        const across = Math.max(1, cell.colSpan), down = Math.min(Math.max(1, cell.rowSpan || rows.length - row), rows.length - row);
        for (let y = 0; y < down; y += 1) {
          taken[row + y] ??= [];
          for (let x = 0; x < across; x += 1) taken[row + y][column + x] = true;
        }
        cells.push({ cell, row, column, across, down });
        column += across;
      }
    }
    const width = Math.max(...taken.map((row) => row.length));
    if (width > 60 || !width) return false;
    const frame = element.getBoundingClientRect();
    const rtl = style.direction === "rtl"; // its columns are counted from the right
    const boxOf = (cell) => {
      const { left, top, right, bottom } = cell.getBoundingClientRect();
      return rtl ? { left: -right, top, right: -left, bottom } : { left, top, right, bottom };
    };
    const xs = new Array(width + 1).fill(null), ys = new Array(rows.length + 1).fill(null);
    for (const { cell, row, column, across, down } of cells) {
      const rect = boxOf(cell);
      xs[column] = xs[column] === null ? rect.left : Math.min(xs[column], rect.left);
      xs[column + across] ??= rect.right;
      ys[row] = ys[row] === null ? rect.top : Math.min(ys[row], rect.top);
      ys[row + down] ??= rect.bottom;
    }
    for (const marks of [xs, ys]) {
      for (let at = 1; at < marks.length; at += 1) if (marks[at] === null || marks[at] < marks[at - 1]) marks[at] = marks[at - 1];
    }
    xs[width] = Math.max(xs[width], ...cells.map(({ cell }) => boxOf(cell).right));
    ys[rows.length] = Math.max(ys[rows.length], ...cells.map(({ cell }) => cell.getBoundingClientRect().bottom));
    const outer = items;
    const measured = [];
    const above = [];
    let native = true;
    for (const { cell, row, column, across, down } of cells) {
      items = [];
      const look = getComputedStyle(cell);
      const inner = { ...context, prefix: [], slot: [0, 0, 0], level: 0, opacity: context.opacity * px(look.opacity), clip: { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 } };
      await children(cell, inner, look);
      const texts = items.filter((item) => item.kind === "text");
      const marks = items.filter((item) => item.kind !== "text");
      items = outer;
      if (marks.some((item) => item.kind !== "box")) { native = false; break; }
      for (const mark of marks) {
        const words = texts.some((text) => text.box[0] < mark.box[0] + mark.box[2] && text.box[0] + text.box[2] > mark.box[0] &&
          text.box[1] < mark.box[1] + mark.box[3] && text.box[1] + text.box[3] > mark.box[1]);
        if (!words) above.push(mark);
      }
      const rect = cell.getBoundingClientRect();
      let fill = null;
      for (const box of [cell, cell.parentElement, cell.parentElement.parentElement]) {
        const ground = faded(color(getComputedStyle(box).backgroundColor), context.opacity);
        if (ground[3] > 0) { fill = ground; break; }
      }
      measured.push({ row, column, across, down, box: shifted(rect), header: cell.tagName === "TH", fill,
        padding: SIDES.map((side) => near(px(look[`padding${side}`]) * context.scale)), borders: cellBorders(cell, look, element, context),
        valign: look.verticalAlign, texts, marks: marks.length });
    }
    items = outer;
    if (!native) return false;
    const ground = faded(color(style.backgroundColor), context.opacity);
    emit({ kind: "table", element: named(element), columns: xs.slice(1).map((x, at) => near(x - xs[at])), rows: ys.slice(1).map((y, at) => near(y - ys[at])),
      cells: measured, header: Boolean(element.tHead) || [...rows[0].cells].at(-1)?.tagName === "TH", fill: ground[3] ? ground : null,
      title: element.caption?.textContent.trim() ?? element.getAttribute("aria-label") ?? "", rtl },
    { left: rtl ? -xs[width] : xs[0], top: ys[0], right: rtl ? -xs[0] : xs[width], bottom: ys[rows.length] }, context, keyOf(context));
    for (const mark of above) items.push({ ...mark, order: (order += 1), key: [...keyOf(context), order] });
    if (frame.height && element.caption) await children(element.caption, context, getComputedStyle(element.caption));
    return true;
  }

  function cellBorders(cell, look, tableElement, context) {
    const own = bordersOf(look, context.scale, context.opacity);
    const row = bordersOf(getComputedStyle(cell.parentElement), context.scale, context.opacity);
    if (getComputedStyle(tableElement).borderCollapse !== "collapse") return own;
    const part = bordersOf(getComputedStyle(cell.parentElement.parentElement), context.scale, context.opacity);
    const lines = [...cell.parentElement.parentElement.rows];
    return own.map((edge, at) => {
      if (edge.width || at % 2) return edge;
      if (row[at].width) return row[at];
      const end = at === 0 ? lines[0] : lines.at(-1);
      return end === cell.parentElement ? part[at] : edge;
    });
  }

  // ---- pictures ----

  function image(element, style, rect, context) {
    const source = element.currentSrc || element.src || "";
    const alt = element.getAttribute("alt") ?? "";
    if (!element.naturalWidth && !isVector(source)) {
      substitute(element, source ? `its picture ${source.slice(0, 80)} is missing` : "it has no picture");
      return;
    }
    const { scale } = context;
    const inset = SIDES.map((side) => (px(style[`border${side}Width`]) + px(style[`padding${side}`])) * scale);
    const room = { left: rect.left + inset[3], top: rect.top + inset[0], right: rect.right - inset[1], bottom: rect.bottom - inset[2] };
    const width = room.right - room.left, height = room.bottom - room.top;
    const ratio = (element.naturalWidth || width) / (element.naturalHeight || height);
    let wide = width, high = height;
    const fit = style.objectFit;
    if (fit === "cover" || fit === "contain" || fit === "scale-down") {
      wide = (fit === "cover" ? Math.max : Math.min)(width, height * ratio);
      high = wide / ratio;
      if (fit === "scale-down" && wide > element.naturalWidth * scale) { wide = element.naturalWidth * scale; high = wide / ratio; }
    } else if (fit === "none") { wide = element.naturalWidth * scale; high = element.naturalHeight * scale; }
    const [x, y] = style.objectPosition.split(" ");
    const left = room.left + (x.endsWith("%") ? placeOf(x, width - wide) : px(x) * scale);
    const top = room.top + (y.endsWith("%") ? placeOf(y, height - high) : px(y) * scale);
    const vector = isVector(source);
    emit({ kind: "picture", element: named(element), source, drawn: shifted({ left, top, right: left + wide, bottom: top + high }),
      radii: radiiOf(style, width, height, scale), alone: vector ? mark(element, "", false) : null, vector, alt, opacity: context.opacity,
      decorative: element.hasAttribute("alt") && !alt, tag: "img", link: linkOf(element) }, room, context, keyOf(context));
  }

  // ---- drawings ----

  const TOKENS = /([a-zA-Z])|(-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/g;
  const ARGUMENTS = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

  // Path data as moves, lines, curves and closings with absolute points.
  function segments(data) {
    const out = [];
    const tokens = [...data.matchAll(TOKENS)].map((match) => match[0]);
    let at = 0, command = "", x = 0, y = 0, startX = 0, startY = 0, control = null;
    while (at < tokens.length) {
      if (/[a-zA-Z]/.test(tokens[at])) command = tokens[at++];
      else if (!command) return out;
      const kind = command.toUpperCase(), away = command !== kind;
      const size = ARGUMENTS[kind];
      if (size === undefined) return out;
      let values = [];
      for (let i = 0; i < size; i += 1) {
        let token = tokens[at++];
        if (kind === "A" && (i === 3 || i === 4) && token?.length > 1) { tokens[--at] = token.slice(1); token = token[0]; }
        values.push(parseFloat(token));
      }
      if (values.some(Number.isNaN)) return out;
      const dx = away ? x : 0, dy = away ? y : 0;
      if (kind === "H") values = [values[0] + dx, y];
      else if (kind === "V") values = [x, values[0] + dy];
      else if (kind !== "A") values = values.map((value, i) => value + (i % 2 ? dy : dx));
      if (kind === "M") { out.push(["M", ...values]); startX = values[0]; startY = values[1]; command = away ? "l" : "L"; control = null; }
      else if (kind === "Z") { out.push(["Z"]); x = startX; y = startY; control = null; command = ""; continue; }
      else if (kind === "C") { out.push(["C", ...values]); control = ["C", values[2], values[3]]; }
      else if (kind === "S") {
        const [cx, cy] = control?.[0] === "C" ? [2 * x - control[1], 2 * y - control[2]] : [x, y];
        out.push(["C", cx, cy, ...values]); control = ["C", values[0], values[1]];
      } else if (kind === "Q" || kind === "T") {
        const [cx, cy] = kind === "Q" ? values : control?.[0] === "Q" ? [2 * x - control[1], 2 * y - control[2]] : [x, y];
        const [ex, ey] = values.slice(-2);
        out.push(["C", x + (2 / 3) * (cx - x), y + (2 / 3) * (cy - y), ex + (2 / 3) * (cx - ex), ey + (2 / 3) * (cy - ey), ex, ey]);
        control = ["Q", cx, cy];
      } else if (kind === "A") {
        values[5] += dx; values[6] += dy;
        out.push(...arc(x, y, ...values)); control = null;
      } else { out.push(["L", ...values.slice(-2)]); control = null; }
      [x, y] = values.slice(-2);
    }
    return out;
  }

  // An arc as curves (SVG 1.1, F.6.5).
  function arc(x1, y1, rx, ry, tilt, large, sweep, x2, y2) {
    rx = Math.abs(rx); ry = Math.abs(ry);
    if (!rx || !ry || (x1 === x2 && y1 === y2)) return [["L", x2, y2]];
    const phi = (tilt * Math.PI) / 180, cos = Math.cos(phi), sin = Math.sin(phi);
    const px1 = (cos * (x1 - x2) + sin * (y1 - y2)) / 2, py1 = (-sin * (x1 - x2) + cos * (y1 - y2)) / 2;
    const grow = Math.sqrt(Math.max(1, (px1 / rx) ** 2 + (py1 / ry) ** 2));
    rx *= grow; ry *= grow;
    const top = Math.max(0, (rx * ry) ** 2 - (rx * py1) ** 2 - (ry * px1) ** 2);
    const root = (large === sweep ? -1 : 1) * Math.sqrt(top / ((rx * py1) ** 2 + (ry * px1) ** 2 || 1));
    const cx1 = (root * rx * py1) / ry, cy1 = (-root * ry * px1) / rx;
    const cx = cos * cx1 - sin * cy1 + (x1 + x2) / 2, cy = sin * cx1 + cos * cy1 + (y1 + y2) / 2;
    const from = Math.atan2((py1 - cy1) / ry, (px1 - cx1) / rx);
    let turn = Math.atan2((-py1 - cy1) / ry, (-px1 - cx1) / rx) - from;
    if (sweep && turn < 0) turn += 2 * Math.PI;
    if (!sweep && turn > 0) turn -= 2 * Math.PI;
    const pieces = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9)), step = turn / pieces;
    const pull = (4 / 3) * Math.tan(step / 4);
    const at = (angle, dx, dy) => [cx + cos * rx * dx - sin * ry * dy, cy + sin * rx * dx + cos * ry * dy];
    return Array.from({ length: pieces }, (_, i) => {
      const a = from + i * step, b = a + step;
      const one = at(a, Math.cos(a) - pull * Math.sin(a), Math.sin(a) + pull * Math.cos(a));
      const two = at(b, Math.cos(b) + pull * Math.sin(b), Math.sin(b) - pull * Math.cos(b));
      return ["C", ...one, ...two, ...at(b, Math.cos(b), Math.sin(b))];
    });
  }

  const size = (length) => length.baseVal.value;

  function outline(element) {
    switch (element.tagName) {
      case "path": return ["path", segments(element.getAttribute("d") ?? "")];
      case "line": return ["line", [["M", size(element.x1), size(element.y1)], ["L", size(element.x2), size(element.y2)]]];
      case "polyline": case "polygon": {
        const points = [...element.points].map((point, at) => [at ? "L" : "M", point.x, point.y]);
        return ["path", element.tagName === "polygon" && points.length ? [...points, ["Z"]] : points];
      }
      case "rect": {
        const x = size(element.x), y = size(element.y), w = size(element.width), h = size(element.height);
        const style = getComputedStyle(element);
        const stated = [style.rx, style.ry].map((radius, at) => (radius === "auto" ? null : radius.endsWith("%") ? share(radius) * (at ? h : w) : px(radius)));
        const rx = Math.min(stated[0] ?? stated[1] ?? 0, w / 2), ry = Math.min(stated[1] ?? stated[0] ?? 0, h / 2);
        if (w <= 0 || h <= 0) return ["path", []];
        if (!rx || !ry) return ["rect", [["M", x, y], ["L", x + w, y], ["L", x + w, y + h], ["L", x, y + h], ["Z"]], 0];
        return ["rect", [["M", x + rx, y], ["L", x + w - rx, y], ...arc(x + w - rx, y, rx, ry, 0, 0, 1, x + w, y + ry), ["L", x + w, y + h - ry],
          ...arc(x + w, y + h - ry, rx, ry, 0, 0, 1, x + w - rx, y + h), ["L", x + rx, y + h], ...arc(x + rx, y + h, rx, ry, 0, 0, 1, x, y + h - ry),
          ["L", x, y + ry], ...arc(x, y + ry, rx, ry, 0, 0, 1, x + rx, y), ["Z"]], rx];
      }
      case "circle": case "ellipse": {
        const cx = size(element.cx), cy = size(element.cy);
        const rx = element.tagName === "circle" ? size(element.r) : size(element.rx), ry = element.tagName === "circle" ? size(element.r) : size(element.ry);
        if (rx <= 0 || ry <= 0) return ["path", []];
        return ["ellipse", [["M", cx + rx, cy], ...arc(cx + rx, cy, rx, ry, 0, 0, 1, cx - rx, cy), ...arc(cx - rx, cy, rx, ry, 0, 0, 1, cx + rx, cy), ["Z"]]];
      }
      default: return null;
    }
  }

  const HARMLESS = new Set(["defs", "title", "desc", "metadata", "style", "linearGradient", "radialGradient", "marker", "symbol", "clipPath", "mask", "pattern", "filter", "script"]);
  const CONTAINERS = new Set(["g", "a", "svg", "switch"]);

  function svgPaint(text, opacity, element) {
    if (text === "none") return null;
    const name = text.match(/^url\("?#(.+?)"?\)/)?.[1];
    if (!name) { const paint = faded(color(text), opacity); return paint[3] > 0 ? { kind: "solid", color: paint } : null; }
    const source = document.getElementById(name);
    if (source?.tagName !== "linearGradient" && source?.tagName !== "radialGradient") throw new Error("a pattern");
    let owner = source;
    while (owner && !owner.querySelector("stop") && owner.href?.baseVal) owner = document.querySelector(owner.href.baseVal);
    const stops = [...(owner?.querySelectorAll("stop") ?? [])].map((stop) => {
      const look = getComputedStyle(stop);
      return { at: stop.offset.baseVal, color: faded(color(look.stopColor), px(look.stopOpacity) * opacity) };
    });
    if (!stops.length) return null;
    if (source.tagName === "radialGradient") return { kind: "radial", x: 0.5, y: 0.5, rx: 0, ry: 0, stops };
    let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((side) => source[side].baseVal.valueAsString.endsWith("%") ? source[side].baseVal.valueInSpecifiedUnits / 100 : source[side].baseVal.valueInSpecifiedUnits);
    const box = element.getBBox();
    if (source.gradientUnits.baseVal === 2) { x1 *= box.width; x2 *= box.width; y1 *= box.height; y2 *= box.height; }
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI + 90;
    return { kind: "linear", angle: ((angle % 360) + 360) % 360, stops };
  }

  function arrow(element, name) {
    const value = getComputedStyle(element)[name];
    return Boolean(value && value !== "none" && document.getElementById(value.match(/#(.+?)"?\)/)?.[1] ?? ""));
  }

  // The shapes of a drawing; throws where one has no native form.
  async function shapes(element, context, found, group) {
    for (const child of element.children) {
      if (HARMLESS.has(child.tagName) || child.tagName === "DECKLAB-PSEUDO") continue;
      const style = getComputedStyle(child);
      if (style.display === "none") continue;
      if (style.filter !== "none" || style.maskImage !== "none" || child.hasAttribute("mask")) throw new Error("a filter or mask");
      if (style.clipPath !== "none") throw new Error("a clipping path");
      if (style.mixBlendMode !== "normal") throw new Error("a blend mode");
      const inner = { ...context, opacity: context.opacity * px(style.opacity) };
      if (CONTAINERS.has(child.tagName)) { await shapes(child, inner, found, group); continue; }
      if (child.tagName === "text") { found.push(() => svgText(child, inner, group)); continue; }
      if (child.tagName === "foreignObject") {
        const matrix = child.getScreenCTM();
        const scaled = { ...inner, scale: Math.hypot(matrix.a, matrix.b), group };
        found.push(() => children(child, scaled, style));
        continue;
      }
      if (found.length > MAX_SHAPES) throw new Error("many shapes");
      const drawn = outline(child);
      if (!drawn) throw new Error(`<${child.tagName}>`);
      if (style.visibility !== "visible" || !drawn[1].length) continue;
      const matrix = child.getScreenCTM();
      if (!matrix) continue;
      const scale = Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
      const fill = drawn[0] === "line" ? null : svgPaint(style.fill, inner.opacity * px(style.fillOpacity), child);
      const stroke = svgPaint(style.stroke, inner.opacity * px(style.strokeOpacity), child);
      const width = px(style.strokeWidth) * scale;
      if (!fill && !(stroke && width)) continue;
      const to = (x, y) => [near(matrix.a * x + matrix.c * y + matrix.e - view.left), near(matrix.b * x + matrix.d * y + matrix.f - view.top)];
      const path = drawn[1].map(([kind, ...values]) => {
        const moved = [kind];
        for (let at = 0; at < values.length; at += 2) moved.push(...to(values[at], values[at + 1]));
        return moved;
      });
      const upright = Math.abs(matrix.b) < 1e-6 && Math.abs(matrix.c) < 1e-6;
      const shape = drawn[0] === "path" || drawn[0] === "line" || upright ? drawn[0] : "path";
      const points = path.flatMap(([, ...values]) => values);
      const xs = points.filter((_, at) => at % 2 === 0), ys = points.filter((_, at) => at % 2);
      const box = { left: Math.min(...xs) + view.left, top: Math.min(...ys) + view.top, right: Math.max(...xs) + view.left, bottom: Math.max(...ys) + view.top };
      found.push(() => emit({ kind: "path", element: named(child), shape, path, fill, stroke: stroke && width ? stroke : null, width: near(width),
        radius: near((drawn[2] ?? 0) * Math.abs(matrix.a)), dash: style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(",").map((part) => near(px(part) * scale)),
        cap: style.strokeLinecap, join: style.strokeLinejoin, start: arrow(child, "markerStart"), end: arrow(child, "markerEnd"),
        evenodd: style.fillRule === "evenodd", group }, box, inner, keyOf(inner)));
    }
  }

  function svgText(element, context, group) {
    const range = document.createRange();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const anchor = { start: "left", middle: "center", end: "right" };
    const matrix = element.getScreenCTM();
    const angle = (Math.atan2(matrix.b, matrix.a) * 180) / Math.PI;
    const scale = Math.hypot(matrix.a, matrix.b);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const text = node.nodeValue.replace(SPACES, " ").trim();
      if (!text) continue;
      const parent = node.parentElement;
      const look = lookOf(parent, element, { ...context, opacity: context.opacity * px(getComputedStyle(parent).fillOpacity), scale });
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
      if (!rects.length) continue;
      let rect = { left: Math.min(...rects.map((r) => r.left)), right: Math.max(...rects.map((r) => r.right)), top: Math.min(...rects.map((r) => r.top)), bottom: Math.max(...rects.map((r) => r.bottom)) };
      let turns = context.turns;
      if (Math.abs(angle) > 0.5) {
        const box = element.getBBox();
        const x = (rect.left + rect.right) / 2, y = (rect.top + rect.bottom) / 2;
        rect = { left: x - (box.width * scale) / 2, right: x + (box.width * scale) / 2, top: y - (box.height * scale) / 2, bottom: y + (box.height * scale) / 2 };
        turns = [...turns, { angle: near(angle), from: [near(x - view.left), near(y - view.top)], to: [near(x - view.left), near(y - view.top)] }];
      }
      const base = baseline(rect, look.style, scale);
      const { style, ...rest } = look;
      emit({ kind: "text", element: named(element), tag: "text", role: "", ...slotOf(element), content: [near(rect.left - view.left), near(rect.right - view.left)],
        align: anchor[style.textAnchor] ?? "left", rtl: style.direction === "rtl", vertical: false, wraps: false, height: 0, indent: 0, flexed: false,
        lines: [{ left: near(rect.left - view.left), right: near(rect.right - view.left), top: near(rect.top - view.top), bottom: near(rect.bottom - view.top), base: near(base - view.top), size: look.size, lowered: false, below: near(ascentOf(look.style)[1] * scale), word: 0 }],
        runs: [{ ...rest, text: cased(text, style.textTransform), font: fontOf(style, text, rest.lang), gap: 0 }], marker: null, level: 0, column: -1, lang: rest.lang, group },
      rect, { ...context, turns }, keyOf(context));
    }
  }

  // References to symbols and shapes, as copies in their place.
  function resolve(svg) {
    const undone = [];
    for (const use of [...svg.querySelectorAll("use")]) {
      const target = document.querySelector(use.getAttribute("href") ?? use.getAttribute("xlink:href") ?? "#");
      if (!target || target.contains(use)) continue;
      const symbol = target.tagName === "symbol";
      const copy = document.createElementNS("http://www.w3.org/2000/svg", symbol ? "svg" : "g");
      for (const { name, value } of use.attributes) if (!/^(href|xlink:href|x|y|width|height|transform|id)$/.test(name)) copy.setAttribute(name, value);
      if (symbol) {
        for (const name of ["viewBox", "preserveAspectRatio"]) if (target.hasAttribute(name)) copy.setAttribute(name, target.getAttribute(name));
        for (const name of ["x", "y", "width", "height"]) if (use.hasAttribute(name)) copy.setAttribute(name, use.getAttribute(name));
        copy.append(...[...target.childNodes].map((node) => node.cloneNode(true)));
      } else {
        copy.setAttribute("transform", `${use.getAttribute("transform") ?? ""} translate(${use.getAttribute("x") ?? 0} ${use.getAttribute("y") ?? 0})`);
        copy.append(target.cloneNode(true));
      }
      use.replaceWith(copy);
      undone.push(() => copy.replaceWith(use));
    }
    return () => undone.reverse().forEach((undo) => undo());
  }

  let groups = 0;

  async function drawing(svg, rect, context, key) {
    const label = svg.getAttribute("aria-label") ?? svg.querySelector(":scope > title")?.textContent.trim() ?? "";
    const undo = resolve(svg);
    const found = [];
    try {
      groups += 1;
      await shapes(svg, context, found, groups);
      for (const draw of found) await draw();
      for (const item of items) if (item.group === groups) item.label = label;
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError) throw error;
      picture(svg, rect, context, key, `it has ${error.message}, so it is a picture`, label);
    } finally {
      undo();
    }
  }

  // ---- the walk ----

  function turnOf(style) {
    let matrix;
    try { matrix = new DOMMatrix(style.transform === "none" ? "" : style.transform); } catch { return null; }
    const spun = style.rotate && style.rotate !== "none" ? px(style.rotate) : 0;
    if (!matrix.is2D) return null;
    const angle = (Math.atan2(matrix.b, matrix.a) * 180) / Math.PI + spun;
    const lean = matrix.a * matrix.c + matrix.b * matrix.d;
    if (Math.abs(angle) < 0.05) return null;
    return { angle, scale: Math.hypot(matrix.a, matrix.b), leans: Math.abs(lean) > 0.01 };
  }

  const transformScale = (style) => {
    let scale = 1;
    if (style.transform !== "none") {
      const matrix = new DOMMatrix(style.transform);
      scale *= Math.hypot(matrix.a, matrix.b);
    }
    if (style.scale && style.scale !== "none") scale *= px(style.scale);
    return scale;
  };

  function entered(element, style, context, parentDisplay) {
    const positioned = style.position !== "static";
    const item = /flex|grid/.test(parentDisplay);
    const z = style.zIndex === "auto" || !(positioned || item) ? null : parseInt(style.zIndex, 10);
    const others = [style.perspective, style.rotate, style.scale, style.translate, style.maskImage, style.backdropFilter];
    const makes = z !== null || others.some((value) => value && value !== "none") || style.transformStyle === "preserve-3d" ||
      /paint|layout|strict|content/.test(style.contain) || /transform|opacity|filter/.test(style.willChange) || px(style.opacity) < 1 || style.transform !== "none" || style.filter !== "none" || style.isolation === "isolate" ||
      style.mixBlendMode !== "normal" || style.position === "fixed" || style.position === "sticky" || style.clipPath !== "none";
    order += 1;
    if (makes) return { prefix: [...context.prefix, z ?? 0, 1, order], slot: [0, 0, 0], own: [-1e9, 0, 0] };
    if (positioned) return { prefix: context.prefix, slot: [0, 1, order], own: null };
    return { prefix: context.prefix, slot: context.slot, own: null };
  }

  async function walk(element, context) {
    if (SKIPPED.has(element.tagName) || items.length >= MAX_ITEMS) return;
    const style = getComputedStyle(element);
    if (style.display === "none" || style.contentVisibility === "hidden") return;
    if (element.matches("aside.notes, .bespoke-marp-note, .speaker-notes, .__decklab_skip")) return;
    const opacity = context.opacity * px(style.opacity);
    if (opacity < 0.01) return;
    const parentDisplay = element.parentElement ? getComputedStyle(element.parentElement).display : "block";
    const place = entered(element, style, context, parentDisplay);
    let scale = context.scale * transformScale(style);
    if (style.zoom && +style.zoom !== 1 && +style.zoom > 0) scale *= +style.zoom;
    const inner = { ...context, opacity, scale, prefix: place.prefix, slot: place.slot, inlineGroup: false };
    const turn = turnOf(style);
    let restore = null;
    if (turn) {
      const rect = element.getBoundingClientRect();
      if (turn.leans) { picture(element, plain(rect), inner, [...place.prefix, ...(place.own ?? place.slot)], "it is skewed, so it is a picture"); return; }
      const was = element.getAttribute("style");
      element.style.setProperty("transform", `scale(${turn.scale})`, "important");
      element.style.setProperty("rotate", "none", "important");
      const flat = element.getBoundingClientRect();
      const middle = (box) => [near((box.left + box.right) / 2 - view.left), near((box.top + box.bottom) / 2 - view.top)];
      inner.turns = [...context.turns, { angle: near(turn.angle), from: middle(flat), to: middle(rect) }];
      inner.clip = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
      restore = () => (was === null ? element.removeAttribute("style") : element.setAttribute("style", was));
    }
    try {
      await visit(element, style, inner, [...place.prefix, ...(place.own ?? place.slot)]);
    } finally {
      restore?.();
    }
  }

  function isChart(text) {
    try { return Array.isArray(JSON.parse(text).series); } catch { return false; }
  }

  async function visit(element, style, context, key) {
    const rect = plain(element.getBoundingClientRect());
    const seen = style.visibility === "visible";
    const tag = element.tagName.toUpperCase();
    if (seen && (ALONE.has(tag) || element.matches(".katex, .katex-display, mjx-container"))) {
      if (isFormula(element)) { picture(element, rect, context, key, "", wordsOf(element), markupOf(element)); return; }
      const formula = element.matches(".katex, .katex-display, mjx-container, math");
      const words = element.querySelector("annotation")?.textContent.trim() ?? element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "";
      picture(element, rect, context, key, formula ? "a formula is a picture" : `<${tag.toLowerCase()}> is a picture`, words);
      return;
    }
    if (style.filter !== "none" && /blur|url|hue|sepia|invert|contrast|saturate|brightness|grayscale/.test(style.filter)) {
      if (!element.textContent.trim() && seen) { picture(element, rect, context, key, "it has a filter, so it is a picture"); return; }
      substitute(element, "its filter is left out");
    }
    if (style.clipPath !== "none" && seen) {
      if (!element.textContent.trim()) { picture(element, rect, context, key, "it has a clipping path, so it is a picture"); return; }
      substitute(element, "its clipping path is left out");
    }
    if (style.mixBlendMode !== "normal") substitute(element, "its blend mode is left out");
    if (style.backdropFilter && style.backdropFilter !== "none") substitute(element, "its backdrop filter is left out");
    if (element.dataset?.chart && seen && !empty(rect) && isChart(element.dataset.chart)) {
      emit({ kind: "chart", element: named(element), plan: element.dataset.chart, size: near(px(style.fontSize) * context.scale), alone: mark(element, "", false),
        label: element.getAttribute("aria-label") ?? "" }, rect, context, key);
      return;
    }
    const isSvg = element instanceof SVGSVGElement;
    const root = element === document.documentElement || element === document.body;
    if (seen && !root && !(element instanceof SVGElement && !isSvg) && style.display !== "contents") {
      const borders = !(tag === "TABLE" && style.borderCollapse === "collapse");
      await paint(element, style, rect, context, key, { borders });
    }
    if (isSvg) { if (seen && !empty(rect)) await drawing(element, rect, context, key); return; }
    if (tag === "IMG") { if (seen) image(element, style, rect, context); return; }
    if (tag === "TABLE" && style.display === "table" && (await table(element, style, context))) return;
    let inner = context;
    if (!root && /hidden|clip|auto|scroll/.test(style.overflowX + style.overflowY) && style.display !== "inline") {
      const edge = SIDES.map((side) => px(style[`border${side}Width`]) * context.scale);
      const room = { left: rect.left + edge[3], top: rect.top + edge[0], right: rect.right - edge[1], bottom: rect.bottom - edge[2] };
      const radii = radiiOf(style, rect.right - rect.left, rect.bottom - rect.top, context.scale);
      inner = { ...context, clip: meet(context.clip, room) };
      if (radii.some(([x]) => x > 0)) inner.rounded = { box: shifted(room), radii };
    }
    const trim = style.clip?.match(/^rect\(([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px\)$/);
    if (trim && OUT.has(style.position)) {
      const [top, right, bottom, left] = trim.slice(1).map((side) => px(side) * context.scale);
      inner = { ...inner, clip: meet(inner.clip, { left: rect.left + left, top: rect.top + top, right: rect.left + right, bottom: rect.top + bottom }) };
    }
    if (tag === "UL" || tag === "OL") inner = { ...inner, level: context.level + 1 };
    if (tag === "LI" && +element.dataset.level) inner = { ...inner, level: context.level + +element.dataset.level };
    if (style.display === "list-item") inner = { ...inner, marker: { given: markerOf(element, style, inner) } };
    else if (context.marker && !/^(LI|UL|OL|P|DIV|SPAN)$/.test(tag)) inner = { ...inner, marker: null };
    const sign = signOf(element, inner);
    if (sign) {
      const { skip, ...given } = sign;
      skip.classList.add("__decklab_skip");
      inner = { ...inner, marker: { given } };
    }
    await children(element, inner, style);
  }

  async function children(element, context, style) {
    let group = [];
    const flush = async () => {
      const nodes = group;
      group = [];
      if (nodes.some((node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue.trim() : node.nodeType === Node.ELEMENT_NODE))) await paragraph(nodes, element, context);
    };
    const flexible = /flex|grid/.test(style.display);
    for (const node of element.childNodes) {
      if (node.nodeType === Node.COMMENT_NODE) continue;
      if (node.nodeType === Node.ELEMENT_NODE && node.classList.contains("__decklab_skip")) continue;
      if (node.nodeType === Node.TEXT_NODE || (!flexible && isInline(node))) group.push(node);
      else {
        await flush();
        if (node.nodeType === Node.ELEMENT_NODE) await walk(node, context);
      }
    }
    await flush();
  }

  // ---- what is said of a slide as a whole ----

  const COMMENT = /^\s*(?:speaker\s+)?notes?\s*:\s*/i;

  function notesOf(index) {
    const item = found.items[index];
    const words = [];
    const say = (element) => words.push((element.innerText || element.textContent).trim());
    if (item) {
      item.querySelectorAll("aside.notes, .speaker-notes, [data-speaker-notes]").forEach(say);
      if (item.dataset?.notes) words.push(item.dataset.notes.trim());
      const walker = document.createTreeWalker(item, NodeFilter.SHOW_COMMENT);
      while (walker.nextNode()) if (COMMENT.test(walker.currentNode.nodeValue)) words.push(walker.currentNode.nodeValue.replace(COMMENT, "").trim());
    }
    document.querySelectorAll(`.bespoke-marp-note[data-index="${index}"]`).forEach((element) => words.push(element.textContent.trim()));
    return [...new Set(words.filter(Boolean))].join("\n");
  }

  function namesOf(index) {
    const item = found.items[index];
    const names = item ? [item.id, item.querySelector("section[id]")?.id, item.querySelector("h1[id],h2[id]")?.id].filter(Boolean) : [];
    return [...names, String(index + 1)];
  }

  function stackOf(item) {
    const around = item?.parentElement?.closest?.(".reveal .slides > section");
    return around ? [...document.querySelectorAll(".reveal .slides > section")].indexOf(around) : null;
  }

  const sectionOf = (item) => item?.matches?.("section") ? item : item?.querySelector?.("section") ?? item;

  // Backgrounds that reveal.js would make of attributes, if its script does not run.
  async function stated(item, context, key) {
    if (found.kind !== "reveal" || document.querySelector(".reveal .backgrounds .present")) return;
    const own = item.dataset, around = item.parentElement?.dataset ?? {};
    const value = own.backgroundColor ?? own.background ?? around.backgroundColor ?? around.background;
    const gradient = own.backgroundGradient ?? around.backgroundGradient;
    const source = own.backgroundImage ?? around.backgroundImage;
    if (!value && !gradient && !source) return;
    const box = document.createElement("div");
    box.style.cssText = "position:fixed;inset:0;z-index:-1;background-size:cover;background-position:50% 50%;background-repeat:no-repeat";
    if (value && !/[/.]/.test(value)) box.style.backgroundColor = value;
    if (gradient) box.style.backgroundImage = gradient;
    if (source) box.style.backgroundImage = `url("${source}")`;
    document.body.append(box);
    await paint(box, getComputedStyle(box), { ...view }, context, key);
    box.remove();
  }

  async function measure(index, clip) {
    for (const animation of document.getAnimations()) { try { animation.finish(); } catch { animation.cancel(); } }
    items = []; order = 0; gone = []; alone = []; groups = 0;
    columns.clear();
    slots.clear();
    const item = found.items[index];
    pages = item === null;
    view = { left: clip.x - scrollX, top: clip.y - scrollY, right: clip.x - scrollX + clip.width, bottom: clip.y - scrollY + clip.height };
    const context = { scale: 1, opacity: 1, prefix: [], slot: [0, 0, 0], clip: { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 }, turns: [], level: 0, marker: null, rounded: null };
    realise();
    const html = getComputedStyle(document.documentElement), body = getComputedStyle(document.body);
    const ground = html.backgroundImage === "none" && color(html.backgroundColor)[3] === 0 ? [document.body, body] : [document.documentElement, html];
    const whole = pages ? { ...plain(document.documentElement.getBoundingClientRect()), bottom: Math.max(view.bottom, document.documentElement.getBoundingClientRect().bottom) } : view;
    await paint(ground[0], ground[1], { ...whole, left: view.left, right: view.right }, context, [-1e9, 0, 0], { borders: false });
    if (ground[0] !== document.body) await paint(document.body, body, meet(plain(document.body.getBoundingClientRect()), view), context, [-1e9, 0, 0], { borders: false });
    if (item) await stated(item, context, [-1e9, 0, 1]);
    await walk(document.body, context);
    const compare = (a, b) => {
      for (let at = 0; at < Math.max(a.key.length, b.key.length); at += 1) {
        const left = a.key[at] ?? -Infinity, right = b.key[at] ?? -Infinity;
        if (left !== right) return left - right;
      }
      return 0;
    };
    [...items].sort(compare).forEach((one, at) => { one.paint = at; });
    const lang = (item ?? document.body).closest("[lang]")?.getAttribute("lang") ?? document.documentElement.lang ?? "";
    const section = sectionOf(item);
    const result = {
      width: clip.width, height: clip.height, items: items.map(({ key, ...rest }) => rest), substitutions: gone, notes: notesOf(index), names: namesOf(index),
      stack: stackOf(item), lang, transition: section?.dataset?.transition ?? "", layout: section?.dataset?.layout ?? "", section: section?.dataset?.section ?? "",
      kind: found.kind, hidden: section?.dataset?.visibility === "hidden",
      title: section?.dataset?.title ?? section?.getAttribute?.("aria-label") ?? "", document: document.title, scripts: document.querySelectorAll("script").length,
      full: items.length >= MAX_ITEMS,
    };
    return result;
  }

  // Have an element alone on the page.
  function only(id) {
    const { element, own } = alone[id];
    element.setAttribute("data-decklab-now", "");
    if (own) element.setAttribute("data-decklab-own", "");
    document.documentElement.classList.add("decklab-alone");
  }

  function together(id) {
    const { element } = alone[id];
    element.removeAttribute("data-decklab-now");
    element.removeAttribute("data-decklab-own");
    document.documentElement.classList.remove("decklab-alone");
  }

  // Samples of the fonts asked for, so that the browser can say which faces it took.
  function probes() {
    const room = document.createElement("div");
    room.id = "decklab-probes";
    room.style.cssText = "position:fixed;left:-9999px;top:0;white-space:nowrap";
    const list = [];
    for (const font of fonts.values()) {
      for (const [script, sample] of Object.entries(font.samples)) {
        const probe = document.createElement("span");
        probe.style.cssText = `font-weight:${font.weight};font-style:${font.italic ? "italic" : "normal"}`;
        probe.style.fontFamily = font.list;
        if (font.lang) probe.lang = font.lang;
        probe.textContent = sample;
        room.append(probe);
        list.push({ id: font.id, script });
      }
    }
    document.body.append(room);
    return list;
  }

  function fontsAsked() {
    document.getElementById("decklab-probes")?.remove();
    return [...fonts.values()].map(({ id, list, weight, italic, used }) => ({ id, list, weight, italic, used }));
  }

  async function loaded(known) {
    firstFont = known;
    const waits = [...document.images].filter((one) => !one.complete).map((one) => one.decode().catch(() => null));
    for (const one of document.images) one.loading = "eager";
    await Promise.race([Promise.all(waits), new Promise((done) => setTimeout(done, 5000))]);
    await Promise.race([document.fonts.ready, new Promise((done) => setTimeout(done, 3000))]);
  }

  Object.assign(window.__decklab, { measure, unrealise, only, together, probes, fontsAsked, loaded });
})();
