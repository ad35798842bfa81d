// The graph of tasks and channels: folded where there are many tasks, and laid out in layers along the messages.

import { d3 } from "./d3.js";

/** Nodes at most. */
const NODES = 60;
/** Nodes of a layer that stand in one column. */
const COLUMN = 14;
export const NODE_WIDTH = 150;
export const NODE_HEIGHT = 36;
const GAP_X = 70;
const GAP_Y = 16;
const MARGIN = 24;

/** @type {(keyof Data.TaskTimes)[]} */
export const STATES = [
  "computing",
  "communicating",
  "waiting_processor",
  "blocked_in_send",
  "waiting_input",
];

/**
 * @param {Data.Tasks} tasks
 * @returns {{ nodes: TaskNode[], edges: TaskEdge[], isFolded: boolean, width: number, height: number }}
 */
export function taskGraph(tasks) {
  const isFolded = tasks.tasks.length > NODES;
  const { nodes, nodeOf } = nodesOf(tasks.tasks, isFolded);
  const edges = edgesOf(tasks.channels, nodes, nodeOf);
  layers(nodes, edges);
  return { nodes, edges, isFolded, ...place(nodes, edges) };
}

/** @param {Data.TaskTimes} times */
export function totalOf(times) {
  return d3.sum(STATES, (state) => times[state]);
}

/**
 * @param {Data.TaskLoad[]} tasks
 * @param {boolean} isFolded
 */
function nodesOf(tasks, isFolded) {
  /** @type {(task: Data.TaskLoad) => string} */
  const key = (task) =>
    isFolded ? JSON.stringify([task.name, task.file, task.line]) : String(task.task);
  const groups = [...d3.group(tasks, key).values()];
  groups.sort((a, b) => d3.sum(b, totalOf) - d3.sum(a, totalOf));
  /** @type {Map<number, number>} */
  const nodeOf = new Map();
  const kept = groups.length > NODES ? groups.slice(0, NODES - 1) : groups;
  const nodes = kept.map((group) => nodeFor(group[0].name, group));
  if (kept.length < groups.length)
    nodes.push(nodeFor("other tasks", groups.slice(kept.length).flat()));
  nodes.forEach((node, index) => node.tasks.forEach((task) => nodeOf.set(task.task, index)));
  return { nodes, nodeOf };
}

/**
 * @param {string} name
 * @param {Data.TaskLoad[]} tasks
 * @returns {TaskNode}
 */
function nodeFor(name, tasks) {
  /** @type {(state: keyof Data.TaskTimes) => number} */
  const sum = (state) => d3.sum(tasks, (task) => task[state]);
  return {
    name,
    file: tasks[0]?.file ?? "",
    line: tasks[0]?.line ?? 0,
    tasks,
    total: d3.sum(tasks, totalOf),
    computing: sum("computing"),
    communicating: sum("communicating"),
    waiting_input: sum("waiting_input"),
    blocked_in_send: sum("blocked_in_send"),
    waiting_processor: sum("waiting_processor"),
    layer: 0,
    x: 0,
    y: 0,
  };
}

/**
 * Messages of a channel with several senders are divided evenly among these: the result does not say who sent how many.
 *
 * @param {Data.ChannelLoad[]} channels
 * @param {TaskNode[]} nodes
 * @param {Map<number, number>} nodeOf
 */
function edgesOf(channels, nodes, nodeOf) {
  /** @type {Map<string, TaskEdge & { weighted: number, bounded: number }>} */
  const edges = new Map();
  // Tasks that the result leaves out have a node together, if they have messages.
  let others = -1;
  const nodeOfTask = (/** @type {number} */ task) => {
    const known = nodeOf.get(task);
    if (known !== undefined) return known;
    if (others < 0) others = nodes.push(nodeFor("tasks not listed", [])) - 1;
    return others;
  };
  for (const channel of channels) {
    if (channel.receiver === undefined || channel.messages === 0) continue;
    const to = nodeOfTask(channel.receiver);
    const senders = d3.rollup(
      channel.senders.map(nodeOfTask),
      (tasks) => tasks.length,
      (n) => n,
    );
    for (const [from, tasks] of senders) {
      const key = `${from} ${to}`;
      const edge = edges.get(key) ?? {
        ...{ from, to, channels: 0, messages: 0, bytes: 0, weighted: 0, bounded: 0 },
      };
      edges.set(key, edge);
      const share = tasks / channel.senders.length;
      edge.channels += 1;
      edge.messages += channel.messages * share;
      edge.bytes += channel.bytes * share;
      if (channel.capacity) {
        edge.bounded += channel.messages * share;
        edge.weighted += (channel.messages * share * channel.mean_queued) / channel.capacity;
      }
    }
  }
  return [...edges.values()].map(({ weighted, bounded, ...edge }) => ({
    ...edge,
    filled: bounded > 0 ? weighted / bounded : undefined,
  }));
}

/**
 * Layers by the longest path along messages, without the edges that close a cycle.
 *
 * @param {TaskNode[]} nodes
 * @param {TaskEdge[]} edges
 */
function layers(nodes, edges) {
  const next = nodes.map((_, node) =>
    edges.filter((edge) => edge.from === node && edge.to !== node).map((edge) => edge.to),
  );
  for (const node of withoutCycles(next, starts(nodes, edges))) {
    for (const to of next[node]) nodes[to].layer = Math.max(nodes[to].layer, nodes[node].layer + 1);
  }
}

/**
 * Where to begin: creators before what they create, and who receives least first.
 *
 * @param {TaskNode[]} nodes
 * @param {TaskEdge[]} edges
 */
function starts(nodes, edges) {
  const received = nodes.map((_, node) =>
    d3.sum(edges, (edge) => (edge.to === node && edge.from !== node ? 1 : 0)),
  );
  const created = nodes.map((node) => d3.min(node.tasks, (task) => task.begin) ?? Infinity);
  return d3
    .range(nodes.length)
    .sort((a, b) => received[a] - received[b] || created[a] - created[b]);
}

/**
 * Takes the edges that close cycles out of `next`; returns the nodes, each before those that it leads to.
 *
 * @param {number[][]} next
 * @param {number[]} order
 */
function withoutCycles(next, order) {
  const state = new Uint8Array(next.length);
  /** @type {number[]} */
  const done = [];
  const visit = (/** @type {number} */ node) => {
    state[node] = 1;
    next[node] = next[node].filter((to) => {
      if (state[to] === 0) visit(to);
      return state[to] !== 1;
    });
    state[node] = 2;
    done.push(node);
  };
  for (const node of order) if (state[node] === 0) visit(node);
  return done.reverse();
}

/**
 * Gives nodes their places: layers from left to right, within a layer near the neighbours.
 *
 * @param {TaskNode[]} nodes
 * @param {TaskEdge[]} edges
 */
function place(nodes, edges) {
  const layered = d3.groups(nodes, (node) => node.layer).sort(([a], [b]) => a - b);
  const columns = layered.map(([, members]) => members);
  columns.forEach((members) => members.forEach((node, y) => (node.y = y / members.length)));
  for (let sweep = 0; sweep < 8; sweep++) {
    const sweeping = sweep % 2 === 0 ? columns : [...columns].reverse();
    sweeping.forEach((members) => byNeighbours(members, nodes, edges));
  }
  const split = columns.flatMap((members) => chunks(members));
  const tallest = d3.max(split, (members) => members.length) ?? 1;
  const height = tallest * (NODE_HEIGHT + GAP_Y);
  split.forEach((members, column) => {
    members.forEach((node, row) => {
      node.x = MARGIN + column * (NODE_WIDTH + GAP_X) + NODE_WIDTH / 2;
      node.y = MARGIN + ((row + 0.5) * height) / members.length;
    });
  });
  const width = 2 * MARGIN + split.length * (NODE_WIDTH + GAP_X) - GAP_X;
  return { width, height: height + 3 * MARGIN };
}

/**
 * @param {TaskNode[]} members
 * @param {TaskNode[]} nodes
 * @param {TaskEdge[]} edges
 */
function byNeighbours(members, nodes, edges) {
  const wanted = new Map(
    members.map((node) => {
      const own = nodes.indexOf(node);
      const near = edges.flatMap((edge) => {
        if (edge.from === edge.to) return [];
        if (edge.from === own) return [nodes[edge.to].y];
        return edge.to === own ? [nodes[edge.from].y] : [];
      });
      return [node, d3.mean(near) ?? node.y];
    }),
  );
  members.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
  members.forEach((node, row) => (node.y = (row + 0.5) / members.length));
}

/** @param {TaskNode[]} members */
function chunks(members) {
  const columns = Math.ceil(members.length / COLUMN);
  const size = Math.ceil(members.length / columns);
  return d3.range(columns).map((column) => members.slice(column * size, (column + 1) * size));
}
