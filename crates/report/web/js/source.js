// The source text with what each line costs: what is called on it, without and with what is called from there.

import { heat, heatInk } from "./activities.js";
import { d3 } from "./d3.js";
import { h, replace } from "./dom.js";
import { pgasOrFirst } from "./explore.js";
import { figure } from "./format.js";
import { cleanLine } from "./names.js";
import { sourceAddress, sourceLines, sourceMissing } from "./places.js";
import { report, trees, values } from "./session.js";

/**
 * @param {string[]} parameters
 * @returns {Node}
 */
export function sourceView(parameters) {
  const [name, line] = parameters;
  const files = sourceFiles();
  if (files.length === 0)
    return h("p", { class: "notice" }, "No call path says where in the source it is.");
  const wanted = name === undefined ? undefined : decodeURIComponent(name);
  const file = files.some((f) => f.name === wanted) ? wanted : files[0].name;
  return new SourceView(files, file, Number(line) || 0).element;
}

// Files with call paths, those with most time first; then others of which there is text.
function sourceFiles() {
  const time = pgasOrFirst();
  const own = values.own(time, false);
  const sums = new Map();
  own.forEach((value, path) => {
    const file = trees.file(path);
    if (file) sums.set(file, (sums.get(file) ?? 0) + value);
  });
  for (const source of report.sources) if (!sums.has(source.name)) sums.set(source.name, 0);
  return [...sums].map(([name, sum]) => ({ name, sum })).sort((a, b) => b.sum - a.sum);
}

/** @type {number} */
let sourceMetric;

// Lines around one that costs something which are printed with it.
const NEAR = 5;

class SourceView {
  /**
   * @param {{name: string, sum: number}[]} files
   * @param {string} file
   * @param {number} line
   */
  constructor(files, file, line) {
    this.files = files;
    this.file = file;
    this.line = line;
    sourceMetric ??= pgasOrFirst();
    this.body = h("div", {
      class: "source",
      tabindex: "0",
      role: "region",
      "aria-label": `Source of ${file}`,
    });
    const metricSelect = h(
      "select",
      {
        id: "source-metric",
        onchange: (event) => {
          sourceMetric = Number(event.target.value);
          this.draw();
        },
      },
      metricOptions(sourceMetric),
    );
    const fileSelect = h(
      "select",
      {
        id: "source-file",
        onchange: (event) => (location.hash = sourceAddress(event.target.value, 0)),
      },
      files.map((f) => h("option", { value: f.name, selected: f.name === file }, f.name)),
    );
    // A name as an address spells it must be the name as it is, not as it is shown.
    [...fileSelect.options].forEach((option, i) => (option.value = files[i].name));
    this.element = h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "toolbar" },
        h("label", {}, "File", fileSelect),
        h("label", {}, "Metric", metricSelect),
      ),
      this.body,
    );
    this.draw();
    requestAnimationFrame(() => this.toLine());
  }

  // The line that was asked for, else the one that costs most by itself.
  toLine() {
    const { own, all } = lineValues(this.file, sourceMetric);
    const costs = [...(own.size > 0 ? own : all)];
    const most = costs.reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
    /** @type {HTMLElement | null} */
    const row = this.body.querySelector(`#line-${this.line || most[0]}`);
    // Only the text scrolls, not the page.
    if (row) this.body.scrollTop = row.offsetTop - this.body.clientHeight / 2;
  }

  draw() {
    const { unit } = report.metrics[sourceMetric];
    const { own, all } = lineValues(this.file, sourceMetric);
    const lines = sourceLines(this.file);
    const sampled = sampledLines(this.file);
    const flags = d3.group(
      report.summary.findings
        .map((finding, i) => ({ finding, i }))
        .filter(({ finding }) => finding.file === this.file),
      ({ finding }) => finding.line,
    );
    const numbers = lines
      ? d3.range(1, lines.length + 1)
      : [...new Set([...own.keys(), ...all.keys(), ...sampled.keys()])].sort((a, b) => a - b);
    const mostOwn = d3.max(own.values()) ?? 0;
    const mostAll = d3.max(all.values()) ?? 0;
    const mostSampled = d3.max([...sampled.values()].map((time) => time.seconds)) ?? 0;
    const marked = [...own.keys(), ...all.keys(), ...sampled.keys(), ...flags.keys(), this.line];
    const near = new Set(marked.flatMap((line) => d3.range(line - NEAR, line + NEAR + 1)));
    /**
     * @param {number | undefined} value
     * @param {number} most
     */
    const cell = (value, most) => {
      if (!value) return h("td", { class: "heat" });
      const share = Math.sqrt(value / most);
      return h(
        "td",
        { class: `heat ${heatInk(share)}`, style: { background: heat(share) } },
        figure(unit, value),
      );
    };
    /** @param {Data.Estimate | undefined} time */
    const sampledCell = (time) => {
      if (!time) return h("td", { class: "heat" });
      const share = Math.sqrt(time.seconds / mostSampled);
      const [low, high] = [time.low_seconds, time.high_seconds].map((t) => figure("s", t));
      return h(
        "td",
        {
          class: `heat ${heatInk(share)}`,
          style: { background: heat(share) },
          title: `By samples; with a confidence of 95 % from ${low} to ${high}`,
        },
        `${figure("s", time.seconds)} (${low} to ${high})`,
      );
    };
    const rows = numbers.map((number) => {
      const text = h("td", { class: "text" });
      text.textContent = lines ? cleanLine(lines[number - 1]) : "";
      return h(
        "tr",
        { class: number === this.line ? "here" : !near.has(number) && "far", id: `line-${number}` },
        h(
          "td",
          { class: "flag" },
          (flags.get(number) ?? []).map(({ i }) =>
            h(
              "a",
              {
                href: `#findings/${i + 1}`,
                title: report.titles[i],
                "aria-label": `Finding ${i + 1}: ${report.titles[i]}`,
              },
              String(i + 1),
            ),
          ),
        ),
        cell(own.get(number), mostOwn),
        cell(all.get(number), mostAll),
        sampled.size > 0 && sampledCell(sampled.get(number)),
        h("td", { class: "at" }, String(number)),
        text,
      );
    });
    const missing = sourceMissing(this.file);
    const notes = report.sources.find((f) => f.name === this.file)?.notes ?? [];
    replace(
      this.body,
      notes.map((note) => h("p", { class: "fair" }, note)),
      !lines &&
        h(
          "p",
          { class: "dim" },
          missing
            ? `No text of this file: ${missing}`
            : "The text of this file was not kept with the result.",
        ),
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["", "own", "with callees", sampled.size > 0 && "computing, by samples", "line", ""]
              .filter((name) => name !== false)
              .map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h("tbody", {}, rows),
      ),
    );
  }
}

/**
 * Computing time by line of a file, from samples, with what the lines call in libraries.
 *
 * @param {string} file
 * @returns {Map<number, Data.Estimate>}
 */
function sampledLines(file) {
  /** @type {Map<number, Data.Estimate>} */
  const times = new Map();
  for (const place of report.summary.sampling?.places ?? [])
    if (place.file === file && place.time.estimate) times.set(place.line, place.time.estimate);
  return times;
}

/**
 * Sums by line on which calls stand: of the called functions alone, and with what these call. A call within a call on the
 * same line counts once.
 *
 * @param {string} file
 * @param {number} metric
 */
function lineValues(file, metric) {
  const own = new Map();
  const all = new Map();
  const ownValues = values.own(metric, false);
  const allValues = values.withCallees(metric, false);
  trees.paths.line.forEach((line, path) => {
    if (!line || trees.file(path) !== file) return;
    if (ownValues[path]) own.set(line, (own.get(line) ?? 0) + ownValues[path]);
    let above = trees.paths.parent[path];
    while (above !== null && !(trees.paths.line[above] === line && trees.file(above) === file))
      above = trees.paths.parent[above];
    if (above === null && allValues[path]) all.set(line, (all.get(line) ?? 0) + allValues[path]);
  });
  return { own, all };
}

/**
 * All metrics, indented as in their tree.
 *
 * @param {number} selected
 */
function metricOptions(selected) {
  /** @type {Node[]} */
  const options = [];
  /**
   * @param {number} metric
   * @param {number} depth
   */
  const add = (metric, depth) => {
    const name = `${"\u00a0\u00a0".repeat(depth)}${report.metrics[metric].name}`;
    options.push(h("option", { value: String(metric), selected: metric === selected }, name));
    trees.metricChildren.of[metric].forEach((child) => add(child, depth + 1));
  };
  trees.metricChildren.roots.forEach((root) => add(root, 0));
  return options;
}
