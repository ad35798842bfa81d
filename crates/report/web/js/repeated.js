// A comparison with repeated runs on both sides, as `pgastool diff` makes it: means with intervals of confidence, and what is
// no more than noise.

import { d3 } from "./d3.js";
import { h, table } from "./dom.js";
import { figure, percent, plural, seconds, signed } from "./format.js";
import { placeLink } from "./places.js";
import { report, trees } from "./session.js";
import { inWords } from "./words.js";

/** @type {Record<string, [words: string, style: string]>} */
const VERDICTS = {
  better: ["better", "good"],
  worse: ["worse", "bad"],
  less: ["less", "soft"],
  more: ["more", "soft"],
  no_change: ["no change", "dim"],
  too_noisy: ["too noisy", "fair"],
  not_judged: ["not judged", "fair"],
  negligible: ["negligible", "dim"],
  unknown: ["", ""],
};

const JUDGED_COLUMNS = [
  { name: "Before", n: true },
  { name: "Now", n: true },
  { name: "Change", n: true },
  { name: "±", n: true },
  { name: "", n: true },
  { name: "" },
  { name: "less · more" },
];

// Rows of a list of changes, those that changed most.
export const CHANGES = 25;

// What is smaller is left out, as a share of the largest value.
const JUDGED_SHARE = 0.001;

/**
 * @param {Data.Diff} diff
 * @param {string} earlier the name of the earlier run
 */
export function repeatedView(diff, earlier) {
  const { before, after, wall_seconds: wall } = diff;
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "verdict" },
      h("p", {}, wallInWords(wall)),
      h(
        "p",
        { class: "run" },
        `${plural(before.runs.length, "run")} before (${earlier}), ${plural(after.runs.length, "run")} now. ` +
          "Means over runs; ± is where the true change lies with a confidence of 95 %, and what is called better or worse is no accident with " +
          "that confidence. Bars show the same interval; grey ones may be noise.",
      ),
    ),
    diff.notes.length > 0 &&
      h(
        "div",
        { class: "remarks" },
        h(
          "ul",
          {},
          diff.notes.slice(0, 20).map((note) => h("li", {}, note)),
        ),
      ),
    diff.efficiency &&
      h("section", { class: "card" }, h("h2", {}, "Efficiency"), judgedEfficiency(diff.efficiency)),
    h(
      "section",
      { class: "card" },
      h("h2", {}, diff.per_thread ? inWords("Metrics, mean over threads") : "Metrics"),
      judgedMetrics(diff),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Call paths that changed most"),
      judgedPlaces(diff),
    ),
    diff.findings.length > 0 &&
      h("section", { class: "card" }, h("h2", {}, "Findings"), judgedFindings(diff)),
  );
}

/** @param {Data.Change} wall */
function wallInWords(wall) {
  const times = `${seconds(wall.after)} instead of ${seconds(wall.before)} on average`;
  const change =
    wall.before > 0
      ? `${percent(Math.abs(wall.percent ?? NaN))} ± ${percent((halfWidth(wall) / wall.before) * 100)}`
      : "";
  if (wall.verdict === "better") return `The program became faster, by ${change}: ${times}.`;
  if (wall.verdict === "worse") return `The program became slower, by ${change}: ${times}.`;
  if (wall.verdict === "no_change") return `The program takes as long as before: ${times}.`;
  return `Whether the program became faster or slower cannot be told, since its runs scatter too much: ${times}.`;
}

/** @param {Data.Change} change */
function halfWidth(change) {
  return change.interval ? (change.interval[1] - change.interval[0]) / 2 : 0;
}

/**
 * most: the change that fills half of the bar; showChange: how changes are shown that have no percentage of their own.
 *
 * @param {Data.Change} change
 * @param {(value: number) => string} show
 * @param {number} most
 * @param {((value: number) => string)} [showChange]
 * @returns {Content[]}
 */
function judgedCells(change, show, most, showChange) {
  const [word, style] = VERDICTS[change.verdict] ?? ["", ""];
  const relative = showChange
    ? ""
    : change.percent !== null
      ? signed(percent(change.percent), change.percent)
      : change.change
        ? "new"
        : "";
  /** @param {number} value */
  const at = (value) => (most > 0 ? 50 + 50 * Math.max(-1, Math.min(1, value / most)) : 50);
  const [low, high] = change.interval ?? [change.change, change.change];
  // Also an interval beside the middle may be one that chance has made, where many are judged.
  const isNoise = !["better", "worse", "less", "more"].includes(change.verdict);
  const range = h("i", {
    class: isNoise ? "noise" : change.change > 0 ? "up" : "down",
    style: { left: `${at(low)}%`, right: `${100 - at(high)}%`, "min-width": "2px" },
  });
  return [
    show(change.before),
    show(change.after),
    h("span", { class: style }, signed((showChange ?? show)(change.change), change.change)),
    (showChange ?? show)(halfWidth(change)),
    relative,
    h("span", { class: style }, word),
    h("div", { class: "change-bar", "aria-hidden": "true" }, range),
  ];
}

/**
 * The largest end of any interval, so that all bars fit.
 *
 * @param {Data.Change[]} changes
 */
function furthest(changes) {
  return (
    d3.max(changes.flatMap((change) => (change.interval ?? [change.change]).map(Math.abs))) ?? 0
  );
}

/** @param {Data.Efficiency<Data.Change>} efficiency */
function judgedEfficiency(efficiency) {
  const changes = report.factors.map(({ id }) => efficiency[id]);
  const most = furthest(changes);
  /** @param {number} v */
  const points = (v) => `${(v * 100).toFixed(1)} points`;
  const rows = report.factors.map(({ id, name }) => [
    name,
    ...judgedCells(efficiency[id], (v) => percent(v * 100), most, points),
  ]);
  return table([{ name: "Factor" }, ...JUDGED_COLUMNS], rows, "Efficiency before and now");
}

/** @param {Data.Diff} diff */
function judgedMetrics(diff) {
  /** @param {{change: Data.Change}} options */
  const sizeOf = ({ change }) => Math.max(Math.abs(change.before), Math.abs(change.after));
  const largest =
    d3.max(
      diff.metrics.filter((m) => m.unit === "s"),
      sizeOf,
    ) ?? 0;
  const shown = diff.metrics.filter((m) =>
    m.unit === "s" ? sizeOf(m) > JUDGED_SHARE * largest : m.change.change !== 0,
  );
  const most = d3.rollup(
    shown,
    (group) => furthest(group.map((m) => m.change)),
    (m) => m.unit,
  );
  const rows = shown.map(({ metric, name, depth, unit, change }) => [
    h("a", { href: `#explore/${metric}`, style: { "padding-left": `${depth * 1.1}rem` } }, name),
    ...judgedCells(change, (v) => figure(unit, v), most.get(unit) ?? 0),
  ]);
  return table([{ name: "Metric" }, ...JUDGED_COLUMNS], rows, "Metrics before and now");
}

/** @param {Data.Diff} diff */
function judgedPlaces(diff) {
  const shown = diff.places.filter(({ change }) => change.change !== 0).slice(0, CHANGES);
  const most = furthest(shown.map((place) => place.change));
  const rows = shown.map(({ region, file, line, path, call_path: number, change }) => {
    // Of a call path that the run of this page has not, there is nothing to show.
    const isHere =
      number !== undefined &&
      number < trees.paths.line.length &&
      trees.regionName(number) === region;
    const attributes = { class: "mono name", title: (path ?? []).join(" › ") };
    return [
      isHere
        ? h("a", { ...attributes, href: `#explore/${diff.metric}/${number}` }, region)
        : h("span", attributes, region),
      placeLink(file, line) ?? "",
      ...judgedCells(change, (v) => figure(diff.unit, v), most),
    ];
  });
  return table(
    [{ name: "Call path" }, { name: "Called at" }, ...JUDGED_COLUMNS],
    rows,
    "Time without callees, largest changes first",
  );
}

/** @type {Record<string, string>} */
const STATUSES = { new: "new", gone: "gone", stays: "stays" };

/** @param {Data.Diff} diff */
function judgedFindings(diff) {
  const shown = diff.findings
    .filter(({ change }) => change.verdict !== "negligible")
    .slice(0, CHANGES);
  const most = furthest(shown.map((finding) => finding.change));
  /** @param {Data.ChangedFinding} finding */
  const runs = (finding) => {
    /** @type {[found: number, of: number, side: string][]} */
    const sides = [
      [finding.in_before, diff.before.runs.length, "before"],
      [finding.in_after, diff.after.runs.length, "now"],
    ];
    const partly = sides.filter(([found, of]) => found > 0 && found < of);
    return partly.map(([found, of, side]) => `, ${side} in ${found} of ${of} runs`).join("");
  };
  const rows = shown.map((finding) => [
    `${STATUSES[finding.status] ?? finding.status}: ${finding.name}${runs(finding)}`,
    placeLink(finding.file, finding.line) ?? finding.region,
    ...judgedCells(finding.change, seconds, most),
  ]);
  return table(
    [{ name: "Finding" }, { name: "At" }, ...JUDGED_COLUMNS],
    rows,
    "Findings before and now",
  );
}
