// Metrics that the program itself counts: sum and mean, and a column for each thread.

import { byId, h, s } from "./dom.js";
import { bytes, count, seconds, threeDigits } from "./format.js";
import { withHover } from "./hover.js";
import { keepList, setAttribute, setText } from "./keep.js";
import { shareText } from "./sentences.js";
import { sumOf } from "./state.js";
import { countOf, inWords, nameOf } from "./words.js";

/**
 * @typedef {{ thread: number, metric: Live.Metric }} ThreadMetric
 * @typedef {{ name: string, of: ThreadMetric[] }} MetricGroup
 */

/** @param {Live.Picture} picture */
export function updateMetrics(picture) {
  const groups = groupsOf(picture);
  const section = byId("metrics");
  section.hidden = groups.length === 0;
  byId("to-metrics").hidden = groups.length === 0;
  keepList(/** @type {Element} */ (section.querySelector(".metrics")), groups, {
    key: ({ name }) => name,
    make: makeMetric,
    update: updateMetric,
  });
}

/**
 * Metrics of all threads by name, in the order in which they come first.
 *
 * @param {Live.Picture} picture
 */
function groupsOf({ now }) {
  /** @type {Map<string, MetricGroup>} */
  const groups = new Map();
  for (const { thread, metrics } of now) {
    for (const metric of metrics ?? []) {
      const group = groups.get(metric.name) ?? { name: metric.name, of: [] };
      groups.set(metric.name, group);
      group.of.push({ thread, metric });
    }
  }
  return [...groups.values()];
}

function makeMetric() {
  const [name, figures] = [h("h3", {}), h("p", { class: "soft" })];
  const extremes = h("p", { class: "dim" });
  const path = s("path", {});
  const box = {
    class: "columns-by-thread",
    preserveAspectRatio: "none",
    role: "img",
  };
  const svg = s("svg", box, path);
  const part = {
    element: h("article", {}, name, figures, svg, extremes),
    name,
    figures,
    extremes,
    svg,
    path,
    of: /** @type {ThreadMetric[]} */ ([]),
  };
  withHover(svg, (event) => metricLines(part, event));
  return part;
}

/**
 * @param {ReturnType<typeof makeMetric>} part
 * @param {MetricGroup} group
 */
function updateMetric(part, { name, of }) {
  part.of = of;
  setText(part.name, name);
  setText(part.figures, groupText(of));
  setText(part.extremes, extremesText(of));
  const most = Math.max(...of.map(({ metric }) => metric.value), Number.MIN_VALUE);
  const columns = of.map(({ metric }, i) => {
    const height = Math.max(0, metric.value / most) * 100;
    return `M${i + 0.08},100v${(-height).toFixed(1)}h0.84V100Z`;
  });
  setAttribute(part.svg, "viewBox", `0 0 ${of.length} 100`);
  setAttribute(part.path, "d", columns.join(""));
  setAttribute(part.svg, "aria-label", `${name} ${inWords("by thread")}`);
}

/**
 * "sum 1,204, mean 301, 60.2/s; running on 2 threads"
 *
 * @param {ThreadMetric[]} of
 */
function groupText(of) {
  const { unit } = of[0].metric;
  const sum = sumOf(of.map(({ metric }) => metric.value));
  const rates = of.flatMap(({ metric }) => (metric.rate === null ? [] : [metric.rate]));
  const parts = [
    `sum ${valueText(unit, sum)}`,
    `mean ${valueText(unit, sum / of.length)}`,
    ...(rates.length > 0 ? [rateText(unit, sumOf(rates), rates.length)] : []),
  ];
  const running = of.filter(({ metric }) => metric.is_running).length;
  const known = of.some(({ metric }) => metric.is_running !== null);
  return `${parts.join(", ")}${known ? `; running on ${countOf(running)}` : ""}`;
}

/** @param {ThreadMetric[]} of */
function extremesText(of) {
  if (of.length < 2) return "";
  const sorted = [...of].sort((a, b) => a.metric.value - b.metric.value);
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  if (least.metric.value === most.metric.value)
    return `${valueText(least.metric.unit, least.metric.value)} on each ${inWords("thread")}`;
  return [least, most]
    .map(({ thread, metric }) => `${valueText(metric.unit, metric.value)} on ${nameOf(thread)}`)
    .join(" to ");
}

/**
 * @param {Live.Metric["unit"]} unit
 * @param {number} value
 */
function valueText(unit, value) {
  if (unit === "seconds") return seconds(value);
  if (unit === "bytes") return bytes(value);
  // Means and rates of counts are fractions.
  return Number.isInteger(value) || value >= 100 ? count(value) : threeDigits(value);
}

/**
 * Seconds per second are a share of the time.
 *
 * @param {Live.Metric["unit"]} unit
 * @param {number} rate Sum over threads.
 * @param {number} threads
 */
function rateText(unit, rate, threads) {
  return unit === "seconds"
    ? `${shareText(rate / threads)} of the time`
    : `${valueText(unit, rate)}/s`;
}

/** @param {Live.Metric} metric */
export function metricText({ unit, value, rate, is_running }) {
  const parts = [valueText(unit, value)];
  if (rate !== null) parts.push(rateText(unit, rate, 1));
  if (is_running) parts.push("running");
  return parts.join(", ");
}

/**
 * @param {{ svg: SVGElement, of: ThreadMetric[] }} part
 * @param {MouseEvent} event
 */
function metricLines({ svg, of }, event) {
  const { left, width } = svg.getBoundingClientRect();
  const one = of[Math.floor(((event.clientX - left) / width) * of.length)];
  return one ? [`${nameOf(one.thread)}: ${metricText(one.metric)}`] : null;
}
