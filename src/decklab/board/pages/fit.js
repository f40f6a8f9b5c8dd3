// The largest sizes at which a page of a deck holds its words. Loaded after slides.js.
(() => {
  const SLACK = 1; // pixels: rounding of line boxes
  const AIR = [40, 36, 32, 28, 24, 21, 18, 16, 14, 12, 10, 8, 6];
  const LOOSE = 0.015, LOOSE_LEAST = 2; // as native/texts.py sets boxes: a share, and pixels
  const ROOMY = 0.93; // share of the room that is filled before space between paragraphs shrinks

  const set = (page, name, value) => page.style.setProperty(name, `${value}px`);

  // The place for what a page shows: its main part, or all of it inside its padding.
  function room(page) {
    const main = page.querySelector("main");
    if (main) return main.getBoundingClientRect();
    const box = page.getBoundingClientRect();
    return new DOMRect(box.x + 48, box.y + 48, box.width - 96, box.height - 96);
  }

  const shown = (page) => [...(page.querySelector("main") ?? page).querySelectorAll("*")]
    .filter((item) => !item.closest(".decor, .notes, svg, .foot, .charted, .bleed") && !item.parentElement.closest("math")
      && item.getClientRects().length && getComputedStyle(item).display !== "inline");

  // Whether everything stays in its place and in what it is part of.
  function holds(items, place) {
    return items.every((item) => {
      const box = item.getBoundingClientRect();
      const around = item.parentElement.getBoundingClientRect();
      return box.bottom <= Math.min(place.bottom, around.bottom) + SLACK
        && box.right <= Math.min(place.right, around.right) + SLACK && box.left >= place.left - SLACK;
    });
  }

  // Whether a word is longer than its line: unbroken, it would stand out of its element.
  function breaksWords(page, items) {
    page.style.overflowWrap = "normal";
    const range = document.createRange();
    const broken = items.some((item) => {
      if (!item.clientWidth || item.tagName === "IMG" || item.querySelector(".chart")) return false;
      range.selectNodeContents(item);
      const box = item.getBoundingClientRect();
      return [...range.getClientRects()].some((line) => line.right > box.right + 0.01 || line.left < box.left - 0.01);
    });
    page.style.overflowWrap = "";
    return broken;
  }

  function fill(items, place) {
    const bottoms = items.map((item) => item.getBoundingClientRect().bottom);
    const tops = items.map((item) => item.getBoundingClientRect().top);
    return items.length ? (Math.max(...bottoms) - Math.min(...tops)) / place.height : 0;
  }

  // Shares of the fullest and the emptiest card that their words fill; 1 for a page without cards.
  function cardFill(page) {
    const shares = [...page.querySelectorAll(".row .card")].map((card) => {
      const words = [...card.children].filter((item) => item.getClientRects().length);
      return fill(words, card.getBoundingClientRect());
    });
    return shares.length ? [Math.max(...shares), Math.min(...shares)] : [1, 1];
  }

  const lines = (element) => Math.round(element.getBoundingClientRect().height
    / parseFloat(getComputedStyle(element).lineHeight));

  // Titles in a narrow place may take more lines than two: the page says how many.
  const mostLines = (page) => parseInt(getComputedStyle(page).getPropertyValue("--title-lines"), 10) || 2;

  function titleSize(page, sizes) {
    const title = page.querySelector("h1");
    const most = mostLines(page);
    for (const size of sizes) {
      set(page, "--title-size", size);
      const [above] = title.parentElement.children;
      const look = getComputedStyle(title.parentElement);
      const room = title.parentElement.clientHeight - parseFloat(look.paddingTop) - parseFloat(look.paddingBottom) + SLACK;
      if (lines(title) <= most && title.offsetTop + title.offsetHeight - above.offsetTop <= room) return size;
    }
    return 0;
  }

  // Whether a title that is balanced breaks alike in a box a little wider than its lines: office
  // programs measure them a little differently.
  function steady(page) {
    const title = page.querySelector("h1");
    const range = document.createRange();
    range.selectNodeContents(title);
    const widths = () => [...range.getClientRects()].map((line) => Math.round(line.width));
    const balanced = widths();
    title.style.maxWidth = `${Math.max(...balanced) * (1 + LOOSE) + LOOSE_LEAST}px`;
    title.style.textWrap = "wrap";
    const loose = widths();
    title.style.maxWidth = title.style.textWrap = "";
    return loose.join() === balanced.join();
  }

  // What a page (counted from 0) takes of the sizes in each of its forms.
  function fit(number, sizes, titles, forms) {
    const page = document.querySelectorAll("section.slide")[number];
    const title = titleSize(page, titles);
    const common = { title, steady: steady(page) };
    return forms.map((form) => {
      page.classList.remove(...[...page.classList].filter((name) => name.startsWith("as-")));
      if (form) page.classList.add(`as-${form}`);
      return { ...common, form, ...fitted(page, sizes) };
    });
  }

  // What a page takes of the sizes, which go down: size 0 means that none holds it.
  function fitted(page, sizes) {
    page.classList.remove("broken", "plain");
    const items = shown(page);
    const found = { size: 0, air: AIR.at(-1), fill: 0, full: 1, even: 1, whole: true, icons: true };
    page.classList.add("plain");
    for (const whole of [true, false]) {
      page.classList.toggle("broken", !whole && !found.size);
      for (const size of found.size ? [] : sizes) {
        set(page, "--size", size);
        set(page, "--air", 8);
        set(page, "--cell", 5);
        const place = room(page);
        if (!holds(items, place) || (whole && breaksWords(page, items))) continue;
        found.size = size;
        found.whole = whole;
        break;
      }
    }
    // Icons are kept if the words beside them stay as large.
    page.classList.remove("plain");
    const icons = page.querySelector(".icon");
    set(page, "--air", AIR.at(-1));
    if (icons && !(found.size && holds(shown(page), room(page)))) {
      found.icons = false;
      page.classList.add("plain");
    }
    for (const air of AIR.filter((space) => space <= 1.4 * found.size || space === AIR.at(-1))) {
      set(page, "--air", air);
      set(page, "--cell", Math.max(air * 0.75, 5));
      const place = room(page);
      found.air = air;
      const [fullest, emptiest] = cardFill(page);
      found.full = fullest;
      found.fill = fill(items, place) * fullest;
      found.even = emptiest / fullest;
      if (holds(items, place) && found.fill <= ROOMY) break;
    }
    const charts = [...page.querySelectorAll("figure.chart")].map((item) => item.getBoundingClientRect());
    found.chart = charts.length
      ? [Math.min(...charts.map((box) => box.width)), Math.min(...charts.map((box) => box.height))] : null;
    const corner = page.getBoundingClientRect();
    found.parts = [...page.querySelectorAll("[data-part]")].map((item) => item.getBoundingClientRect())
      .map((box) => [box.left - corner.left, box.top - corner.top, box.right - corner.left, box.bottom - corner.top]);
    return found;
  }

  Object.assign(window.__decklab, { fit });
})();
