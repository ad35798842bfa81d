// Which thread accesses whose data: a matrix with a row for each thread and a column for each owner, or for groups of
// neighbours where there are many.

import { heat } from "./activities.js";
import { d3 } from "./d3.js";
import { asTable, h, replace, s, table } from "./dom.js";
import { bytes, count, figure, plural, seconds } from "./format.js";
import { withHover } from "./hover.js";
import { localityCard } from "./locality.js";
import { clean } from "./names.js";
import { report } from "./session.js";
import { threadBars } from "./threads.js";
import { inWords, nameOf, numberOf, rangeOf } from "./words.js";

const MATRIX_CELLS = 64;

/** @type {Record<string, [name: string, unit: Data.Unit, of: (flow: Data.Flow) => number]>} */
const FLOWS = {
  bytes: ["Bytes", "bytes", (f) => f.get_bytes + f.put_bytes + f.either_bytes],
  get_bytes: ["Bytes read", "bytes", (f) => f.get_bytes],
  put_bytes: ["Bytes written", "bytes", (f) => f.put_bytes],
  operations: ["Operations", "occ", (f) => f.operations],
  seconds: ["Time", "s", (f) => f.seconds],
};

/** @returns {Node} */
export function communicationView() {
  const { communication } = report.summary;
  if (!communication) {
    return h(
      "p",
      { class: "notice" },
      inWords(
        "No one-sided operations: no thread reads or writes another thread's data by itself.",
      ),
    );
  }
  return new MatrixView(communication).element;
}

class MatrixView {
  /** @param {Data.Communication} communication */
  constructor(communication) {
    this.communication = communication;
    this.flow = "bytes";
    this.threads = report.summary.threads;
    this.size = Math.ceil(this.threads / MATRIX_CELLS);
    this.cells = Math.ceil(this.threads / this.size);
    /** @type {[row: number, column: number]} */
    this.at = [0, 0];
    this.values = new Float64Array(0);
    /** @type {Data.Unit} */
    this.unit = "bytes";
    /** @type {(at: [row: number, column: number]) => void} */
    this.place = () => {};
    this.holder = h("div", {});
    this.sums = h("div", { class: "stack" });
    this.said = h("p", { class: "soft", "aria-live": "polite" });
    const select = h(
      "select",
      {
        id: "flow",
        onchange: (event) => {
          this.flow = event.target.value;
          this.draw();
        },
      },
      Object.entries(FLOWS).map(([id, [name]]) => h("option", { value: id }, name)),
    );
    this.element = h(
      "div",
      { class: "matrix-layout" },
      h(
        "section",
        { class: "card" },
        h(
          "header",
          {},
          h("h2", {}, "Who accesses whose data"),
          h("label", { class: "soft" }, "Colour by ", select),
        ),
        this.holder,
        this.said,
        this.notes(),
        asTable(() => this.asTable()),
      ),
      h(
        "div",
        { class: "stack" },
        localityCard(communication),
        h("section", { class: "card" }, this.sums),
      ),
    );
    this.draw();
  }

  notes() {
    const { complete, unknown } = this.communication;
    const notes = [];
    if (this.size > 1) {
      notes.push(`Each cell stands for ${this.size} × ${this.size} ${inWords("threads")}.`);
    }
    if (!complete)
      notes.push("The matrix has only the pairs with most time; the sums beside it are of all.");
    if (unknown)
      notes.push(
        `Of ${plural(unknown.operations, "more operation")} (${seconds(unknown.seconds)}) the owner is not known.`,
      );
    return notes.length > 0 && h("p", { class: "dim" }, notes.join(" "));
  }

  draw() {
    const [name, unit, of] = FLOWS[this.flow];
    const n = this.cells;
    const sums = new Float64Array(n * n);
    for (const pair of this.communication.pairs) {
      sums[Math.floor(pair.thread / this.size) * n + Math.floor(pair.owner / this.size)] +=
        of(pair);
    }
    this.values = sums;
    this.unit = unit;
    const most = d3.max(sums) || 1;
    const cell = Math.max(9, Math.min(44, 620 / n));
    const left = 62;
    const top = 40;
    const every = Math.ceil(24 / cell);
    const chart = s("svg", {
      class: "matrix",
      viewBox: `0 0 ${left + n * cell + 4} ${top + n * cell + 4}`,
      tabindex: "0",
      role: "img",
      "aria-label": `${name} between ${inWords("threads")}: a matrix of ${n} by ${n}; arrow keys go from cell to cell, the table below has all`,
      onkeydown: (event) => this.key(event),
      style: { "max-width": `${Math.min(46 * 16, left + n * cell + 4)}px` },
    });
    chart.append(
      s("text", { x: left, y: 12 }, "owner of the data →"),
      s("text", { x: 0, y: top - 8 }, inWords("thread ↓")),
    );
    for (let i = 0; i < n; i += every) {
      const label = String(numberOf(i * this.size));
      chart.append(
        s(
          "text",
          { class: "n", x: left + (i + 0.5) * cell, y: top - 8, "text-anchor": "middle" },
          label,
        ),
        s(
          "text",
          { class: "n", x: left - 8, y: top + (i + 0.5) * cell + 4, "text-anchor": "end" },
          label,
        ),
      );
    }
    chart.append(
      s("rect", { x: left, y: top, width: n * cell, height: n * cell, fill: "var(--inset)" }),
    );
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) {
        const value = sums[row * n + column];
        if (value <= 0) continue;
        chart.append(
          s("rect", {
            x: left + column * cell + 0.5,
            y: top + row * cell + 0.5,
            width: cell - 1,
            height: cell - 1,
            fill: heat(value / most),
          }),
        );
      }
    }
    const cursor = s("rect", { class: "cursor", width: cell, height: cell, visibility: "hidden" });
    chart.append(cursor);
    this.place = ([row, column]) => {
      cursor.setAttribute("x", String(left + column * cell));
      cursor.setAttribute("y", String(top + row * cell));
      cursor.setAttribute("visibility", "visible");
    };
    withHover(chart, (event) => {
      const box = chart.getBoundingClientRect();
      const scale = (left + n * cell + 4) / box.width;
      const column = Math.floor(((event.clientX - box.left) * scale - left) / cell);
      const row = Math.floor(((event.clientY - box.top) * scale - top) / cell);
      if (row < 0 || column < 0 || row >= n || column >= n) return null;
      return this.inWords(row, column);
    });
    replace(this.holder, chart);
    this.drawSums(name, unit, of);
  }

  /** @param {number} index */
  group(index) {
    const end = Math.min(this.threads, (index + 1) * this.size) - 1;
    return this.size === 1 ? nameOf(index) : rangeOf(index * this.size, end);
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  inWords(row, column) {
    const value = this.values[row * this.cells + column];
    const whose =
      row === column && this.size === 1 ? "its own data" : `data of ${this.group(column)}`;
    return [
      `${this.group(row)} with ${whose}`,
      `${FLOWS[this.flow][0]}: ${figure(this.unit, value)}`,
    ];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [rows: number, columns: number]>} */
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const move = moves[event.key];
    if (!move) return;
    const moved = (/** @type {number} */ to) => Math.max(0, Math.min(this.cells - 1, to));
    this.at = [moved(this.at[0] + move[0]), moved(this.at[1] + move[1])];
    this.place(this.at);
    this.said.textContent = clean(this.inWords(...this.at).join("; "));
    event.preventDefault();
  }

  /**
   * @param {string} name
   * @param {Data.Unit} unit
   * @param {(flow: Data.Flow) => number} of
   */
  drawSums(name, unit, of) {
    replace(
      this.sums,
      h("h2", {}, `${name} by ${inWords("thread")} that asks`),
      threadBars(this.communication.by_thread.map(of), {
        unit,
        label: `${name} by ${inWords("thread")}`,
        height: 190,
      }),
      h("h2", {}, `${name} by owner of the data`),
      threadBars(this.communication.by_owner.map(of), {
        unit,
        label: `${name} by owner`,
        height: 190,
        colour: "var(--one_sided)",
      }),
    );
  }

  asTable() {
    const largest = [...this.communication.pairs].sort(
      (a, b) => FLOWS[this.flow][2](b) - FLOWS[this.flow][2](a),
    );
    const rows = largest
      .slice(0, 1000)
      .map((pair) => [
        nameOf(pair.thread),
        nameOf(pair.owner),
        count(pair.operations),
        bytes(pair.get_bytes),
        bytes(pair.put_bytes),
        seconds(pair.seconds),
      ]);
    const columns = [
      { name: inWords("Thread") },
      { name: "Owner" },
      { name: "Operations", n: true },
      { name: "Read", n: true },
      { name: "Written", n: true },
      { name: "Time", n: true },
    ];
    return table(columns, rows, "Who accesses whose data, largest first");
  }
}
