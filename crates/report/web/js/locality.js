// How far the data is that threads access: their own, of the same node, of another node; and who accesses whose data by
// node. For runs on several nodes.

import { asTable, h, table } from "./dom.js";
import { bytes, count, seconds } from "./format.js";
import { report } from "./session.js";
import { inWords, nameOf } from "./words.js";

/** Pairs of nodes that are shown at once. */
const PAIRS = 16;
/** Pairs, and threads, that a table has at most. */
const ROWS = 1000;

const FIGURES = [
  { name: "Operations", n: true },
  { name: "Bytes", n: true },
  { name: "Time", n: true },
];

/**
 * The card, or nothing for a run on one node.
 *
 * @param {Data.Communication} communication
 * @returns {Node | false}
 */
export function localityCard({ locality, unknown }) {
  if (!locality || report.system.nodes.length < 2) return false;
  const { own, same_node, other_node } = locality.all;
  const pairs = [...locality.node_pairs].sort((a, b) => b.bytes - a.bytes);
  const notes = notesOn(locality, unknown);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "How far the data is"),
    table(
      [{ name: "Data" }, ...FIGURES],
      [
        ["own", ...figures(own)],
        ["same node", ...figures(same_node)],
        ["other node", ...figures(other_node)],
      ],
      "Accesses and transfers by distance of the data",
    ),
    notes.length > 0 && h("p", { class: "dim" }, notes.join(" ")),
    pairs.length <= PAIRS ? nodeTable(pairs) : asTable(() => nodeTable(pairs), "By node"),
    asTable(() => threadTable(locality.by_thread), inWords("By thread")),
  );
}

/**
 * Operations, bytes and time; dashes for what is not known.
 *
 * @param {Data.Reach} [reach]
 * @returns {string[]}
 */
function figures(reach) {
  if (!reach) return ["–", "–", "–"];
  const time = reach.seconds ?? (reach.operations === 0 ? 0 : undefined);
  return [count(reach.operations), bytes(reach.bytes), time === undefined ? "–" : seconds(time)];
}

/**
 * @param {Data.Locality} locality
 * @param {Data.Flow | null} unknown
 */
function notesOn({ all, own_recorded, complete }, unknown) {
  const reaches = [all.own, all.same_node, all.other_node];
  const sum = (/** @type {(reach: Data.Reach) => number} */ of) =>
    reaches.reduce((total, reach) => total + (reach ? of(reach) : 0), 0);
  const operations = sum((reach) => reach.operations);
  const timed = sum((reach) => reach.timed_operations);
  const notes = [];
  if (timed === 0) notes.push("The operations were counted, and their time is not known.");
  else if (timed < operations)
    notes.push(
      `The time is that of ${count(timed)} of these ${count(operations)} operations; the others were counted, and did not wait for another node.`,
    );
  if (!own_recorded)
    notes.push(
      inWords(
        "Accesses of threads to their own data were not recorded like others: some may be missing.",
      ),
    );
  if (unknown)
    notes.push(`Of ${count(unknown.operations)} more operations the owner is not known.`);
  if (!complete) notes.push("Only the pairs of nodes with most bytes are kept.");
  return notes;
}

/** @param {Data.NodePair[]} pairs */
function nodeTable(pairs) {
  const name = (/** @type {number} */ node) => report.system.nodes[node];
  const rows = pairs
    .slice(0, ROWS)
    .map((pair) => [name(pair.node), name(pair.owner_node), ...figures(pair)]);
  const columns = [
    { name: inWords("Node of the thread") },
    { name: "Node of the data" },
    ...FIGURES,
  ];
  return table(columns, rows, "Who accesses whose data, by node, most bytes first");
}

/** @param {Data.Distances[]} threads */
function threadTable(threads) {
  const rows = threads
    .slice(0, ROWS)
    .map((distances, thread) => [
      nameOf(thread),
      ...figures(distances.own).slice(0, 2),
      ...figures(distances.same_node).slice(0, 2),
      ...figures(distances.other_node),
    ]);
  const columns = [
    { name: inWords("Thread") },
    { name: "Own: operations", n: true },
    { name: "bytes", n: true },
    { name: "Same node: operations", n: true },
    { name: "bytes", n: true },
    { name: "Other node: operations", n: true },
    { name: "bytes", n: true },
    { name: "time", n: true },
  ];
  return table(columns, rows, inWords("Accesses and transfers by thread and distance of the data"));
}
