// What became better and worse against another run, or against the mean of several where one side has no more than one.

import { d3 } from "./d3.js";
import { h, table } from "./dom.js";
import { pgasOrFirst } from "./explore.js";
import { figure, percent, seconds, signed } from "./format.js";
import { placeLink } from "./places.js";
import { CHANGES, repeatedView } from "./repeated.js";
import { beforeValues, report, trees, values } from "./session.js";
import { inWords } from "./words.js";

export function comparisonView() {
  const { comparison } = report;
  // The view is offered only where there is another run.
  if (!comparison || !beforeValues) return null;
  const earlierValues = beforeValues;
  const { summary } = report;
  if (comparison.runs) return repeatedView(comparison.runs, comparison.name);
  const [before, after] = [comparison.summary.wall_seconds, summary.wall_seconds];
  const change = before > 0 ? (after / before - 1) * 100 : NaN;
  const verdict =
    Math.abs(change) < 0.05
      ? "takes as long as"
      : change < 0
        ? `takes ${percent(-change)} less time than`
        : `takes ${percent(change)} more time than`;
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "verdict" },
      h("p", {}, `This run ${verdict} the other: ${seconds(after)} instead of ${seconds(before)}.`),
      h(
        "p",
        { class: "run" },
        `the other: ${comparison.name}; one run against one, so small changes may be chance`,
      ),
    ),
    comparison.notes.length > 0 &&
      h(
        "div",
        { class: "remarks" },
        h(
          "ul",
          {},
          comparison.notes.slice(0, 20).map((note) => h("li", {}, note)),
        ),
      ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Efficiency"),
      efficiencyChanges(comparison.summary.efficiency),
    ),
    h("section", { class: "card" }, h("h2", {}, "Metrics"), metricChanges(beforeValues)),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Call paths that changed most"),
      pathChanges(earlierValues),
    ),
  );
}

/**
 * @param {Data.Unit} unit
 * @param {number} before
 * @param {number} after
 * @param {number} most
 * @returns {Content[]}
 */
function changeCells(unit, before, after, most) {
  const change = after - before;
  const share = most > 0 ? Math.min(1, Math.abs(change) / most) * 50 : 0;
  const bar = h(
    "div",
    { class: "change-bar", "aria-hidden": "true" },
    h("i", { class: change > 0 ? "up" : "down", style: { width: `${share}%` } }),
  );
  const relative = before ? signed(percent((change / before) * 100), change) : change ? "new" : "";
  return [
    figure(unit, before),
    figure(unit, after),
    signed(figure(unit, change), change),
    relative,
    bar,
  ];
}

const CHANGE_COLUMNS = [
  { name: "Before", n: true },
  { name: "Now", n: true },
  { name: "Change", n: true },
  { name: "", n: true },
  { name: "less · more" },
];

/** @param {Data.Efficiency<number | null>} earlier */
function efficiencyChanges(earlier) {
  const rows = report.factors.map(({ id, name }) => {
    const before = (earlier[id] ?? NaN) * 100;
    const after = (report.summary.efficiency[id] ?? NaN) * 100;
    const points = after - before;
    return [
      name,
      percent(before),
      percent(after),
      h(
        "span",
        { class: points < 0 ? "worse" : "better" },
        `${signed(points.toFixed(1), points)} points`,
      ),
    ];
  });
  return table(
    [{ name: "Factor" }, ...CHANGE_COLUMNS.slice(0, 3)],
    rows,
    "Efficiency of both runs",
  );
}

/** @param {import("./values.js").Values} earlierValues */
function metricChanges(earlierValues) {
  /** @type {Content[][]} */
  const rows = [];
  /**
   * @param {number} metric
   * @param {number} depth
   */
  const add = (metric, depth) => {
    const before = earlierValues.total(metric, false);
    const after = values.total(metric, false);
    const { unit, id, name, parent } = report.metrics[metric];
    const root = trees.rootOf(metric);
    const most =
      Math.max(earlierValues.total(root, false), values.total(root, false)) *
      (parent === null ? 1 : 0.5);
    if (before || after) {
      rows.push([
        h("a", { href: `#explore/${id}`, style: { "padding-left": `${depth * 1.1}rem` } }, name),
        ...changeCells(unit, before, after, most),
      ]);
    }
    trees.metricChildren.of[metric].forEach((child) => add(child, depth + 1));
  };
  trees.metricChildren.roots.forEach((root) => add(root, 0));
  return table(
    [{ name: "Metric" }, ...CHANGE_COLUMNS],
    rows,
    inWords("Metrics of both runs, summed over threads"),
  );
}

/** @param {import("./values.js").Values} earlierValues */
function pathChanges(earlierValues) {
  const time = pgasOrFirst();
  const [before, after] = [earlierValues.own(time, false), values.own(time, false)];
  const changes = d3
    .range(after.length)
    .map((path) => ({ path, change: after[path] - before[path] }))
    .filter(({ change }) => change !== 0)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, CHANGES);
  const most = Math.abs(changes[0]?.change ?? 0);
  const rows = changes.map(({ path }) => [
    h(
      "a",
      { class: "mono name", href: `#explore/${report.metrics[time].id}/${path}` },
      trees.regionName(path),
    ),
    placeLink(trees.file(path), trees.paths.line[path]) ?? "",
    ...changeCells("s", before[path], after[path], most),
  ]);
  return table(
    [{ name: "Call path" }, { name: "Called at" }, ...CHANGE_COLUMNS],
    rows,
    "Time without callees, largest changes first",
  );
}
