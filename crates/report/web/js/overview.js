// The first screen: what is wrong in two sentences, one picture of where the time went, and what to fix first.

import { legend } from "./activities.js";
import { d3 } from "./d3.js";
import { asTable, h, table } from "./dom.js";
import { percent, plural, seconds } from "./format.js";
import { withHover } from "./hover.js";
import { liveCard } from "./live.js";
import { excerpt, operation, placeLink } from "./places.js";
import { activityNames, report } from "./session.js";
import { countOf, inWords, modelsInWords, rangeOf } from "./words.js";

const OVERVIEW_FINDINGS = 3;
const OVERVIEW_ROWS = 24;

export function overviewView() {
  const { summary } = report;
  const [first, ...others] = report.headline;
  const verdict = h(
    "div",
    { class: "verdict" },
    h("p", {}, withCommands(first)),
    others.map((text) => h("p", {}, withCommands(text))),
    h("p", { class: "run" }, runInWords()),
  );
  return [
    verdict,
    remarksBox(summary.remarks),
    h(
      "div",
      { class: "overview" },
      h("div", { class: "stack" }, efficiencyCard(), whereItWent()),
      worstCard(),
    ),
    liveCard(),
  ];
}

/**
 * What stands between backticks is a command.
 *
 * @param {string} text
 */
function withCommands(text) {
  return text.split("`").map((part, place) => (place % 2 === 1 ? h("code", {}, part) : part));
}

function runInWords() {
  const { summary, system, attributes, experiment } = report;
  const parts = [
    [summary.program, ...summary.arguments].join(" "),
    `${countOf(summary.threads)}${modelsInWords()}${system.nodes.length > 1 ? ` on ${plural(system.nodes.length, "node")}` : ""}`,
    seconds(summary.wall_seconds),
    attributes.started,
    experiment,
  ];
  return parts.filter(Boolean).join(" · ");
}

/**
 * One line that opens: what one must know, without taking the place of what one wants to know.
 *
 * @param {string[]} remarks
 */
function remarksBox(remarks) {
  if (remarks.length === 0) return null;
  return h(
    "details",
    { class: "remarks" },
    h(
      "summary",
      {},
      h("b", {}, `${plural(remarks.length, "remark")} on this measurement: `),
      remarks[0],
    ),
    h(
      "ul",
      {},
      remarks.map((text) => h("li", {}, text)),
    ),
  );
}

const GRADES = { good: "good", fair: "fair", bad: "poor", unjudged: "not judged", "": "unknown" };

/**
 * @param {number | null} value
 * @returns {keyof typeof GRADES}
 */
function gradeOf(value) {
  if (value === null || !Number.isFinite(value)) return "";
  if (!report.is_efficiency_judged) return "unjudged";
  if (value >= 0.8) return "good";
  return value >= 0.6 ? "fair" : "bad";
}

function efficiencyCard() {
  const tiles = report.factors.map(({ id, name, meaning: words }) => {
    const value = report.summary.efficiency[id] ?? NaN;
    const known = Number.isFinite(value);
    const grade = gradeOf(value);
    const aim = report.is_efficiency_judged
      ? "80 % or more is good"
      : "not judged: recording counts as computation";
    const width = `${Math.max(0, Math.min(1, known ? value : 0)) * 100}%`;
    return h(
      "div",
      {
        class: "factor",
        title: `${name}: ${known ? percent(value * 100) : "?"} ${inWords(words)}; ${aim}`,
      },
      h("div", { class: "name" }, name),
      h(
        "div",
        {},
        h("b", { class: grade }, known ? percent(value * 100) : "?"),
        h("span", { class: "dim" }, ` ${GRADES[grade]}`),
      ),
      h(
        "span",
        { class: "share", "aria-hidden": "true" },
        h("i", { class: grade, style: { width } }),
      ),
      h("span", { class: "unseen" }, inWords(words)),
    );
  });
  return h("section", { class: "card factors", "aria-label": "Efficiency factors" }, tiles);
}

// Threads, or groups of neighbours where there are many: { label, sums by activity }.
function threadGroups() {
  const threads = report.summary.threads;
  const size = Math.ceil(threads / OVERVIEW_ROWS);
  const groups = [];
  for (let begin = 0; begin < threads; begin += size) {
    const end = Math.min(threads, begin + size);
    /** @param {number[]} values */
    const mean = (values) => d3.sum(values.slice(begin, end)) / (end - begin);
    groups.push({
      label: size === 1 ? report.system.threads[begin] : rangeOf(begin, end - 1),
      values: report.activities.map((row) => mean(row.per_thread)),
    });
  }
  return { groups, size };
}

/**
 * @param {number[]} values
 * @param {number} whole
 * @param {boolean} labelled
 */
function stackedBar(values, whole, labelled) {
  const bar = h("span", { class: labelled ? "bar all" : "bar", "aria-hidden": "true" });
  values.forEach((value, i) => {
    const share = whole > 0 ? (value / whole) * 100 : 0;
    if (share <= 0) return;
    const { activity } = report.activities[i];
    const label = `${activityNames[activity]} ${percent(share)}`;
    const fits = share > label.length * 1.7 ? label : share > 8 ? percent(share) : null;
    const text = labelled && fits && h("b", {}, fits);
    const part = h("i", { class: `a-${activity}`, style: { width: `${share}%` } }, text);
    bar.append(
      withHover(part, () => [
        `${activityNames[activity]}: ${seconds(value)}`,
        `${percent(share)} of the bar's scale`,
      ]),
    );
  });
  return bar;
}

function whereItWent() {
  const { activities } = report;
  const totals = activities.map((row) => d3.sum(row.per_thread));
  const all = d3.sum(totals);
  const { groups, size } = threadGroups();
  const longest = d3.max(groups, (group) => d3.sum(group.values)) ?? 0;
  const chart = h("div", { class: "went" });
  chart.append(
    h("span", { class: "label" }, inWords("all threads")),
    stackedBar(totals, all, true),
    h("span", { class: "sum" }, seconds(all)),
  );
  for (const group of groups) {
    chart.append(
      h("span", { class: "label" }, group.label),
      stackedBar(group.values, longest, false),
      h("span", { class: "sum" }, seconds(d3.sum(group.values))),
    );
  }
  const columns = [
    { name: inWords("Thread") },
    ...activities.map((row) => ({ name: activityNames[row.activity], n: true })),
  ];
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, "Where the time went"),
      h(
        "span",
        { class: "dim" },
        size === 1 ? inWords("by thread") : inWords(`means of ${size} threads each`),
      ),
    ),
    chart,
    legend(
      activities.map((row) => row.activity),
      (a) => {
        const index = activities.findIndex((row) => row.activity === a);
        return ` ${percent((totals[index] / all) * 100)}`;
      },
    ),
    asTable(() =>
      table(
        columns,
        [
          [inWords("all threads"), ...totals.map(seconds)],
          ...report.system.threads.map((name, t) => [
            name,
            ...activities.map((row) => seconds(row.per_thread[t])),
          ]),
        ],
        inWords("Time by thread and activity"),
      ),
    ),
  );
}

function worstCard() {
  const { findings } = report.summary;
  if (findings.length === 0) {
    const known = report.summary.recording.wait_states !== "none";
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "What to fix first"),
      h("p", { class: "good" }, "Nothing was found that costs more than 0.1 % of the time."),
      !known && h("p", {}, "Waiting was not searched for: the run was recorded with --profile."),
    );
  }
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, "What to fix first"),
      h(
        "a",
        { href: "#findings/1" },
        findings.length === 1 ? "all about it" : `all ${findings.length} findings`,
      ),
    ),
    h("div", { class: "worst" }, findings.slice(0, OVERVIEW_FINDINGS).map(worstArticle)),
  );
}

/**
 * @param {Data.Finding} finding
 * @param {number} index
 */
function worstArticle(finding, index) {
  return h(
    "article",
    { "aria-label": `Finding ${index + 1}` },
    h("span", { class: "number", "aria-hidden": "true" }, String(index + 1)),
    h(
      "div",
      {},
      h(
        "h3",
        {},
        h("a", { href: `#findings/${index + 1}` }, report.titles[index]),
        h("span", { class: "n" }, `${seconds(finding.seconds)} · ${percent(finding.percent)}`),
      ),
      h(
        "div",
        { class: "where soft" },
        operation(finding.region, finding.function),
        " · ",
        placeLink(finding.file, finding.line),
      ),
      h("p", { class: "saves" }, savesInWords(finding)),
      excerpt(finding.file, finding.line, index === 0 ? 2 : 1),
      h("p", { class: "advice" }, finding.advice),
    ),
  );
}

/**
 * What fixing it is worth in time that one waits for the program.
 *
 * @param {Data.Finding} finding
 */
function savesInWords(finding) {
  const saved = finding.saves_seconds;
  if (saved === undefined)
    return inWords("of all threads' time; how much shorter the run would be is not known");
  if (saved <= 0) return "not on the critical path: fixing it alone saves nothing";
  const wall = report.summary.wall_seconds;
  return [
    "without it up to ",
    h("b", {}, `${seconds(saved)} (${percent((saved / wall) * 100)})`),
    ` less of ${seconds(wall)}`,
  ];
}
