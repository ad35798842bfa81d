// How the run was recorded, and what a reader must know about the measurement.

import { h, table } from "./dom.js";
import { count, percent, plural, seconds, threeDigits } from "./format.js";
import { placeLink } from "./places.js";
import { report, trees } from "./session.js";
import { inWords } from "./words.js";

const WAIT_STATES = {
  all: "Wait states are those of all that was recorded.",
  until_trace_ends: "Wait states are known up to where the trace ends; times are of the whole run.",
  none: "There are no wait states: the run was recorded without a trace.",
};

export function recordingView() {
  const { summary } = report;
  const { recording, clocks, remarks } = summary;
  return h(
    "div",
    { class: "stack" },
    remarks.length > 0 &&
      h(
        "section",
        { class: "card" },
        h("h2", {}, "Remarks"),
        h(
          "ul",
          {},
          remarks.map((text) => h("li", {}, text)),
        ),
      ),
    h("div", { class: "columns" }, runCard(), costCard(recording)),
    recording.throttled.length > 0 && throttledCard(recording.throttled),
    clocks && clocksCard(clocks),
    synchronizationCard(summary.synchronization),
    withheldCard(summary.withheld ?? []),
    aboutCard(),
  );
}

/** @param {[name:string,value:Content][]} pairs */
function facts(pairs) {
  return h(
    "dl",
    { class: "facts" },
    pairs
      .filter(([, value]) => value)
      .map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

function runCard() {
  const { summary, system, attributes, experiment } = report;
  // What stands above already.
  const known = new Set(["started", "program", "threads", "wall_seconds"]);
  const others = Object.entries(attributes).filter(([name]) => !known.has(name));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "The run"),
    facts([
      ["Program", h("span", { class: "mono" }, [summary.program, ...summary.arguments].join(" "))],
      ["Experiment", experiment],
      ["Started", attributes.started],
      [inWords("Threads"), count(summary.threads)],
      ["Wall-clock time", seconds(summary.wall_seconds)],
      ["Machine", system.machine],
      [
        "Nodes",
        system.nodes.slice(0, 16).join(", ") +
          (system.nodes.length > 16 ? ` and ${system.nodes.length - 16} more` : ""),
      ],
      ...others,
    ]),
  );
}

/** @param {Data.Recording} recording */
function costCard({ cost, wait_states, trace_ends_seconds, counters }) {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "What recording cost"),
    facts([
      [
        cost?.baseline ? "Measured" : "Estimated",
        cost
          ? `${seconds(cost.seconds)} of all ${inWords("threads")}: ${report.recording_cost}`
          : "not known",
      ],
      ["Events", cost && count(cost.events)],
      ["Summed calls", cost && cost.summed_calls > 0 && count(cost.summed_calls)],
      ["Throttled calls", cost && cost.throttled_calls > 0 && count(cost.throttled_calls)],
      ["Wait states", WAIT_STATES[wait_states] ?? wait_states],
      ["Trace ends", trace_ends_seconds != null && `${seconds(trace_ends_seconds)} into the run`],
      ["Counters", counters.join(", ")],
    ]),
  );
}

/** @param {Data.Throttled[]} throttled */
function throttledCard(throttled) {
  const rows = throttled.map((t) => [
    h("span", { class: "mono name" }, t.region),
    placeLink(t.file, t.line) ?? "",
    count(t.calls),
    count(t.timed_calls),
    seconds(t.seconds),
    percent(t.percent),
    t.since_seconds == null ? "" : seconds(t.since_seconds),
  ]);
  const columns = [
    { name: "Function" },
    { name: "Where" },
    { name: "Calls", n: true },
    { name: "Timed", n: true },
    { name: inWords("Time of all threads, estimated"), n: true },
    { name: "Share", n: true },
    { name: "From", n: true },
  ];
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, "Throttled functions"),
      h("span", { class: "dim" }, "called so often that their calls were only counted"),
    ),
    table(columns, rows, "Throttled functions"),
  );
}

/** @param {Data.Clocks} clocks */
function clocksCard(clocks) {
  const rows = clocks.nodes.map((node) => [
    node.host,
    count(node.threads),
    node.uncertainty_seconds == null ? "not compared" : `±${seconds(node.uncertainty_seconds)}`,
    node.drift_ppm == null ? "" : `${threeDigits(node.drift_ppm)} ppm`,
    count(node.exchanges),
  ]);
  const { violations } = clocks;
  const effects = violations.barriers + violations.collectives + violations.locks;
  const share =
    clocks.waiting_seconds > 0
      ? (clocks.below_uncertainty_seconds / clocks.waiting_seconds) * 100
      : 0;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "Clocks of the nodes"),
    h(
      "p",
      {},
      `${percent(share)} of the waiting was each time shorter than the clocks' uncertainty. ${plural(effects, "effect")} came before ` +
        `their causes, ${count(violations.unexplained)} of them by more than the uncertainty.`,
    ),
    table(
      [
        { name: "Node" },
        { name: inWords("Threads"), n: true },
        { name: "Uncertainty", n: true },
        { name: "Drift", n: true },
        { name: "Messages", n: true },
      ],
      rows,
      "Clocks",
    ),
  );
}

/** @type {Record<string, string>} */
const SYNCHRONIZATION = {
  weaker_entry: "could ask for less synchronisation on entry",
  weaker_exit: "could ask for less synchronisation on exit",
  repeated_barrier: "comes directly after another barrier",
  own_data_barrier: "before and after it each thread touched its own data alone",
  unrelated_barrier:
    "no thread touched after it what another had written before, nor wrote what another had touched",
};

/** @param {Data.Synchronization | undefined} synchronization */
function synchronizationCard(synchronization) {
  if (!synchronization) return null;
  const rows = synchronization.advice.map((a) => [
    h("span", { class: "mono name" }, trees.regionName(a.call_path)),
    placeLink(trees.file(a.call_path), trees.paths.line[a.call_path]) ?? "",
    [
      inWords(SYNCHRONIZATION[a.kind] ?? a.kind),
      a.flag && ` (${a.flag}${a.enough ? ` instead of which ${a.enough} is enough` : ""})`,
    ],
    count(a.instances),
    seconds(a.seconds),
    seconds(a.saves_seconds),
  ]);
  const columns = [
    { name: "Operation" },
    { name: "Where" },
    { name: "In this run" },
    { name: "Instances", n: true },
    { name: "Time", n: true },
    { name: "Saves at most", n: true },
  ];
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, "Synchronisation that the run did not need"),
      h("span", { class: "dim" }, "a conjecture from one run"),
    ),
    rows.length > 0 && table(columns, rows, "Synchronisation"),
    synchronization.note && h("p", { class: "dim" }, synchronization.note),
  );
}

/** @type {Record<string, string>} */
const QUESTIONS = {
  own_data_barrier: "which barriers are needed",
  repeated_barrier: "which barriers are needed",
  unrelated_barrier: "which barriers are needed",
  weaker_mode: "which synchronization flags are needed",
  mode_beside_barrier: "which synchronization flags are needed",
  layout: "whether data lies where it is used",
  wrong_side: "whether data lies where it is used",
  own_affinity: "which accesses could use a pointer to private",
  fine_grained: "which accesses a block transfer could replace",
  placement: "which threads belong on one node",
};

/**
 * Advice that is not given since not all accesses were seen.
 *
 * @param {Data.Withheld[]} all
 */
function withheldCard(all) {
  if (all.length === 0) return null;
  /** @param {Data.Withheld} withheld */
  const questions = (withheld) =>
    [...new Set(withheld.advice.map((kind) => inWords(QUESTIONS[kind] ?? "other advice")))].join(
      ", ",
    );
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, "Not judged"),
      h("span", { class: "dim" }, "since not all accesses were seen"),
    ),
    all.map((withheld) => [
      h("p", {}, h("strong", {}, questions(withheld))),
      h(
        "ul",
        {},
        withheld.reasons.map((reason) => h("li", {}, reason.text)),
      ),
      withheld.command &&
        h("p", {}, "Would show it: ", h("span", { class: "mono" }, withheld.command)),
    ]),
  );
}

function aboutCard() {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "About this page"),
    h(
      "p",
      { class: "soft" },
      `Written by pgastool ${report.version}. Everything is in this one file; it loads nothing and sends nothing. ` +
        "Charts are drawn with d3 (Copyright Mike Bostock, ISC licence, whose text is in the file).",
    ),
    report.detailed !== null &&
      h(
        "p",
        { class: "soft" },
        `To stay small, this page has values by ${inWords("thread")} for ${count(report.detailed.length)} of ` +
          `${plural(trees.paths.region.length, "call path")}. Sums are exact for all.`,
      ),
  );
}
