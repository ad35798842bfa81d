// On paper: light colours, rows that are out of sight, and pictures drawn anew. Parts that draw themselves hear of it by
// an event "paper", whose detail says whether the page is on paper now.

let themeOnScreen = null;

function watchPrinting() {
  addEventListener("beforeprint", () => {
    themeOnScreen ??= document.documentElement.dataset.theme;
    chooseTheme("light");
    tellParts("paper", true);
  });
  addEventListener("afterprint", () => {
    if (themeOnScreen) chooseTheme(themeOnScreen);
    themeOnScreen = null;
    tellParts("paper", false);
  });
}

// Only to what is shown now: views that were left hear nothing, and can go.
function tellParts(name, detail) {
  for (const part of document.querySelectorAll(".tree, .timeline")) part.dispatchEvent(new CustomEvent(name, { detail }));
}
