// Tasks and channels of the period: those that ran most, and those of the longest queues.

import { byId, h } from "./dom.js";
import { bytes, count, seconds } from "./format.js";
import { keepList, setAttribute, setNote, setShare, setText } from "./keep.js";
import { placeText, shareText } from "./sentences.js";
import { channelText, numberText, taskText, waitText } from "./tasksentences.js";
import { countOf, nameOf } from "./words.js";

/** States of tasks, with what one and several of them do. */
const VERBS = [
  ["running", "runs", "run"],
  ["ready", "is ready", "are ready"],
  ["sending", "waits to send", "wait to send"],
  ["receiving", "waits to receive", "wait to receive"],
  ["selecting", "waits in select", "wait in select"],
];

/** Max number of rows of each table. */
const TASK_ROWS = 50;

/** @param {Live.Picture} picture */
export function updateTasks(picture) {
  const { tasks } = picture;
  byId("tasks").hidden = !tasks;
  byId("to-tasks").hidden = !tasks;
  if (!tasks) return;
  updateTaskRows(tasks);
  updateChannelRows(tasks, picture.period);
  setText(byId("processors"), processorsText(tasks));
}

/**
 * "load of processors: 2.1 %, 98 %; memory 12.3 MiB"
 *
 * @param {Live.Tasks} tasks
 */
function processorsText({ processors }) {
  const loads = processors.map(({ load }) => shareText(load)).slice(0, TASK_ROWS);
  const memory = processors.find((one) => one.memory !== null)?.memory ?? null;
  const known = memory === null ? "" : `; memory ${bytes(memory)}`;
  return `load of processors: ${loads.join(", ")}${known}`;
}

/** @param {Live.Tasks} tasks */
function updateTaskRows({ tasks, channels, omitted_tasks }) {
  const places = new Map(channels.map(({ channel, place }) => [channel, place]));
  const shown = [...tasks].sort((a, b) => (b.load ?? 0) - (a.load ?? 0)).slice(0, TASK_ROWS);
  const rows = /** @type {Element} */ (byId("task-rows"));
  keepList(
    rows,
    inOrder(shown, ({ task }) => task),
    {
      key: ({ task }) => String(task),
      make: makeTask,
      update: (part, task) => updateTask(part, task, places),
    },
  );
  const more = tasks.length - shown.length + omitted_tasks;
  setNote(byId("more-tasks"), more > 0 ? `${count(more)} more` : "");
}

/**
 * @template I
 * @param {I[]} items
 * @param {(item: I) => number} number
 */
function inOrder(items, number) {
  return items.sort((a, b) => number(a) - number(b));
}

/**
 * "4 tasks: 1 runs, 2 wait to send; 3 of 4 processors idle", as crates/monitor/src/text_tasks.rs
 *
 * @param {Live.Tasks} tasks
 * @param {Live.Now[]} now
 */
export function statesText({ tasks, omitted_tasks }, now) {
  const parts = VERBS.flatMap(([state, one, many]) => {
    const number = tasks.filter((task) => task.state === state).length;
    return number === 0 ? [] : [`${count(number)} ${number === 1 ? one : many}`];
  });
  const idle = now.filter(({ kind }) => kind === "idle").length;
  const all = `${count(tasks.length + omitted_tasks)} tasks: ${parts.join(", ")}`;
  return `${all}; ${count(idle)} of ${countOf(now.length)} idle`;
}

function makeTask() {
  const [name, load, state] = [h("td", {}), h("span", {}), h("td", {})];
  const bar = h("i", { class: "a-computing" });
  const meter = h("td", {}, h("div", { class: "meter" }, h("span", { class: "share" }, bar), load));
  const processor = h("td", { class: "soft" });
  return { element: h("tr", {}, name, meter, state, processor), name, bar, load, state, processor };
}

/**
 * @param {ReturnType<typeof makeTask>} part
 * @param {Live.Task} task
 * @param {Map<number, Live.Place>} places
 */
function updateTask(part, task, places) {
  setText(part.name, taskText(task.task, task.place));
  setAttribute(part.name, "title", `created: ${placeText(task.place)}`);
  setShare(part.bar, "width", task.load ?? 0);
  setText(part.load, shareText(task.load));
  setText(part.state, stateText(task, places));
  setText(part.processor, nameOf(task.thread));
}

/**
 * "waits to receive from channel 1 (pipeline.rs:28) for 3 ms"
 *
 * @param {Live.Task} task
 * @param {Map<number, Live.Place>} places
 */
function stateText({ state, seconds: time, channel }, places) {
  if (state === "running") return `runs for ${seconds(time)}`;
  if (state === "ready") return `is ready for ${seconds(time)}`;
  const at = channel === null ? null : channelText(channel, places.get(channel));
  return `waits ${waitText(state, at)} for ${seconds(time)}`;
}

/**
 * @param {Live.Tasks} tasks
 * @param {number} period
 */
function updateChannelRows({ channels, omitted_channels }, period) {
  const shown = [...channels].sort((a, b) => b.sends - a.sends).slice(0, TASK_ROWS);
  const rows = /** @type {Element} */ (byId("channel-rows"));
  keepList(
    rows,
    inOrder(shown, ({ channel }) => channel),
    {
      key: ({ channel }) => String(channel),
      make: makeChannel,
      update: (part, channel) => updateChannel(part, channel, period),
    },
  );
  const more = channels.length - shown.length + omitted_channels;
  setNote(byId("more-channels"), more > 0 ? `${count(more)} more` : "");
}

function makeChannel() {
  const cell = () => h("td", { class: "n" });
  const [name, tasks] = [h("td", {}), h("td", { class: "soft" })];
  const [queued, sends, moved, send, receive] = [cell(), cell(), cell(), cell(), cell()];
  return {
    element: h("tr", {}, name, queued, sends, moved, send, receive, tasks),
    name,
    queued,
    sends,
    moved,
    send,
    receive,
    tasks,
  };
}

/**
 * @param {ReturnType<typeof makeChannel>} part
 * @param {Live.Channel} channel
 * @param {number} period
 */
function updateChannel(part, channel, period) {
  const { sends, receives, capacity, queued } = channel;
  const perSecond = (/** @type {number} */ value) => (period > 0 ? value / period : 0);
  const mean = (/** @type {number} */ time, /** @type {number} */ calls) =>
    calls > 0 ? seconds(time / calls) : "";
  setText(part.name, channelText(channel.channel, channel.place));
  setText(
    part.queued,
    capacity === null ? count(queued) : `${count(queued)} of ${count(capacity)}`,
  );
  setText(part.sends, count(perSecond(sends)));
  setText(part.moved, bytes(perSecond(channel.sent_bytes)));
  setText(part.send, mean(channel.send_seconds, sends));
  setText(part.receive, mean(channel.receive_seconds, receives));
  setText(part.tasks, endsText(channel));
}

/**
 * "1 → 2"
 *
 * @param {Live.Channel} channel
 */
function endsText({ senders, receiver }) {
  const from = senders.slice(0, 4).map(numberText).join(", ");
  const more = senders.length > 4 ? ` and ${senders.length - 4} more` : "";
  return `${from}${more} → ${receiver === null ? "?" : numberText(receiver)}`;
}
