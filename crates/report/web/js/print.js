// On paper: light colours, rows that are out of sight, and pictures drawn anew. Parts that draw themselves hear of it by
// an event "paper", whose detail says whether the page is on paper now.

import { tellParts } from "./dom.js";
import { chooseTheme } from "./theme.js";

/** @type {string | null | undefined} */
let themeOnScreen = null;

export function watchPrinting() {
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
