// Words, colours and bars for the states of tasks and processors, and tables of tasks and channels.

import { h, s, table } from "./dom.js";
import { bytes, count, percent, plural, seconds } from "./format.js";
import { baseName } from "./names.js";
import { inWords, nameOf } from "./words.js";

/** @type {Record<string, [name: string, colour: string]>} */
export const STATE_WORDS = {
  computing: ["Computing", "var(--computation)"],
  communicating: ["Communicating", "var(--message)"],
  waiting_processor: ["Waiting for its processor", "var(--barrier)"],
  blocked_in_send: ["Blocked in send", "var(--lock)"],
  waiting_input: ["Waiting for input", "var(--waiting)"],
  idle: ["Idle", "var(--waiting)"],
  rest: ["Between tasks", "var(--measurement)"],
};

/** @param {string[]} states */
export function stateLegend(states) {
  return h(
    "ul",
    { class: "legend" },
    states.map((state) => {
      const [name, colour] = STATE_WORDS[state];
      const swatch = { class: "swatch", "aria-hidden": "true", style: { background: colour } };
      return h("li", {}, h("span", swatch), name);
    }),
  );
}

/**
 * Stacked bar of times, as long as `width` for `most` seconds.
 *
 * @param {Record<string, any>} times
 * @param {string[]} states
 * @param {{ x: number, y: number, width: number, height: number, most: number }} at
 */
export function stateBar(times, states, at) {
  let x = at.x;
  return states.map((state) => {
    const width = at.most > 0 ? (at.width * times[state]) / at.most : 0;
    const box = { x, y: at.y, width, height: at.height, fill: STATE_WORDS[state][1] };
    x += width;
    return width > 0 && s("rect", box);
  });
}

/**
 * The number that the program's own messages have: with the process, where that is not the first.
 *
 * @param {number} number
 */
export function ownNumber(number) {
  const process = Math.floor(number / 2 ** 32);
  return process === 0 ? String(number) : `${number % 2 ** 32} of process ${process}`;
}

/**
 * @param {string} file
 * @param {number} line
 */
export function createdAt(file, line) {
  return file ? `${baseName(file)}:${line}` : "";
}

/** @param {Data.TaskLoad[]} tasks */
export function taskTable(tasks) {
  const rows = tasks.map((task) => [
    ownNumber(task.task),
    h("span", { class: "mono" }, task.name),
    createdAt(task.file, task.line),
    nameOf(task.processor),
    seconds(task.computing),
    seconds(task.communicating),
    seconds(task.waiting_input),
    seconds(task.blocked_in_send),
    seconds(task.waiting_processor),
    task.critical === undefined ? "" : seconds(task.critical),
  ]);
  const columns = [
    { name: "Task" },
    { name: "Function" },
    { name: "Created at" },
    { name: inWords("Thread") },
    { name: "Computing", n: true },
    { name: "Communicating", n: true },
    { name: "Waiting for input", n: true },
    { name: "Blocked in send", n: true },
    { name: inWords("Waiting for its thread"), n: true },
    { name: "On the critical path", n: true },
  ];
  return table(columns, rows, "Tasks, those with most time first");
}

/** @param {Data.ChannelLoad[]} channels */
export function channelTable(channels) {
  const rows = channels.map((channel) => [
    ownNumber(channel.channel),
    createdAt(channel.file, channel.line),
    channel.senders.map(ownNumber).join(", "),
    channel.receiver === undefined ? "none" : ownNumber(channel.receiver),
    channel.capacity === undefined ? "no limit" : count(channel.capacity),
    count(channel.messages),
    bytes(channel.bytes),
    channel.mean_queued.toFixed(1),
    count(channel.max_queued),
    seconds(channel.send_wait),
    seconds(channel.receive_wait),
  ]);
  const columns = [
    { name: "Channel" },
    { name: "Created at" },
    { name: "Sending tasks" },
    { name: "Receiving task" },
    { name: "Capacity", n: true },
    { name: "Messages", n: true },
    { name: "Bytes", n: true },
    { name: "Mean queue", n: true },
    { name: "Longest queue", n: true },
    { name: "Senders waited", n: true },
    { name: "Receivers waited", n: true },
  ];
  return table(columns, rows, "Channels, those with most messages first");
}

/** @param {TaskNode} node */
export function nodeInWords(node) {
  const [one] = node.tasks;
  const title =
    node.tasks.length === 1
      ? `${node.name}, task ${ownNumber(one.task)} on ${nameOf(one.processor)}`
      : `${node.name}, ${plural(node.tasks.length, "task")}`;
  const states = Object.keys(STATE_WORDS).filter((state) => state in node);
  const times = states.map((state) => {
    const time = node[/** @type {keyof Data.TaskTimes} */ (state)];
    return `${STATE_WORDS[state][0]}: ${seconds(time)}`;
  });
  const place = createdAt(node.file, node.line);
  return [title, ...(place ? [`created at ${place}`] : []), ...times];
}

/**
 * @param {TaskEdge} edge
 * @param {TaskNode[]} nodes
 */
export function edgeInWords(edge, nodes) {
  return [
    `${nodes[edge.from].name} to ${nodes[edge.to].name}`,
    `${plural(Math.round(edge.messages), "message")}, ${bytes(edge.bytes)}, ${plural(edge.channels, "channel")}`,
    edge.filled === undefined
      ? "senders never wait for a place"
      : `queue filled to ${percent(edge.filled * 100)} on average`,
  ];
}
