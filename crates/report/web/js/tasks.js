// Tasks and channels: a graph of who sends to whom, with the load of each task and the queue of each channel, and the
// load of processors.

import { heat } from "./activities.js";
import { d3 } from "./d3.js";
import { asTable, fitted, h, replace, s, table } from "./dom.js";
import { count, percent, plural, seconds } from "./format.js";
import { withHover } from "./hover.js";
import { clean } from "./names.js";
import { report } from "./session.js";
import { NODE_HEIGHT, NODE_WIDTH, STATES, taskGraph } from "./task_graph.js";
import {
  channelTable,
  edgeInWords,
  nodeInWords,
  stateBar,
  stateLegend,
  taskTable,
} from "./task_words.js";
import { inWords, nameOf, numberOf } from "./words.js";

/** Processors that have a bar. */
const BARS = 64;
const PROCESSOR_STATES = ["computing", "communicating", "rest", "idle"];

/** @returns {Content} */
export function tasksView() {
  const { tasks } = report.summary;
  if (!tasks) return h("p", { class: "notice" }, "The program has no tasks.");
  return h("div", { class: "stack" }, new GraphView(tasks).element, processorsCard(tasks));
}

class GraphView {
  /** @param {Data.Tasks} tasks */
  constructor(tasks) {
    this.graph = taskGraph(tasks);
    this.at = 0;
    this.said = h("p", { class: "soft", "aria-live": "polite" });
    /** @type {SVGElement[]} */
    this.boxes = [];
    /** @type {SVGElement[]} */
    this.lines = [];
    this.element = h(
      "section",
      { class: "card task-graph" },
      h(
        "header",
        {},
        h("h2", {}, "Tasks and channels"),
        h("span", { class: "dim" }, summaryOf(tasks)),
      ),
      stateLegend(STATES),
      h("div", { class: "scroll" }, this.draw()),
      this.said,
      h("p", { class: "dim" }, this.notes(tasks)),
      asTable(() => taskTable(tasks.tasks), "Tasks as a table"),
      asTable(() => channelTable(tasks.channels), "Channels as a table"),
    );
  }

  /** @param {Data.Tasks} tasks */
  notes(tasks) {
    const notes = [
      "Bar of a task: its time by state, the longest bar being that of the task with most. Line: messages from left to " +
        "right, thicker for more; darker for a fuller queue, grey where senders never wait. Lines from right to left are dashed.",
    ];
    if (this.graph.isFolded)
      notes.push(
        "A box stands for the tasks of one function that were created at one place; its bar is their mean.",
      );
    if (tasks.channels.some((channel) => channel.senders.length > 1))
      notes.push("Messages of a channel with several senders are divided evenly among them.");
    if (tasks.omitted_tasks + tasks.omitted_channels > 0)
      notes.push(
        `${plural(tasks.omitted_tasks, "more task")} with less time and ${plural(tasks.omitted_channels, "more channel")} with fewer messages are not shown.`,
      );
    return notes.join(" ");
  }

  draw() {
    const { nodes, edges, width, height } = this.graph;
    const chart = s("svg", {
      class: "graph",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      tabindex: "0",
      role: "img",
      "aria-label": `Graph of ${plural(nodes.length, "box", "boxes")} of tasks and ${plural(edges.length, "line")} of messages; arrow keys go from box to box, the tables below have all`,
      onkeydown: (event) => this.key(event),
    });
    const most = d3.max(edges, (edge) => edge.messages) ?? 1;
    this.lines = edges.map((edge) => this.line(edge, most));
    const longest = d3.max(nodes, (node) => node.total / sizeOf(node)) ?? 0;
    this.boxes = nodes.map((node, index) => this.box(node, index, longest));
    chart.append(...this.lines, ...this.boxes);
    return chart;
  }

  /**
   * @param {TaskNode} node
   * @param {number} index
   * @param {number} most
   */
  box(node, index, most) {
    const left = node.x - NODE_WIDTH / 2;
    const top = node.y - NODE_HEIGHT / 2;
    const times = node.tasks.length > 1 ? ` × ${count(node.tasks.length)}` : "";
    const room = 20 - times.length;
    const name = node.name.length > room ? `${node.name.slice(0, room - 1)}…` : node.name;
    const length = most * sizeOf(node);
    const bar = { x: left + 6, y: top + 22, width: NODE_WIDTH - 12, height: 8, most: length };
    const group = s(
      "g",
      { class: "node", onclick: () => this.choose(index) },
      s("rect", { x: left, y: top, width: NODE_WIDTH, height: NODE_HEIGHT, rx: 5 }),
      s("text", { x: left + 6, y: top + 15 }, name + times),
      ...stateBar(node, STATES, bar),
    );
    return withHover(group, () => nodeInWords(node));
  }

  /**
   * @param {TaskEdge} edge
   * @param {number} most
   */
  line(edge, most) {
    const { nodes } = this.graph;
    const [from, to] = [nodes[edge.from], nodes[edge.to]];
    const width = 1 + 7 * Math.sqrt(edge.messages / most);
    const line = s("path", {
      class: "edge",
      d: pathBetween(from, to, nodes),
      "stroke-width": width.toFixed(1),
      "stroke-dasharray": from.x >= to.x && from !== to && "6 4",
      stroke: edge.filled === undefined ? "var(--ink-3)" : heat(0.25 + 0.75 * edge.filled),
    });
    return withHover(line, () => edgeInWords(edge, nodes));
  }

  /** @param {number} index */
  choose(index) {
    this.at = index;
    const { nodes, edges } = this.graph;
    const near = edges.filter((edge) => edge.from === index || edge.to === index);
    this.boxes.forEach((box, i) => box.classList.toggle("here", i === index));
    this.lines.forEach((line, i) => line.classList.toggle("here", near.includes(edges[i])));
    const words = [nodeInWords(nodes[index]), ...near.map((edge) => edgeInWords(edge, nodes))];
    replace(this.said, clean(words.map((lines) => lines.join("; ")).join(". ")));
    this.boxes[index].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [x: number, y: number]>} */
    const moves = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.choose(this.boxes.some((box) => box.classList.contains("here")) ? this.next(move) : 0);
  }

  /**
   * The nearest box in a direction; the same one at the end.
   *
   * @param {[x: number, y: number]} direction
   */
  next([x, y]) {
    const { nodes } = this.graph;
    const here = nodes[this.at];
    const ahead = (/** @type {TaskNode} */ node) => (node.x - here.x) * x + (node.y - here.y) * y;
    const aside = (/** @type {TaskNode} */ node) =>
      Math.abs((node.x - here.x) * y) + Math.abs((node.y - here.y) * x);
    const there = d3.range(nodes.length).filter((node) => ahead(nodes[node]) > 1);
    // Within the column, one after the other; between columns, the one that is nearest.
    const near = (/** @type {number} */ node) =>
      y === 0
        ? ahead(nodes[node]) * 100 + aside(nodes[node])
        : aside(nodes[node]) * 100 + ahead(nodes[node]);
    return d3.least(there, near) ?? this.at;
  }
}

/**
 * @param {TaskNode} from
 * @param {TaskNode} to
 * @param {TaskNode[]} nodes
 */
function pathBetween(from, to, nodes) {
  const [right, left] = [from.x + NODE_WIDTH / 2, to.x - NODE_WIDTH / 2];
  if (from === to) {
    const top = from.y - NODE_HEIGHT / 2;
    return `M${from.x - 20},${top} C${from.x - 20},${top - 22} ${from.x + 20},${top - 22} ${from.x + 20},${top}`;
  }
  if (from.x < to.x) {
    const middle = (right + left) / 2;
    return `M${right},${from.y} C${middle},${from.y} ${middle},${to.y} ${left},${to.y}`;
  }
  // Back: out at the bottom of one, in at the bottom of the other, below all boxes between them.
  const [below, under] = [from.y + NODE_HEIGHT / 2, to.y + NODE_HEIGHT / 2];
  const between = nodes.filter((node) => node.x >= to.x && node.x <= from.x);
  const lowest = (d3.max(between, (node) => node.y) ?? 0) + NODE_HEIGHT / 2;
  const depth = lowest + 24 + (lowest - Math.min(below, under)) / 3;
  return `M${from.x},${below} C${from.x},${depth} ${to.x},${depth} ${to.x},${under}`;
}

/**
 * Tasks of a node; one that stands for tasks without figures has none.
 *
 * @param {TaskNode} node
 */
function sizeOf(node) {
  return Math.max(1, node.tasks.length);
}

/** @param {Data.Tasks} tasks */
function summaryOf(tasks) {
  const parts = [
    plural(tasks.tasks.length + tasks.omitted_tasks, "task"),
    plural(tasks.channels.length + tasks.omitted_channels, "channel"),
    `efficiency ${percent(tasks.efficiency * 100)}`,
    `speedup ${tasks.speedup.toFixed(2)}`,
  ];
  const cost = tasks.message_cost;
  if (cost) parts.push(`a message of L bytes costs ${seconds(cost.ts)} + L × ${seconds(cost.tw)}`);
  return parts.join(" · ");
}

/** @param {Data.Tasks} tasks */
function processorsCard(tasks) {
  const { processors } = tasks;
  const shown =
    processors.length > BARS
      ? [...processors].sort((a, b) => b.idle - a.idle).slice(0, BARS)
      : processors;
  return h(
    "section",
    { class: "card" },
    h("header", {}, h("h2", {}, inWords("Load by thread"))),
    stateLegend(PROCESSOR_STATES),
    fitted((width) => processorBars(shown, width)),
    shown.length < processors.length &&
      h(
        "p",
        { class: "dim" },
        inWords(`Of ${count(processors.length)} threads, the ${BARS} that were idle most.`),
      ),
    asTable(() => processorTable(processors)),
  );
}

/**
 * @param {Data.ProcessorLoad[]} processors
 * @param {number} whole
 */
function processorBars(processors, whole) {
  const [row, left] = [18, 40];
  const width = whole - left;
  const most = d3.max(processors, (processor) => processor.run_time) ?? 0;
  const chart = s("svg", {
    class: "bars",
    width: whole,
    height: processors.length * row,
    role: "img",
    "aria-label": inWords("Load by thread; the table below has all"),
  });
  processors.forEach((processor, index) => {
    const bar = { x: left, y: index * row + 2, width, height: row - 5, most };
    const number = { class: "n", x: left - 8, y: index * row + 13, "text-anchor": "end" };
    const line = s(
      "g",
      {},
      s("text", number, String(numberOf(processor.thread))),
      ...stateBar(processor, PROCESSOR_STATES, bar),
    );
    chart.append(withHover(line, () => processorInWords(processor)));
  });
  return chart;
}

/** @param {Data.ProcessorLoad} processor */
function processorInWords(processor) {
  return [
    `${nameOf(processor.thread)}: ${plural(processor.tasks, "task")}`,
    `computing ${seconds(processor.computing)}, communicating ${seconds(processor.communicating)}`,
    `idle ${seconds(processor.idle)}, between tasks ${seconds(processor.rest)}`,
  ];
}

/** @param {Data.ProcessorLoad[]} processors */
function processorTable(processors) {
  const rows = processors.map((processor) => [
    nameOf(processor.thread),
    count(processor.tasks),
    seconds(processor.computing),
    seconds(processor.communicating),
    seconds(processor.idle),
    seconds(processor.rest),
  ]);
  const columns = [
    { name: inWords("Thread") },
    { name: "Tasks", n: true },
    { name: "Computing", n: true },
    { name: "Communicating", n: true },
    { name: "Idle", n: true },
    { name: "Between tasks", n: true },
  ];
  return table(columns, rows, inWords("Load by thread"));
}
