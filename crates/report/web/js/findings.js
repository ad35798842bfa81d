// The findings: a list, and of the chosen one all that is known: cause, advice, source, who was waited for, how its
// instances are distributed, and the worst of them as a timeline.

import { h, table } from "./dom.js";
import { count, percent, plural, seconds } from "./format.js";
import { LIVE, LIVE_HEADING, hasLiveFindings, liveCard } from "./live.js";
import { baseName } from "./names.js";
import {
  excerpt,
  operation,
  placeLink,
  placeText,
  sourceAddress,
  sourceMissing,
} from "./places.js";
import { report, trees, values } from "./session.js";
import { spreadBox, threadBars } from "./threads.js";
import { TimelineView } from "./timeline.js";
import { inWords, nameOf } from "./words.js";

/**
 * @param {string[]} parameters
 * @returns {Content}
 */
export function findingsView(parameters) {
  const { findings } = report.summary;
  if (findings.length === 0) {
    return [
      h("p", { class: "notice" }, "Nothing was found that costs more than 0.1 % of the time."),
      liveCard(),
    ];
  }
  const all = parameters[0] === "all";
  const live = parameters[0] === LIVE && hasLiveFindings();
  const wanted = Number(parameters[0]) || 1;
  const chosen = Math.max(0, Math.min(findings.length - 1, wanted - 1));
  const list = h(
    "nav",
    { class: "card side", "aria-label": "Findings, what is worth most first" },
    findings.map((finding, i) =>
      h(
        "a",
        { href: `#findings/${i + 1}`, "aria-current": !all && !live && i === chosen && "true" },
        h("span", { class: "number", "aria-hidden": "true" }, String(i + 1)),
        h("span", { class: "what" }, report.titles[i]),
        h("span", { class: "percent" }, percent(finding.percent)),
        h(
          "span",
          { class: "place" },
          h(
            "span",
            { class: "mono" },
            placeText(baseName(finding.file), finding.line) || finding.region,
          ),
          (finding.saves_seconds ?? 0) > 0 && ` · saves ≤ ${seconds(finding.saves_seconds ?? 0)}`,
        ),
      ),
    ),
    hasLiveFindings() &&
      h(
        "a",
        { class: "all", href: `#findings/${LIVE}`, "aria-current": live && "true" },
        h("span", {}),
        LIVE_HEADING,
      ),
    findings.length > 1 &&
      h(
        "a",
        { class: "all", href: "#findings/all", "aria-current": all && "true" },
        h("span", {}),
        "All of them, to read through or print",
      ),
  );
  /** @type {Content} */
  let shown = findingDetail(findings[chosen], chosen);
  if (all) shown = [findings.map(findingDetail), liveCard()];
  if (live) shown = liveCard();
  return h("div", { class: "with-list" }, list, h("div", {}, shown));
}

/** @param {Data.Finding} finding */
function statisticsOf(finding) {
  return report.summary.instances.find(
    (i) => i.metric === finding.metric && i.call_path === finding.call_path,
  );
}

/**
 * @param {Data.Finding} finding
 * @param {number} index
 */
function findingDetail(finding, index) {
  const statistics = statisticsOf(finding);
  const worst = finding.worst ?? statistics?.worst;
  const timeline = report.timelines.find(
    (t) => t.metric === finding.metric && t.call_path === finding.call_path,
  );
  return h(
    "div",
    { class: "finding" },
    mainCard(finding, index),
    timeline &&
      h(
        "section",
        { class: "card" },
        h(
          "header",
          {},
          h("h2", {}, "Around the worst instance"),
          h("span", { class: "dim" }, worst && worstInWords(worst, statistics)),
        ),
        new TimelineView(timeline).element,
      ),
    statistics && instancesCard(statistics, worst, !timeline),
    effectsCard(finding),
    perThreadCard(finding),
  );
}

/**
 * @param {Data.Finding} finding
 * @param {number} index
 */
function mainCard(finding, index) {
  const wall = report.summary.wall_seconds;
  const saves = finding.saves_seconds;
  /**
   * @param {string} value
   * @param {string} words
   */
  const lead = (value, words) => h("div", {}, h("b", {}, value), h("span", {}, words));
  const path = report.paths[index].slice(1);
  const metric = trees.metricById.get(finding.metric);
  return h(
    "section",
    { class: "card" },
    h(
      "h2",
      { class: "title" },
      h("span", { class: "number", "aria-hidden": "true" }, String(index + 1)),
      report.titles[index],
    ),
    h(
      "div",
      { class: "lead" },
      lead(percent(finding.percent), inWords("of all threads' time")),
      lead(seconds(finding.seconds), inWords("lost, summed over threads")),
      saves !== undefined &&
        lead(
          saves > 0 ? `${seconds(saves)}` : "nothing",
          saves > 0
            ? `of ${seconds(wall)} saved at most (${percent((saves / wall) * 100)})`
            : "saved: not on the critical path",
        ),
    ),
    h(
      "dl",
      { class: "facts" },
      h("dt", {}, "Where"),
      h(
        "dd",
        {},
        operation(finding.region, finding.function),
        " · ",
        placeLink(finding.file, finding.line),
      ),
      path.length > 1 && [h("dt", {}, "Called as"), h("dd", { class: "mono" }, path.join(" › "))],
      finding.culprit_thread != null && [
        h("dt", {}, inWords("Thread")),
        h(
          "dd",
          {},
          report.system.threads[finding.culprit_thread] ?? nameOf(finding.culprit_thread),
        ),
      ],
      (finding.overlaps ?? []).length > 0 && [
        h("dt", {}, "Overlaps"),
        h("dd", {}, "The same seconds as ", overlapLinks(finding)),
      ],
      report.known[index] && [h("dt", {}, "Known"), h("dd", {}, report.known[index])],
      report.inflated.findings[index] && [
        h("dt", {}, "Inflated"),
        h("dd", {}, report.inflated.findings[index]),
      ],
      h("dt", {}, "Why"),
      h("dd", {}, finding.cause),
    ),
    h("p", { class: "advice" }, h("b", {}, "Try: "), finding.advice),
    h(
      "div",
      { style: { "margin-top": "0.9rem" } },
      excerpt(finding.file, finding.line, 5) ?? noExcerpt(finding),
    ),
    h(
      "div",
      { class: "links" },
      metric !== undefined &&
        h("a", { href: `#explore/${finding.metric}/${finding.call_path}` }, "Show in the trees"),
      finding.file &&
        h("a", { href: sourceAddress(finding.file, finding.line) }, "Show in the source"),
      h("a", { href: `#patterns/${report.explained_by[index]}` }, "What this is"),
    ),
  );
}

/**
 * Links to the findings that are about the same seconds.
 *
 * @param {Data.Finding} finding
 */
function overlapLinks(finding) {
  /** @param {number} other */
  const link = (other) => h("a", { href: `#findings/${other + 1}` }, `finding ${other + 1}`);
  return (finding.overlaps ?? []).flatMap((other, i) => [i > 0 && ", ", link(other)]);
}

/** @param {Data.Finding} finding */
function noExcerpt(finding) {
  const why = sourceMissing(finding.file);
  return why ? h("p", { class: "dim" }, `No source text of ${finding.file}: ${why}`) : null;
}

/**
 * @param {Data.Worst} worst
 * @param {Data.InstanceStatistics | undefined} statistics
 */
function worstInWords(worst, statistics) {
  const number = worst.number ? `number ${count(worst.number)}, ` : "";
  // Nobody was waited for where a thread had no core after waiting.
  const hasLate = !statistics || statistics.last_counts.some((n) => n > 0);
  const lost = `${seconds(worst.seconds)} lost${hasLate ? ` to ${nameOf(worst.last_thread)}` : ""}`;
  return `${number}${seconds(worst.at_seconds)} into the run: ${lost}${overThreads(worst)}`;
}

/**
 * A sum over threads says so, and how long the one that lost most lost.
 *
 * @param {Data.Worst} worst
 */
function overThreads(worst) {
  if (report.summary.threads < 2) return "";
  const summed = inWords(" summed over threads");
  if (worst.longest_seconds == null || worst.longest_thread == null) return summed;
  if (worst.longest_seconds >= 0.9995 * worst.seconds)
    return `, all on ${nameOf(worst.longest_thread)}`;
  return `${summed} (longest ${seconds(worst.longest_seconds)} on ${nameOf(worst.longest_thread)})`;
}

/**
 * @param {Data.InstanceStatistics} statistics
 * @param {Data.Worst | null | undefined} worst
 * @param {boolean} withWorst
 */
function instancesCard(statistics, worst, withWorst) {
  const { spread, instances, last_counts: last } = statistics;
  /** @type {Content[]} */
  const parts = [];
  if (worst && withWorst) parts.push(h("p", {}, `Worst: ${worstInWords(worst, statistics)}.`));
  if (spread) {
    /** @type {[name: string, words: string, values: Data.Distribution | undefined][]} */
    const rows = [
      ["Instance", inWords("waiting in an instance, summed over threads"), spread.instances],
      [inWords("Thread"), inWords("waiting of one thread in one instance"), spread.threads],
      [
        "Until the last exit",
        inWords("from a thread's exit to the last exit, summed over threads"),
        spread.until_last_exit,
      ],
    ];
    parts.push(rows.map(([name, words, d]) => d && distribution(name, words, d)));
  }
  if (last.some((n) => n > 0)) {
    parts.push(
      h("h3", {}, "Who was waited for, and how often"),
      threadBars(
        report.system.threads.map((_, t) => last[t] ?? 0),
        {
          unit: "occ",
          label: "Instances in which it was the last",
          height: 130,
          colour: "var(--waiting)",
        },
      ),
    );
  }
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, "Instances"),
      h("span", { class: "dim" }, `${plural(instances, "instance")} with waiting`),
    ),
    h("div", { class: "stack" }, parts),
  );
}

/**
 * @param {string} name
 * @param {string} words
 * @param {Data.Distribution} d
 */
function distribution(name, words, d) {
  /** @type {[name: string, value: number][]} */
  const figures = [
    ["minimum", d.minimum],
    ["lower quartile", d.lower_quartile],
    ["median", d.median],
    ["upper quartile", d.upper_quartile],
    ["95th percentile", d.percentile_95],
    ["maximum", d.maximum],
    ["mean", d.mean],
  ];
  return h(
    "div",
    {},
    h(
      "h3",
      {},
      name,
      h(
        "span",
        { class: "dim", style: { "font-weight": "400" } },
        ` ${words}, ${count(d.count)} values`,
      ),
    ),
    spreadBox([d.minimum, d.lower_quartile, d.median, d.upper_quartile, d.maximum], d.maximum, {
      mean: d.mean,
    }),
    table(
      figures.map(([label]) => ({ name: label, n: true })),
      [figures.map(([, value]) => seconds(value))],
      `Distribution: ${words}`,
    ),
  );
}

/**
 * Root causes that lead to this waiting.
 *
 * @param {Data.Finding} finding
 */
function effectsCard(finding) {
  const causes = report.summary.causes?.root_causes ?? [];
  const found = causes.flatMap((cause) =>
    cause.effects
      .filter(
        (effect) => effect.metric === finding.metric && effect.call_path === finding.call_path,
      )
      .map((effect) => ({ cause, effect })),
  );
  const rows = found
    .sort((a, b) => b.effect.seconds - a.effect.seconds)
    .map(({ cause, effect }) => {
      const path = cause.call_path;
      return [
        report.system.threads[cause.thread],
        h("span", { class: "mono name" }, trees.regionName(path)),
        placeLink(trees.file(path), trees.paths.line[path]),
        seconds(effect.seconds),
        h("a", { href: `#explore/computation/${path}` }, "trees"),
      ];
    });
  if (rows.length === 0) return null;
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, "Root causes"),
      h(
        "span",
        { class: "dim" },
        inWords("what the threads did that others waited for, most waiting first"),
      ),
    ),
    table(
      [
        { name: inWords("Thread") },
        { name: "In" },
        { name: "Called at" },
        { name: inWords("Waiting, all threads"), n: true },
        { name: "" },
      ],
      rows,
      "Root causes",
    ),
  );
}

/** @param {Data.Finding} finding */
function perThreadCard(finding) {
  const metric = trees.metricById.get(finding.metric);
  if (metric === undefined) return null;
  const { values: list } = values.byThread(metric, false, finding.call_path, true);
  if (!list || list.every((v) => v === 0)) return null;
  const { name, unit } = report.metrics[metric];
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, `${name} by ${inWords("thread")}`),
      h("span", { class: "dim" }, "at this call path"),
    ),
    threadBars(list, {
      unit,
      label: name,
      colour: report.metrics[metric].wait_state ? "var(--waiting)" : undefined,
    }),
  );
}
