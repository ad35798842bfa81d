// Pictures in words, by the rules of crates/monitor/src/text.rs and crates/search/src/claim.rs.

import { count, percent, seconds } from "./format.js";
import { baseName } from "./names.js";
import { channelText, pairText, taskText, waitText } from "./tasksentences.js";
import { countOf, inWords, nameOf, numberOf } from "./words.js";

/** Max number of runs of neighbours in a list of threads. */
const RUNS = 6;
/** Max number of groups of stuck threads with a line each. */
const STUCK_LINES = 8;
/** Max number of groups of other threads in such a line. */
const OTHERS = 4;

/**
 * "upc_barrier at heat.upc:12"
 *
 * @param {Live.Place} place
 */
export function placeText({ region, file, line }) {
  if (!file) return region;
  return line ? `${region} at ${baseName(file)}:${line}` : `${region} in ${baseName(file)}`;
}

/** @param {string} kind */
export function spoken(kind) {
  return kind.replaceAll("_", " ");
}

/** @param {number} lock */
export function lockText(lock) {
  return `lock 0x${lock.toString(16)}`;
}

/** @param {number | null} share */
export function shareText(share) {
  return share === null ? "? %" : percent(100 * share);
}

/**
 * "waits 812 ms in upc_barrier at heat.upc:41", "waits 3.2 s for lock 0x2 of thread 1 in ..."
 *
 * @param {Live.Picture} picture
 * @param {Live.Now} now
 */
export function activityText(picture, now) {
  const place = now.place ? ` in ${placeText(now.place)}` : "";
  const time = seconds(now.seconds);
  switch (now.activity) {
    case "waiting":
      return `waits ${time}${wantedText(picture, now)}${place}`;
    case "communicating":
      return `communicates ${time}${place}`;
    case "computing":
      return `computes ${time}${place}`;
    default:
      return now.activity;
  }
}

/**
 * @param {Live.Picture} picture
 * @param {Live.Now} now
 */
function wantedText(picture, now) {
  if (now.wanted === null) return "";
  const holder = holderOf(picture, now.wanted);
  return ` for ${lockText(now.wanted)}${holder ? ` of ${nameOf(holder.thread)}` : ""}`;
}

/**
 * Holders of locks of a picture, which does not change.
 *
 * @type {WeakMap<Live.Picture, Map<number, Live.Now>>}
 */
const holders = new WeakMap();

/**
 * The thread that holds a lock, as far as it is seen.
 *
 * @param {Live.Picture} picture
 * @param {number} lock
 */
export function holderOf(picture, lock) {
  let known = holders.get(picture);
  if (!known) {
    known = new Map(picture.now.flatMap((now) => now.held.map((held) => [held, now])));
    holders.set(picture, known);
  }
  return known.get(lock);
}

/**
 * "threads 0–2, 7", with at most six runs of neighbours.
 *
 * @param {number[]} threads
 */
export function threadsText(threads) {
  if (threads.length === 1) return nameOf(threads[0]);
  const sorted = [...threads].sort((a, b) => a - b);
  const runs = runsOf(sorted);
  const shown = runs.slice(0, RUNS);
  const left = threads.length - shown.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const texts = shown.map(([from, to]) =>
    from === to ? `${numberOf(from)}` : `${numberOf(from)}–${numberOf(to)}`,
  );
  return `${inWords("threads")} ${texts.join(", ")}${left > 0 ? ` and ${count(left)} more` : ""}`;
}

/**
 * First and last of each run of consecutive numbers.
 *
 * @param {number[]} sorted
 */
function runsOf(sorted) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const thread of sorted) {
    const last = runs.at(-1);
    if (last && last[1] === thread - 1) last[1] = thread;
    else runs.push([thread, thread]);
  }
  return runs;
}

/**
 * @param {Live.Picture} picture
 * @returns {{ key: string, what: string, text: string }[]}
 */
export function alarmsOf(picture) {
  const { deadlocks, stuck, problems } = picture;
  const lines = [];
  for (const { waits } of deadlocks)
    lines.push({
      key: `deadlock ${waits.map((wait) => wait.thread).join(" ")}`,
      what: "deadlock",
      text: waits.map(lockWaitText).join("; "),
    });
  lines.push(...stuckTasks(picture));
  const groups = sameWait(stuck);
  for (const group of groups.slice(0, STUCK_LINES))
    lines.push({
      key: `stuck ${placeText(group[0].place)} ${group[0].lock ?? ""}`,
      what: "stuck",
      text: stuckText(group),
    });
  if (groups.length > STUCK_LINES) {
    const rest = groups.slice(STUCK_LINES).reduce((sum, group) => sum + group.length, 0);
    lines.push({ key: "stuck more", what: "stuck", text: `${countOf(rest)} more` });
  }
  for (const text of problems) lines.push({ key: `problem ${text}`, what: "problem", text });
  return lines;
}

/** @param {Live.Picture} picture */
function stuckTasks({ tasks }) {
  const stuck = tasks?.stuck ?? [];
  const lines = stuck.slice(0, STUCK_LINES).map((one) => ({
    key: `task ${one.task} ${one.is_deadlocked}`,
    what: one.is_deadlocked ? "deadlock" : "stuck",
    text: stuckTaskText(one),
  }));
  const more = stuck.length - STUCK_LINES;
  if (more > 0) lines.push({ key: "stuck tasks", what: "stuck", text: `${more} more tasks` });
  return lines;
}

/** @param {Live.StuckTask} stuck */
function stuckTaskText({
  task,
  place,
  state,
  channel,
  channel_place,
  seconds: time,
  usual,
  others,
}) {
  const before = usual === null ? "for the first time" : `usually ${seconds(usual)}`;
  const at = channel === null ? null : channelText(channel, channel_place);
  const waits = `waits ${waitText(state, at)} for ${seconds(time)} (${before})`;
  return [`${taskText(task, place)} ${waits}`, ...others].join("; ");
}

/**
 * Threads that are stuck at the same place, and for the same lock; the longest of a group first.
 *
 * @param {Live.Stuck[]} stuck
 */
function sameWait(stuck) {
  /** @type {Map<string, Live.Stuck[]>} */
  const groups = new Map();
  for (const one of stuck) {
    const key = JSON.stringify([one.place, one.lock]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  for (const group of groups.values()) group.sort((a, b) => b.seconds - a.seconds);
  return [...groups.values()];
}

/** @param {Live.LockWait} wait */
function lockWaitText({ thread, place, lock, holder, seconds: time }) {
  const held = `${lockText(lock)}, which ${nameOf(holder)} holds`;
  return `${nameOf(thread)} waits ${seconds(time)} in ${placeText(place)} for ${held}`;
}

/**
 * @param {Live.Stuck[]} group of the same wait
 */
function stuckText(group) {
  const { thread, place, seconds: time, usual, lock, holder, others } = group[0];
  const before = usual === null ? "for the first time" : `usually ${seconds(usual)}`;
  const lasts = `for ${seconds(time)} (${before})`;
  const where = `in ${placeText(place)}`;
  const parts = [
    group.length === 1
      ? `${nameOf(thread)} ${where} ${lasts}`
      : `${countOf(group.length)} ${where}, ${nameOf(thread)} ${lasts}`,
  ];
  if (lock !== null && holder !== null) parts.push(`${nameOf(holder)} holds ${lockText(lock)}`);
  if (others.length > 0) {
    const more = others.length > OTHERS ? `; ${others.length - OTHERS} more` : "";
    parts.push(`others: ${others.slice(0, OTHERS).join("; ")}${more}`);
  }
  return parts.join("; ");
}

/**
 * Identifies a finding independent of its figures.
 *
 * @param {Live.Finding} finding
 */
export function findingKey({ level, activity, kind, place, thread, slow, channel, producer }) {
  if (level === "channel") return [level, slow, channel, producer?.task].join(" ");
  const where = place ? placeText(place) : "";
  return [level, activity ?? "", kind ?? "", where, thread ?? ""].join(" ");
}

/**
 * What a thread does that others wait for, by the evidence.
 *
 * @type {Record<string, string>}
 */
const THREAD_VERBS = {
  holds_lock: "holds what is waited for",
  only_one_busy: "keeps others waiting",
};

/** @param {Live.Finding} finding */
export function findingText(finding) {
  if (finding.text) return finding.text;
  if (finding.level === "channel") return pairText(finding);
  const { level, activity, kind, place, thread, share, pattern, evidence, meanwhile } = finding;
  const where = place ? placeText(place) : "";
  const part = shareText(share);
  if (level === "program") return `${part} of the time is not computing`;
  if (level === "kind" && kind === "idle")
    return `processors have no task that can run for ${part} of the time`;
  if (level === "kind") return `${activity} (${spoken(kind ?? "")}) takes ${part} of the time`;
  const state = pattern ? ` (${spoken(pattern)})` : "";
  if (level === "place") return `${activity} in ${where} takes ${part} of the time${state}`;
  const verb = THREAD_VERBS[evidence ?? ""] ?? "comes late";
  const mostly = meanwhile ? `, mostly ${meanwhile}` : "";
  return `${nameOf(thread ?? 0)} ${verb} in ${where}${mostly}`;
}
