// Tasks and channels in words, by the rules of crates/monitor/src/tasks.rs and crates/search/src/claim.rs.

import { percent } from "./format.js";
import { baseName } from "./names.js";

/** Numbers have that of the process from this one on. */
const PROCESS = 2 ** 32;

/**
 * "5", "1.5" in process 1
 *
 * @param {number} number
 */
export function numberText(number) {
  const process = Math.floor(number / PROCESS);
  return process === 0 ? `${number}` : `${process}.${number % PROCESS}`;
}

/**
 * "task 2 (smoother)"
 *
 * @param {number} task
 * @param {Live.Place} place
 */
export function taskText(task, place) {
  return `task ${numberText(task)}${place.region ? ` (${place.region})` : ""}`;
}

/**
 * "channel 1 (pipeline.rs:28)"
 *
 * @param {number} channel
 * @param {Live.Place | null} [place]
 */
export function channelText(channel, place) {
  const where = place?.file ? ` (${baseName(place.file)}:${place.line})` : "";
  return `channel ${numberText(channel)}${where}`;
}

/**
 * "to receive from channel 1 (pipeline.rs:28)"
 *
 * @param {string} state
 * @param {string | null} channel
 */
export function waitText(state, channel) {
  if (channel !== null && state === "receiving") return `to receive from ${channel}`;
  if (channel !== null && state === "sending") return `to send to ${channel}`;
  return "in select";
}

/**
 * "task 2 (smoother) cannot keep up with task 1 (reader): ..."
 *
 * @param {Live.Finding} finding
 */
export function pairText({ slow, channel, place, producer, consumer, share }) {
  const [sends, receives] = [producer, consumer].map((one) =>
    one ? taskText(one.task, one.place) : "a task",
  );
  const queue = `the queue of ${channelText(channel ?? 0, place)}`;
  const rest = `does not run for ${percent(100 * share)} of the time`;
  return slow === "producer"
    ? `${sends} is too slow for ${receives}: ${queue} is short, and ${receives} ${rest}`
    : `${receives} cannot keep up with ${sends}: ${queue} is long, and ${sends} ${rest}`;
}
