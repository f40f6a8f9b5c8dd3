const steps = [...document.querySelectorAll(".step")];
const links = [...document.querySelectorAll(".list a")];
const list = document.querySelector(".list");
const place = document.getElementById("place");
const play = document.getElementById("play");
let now = 0, timer = 0;

function show(number, told = true) {
  now = Math.max(0, Math.min(steps.length - 1, number));
  steps.forEach((step, at) => step.classList.toggle("now", at === now));
  links.forEach((link, at) => at === now ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current"));
  place.value = now + 1;
  place.setAttribute("aria-valuetext", steps[now].querySelector("h2").textContent.trim());
  const link = links[now];
  if (list.scrollHeight > list.clientHeight)
    list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
  if (told) {
    history.replaceState(null, "", "#step-" + (now + 1));
    const main = document.getElementById("main"), picture = steps[now].querySelector(".screen");
    if (picture.getBoundingClientRect().bottom > innerHeight && innerWidth > 960)
      scrollTo({ top: main.offsetTop, behavior: "instant" });
  }
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.setAttribute("aria-pressed", "false");
  play.textContent = "Play";
}

function start() {
  if (now === steps.length - 1) show(0);
  play.setAttribute("aria-pressed", "true");
  play.textContent = "Pause";
  timer = setInterval(() => now < steps.length - 1 ? show(now + 1) : stop(), 1400);
}

document.body.classList.add("walking");
document.querySelector(".walk").hidden = false;
document.getElementById("back").addEventListener("click", () => { stop(); show(now - 1); });
document.getElementById("next").addEventListener("click", () => { stop(); show(now + 1); });
place.addEventListener("input", () => { stop(); show(place.value - 1); });
play.addEventListener("click", () => timer ? stop() : start());
links.forEach((link, at) => link.addEventListener("click", (event) => { event.preventDefault(); stop(); show(at); }));
addEventListener("hashchange", () => { const at = steps.findIndex((step) => "#" + step.id === location.hash); if (at >= 0) show(at, false); });
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    stop();
    show(to);
  } else if (event.key === " " && event.target.tagName !== "BUTTON") {
    event.preventDefault();
    timer ? stop() : start();
  }
});
const asked = steps.findIndex((step) => "#" + step.id === location.hash);
show(Math.max(0, asked), false);
