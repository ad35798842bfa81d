// How the iterations of the program's loops develop, metric by metric.

import { d3 } from "./d3.js";
import { asTable, fitted, h, s, table } from "./dom.js";
import { count, plural, seconds } from "./format.js";
import { withHover } from "./hover.js";
import { clean } from "./names.js";
import { placeLink } from "./places.js";
import { report, trees } from "./session.js";
import { integerTicks } from "./ticks.js";
import { inWords } from "./words.js";

export function iterationsView() {
  const { phases } = report.summary;
  if (phases.length === 0)
    return h(
      "p",
      { class: "notice" },
      inWords("No loop whose iterations all threads run together was found."),
    );
  return h("div", { class: "stack" }, phases.map(loopCard));
}

/**
 * @param {Data.Loop} loop
 * @param {number} index
 */
function loopCard(loop, index) {
  const words = report.loops[index];
  // Those that matter first, then the others.
  const said = new Map(words.series);
  const series = [...loop.series].sort((a, b) => order(said, a) - order(said, b));
  return h(
    "section",
    { class: "card" },
    h("header", {}, h("h2", {}, words.title), placeLink(loop.file, loop.line)),
    h("p", {}, words.sentences.join(" ")),
    words.marks.map((text) => h("p", { class: "fair" }, text)),
    h(
      "div",
      { class: "series" },
      series.map((one) => seriesChart(loop, one, said.get(one.metric))),
    ),
    asTable(() => seriesTable(loop)),
  );
}

/**
 * @param {Map<string,string>} said
 * @param {Data.Series} series
 */
function order(said, series) {
  const at = [...said.keys()].indexOf(series.metric);
  return at < 0 ? said.size : at;
}

/** @param {string} id */
export function metricName(id) {
  if (id === "duration") return "Duration";
  const metric = trees.metricById.get(id);
  return metric === undefined ? id : report.metrics[metric].name;
}

/**
 * @param {Data.Loop} loop
 * @param {Data.Series} series
 * @param {string | undefined} said
 */
function seriesChart(loop, series, said) {
  const words =
    said ??
    `mean ${seconds(series.mean)}${series.recorded_iterations === undefined ? "" : `, up to iteration ${count(series.recorded_iterations)}`}`;
  const metric = trees.metricById.get(series.metric);
  const wait = metric !== undefined && report.metrics[metric].wait_state;
  return h(
    "div",
    { class: wait ? "wait" : "" },
    h("h3", {}, metricName(series.metric)),
    h("div", { class: "dim" }, words),
    fitted((width) => curve(loop, series, words, width)),
  );
}

/**
 * @param {Data.Loop} loop
 * @param {Data.Series} series
 * @param {string} words
 * @param {number} width
 */
function curve(loop, series, words, width) {
  const height = 120;
  const margin = { left: 66, right: 8, top: 8, bottom: 20 };
  const list = series.values;
  const each = loop.iterations_per_value;
  // All curves of a loop have the same axis; one that was not recorded to the end stops before it.
  const places = loopLength(loop);
  const x = d3.scaleLinear([0, Math.max(1, places - 1)], [margin.left, width - margin.right]);
  const y = d3.scaleLinear([0, d3.max(list) || 1], [height - margin.bottom, margin.top]).nice(3);
  const chart = s("svg", {
    class: "chart",
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `${metricName(series.metric)} over ${plural(loop.iterations, "iteration")}: ${words}`,
  });
  for (const tick of y.ticks(3)) {
    chart.append(
      s("line", {
        class: "grid",
        x1: margin.left,
        x2: width - margin.right,
        y1: y(tick),
        y2: y(tick),
      }),
      s(
        "text",
        { class: "n", x: margin.left - 6, y: y(tick) + 4, "text-anchor": "end" },
        seconds(tick),
      ),
    );
  }
  /** @type {import("d3").Line<number>} */
  const line = d3.line(
    (_, i) => x(i),
    (v) => y(v),
  );
  /** @type {import("d3").Area<number>} */
  const area = d3.area(
    (_, i) => x(i),
    y(0),
    (v) => y(v),
  );
  chart.append(
    s("path", { class: "area", d: area(list) }),
    s("path", { class: "path", d: line(list) }),
  );
  for (const mark of marksOf(loop, series)) {
    const at = Math.min(
      width - margin.right,
      Math.max(margin.left, x(mark.after_iteration / each - 0.5)),
    );
    chart.append(
      s(
        "line",
        { class: "mark", x1: at, x2: at, y1: margin.top, y2: height - margin.bottom },
        s("title", {}, clean(mark.words)),
      ),
    );
    if (mark.metrics.length > 0 && width - margin.right - at > 90) {
      const words = s("text", { class: "n", x: at + 5, y: margin.top + 12 }, "not recorded");
      chart.append(words);
    }
  }
  for (const iteration of integerTicks([1, (places - 1) * each + 1], Math.min(5, places))) {
    chart.append(
      s(
        "text",
        { class: "n", x: x((iteration - 1) / each), y: height - 5, "text-anchor": "middle" },
        count(iteration),
      ),
    );
  }
  return withHover(chart, (event) => {
    const i = Math.round(x.invert(event.clientX - chart.getBoundingClientRect().left));
    if (i < 0 || i >= places) return null;
    return [iterationsOf(loop, i), i < list.length ? seconds(list[i]) : "not recorded"];
  });
}

/**
 * Values of the loop's duration, which every iteration has.
 *
 * @param {Data.Loop} loop
 */
function loopLength(loop) {
  return d3.max(loop.series, (series) => series.values.length) ?? 0;
}

/**
 * Iterations of a value in words, counted from 1 as everywhere.
 *
 * @param {Data.Loop} loop
 * @param {number} i
 */
function iterationsOf(loop, i) {
  const each = loop.iterations_per_value;
  return each === 1
    ? `iteration ${count(i + 1)}`
    : `iterations ${count(i * each + 1)}–${count(Math.min((i + 1) * each, loop.iterations))}, mean`;
}

/**
 * Where the recording of a series changes, with what is said about it.
 *
 * @param {Data.Loop} loop
 * @param {Data.Series} series
 */
function marksOf(loop, series) {
  const words = report.loops[report.summary.phases.indexOf(loop)].marks;
  return (loop.marks ?? [])
    .map((mark, i) => ({ metrics: [], ...mark, words: words[i] }))
    .filter((mark) => mark.metrics.length === 0 || mark.metrics.includes(series.metric));
}

/** @param {Data.Loop} loop */
function seriesTable(loop) {
  const columns = [
    { name: "Iteration" },
    ...loop.series.map((series) => ({ name: metricName(series.metric), n: true })),
  ];
  const rows = d3
    .range(loopLength(loop))
    .map((i) => [
      count(i * loop.iterations_per_value + 1),
      ...loop.series.map((series) =>
        series.values[i] === undefined ? "not recorded" : seconds(series.values[i]),
      ),
    ]);
  return table(columns, rows, "Metrics by iteration");
}
