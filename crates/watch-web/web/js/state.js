// State of the page: the newest picture, the one that is shown, the curve of the run, findings, choices of the reader.

/** Points of the curve that are kept. Beyond, neighbours are merged: a run of many hours fits, too. */
const MAX_POINTS = 4000;

export const state = {
  /** @type {Live.Picture | null} */
  newest: null,
  /**
   * The newest one, unless the reader holds an earlier one.
   *
   * @type {Live.Picture | null}
   */
  shown: null,
  isHeld: false,
  /** @type {Live.Point[]} */
  points: [],
  /**
   * Rejected findings by key, with the time of the run at which the page heard of it.
   *
   * @type {Map<string, { finding: Live.Finding, after: number }>}
   */
  gone: new Map(),
  /** @type {number | null} */
  selected: null,
  order: "number",
  filter: "",
  /** Max number of rows of threads. */
  rows: 100,
};

/**
 * Whether it is newer than what there was: answers and events overtake each other.
 *
 * @param {Live.Picture} picture
 */
export function takePicture(picture) {
  if (state.newest && picture.time_unix_ns <= state.newest.time_unix_ns) return false;
  if (state.newest && picture.run !== state.newest.run) forgetRun();
  state.newest = picture;
  addPoint(pointOf(picture));
  if (!state.isHeld) state.shown = picture;
  return true;
}

/** Another run begins at the same address. */
function forgetRun() {
  state.points = [];
  state.gone.clear();
  state.selected = null;
}

/** Whether the server has left out what came before the newest picture, as it does for pages that read slowly. */
export function hasMissed() {
  const [before, last] = state.points.slice(-2);
  return last !== undefined && !follows(last, before);
}

/**
 * Periods that follow each other overlap or differ by rounding, and by a late look.
 *
 * @param {Live.Point} point
 * @param {Live.Point} before
 */
export function follows(point, before) {
  return Math.abs(point.elapsed - point.period - before.elapsed) <= 0.5 * point.period;
}

/** @param {Live.Point[]} points */
export function takeHistory(points) {
  const last = points.at(-1)?.elapsed ?? 0;
  const later = state.points.filter((point) => point.elapsed > last);
  state.points = points.concat(later);
  thin();
}

export function toggleHold() {
  state.isHeld = !state.isHeld;
  if (!state.isHeld) state.shown = state.newest;
}

/** @param {Live.Point} point */
function addPoint(point) {
  if (point.elapsed <= (state.points.at(-1)?.elapsed ?? -1)) return;
  state.points.push(point);
  thin();
}

function thin() {
  while (state.points.length > MAX_POINTS) state.points = mergedPoints(state.points, 2);
}

/**
 * @param {Live.Point[]} points
 * @param {number} size Number of neighbours that become one.
 */
export function mergedPoints(points, size) {
  const merged = [];
  for (let i = 0; i < points.length; i += size) merged.push(mean(points.slice(i, i + size)));
  return merged;
}

/**
 * @param {Live.Point[]} points
 * @returns {Live.Point}
 */
function mean(points) {
  const period = sumOf(points.map((p) => p.period));
  const computing = sumOf(points.map((p) => p.computing));
  const waiting = sumOf(points.map((p) => p.waiting));
  const communicating = sumOf(points.map((p) => p.communicating));
  const all = computing + waiting + communicating;
  const calls = sumOf(points.map((p) => p.calls_per_second * p.period));
  return {
    elapsed: points[points.length - 1].elapsed,
    period,
    efficiency: all > 0 ? computing / all : null,
    computing,
    waiting,
    communicating,
    calls_per_second: period > 0 ? calls / period : 0,
  };
}

/**
 * @param {Live.Picture} picture
 * @returns {Live.Point}
 */
function pointOf({ elapsed, period, efficiency, times, calls_per_second }) {
  return {
    elapsed,
    period,
    efficiency,
    computing: times.computing,
    waiting: sumOf(Object.values(times.waiting)),
    communicating: sumOf(Object.values(times.communicating)),
    calls_per_second,
  };
}

/** @param {number[]} values */
export function sumOf(values) {
  return values.reduce((a, b) => a + b, 0);
}
