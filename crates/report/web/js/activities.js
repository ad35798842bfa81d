// What threads do, with a name and a colour for each; the same everywhere.

import { d3 } from "./d3.js";
import { h } from "./dom.js";
import { activityNames } from "./session.js";

/** @param {string} activity */
function swatch(activity) {
  return h("span", { class: `swatch a-${activity}`, "aria-hidden": "true" });
}

/**
 * @param {string[]} activities
 * @param {((activity: string) => string)} [text]
 */
export function legend(activities, text) {
  return h(
    "ul",
    { class: "legend" },
    activities.map((a) =>
      h("li", {}, swatch(a), activityNames[a], text && h("span", { class: "dim" }, text(a))),
    ),
  );
}

/**
 * The colour of an activity, for drawing.
 *
 * @param {string} activity
 */
export function activityColour(activity) {
  return css(`--${activity}`);
}

/** @param {string} name */
export function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/**
 * Sequential, from pale to dark; a colour and the ink that is read on it.
 *
 * @param {number} share
 */
export function heat(share) {
  const at = Math.max(0, Math.min(1, share));
  return d3.interpolateYlOrBr(0.08 + 0.8 * at);
}

/** @param {number} share */
export function heatInk(share) {
  return share > 0.62 ? "white" : "ink";
}

/**
 * From purple (less than before) over white to orange (more).
 *
 * @param {number} share
 */
export function changeColour(share) {
  return d3.interpolatePuOr(0.5 - 0.45 * Math.max(-1, Math.min(1, share)));
}
