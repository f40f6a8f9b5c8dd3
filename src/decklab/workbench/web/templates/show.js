document.addEventListener("keydown", (event) => {
  const figures = [...document.querySelectorAll("figure")];
  const at = figures.findIndex((figure) => figure.getBoundingClientRect().bottom > innerHeight / 2);
  const step = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "f" && figures[at]) figures[at].firstElementChild.requestFullscreen();
  const next = figures[(at < 0 ? figures.length - 1 : at) + step];
  if (!step || !next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  if (document.fullscreenElement) next.firstElementChild.requestFullscreen();
  else next.scrollIntoView({ block: "start" });
});
