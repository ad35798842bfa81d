// Curve of the run so far: shares of computing, waiting and communicating over time. The upper edge of computing is the
// efficiency.

import { byId, h, s } from "./dom.js";
import { seconds } from "./format.js";
import { withHover } from "./hover.js";
import { keepList, setAttribute, setShare, setText } from "./keep.js";
import { shareText } from "./sentences.js";
import { follows, mergedPoints, state } from "./state.js";

/** Max number of steps that are drawn. */
const STEPS = 400;
/** Coordinates of the drawing, which is stretched to the room that there is. */
const WIDTH = 1000;
const HEIGHT = 100;

/** @type {ReturnType<typeof makeCurve> | null} */
let curve = null;

/** @param {number} elapsed Seconds of the run at the right edge. */
export function updateCurve(elapsed) {
  curve ??= makeCurve();
  const size = Math.ceil(state.points.length / STEPS) || 1;
  const until = state.points.filter((point) => point.elapsed <= elapsed);
  const points = mergedPoints(until, size).filter((point) => point.efficiency !== null);
  curve.points = points;
  curve.end = elapsed;
  for (const [id, path] of Object.entries(curve.paths))
    setAttribute(path, "d", pathOf(points, elapsed, id));
  setAttribute(curve.svg, "aria-label", curveText(points));
  updateTicks(curve.ticks, elapsed);
}

function makeCurve() {
  const paths = {
    communicating: s("path", { class: "communicating" }),
    waiting: s("path", { class: "waiting" }),
    computing: s("path", { class: "computing" }),
    edge: s("path", { class: "edge" }),
  };
  const box = {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
  };
  const svg = s("svg", box, Object.values(paths));
  const ticks = h("div", { class: "ticks", "aria-hidden": "true" });
  const levels = h(
    "div",
    { class: "levels", "aria-hidden": "true" },
    ["100 %", "50 %", "0 %"].map((text) => h("span", {}, text)),
  );
  byId("curve").append(levels, withHover(svg, hoverLines), ticks);
  return {
    svg,
    paths,
    ticks,
    points: /** @type {Live.Point[]} */ ([]),
    end: 0,
  };
}

/**
 * Lower and upper edge of a band as shares; bands do not overlap.
 *
 * @param {Live.Point} point
 * @param {string} id
 */
function bandOf({ computing, waiting, communicating }, id) {
  const all = computing + waiting + communicating;
  const [efficiency, known] = [computing / all, (computing + waiting) / all];
  if (id === "waiting") return [efficiency, known];
  return id === "communicating" ? [known, 1] : [0, efficiency];
}

/**
 * Steps of the length of each period. The edge is the upper line of computing without an area.
 *
 * @param {Live.Point[]} points
 * @param {number} end
 * @param {string} id
 */
function pathOf(points, end, id) {
  const x = (/** @type {number} */ time) => ((Math.max(0, time) / (end || 1)) * WIDTH).toFixed(1);
  const y = (/** @type {number} */ share) => (HEIGHT * (1 - share)).toFixed(1);
  let path = "";
  /** @type {Live.Point | null} */
  let before = null;
  for (const point of points) {
    const joins = before !== null && follows(point, before);
    const from = x(before !== null && joins ? before.elapsed : point.elapsed - point.period);
    const [low, high] = bandOf(point, id).map(y);
    if (id === "edge") path += `${joins ? "L" : "M"}${from},${high}H${x(point.elapsed)}`;
    else if (low !== high) path += `M${from},${low}V${high}H${x(point.elapsed)}V${low}Z`;
    before = point;
  }
  return path;
}

/** @param {Live.Point[]} points */
function curveText(points) {
  if (points.length === 0) return "Efficiency over the run: nothing is known yet";
  const shares = points.map((point) => point.efficiency ?? 0);
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  return `Efficiency over the run: between ${shareText(least)} and ${shareText(most)}`;
}

/**
 * @param {Element} ticks
 * @param {number} end
 */
function updateTicks(ticks, end) {
  keepList(ticks, tickTimes(end), {
    key: String,
    make: () => ({ element: h("span", {}) }),
    update: ({ element }, time) => {
      setText(element, seconds(time));
      setShare(element, "left", time / (end || 1));
    },
  });
}

/** Steps between ticks in seconds: those in which people count time. */
const TICK_STEPS = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000, 86400,
];

/** @param {number} end */
function tickTimes(end) {
  const step = TICK_STEPS.find((step) => end / step <= 6) ?? 864000;
  const times = [];
  // The last one would stick out of the drawing.
  for (let time = 0; time <= end * 0.94; time += step) times.push(time);
  return times;
}

/** @param {MouseEvent} event */
function hoverLines(event) {
  if (!curve) return null;
  const { left, width } = curve.svg.getBoundingClientRect();
  const time = ((event.clientX - left) / width) * curve.end;
  const point = curve.points.find(({ elapsed }) => elapsed >= time);
  if (!point || point.efficiency === null) return null;
  const all = point.computing + point.waiting + point.communicating;
  return [
    `${seconds(point.elapsed)}: efficiency ${shareText(point.efficiency)}`,
    `waiting ${shareText(point.waiting / all)}`,
    `communicating ${shareText(point.communicating / all)}`,
  ];
}
