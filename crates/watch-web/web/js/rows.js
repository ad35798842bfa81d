// List of threads: a bar of the period and the current activity of each.

import { MORE_ROWS, chosenOrder, matches } from "./choice.js";
import { byId, h } from "./dom.js";
import { count } from "./format.js";
import { keepList, setAttribute, setNote, setShare, setText } from "./keep.js";
import { activityText, shareText } from "./sentences.js";
import { ACTIVITIES, sharesOf } from "./shares.js";
import { state } from "./state.js";
import { inWords, nameOf } from "./words.js";

/** @param {() => void} redraw */
export function watchRows(redraw) {
  byId("rows").addEventListener("keydown", moveInRows);
  byId("rows").addEventListener("click", (event) => {
    const row = /** @type {Element} */ (event.target).closest("li");
    if (!row || isSelectingText(row)) return;
    const thread = Number(row.dataset.thread);
    state.selected = state.selected === thread ? null : thread;
    redraw();
  });
}

/**
 * Text of the row that was selected by the mouse is not a choice of the row.
 *
 * @param {Element} row
 */
function isSelectingText(row) {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}

/** @param {KeyboardEvent} event */
function moveInRows(event) {
  const buttons = [...byId("rows").querySelectorAll("button")];
  const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const last = buttons.length - 1;
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  buttons[Math.max(0, Math.min(last, to))].focus();
}

/** @param {Live.Picture} picture */
export function updateRows(picture) {
  const matching = picture.now.filter((now) => matches(picture, now));
  const { compare } = chosenOrder();
  matching.sort((a, b) => compare(a, b) || a.thread - b.thread);
  const shown = matching.slice(0, state.rows);
  keepList(byId("rows"), shown, {
    key: ({ thread }) => String(thread),
    make: makeRow,
    update: (part, now) => updateRow(part, picture, now),
  });
  updateMore(matching.length - shown.length);
  const none = picture.now.length > 0 && matching.length === 0;
  setNote(byId("none"), none ? inWords("No thread matches the filter.") : "");
  setText(byId("threads-title"), inWords("What each thread does"));
  setText(byId("to-threads"), inWords("Threads"));
}

/** @param {number} left */
function updateMore(left) {
  const more = byId("more");
  more.hidden = left <= 0;
  const [text, button] = more.children;
  setText(text, `${count(left)} more`);
  setText(button, `Show ${Math.min(MORE_ROWS, Math.max(0, left))} more`);
}

/** @param {Live.Now} now */
function makeRow(now) {
  const name = h("button", { type: "button", class: "plain name" });
  const bar = makeBar();
  const share = h("span", { class: "n" });
  const [text, node] = [h("span", { class: "does" }), h("span", { class: "dim node" })];
  const row = { class: "row", "data-thread": now.thread };
  const element = h("li", row, name, bar.element, share, h("span", {}, text, " ", node));
  return { element, name, bar, share, text, node };
}

/**
 * @param {ReturnType<typeof makeRow>} part
 * @param {Live.Picture} picture
 * @param {Live.Now} now
 */
function updateRow(part, picture, now) {
  setText(part.name, nameOf(now.thread));
  setAttribute(part.name, "aria-pressed", String(state.selected === now.thread));
  updateBar(part.bar, now.times);
  setText(part.share, now.efficiency === null ? "" : shareText(now.efficiency));
  setText(part.text, activityText(picture, now));
  setAttribute(part.text, "class", `does ${now.activity}`);
  setText(part.node, hasNodes(picture) && now.node ? `on ${now.node}` : "");
}

/**
 * Whether a picture is of several nodes.
 *
 * @type {WeakMap<Live.Picture, boolean>}
 */
const severalNodes = new WeakMap();

/** @param {Live.Picture} picture */
function hasNodes(picture) {
  let known = severalNodes.get(picture);
  if (known === undefined) {
    known = new Set(picture.now.map(({ node }) => node)).size > 1;
    severalNodes.set(picture, known);
  }
  return known;
}

function makeBar() {
  const pieces = ACTIVITIES.map(({ look }) => h("i", { class: look }));
  return { element: h("span", { class: "bar", role: "img" }, pieces), pieces };
}

/**
 * @param {ReturnType<typeof makeBar>} bar
 * @param {Live.Times | null} times
 */
function updateBar({ element, pieces }, times) {
  const shares = sharesOf(times);
  ACTIVITIES.forEach(({ id }, i) => setShare(pieces[i], "width", shares[id]));
  const texts = ACTIVITIES.filter(({ id }) => shares[id] > 0);
  const label = texts.map(({ id }) => `${id} ${shareText(shares[id])}`).join(", ");
  setAttribute(element, "aria-label", label || "nothing is known of the period");
  setAttribute(element, "title", label);
}
