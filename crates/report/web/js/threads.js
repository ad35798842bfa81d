// Values by thread as columns: one for each thread, or for groups of neighbours where there are more threads than
// pixels; the mean as a line.

import { d3 } from "./d3.js";
import { asTable, fitted, s, table } from "./dom.js";
import { figure } from "./format.js";
import { withHover } from "./hover.js";
import { report } from "./session.js";
import { ticksOf } from "./ticks.js";
import { extremes } from "./values.js";
import { countOf, inWords, nameOf, numberOf } from "./words.js";

/**
 * values: a list by thread. options: { unit, before: another list, label, height }
 *
 * @param {Numbers} values
 * @param {BarOptions} options
 * @returns {Content}
 */
export function threadBars(values, options) {
  /** @param {number} v */
  const text = (v) => figure(options.unit, v);
  const columns = [{ name: inWords("Thread") }, { name: options.label, n: true }];
  if (options.before) columns.push({ name: "Before", n: true });
  const rows = () =>
    Array.from(values, (value, t) => [
      report.system.threads[t],
      text(value),
      ...(options.before ? [text(options.before[t] ?? 0)] : []),
    ]);
  return [
    fitted((width) => threadChart(values, options, width)),
    asTable(() => table(columns, rows(), options.label)),
  ];
}

/**
 * @param {Numbers} values
 * @param {BarOptions} options
 * @param {number} width
 */
function threadChart(values, options, width) {
  const height = options.height ?? 170;
  const margin = { left: 66, right: 4, top: 8, bottom: 22 };
  const threads = values.length;
  /** @param {number} v */
  const text = (v) => figure(options.unit, v);
  const most = Math.max(0, d3.max(values) ?? 0, d3.max(options.before ?? []) ?? 0);
  const least = Math.min(0, d3.min(values) ?? 0);
  const x = d3.scaleLinear([0, threads], [margin.left, width - margin.right]);
  const y = d3.scaleLinear([least, most || 1], [height - margin.bottom, margin.top]).nice(4);
  const step = x(1) - x(0);
  const gap = step > 6 ? Math.min(10, step * 0.18) : 0;
  const { most: largest, least: smallest, mean } = extremes(values);
  const chart = s("svg", {
    class: "chart",
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label":
      `${options.label}: ${countOf(threads)}; smallest ${text(values[smallest])} on ${nameOf(smallest)}, ` +
      `mean ${text(mean)}, largest ${text(values[largest])} on ${nameOf(largest)}`,
  });
  for (const tick of ticksOf(options.unit, y, 4)) {
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
        text(tick),
      ),
    );
  }
  /**
   * One path draws a thousand threads as fast as one.
   *
   * @param {Numbers} list
   * @param {number} inset
   */
  const path = (list, inset) =>
    Array.from(list, (value, t) => {
      const left = x(t) + gap / 2 + inset;
      const right = Math.max(left + 0.5, x(t + 1) - gap / 2 - inset);
      return `M${left.toFixed(2)},${y(0).toFixed(2)}V${y(value).toFixed(2)}H${right.toFixed(2)}V${y(0).toFixed(2)}Z`;
    }).join("");
  if (options.before)
    chart.append(s("path", { d: path(options.before, 0), fill: "var(--measurement)" }));
  const colour = options.colour ?? "var(--accent)";
  chart.append(
    s("path", { d: path(values, options.before ? step * 0.22 : 0), fill: colour }),
    s("line", {
      class: "mean",
      x1: margin.left,
      x2: width - margin.right,
      y1: y(mean),
      y2: y(mean),
    }),
    s("line", { class: "axis", x1: margin.left, x2: width - margin.right, y1: y(0), y2: y(0) }),
  );
  const every = Math.max(1, Math.ceil(threads / Math.max(2, Math.floor(width / 45))));
  for (let t = 0; t < threads; t += every) {
    chart.append(
      s(
        "text",
        { class: "n", x: x(t + 0.5), y: height - 6, "text-anchor": "middle" },
        String(numberOf(t)),
      ),
    );
  }
  return withHover(chart, (event) => {
    const t = Math.floor(x.invert(event.clientX - chart.getBoundingClientRect().left));
    if (t < 0 || t >= threads) return null;
    const lines = [`${report.system.threads[t]}: ${text(values[t])}`];
    if (options.before) lines.push(`before: ${text(options.before[t] ?? 0)}`);
    lines.push(`mean ${text(mean)}`);
    return lines;
  });
}

/**
 * Minimum, quartiles and maximum as a box, on a scale up to `most`; mean and single values as dots.
 *
 * @param {number[]} figures
 * @param {number} most
 * @param {{mean?: number, dots?: number[]}} [options]
 */
export function spreadBox(figures, most, { mean, dots } = {}) {
  const x = d3.scaleLinear([0, most || 1], [0, 100]);
  const [minimum, lower, median, upper, maximum] = figures;
  /** @param {number} v */
  const at = (v) => `${x(v)}%`;
  return s(
    "svg",
    { class: "spread", height: 20, "aria-hidden": "true" },
    s("line", { class: "whisker", x1: at(minimum), x2: at(maximum), y1: 10, y2: 10 }),
    s("line", { class: "whisker", x1: at(minimum), x2: at(minimum), y1: 6, y2: 14 }),
    s("line", { class: "whisker", x1: at(maximum), x2: at(maximum), y1: 4, y2: 16 }),
    s("rect", {
      class: "box",
      x: at(lower),
      width: `${Math.max(0.3, x(upper) - x(lower))}%`,
      y: 4,
      height: 12,
      rx: 2,
    }),
    (dots ?? []).map((value) => s("circle", { class: "dot", cx: at(value), cy: 10, r: 2.5 })),
    s("line", { class: "median", x1: at(median), x2: at(median), y1: 3, y2: 17 }),
    mean !== undefined && s("circle", { class: "mean-dot", cx: at(mean), cy: 10, r: 3.5 }),
  );
}
