addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
});
