// The words of the slide that is shown, as the browser lays them out: text, block, baseline and ink
// in CSS pixels of the clip; and the slide's heading and its own raster pictures.
(clip) => {
  const EAST = /([\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef])/;
  const LARGE = 16; // ink is told in whole pixels, so it is measured in large letters
  const pen = document.createElement("canvas").getContext("2d");
  const x0 = clip.x - scrollX, y0 = clip.y - scrollY;

  const within = (rect) => {
    const x = (rect.left + rect.right) / 2 - x0, y = (rect.top + rect.bottom) / 2 - y0;
    return x >= 0 && y >= 0 && x <= clip.width && y <= clip.height;
  };
  const shown = (element) => element && !element.closest("script, style, noscript, template, title") &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !cutAway(element);

  // Texts for screen readers only: in a box of one pixel that hides the rest.
  function cutAway(element) {
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const rect = box.getBoundingClientRect();
      if ((rect.width <= 2 || rect.height <= 2) && getComputedStyle(box).overflow === "hidden") return true;
    }
    return false;
  }

  function blockOf(element) {
    if (element instanceof SVGElement) return element.closest("text") ?? element;
    while (element !== document.body && getComputedStyle(element).display.startsWith("inline") &&
      getComputedStyle(element).display === "inline") element = element.parentElement;
    return element;
  }

  function turned(element) {
    if (element instanceof SVGElement) {
      const matrix = element.getScreenCTM?.();
      if (matrix && Math.abs(matrix.b) > 0.01 * Math.abs(matrix.a)) return true;
    }
    for (let box = element; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (!style.writingMode.startsWith("horizontal")) return true;
      const matrix = style.transform.match(/^matrix\(([^,]+), ([^,]+)/);
      if (style.transform.startsWith("matrix3d") && !/^matrix3d\(\S+ 0, 0, 0, 0,/.test(style.transform)) return true;
      if (matrix && Math.abs(matrix[2]) > 0.01 * Math.abs(matrix[1])) return true;
    }
    return false;
  }

  // Baseline and ink of the part of a word that lies in one text node.
  function piece(node, start, end) {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    const rect = [...range.getClientRects()].find((some) => some.width > 0 && some.height > 0);
    if (!rect || !within(rect)) return null;
    const style = getComputedStyle(node.parentElement);
    const size = parseFloat(style.fontSize);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${size * LARGE}px ${style.fontFamily}`;
    pen.letterSpacing = `${(parseFloat(style.letterSpacing) || 0) * LARGE}px`;
    pen.direction = style.direction;
    pen.textAlign = "left";
    let text = node.nodeValue.slice(start, end);
    if (style.textTransform === "uppercase") text = text.toUpperCase();
    const ink = pen.measureText(text);
    // A line's ascent and descent are whole pixels; near a half the large letters do not say which.
    const measures = [ink.fontBoundingBoxAscent / LARGE, ink.fontBoundingBoxDescent / LARGE];
    const whole = measures.map(Math.round);
    const plain = Math.abs(rect.width / (ink.width / LARGE) - 1) < 0.004; // not scaled
    const off = Math.round(rect.height) - whole[0] - whole[1];
    if (plain && Math.abs(off) === 1) {
      const far = measures.map((value) => Math.abs(value % 1 - 0.5));
      whole[far[0] < far[1] ? 0 : 1] += off;
    }
    const [up, down] = whole;
    const scale = rect.height / (up + down), baseline = rect.top + up * scale - y0;
    return {
      baseline, size: size * scale,
      left: rect.left - x0 - ink.actualBoundingBoxLeft / LARGE * scale,
      right: rect.left - x0 + ink.actualBoundingBoxRight / LARGE * scale,
      top: baseline - ink.actualBoundingBoxAscent / LARGE * scale,
      bottom: baseline + ink.actualBoundingBoxDescent / LARGE * scale,
    };
  }

  const blocks = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    const breaks = node.nodeName === "BR";
    if (node.nodeType === Node.ELEMENT_NODE && !breaks) continue;
    if (!shown(parent)) continue;
    const block = blockOf(parent);
    if (!blocks.has(block)) blocks.set(block, []);
    const text = breaks ? " " : node.nodeValue;
    for (let at = 0; at < text.length; at++) blocks.get(block).push({ node: breaks ? null : node, at, char: text[at] });
  }

  const words = [];
  let number = 0;
  for (const [block, letters] of blocks) {
    const tilted = turned(block);
    let word = [], any = false;
    const close = () => {
      const pieces = [];
      for (let from = 0, to; from < word.length; from = to) {
        to = from + 1;
        while (to < word.length && word[to].node === word[from].node) to++;
        const part = piece(word[from].node, word[from].at, word[to - 1].at + 1);
        if (part) pieces.push(part);
      }
      if (pieces.length) {
        any = true;
        words.push({
          text: word.map((letter) => letter.char).join(""), block: number, turned: tilted,
          baseline: pieces[0].baseline, size: pieces[0].size,
          left: Math.min(...pieces.map((part) => part.left)), right: Math.max(...pieces.map((part) => part.right)),
          top: Math.min(...pieces.map((part) => part.top)), bottom: Math.max(...pieces.map((part) => part.bottom)),
        });
      }
      word = [];
    };
    for (const letter of letters) {
      if (/\s/.test(letter.char) || !letter.node) close();
      else if (EAST.test(letter.char)) { close(); word = [letter]; close(); }
      else word.push(letter);
    }
    close();
    if (any) number++;
  }

  let pictures = 0;
  for (const element of document.querySelectorAll("body, body *")) {
    if (!shown(element)) continue;
    const rect = element.getBoundingClientRect();
    if (!(rect.right > x0 && rect.left < x0 + clip.width && rect.bottom > y0 && rect.top < y0 + clip.height)) continue;
    if (element.matches("img, canvas, video, image")) pictures++;
    for (const part of [null, "::before", "::after"]) {
      if (/url\(/.test(getComputedStyle(element, part).backgroundImage)) pictures++;
    }
  }
  const heading = [...document.querySelectorAll("h1, h2, h3")].find(
    (element) => shown(element) && within(element.getBoundingClientRect()));
  return { words, pictures, heading: heading?.innerText ?? "" };
}
