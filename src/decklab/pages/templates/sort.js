for (const button of document.querySelectorAll("th button")) {
  button.disabled = false;
  button.addEventListener("click", () => {
    const head = button.closest("th");
    const body = head.closest("table").tBodies[0];
    const was = head.getAttribute("aria-sort");
    const first = head.dataset.first;
    const order = was === "none" ? first : was === "ascending" ? "descending" : "ascending";
    const sign = order === "ascending" ? 1 : -1;
    const text = head.dataset.kind === "text";
    const key = (row) => row.cells[head.cellIndex].dataset.value;
    const compare = (a, b) => {
      const x = key(a), y = key(b);
      if (x === "" || y === "") return (x === "") - (y === "");
      return sign * (text ? x.localeCompare(y, undefined, { numeric: true }) : x - y);
    };
    for (const other of head.parentNode.cells)
      if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", order);
    body.append(...[...body.rows].sort(compare));
  });
}
