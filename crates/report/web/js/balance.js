// How evenly computation is divided: of each function, over threads.

import { d3 } from "./d3.js";
import { h } from "./dom.js";
import { inflatedBy } from "./explore.js";
import { percent, plural, seconds } from "./format.js";
import { withHover } from "./hover.js";
import { baseName } from "./names.js";
import { report, trees, values } from "./session.js";
import { spreadBox, threadBars } from "./threads.js";
import { addRow, isSpread } from "./values.js";
import { inWords, nameOf } from "./words.js";

export function balanceView() {
  const { balance } = report;
  if (balance.length === 0)
    return h("p", { class: "notice" }, "No function has computation of its own.");
  const time = d3.sum(balance, (f) => f.total);
  const shown = balance.filter(
    (f) => f.total > 0.0005 * time || f.maximum - f.mean > 0.0005 * time,
  );
  const most = d3.max(shown, (f) => f.maximum) ?? 0;
  const computation = trees.metricById.get("computation");
  const rows = shown.map((f) => {
    const threads = report.summary.threads;
    // Dots where there are few enough, of functions that the page has in one place.
    const exact =
      threads <= 64 && computation !== undefined
        ? valuesOfRegion(computation, trees.paths.region[f.call_path])
        : undefined;
    const box = spreadBox(
      [f.minimum, f.lower_quartile, f.median, f.upper_quartile, f.maximum],
      most,
      { mean: f.mean, dots: exact },
    );
    withHover(box, () => [
      f.region,
      `${seconds(f.minimum)} (${nameOf(f.minimum_thread)}) to ${seconds(f.maximum)} (${nameOf(f.maximum_thread)})`,
      `median ${seconds(f.median)}, mean ${seconds(f.mean)}`,
    ]);
    const name = h(
      "a",
      { class: "mono name", href: `#explore/computation/${f.call_path}` },
      f.region,
    );
    return h(
      "tr",
      {},
      h(
        "td",
        {},
        name,
        h(
          "div",
          { class: "dim" },
          [inflatedBy(report.inflated.call_paths[f.call_path]), baseName(f.module)]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
      h(
        "td",
        { class: "n" },
        `${seconds(f.minimum)}`,
        h("div", { class: "dim" }, nameOf(f.minimum_thread)),
      ),
      h("td", { class: "n" }, seconds(f.median)),
      h(
        "td",
        { class: "n" },
        seconds(f.maximum),
        h("div", { class: "dim" }, nameOf(f.maximum_thread)),
      ),
      h(
        "td",
        { class: "n" },
        h("b", {}, seconds(f.maximum - f.mean)),
        h("div", { class: "dim" }, percent((f.maximum / f.mean - 1) * 100)),
      ),
      h("td", { style: { width: "45%" } }, box),
    );
  });
  const sums = report.activities.find((row) => row.activity === "computation");
  return h(
    "div",
    { class: "stack" },
    sums &&
      h(
        "section",
        { class: "card" },
        h(
          "header",
          {},
          h("h2", {}, inWords("Computation by thread")),
          h("span", { class: "dim" }, "all functions"),
        ),
        threadBars(sums.per_thread, {
          unit: "s",
          label: "Computation",
          colour: "var(--computation)",
        }),
      ),
    h(
      "section",
      { class: "card" },
      h(
        "header",
        {},
        h("h2", {}, "Load balance by function"),
        h(
          "span",
          { class: "dim" },
          inWords(
            "computation over threads; most to gain first; box: half of the threads, line: median, dot: mean",
          ),
        ),
      ),
      h(
        "table",
        { class: "figures" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            [
              ["Function"],
              ["Least", 1],
              ["Median", 1],
              ["Most", 1],
              ["Over the mean", 1],
              [`0 to ${seconds(most)}`],
            ].map(([name, n]) => h("th", { scope: "col", class: n && "n" }, name)),
          ),
        ),
        h("tbody", {}, rows),
      ),
      shown.length < balance.length &&
        h(
          "p",
          { class: "dim" },
          `${plural(balance.length - shown.length, "function")} with less than 0.05 % of the computation not shown.`,
        ),
    ),
  );
}

/**
 * @param {number} metric
 * @param {number} region
 * @returns {number[] | undefined}
 */
function valuesOfRegion(metric, region) {
  const sums = new Float64Array(report.summary.threads);
  for (let path = 0; path < trees.paths.region.length; path++) {
    if (trees.paths.region[path] !== region) continue;
    const row = values.row(metric, path);
    if (isSpread(row)) return undefined;
    addRow(sums, row, 1);
  }
  return Array.from(sums);
}
