// Findings of the online search: what it confirmed while the program ran, and when.

import { h, table } from "./dom.js";
import { placeLink } from "./places.js";
import { report } from "./session.js";
import { inWords } from "./words.js";

/** Heading of the list, and name of its address. */
export const LIVE_HEADING = "Confirmed while it ran";
export const LIVE = "live";

export function hasLiveFindings() {
  return report.summary.live_findings.length > 0;
}

/** Nothing where there are none. */
export function liveCard() {
  if (!hasLiveFindings()) return null;
  return h(
    "section",
    { class: "card" },
    h(
      "header",
      {},
      h("h2", {}, LIVE_HEADING),
      h("span", { class: "dim" }, "by the online search, in order of confirmation"),
    ),
    h("div", { class: "scroll live" }, liveTable()),
    h("p", { class: "dim" }, inWords("Shares are of all threads' time unless stated otherwise.")),
  );
}

function liveTable() {
  const hasSame = report.live.some((words) => words.findings.length > 0);
  const columns = [
    { name: "Known" },
    { name: "Share", n: true },
    { name: "Bottleneck" },
    { name: "Where" },
  ];
  if (hasSame) columns.push({ name: "In the trace" });
  const rows = report.summary.live_findings.map((finding, i) => {
    const words = report.live[i];
    const row = [words.times, words.share, bottleneck(finding, words), whereLink(finding)];
    return hasSame ? [...row, sameFindings(words)] : row;
  });
  return table(columns, rows, LIVE_HEADING);
}

/**
 * @param {Data.LiveFinding} finding
 * @param {Data.LiveWords} words
 */
function bottleneck(finding, words) {
  return [finding.text, words.thread_share && h("div", { class: "dim" }, words.thread_share)];
}

/** @param {Data.LiveFinding} finding */
function whereLink({ place }) {
  return place && placeLink(place.file, place.line);
}

/** @param {Data.LiveWords} words */
function sameFindings({ findings }) {
  return findings.map((index, i) => [
    i > 0 && ", ",
    h("a", { href: `#findings/${index + 1}` }, `finding ${index + 1}`),
  ]);
}
