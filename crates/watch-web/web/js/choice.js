// Which threads the list shows, and in which order: controls and rules.

import { byId, h } from "./dom.js";
import { activityText } from "./sentences.js";
import { state } from "./state.js";
import { nameOf } from "./words.js";

/** Rows that "show more" adds. */
export const MORE_ROWS = 200;

/** @type {{ id: string, name: string, compare: (a: Live.Now, b: Live.Now) => number }[]} */
const ORDERS = [
  { id: "number", name: "by number", compare: (a, b) => a.thread - b.thread },
  {
    id: "efficiency",
    name: "least computing first",
    compare: (a, b) => computing(a) - computing(b),
  },
  {
    id: "longest",
    name: "longest activity first",
    compare: (a, b) => longest(b) - longest(a),
  },
];

/**
 * Threads without a figure come last.
 *
 * @param {Live.Now} now
 */
function computing(now) {
  return now.efficiency ?? 2;
}

/** @param {Live.Now} now */
function longest(now) {
  return now.activity === "ended" ? -1 : now.seconds;
}

/** @param {() => void} redraw */
export function watchChoice(redraw) {
  const order = /** @type {HTMLSelectElement} */ (byId("order"));
  order.append(...ORDERS.map(({ id, name }) => h("option", { value: id }, name)));
  order.addEventListener("change", () => {
    state.order = order.value;
    redraw();
  });
  const filter = /** @type {HTMLInputElement} */ (byId("filter"));
  filter.addEventListener("input", () => {
    state.filter = filter.value;
    redraw();
  });
  const more = byId("more").querySelector("button");
  more?.addEventListener("click", () => {
    state.rows += MORE_ROWS;
    redraw();
  });
}

export function chosenOrder() {
  return ORDERS.find(({ id }) => id === state.order) ?? ORDERS[0];
}

export function nextOrder() {
  const at = ORDERS.findIndex(({ id }) => id === state.order);
  state.order = ORDERS[(at + 1) % ORDERS.length].id;
  /** @type {HTMLSelectElement} */ (byId("order")).value = state.order;
}

/**
 * Every word of the filter is in what the row says, in its kind of activity, or in the name of its node.
 *
 * @param {Live.Picture} picture
 * @param {Live.Now} now
 */
export function matches(picture, now) {
  const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const parts = [nameOf(now.thread), now.activity, now.kind ?? "", now.node ?? ""];
  const text = `${parts.join(" ")} ${activityText(picture, now)}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
