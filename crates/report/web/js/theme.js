// Light or dark colours, as the browser prefers or as the reader chose.

import { byId, tellParts } from "./dom.js";

export function watchTheme() {
  chooseTheme(
    storedTheme() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
  );
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    if (!storedTheme()) chooseTheme(event.matches ? "dark" : "light");
  });
}

/** @param {string} theme */
export function chooseTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const other = theme === "dark" ? "light" : "dark";
  const button = byId("theme");
  button.textContent = theme === "dark" ? "☀" : "☾";
  button.title = `Switch to ${other} colours (t)`;
  button.setAttribute("aria-label", `Switch to ${other} colours`);
  tellParts("themechange");
}

// From a file address, some browsers refuse storage.
function storedTheme() {
  try {
    return localStorage.getItem("pgastool-theme");
  } catch {
    return null;
  }
}

export function switchTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  chooseTheme(theme);
  try {
    localStorage.setItem("pgastool-theme", theme);
  } catch {
    // It holds until the page is closed.
  }
}
