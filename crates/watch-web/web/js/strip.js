// All threads of a large program in one drawing: a column for each, of its computing, waiting and communicating.

import { byId, h, s } from "./dom.js";
import { withHover } from "./hover.js";
import { setAttribute, setText } from "./keep.js";
import { activityText, shareText } from "./sentences.js";
import { sharesOf } from "./shares.js";
import { state } from "./state.js";
import { inWords, nameOf } from "./words.js";

/** Number of threads from which on the strip is shown: fewer are seen at once in the list. */
const FROM = 32;
const HEIGHT_OF_STRIP = 100;

/** @type {{ svg: SVGSVGElement, paths: Record<string, SVGPathElement>, mark: SVGPathElement, ends: HTMLElement[] } | null} */
let strip = null;

/** @param {() => void} redraw */
export function watchStrip(redraw) {
  byId("strip").addEventListener("click", (event) => {
    const now = nowAt(event);
    if (!now) return;
    state.selected = now.thread;
    redraw();
  });
}

/** @param {Live.Picture} picture */
export function updateStrip({ now }) {
  byId("strip").hidden = now.length < FROM;
  if (now.length < FROM) return;
  strip ??= makeStrip();
  const { svg, paths, mark, ends } = strip;
  setAttribute(svg, "viewBox", `0 0 ${now.length} ${HEIGHT_OF_STRIP}`);
  setAttribute(svg, "aria-label", inWords("Shares of time of each thread, by number"));
  setText(ends[0], nameOf(now[0].thread));
  setText(ends[1], nameOf(now[now.length - 1].thread));
  const shares = now.map(({ times }) => sharesOf(times));
  for (const [id, path] of Object.entries(paths)) setAttribute(path, "d", columnsOf(shares, id));
  const at = now.findIndex(({ thread }) => thread === state.selected);
  setAttribute(mark, "d", at < 0 ? "" : `M${at + 0.5},0V${HEIGHT_OF_STRIP}`);
}

function makeStrip() {
  const paths = {
    computing: s("path", { class: "computing" }),
    waiting: s("path", { class: "waiting" }),
    communicating: s("path", { class: "communicating" }),
  };
  const mark = s("path", { class: "mark" });
  const box = { preserveAspectRatio: "none", role: "img" };
  const svg = s("svg", box, Object.values(paths), mark);
  const ends = [h("span", {}), h("span", {})];
  byId("strip").append(withHover(svg, stripLines), h("div", { class: "ends dim" }, ends));
  return { svg, paths, mark, ends };
}

/**
 * One path draws a thousand threads as fast as one. Columns overlap a little: gaps between them would shimmer.
 *
 * @param {Record<string, number>[]} shares
 * @param {string} id
 */
function columnsOf(shares, id) {
  const y = (/** @type {number} */ share) => (HEIGHT_OF_STRIP * (1 - share)).toFixed(1);
  const columns = shares.map((share, i) => {
    const low = lowerEdge(share, id);
    return share[id] > 0 ? `M${i},${y(low)}V${y(low + share[id])}h1.05V${y(low)}Z` : "";
  });
  return columns.join("");
}

/**
 * @param {Record<string, number>} share
 * @param {string} id
 */
function lowerEdge({ computing, waiting }, id) {
  if (id === "computing") return 0;
  return id === "waiting" ? computing : computing + waiting;
}

/** @param {MouseEvent} event */
function nowAt(event) {
  if (!strip || !state.shown) return null;
  const { left, width } = strip.svg.getBoundingClientRect();
  const at = Math.floor(((event.clientX - left) / width) * state.shown.now.length);
  return state.shown.now[at] ?? null;
}

/** @param {MouseEvent} event */
function stripLines(event) {
  const now = nowAt(event);
  if (!now || !state.shown) return null;
  const share = `${nameOf(now.thread)}: computing ${shareText(now.efficiency)}`;
  return [share, activityText(state.shown, now)];
}
