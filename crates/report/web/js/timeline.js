// What threads did around one instance of a wait state: a row for each thread, its time filled with what it was doing, and
// arrows from who was waited for. Wheel and drag, or keys, zoom and move it.

import { activityColour, css, legend } from "./activities.js";
import { d3 } from "./d3.js";
import { asTable, h, table } from "./dom.js";
import { count, plural, seconds } from "./format.js";
import { withHover } from "./hover.js";
import { metricName } from "./iterations.js";
import { baseName, clean } from "./names.js";
import { placeText } from "./places.js";
import { activityNames, report } from "./session.js";
import { countOf, inWords, nameOf } from "./words.js";

const TIMELINE_ROW = 26;
const TIMELINE_LEFT = 74;
const TIMELINE_TOP = 26;

export class TimelineView {
  /** @param {Data.Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    this.height = TIMELINE_TOP + timeline.rows.length * TIMELINE_ROW + 8;
    /** @type {HTMLCanvasElement} */
    this.canvas = h("canvas", {
      tabindex: "0",
      role: "img",
      "aria-label": this.inWords(),
      style: { height: `${this.height}px` },
      onkeydown: (event) => this.key(event),
    });
    this.said = h("p", { class: "said", "aria-live": "polite" });
    this.row = 0;
    this.width = 0;
    this.ratio = 1;
    /** @type {number | null} */
    this.scheduled = null;
    /** @type {Record<string, string>} */
    this.colours = {};
    this.bar = -1;
    const zoom = /** @type {import("d3").ZoomBehavior<HTMLCanvasElement, unknown>} */ (d3.zoom());
    this.zoom = zoom
      .scaleExtent([1, 1e5])
      .filter((event) => !event.button && (event.type !== "wheel" || !event.altKey))
      .on("zoom", (event) => {
        this.transform = event.transform;
        this.schedule();
      });
    this.transform = d3.zoomIdentity;
    d3.select(this.canvas).call(this.zoom);
    d3.select(this.canvas).on("dblclick.zoom", () => this.reset());
    withHover(this.canvas, (event) => this.textAt(event));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.canvas);
    this.element = h(
      "div",
      { class: "timeline" },
      this.canvas,
      this.said,
      legend(this.activities()),
      h(
        "p",
        { class: "dim keys" },
        "Wheel or ",
        h("kbd", {}, "+"),
        " ",
        h("kbd", {}, "−"),
        " zooms, drag or ",
        h("kbd", {}, "←"),
        " ",
        h("kbd", {}, "→"),
        " moves, ",
        h("kbd", {}, "0"),
        " shows all. ",
        h("kbd", {}, "↑"),
        " ",
        h("kbd", {}, "↓"),
        inWords(" choose a thread, "),
        h("kbd", {}, "Shift"),
        " with ",
        h("kbd", {}, "←"),
        " ",
        h("kbd", {}, "→"),
        " goes from bar to bar.",
      ),
      timeline.omitted_threads > 0 &&
        h(
          "p",
          { class: "dim" },
          `${plural(timeline.omitted_threads, inWords("thread is"), inWords("threads are"))} not shown: less involved than these.`,
        ),
      throttledNote(timeline),
      asTable(() => this.asTable()),
    );
    this.element.addEventListener("themechange", () => this.schedule());
    // A frame would come too late for the printer.
    this.element.addEventListener("paper", () => this.draw());
  }

  inWords() {
    const { timeline } = this;
    const length = seconds(timeline.instance_end_seconds - timeline.instance_begin_seconds);
    const from = seconds(timeline.instance_begin_seconds);
    return (
      `Timeline of ${countOf(timeline.rows.length)}, ${seconds(timeline.end_seconds - timeline.begin_seconds)} ` +
      `long; the instance begins ${from} into the run and lasts ${length}. The table below it has the same in words.`
    );
  }

  activities() {
    const used = new Set(this.timeline.rows.flatMap((row) => row.bars.map((bar) => bar.activity)));
    return Object.keys(activityNames).filter((activity) => used.has(activity));
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    if (this.width === 0) return;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.ratio = ratio;
    this.zoom.extent([
      [TIMELINE_LEFT, 0],
      [this.width, this.height],
    ]);
    this.zoom.translateExtent([
      [TIMELINE_LEFT, 0],
      [this.width, this.height],
    ]);
    this.schedule();
  }

  schedule() {
    if (this.scheduled) return;
    this.scheduled = requestAnimationFrame(() => {
      this.scheduled = null;
      this.draw();
    });
  }

  scale() {
    const { begin_seconds, end_seconds } = this.timeline;
    return this.transform.rescaleX(
      d3.scaleLinear([begin_seconds, end_seconds], [TIMELINE_LEFT, this.width]),
    );
  }

  /** @param {number} index */
  rowTop(index) {
    return TIMELINE_TOP + index * TIMELINE_ROW;
  }

  draw() {
    const context = this.canvas.getContext("2d");
    if (!this.width || !context) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    const x = this.scale();
    this.colours = Object.fromEntries(
      Object.keys(activityNames).map((a) => [a, activityColour(a)]),
    );
    this.drawInstance(context, x);
    this.drawAxis(context, x);
    context.save();
    context.beginPath();
    context.rect(TIMELINE_LEFT, 0, this.width - TIMELINE_LEFT, this.height);
    context.clip();
    this.timeline.rows.forEach((row, index) => this.drawRow(context, x, row, index));
    this.drawArrows(context, x);
    context.restore();
    this.drawNames(context);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {import("d3").ScaleLinear<number, number>} x
   */
  drawInstance(context, x) {
    const { instance_begin_seconds, instance_end_seconds } = this.timeline;
    const left = Math.max(TIMELINE_LEFT, x(instance_begin_seconds));
    const right = Math.min(this.width, x(instance_end_seconds));
    if (right <= left) return;
    context.fillStyle = css("--mark");
    context.fillRect(left, 16, right - left, this.height);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {import("d3").ScaleLinear<number, number>} x
   */
  drawAxis(context, x) {
    context.font = `11px ${css("--sans")}`;
    context.textAlign = "center";
    const { begin_seconds } = this.timeline;
    const [from, to] = x.domain();
    for (const tick of d3.ticks(
      from - begin_seconds,
      to - begin_seconds,
      Math.max(2, this.width / 130),
    )) {
      const at = x(begin_seconds + tick);
      if (at < TIMELINE_LEFT) continue;
      context.fillStyle = css("--line");
      context.fillRect(at, 16, 1, this.height);
      context.fillStyle = css("--ink-3");
      if (at > TIMELINE_LEFT + 24) context.fillText(`+${seconds(tick)}`, at, 11);
    }
    context.textAlign = "left";
    context.fillText(`at ${seconds(begin_seconds)}`, 2, 11);
  }

  /** @param {CanvasRenderingContext2D} context */
  drawNames(context) {
    context.font = `12px ${css("--sans")}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    this.timeline.rows.forEach((row, index) => {
      const middle = this.rowTop(index) + TIMELINE_ROW / 2;
      context.fillStyle = css("--ink-2");
      context.fillText(clean(nameOf(row.thread)), 6, middle);
      if (index === this.row && document.activeElement === this.canvas) {
        context.strokeStyle = css("--accent");
        context.strokeRect(1.5, this.rowTop(index) + 1.5, this.width - 3, TIMELINE_ROW - 3);
      }
    });
    context.textBaseline = "alphabetic";
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {import("d3").ScaleLinear<number, number>} x
   * @param {Data.TimelineRow} row
   * @param {number} index
   */
  drawRow(context, x, row, index) {
    const top = this.rowTop(index) + 3;
    const height = TIMELINE_ROW - 6;
    const [from, to] = x.domain();
    context.font = `11px ${css("--sans")}`;
    row.bars.forEach((bar, number) => {
      if (bar.end_seconds < from || bar.begin_seconds > to) return;
      const left = Math.max(TIMELINE_LEFT, x(bar.begin_seconds));
      const right = Math.min(this.width, x(bar.end_seconds));
      const width = Math.max(0.6, right - left);
      context.fillStyle = this.colours[bar.activity] ?? "#888";
      context.fillRect(left, top, width, height);
      if (bar.activity === "waiting") this.hatch(context, left, top, width, height);
      // The edge of a function within a function.
      if (width > 3) {
        context.fillStyle = css("--card");
        context.globalAlpha = 0.55;
        context.fillRect(left, top, 1, height);
        context.globalAlpha = 1;
      }
      const next = row.bars[number + 1];
      const free =
        next && next.begin_seconds < bar.end_seconds ? x(next.begin_seconds) - left : width;
      if (Math.min(free, width) > 46)
        this.label(context, bar, left, top, Math.min(free, width), height);
      if (index === this.row && number === this.bar) {
        context.strokeStyle = css("--ink");
        context.lineWidth = 2;
        context.strokeRect(left, top, width, height);
        context.lineWidth = 1;
      }
    });
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Data.Bar} bar
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  label(context, bar, left, top, width, height) {
    const name = bar.activity === "waiting" ? "waiting" : this.timeline.places[bar.place]?.region;
    if (!name) return;
    context.save();
    context.beginPath();
    context.rect(left, top, width - 3, height);
    context.clip();
    const pale = ["fence", "collective", "barrier", "lock", "measurement", "waiting"].includes(
      bar.activity,
    );
    context.textBaseline = "middle";
    context.textAlign = "left";
    if (bar.activity === "waiting") {
      // Text is not read on hatching.
      context.fillStyle = this.colours.waiting;
      context.fillRect(left + 2, top + 2, context.measureText(name).width + 6, height - 4);
    }
    context.fillStyle = pale ? "#000" : "#fff";
    context.fillText(clean(name), left + 5, top + height / 2 + 0.5);
    context.restore();
    context.textBaseline = "alphabetic";
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  hatch(context, left, top, width, height) {
    if (width < 3) return;
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.strokeStyle = "rgb(255 255 255 / 40%)";
    context.lineWidth = 2;
    context.beginPath();
    // Fixed to the screen, so that a bar of a million pixels costs no more than what is seen of it.
    for (let at = left - (left % 7) - height; at < left + width; at += 7) {
      context.moveTo(at, top + height);
      context.lineTo(at + height, top);
    }
    context.stroke();
    context.restore();
    context.lineWidth = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {import("d3").ScaleLinear<number, number>} x
   */
  drawArrows(context, x) {
    const rows = new Map(this.timeline.rows.map((row, index) => [row.thread, index]));
    context.strokeStyle = css("--ink");
    context.fillStyle = css("--ink");
    context.globalAlpha = this.timeline.arrows.length > 60 ? 0.35 : 0.85;
    for (const arrow of this.timeline.arrows) {
      const from = rows.get(arrow.from_thread);
      const to = rows.get(arrow.to_thread);
      if (from === undefined || to === undefined) continue;
      const x1 = x(arrow.from_seconds);
      const y1 = this.rowTop(from) + TIMELINE_ROW / 2;
      const x2 = x(arrow.to_seconds);
      const y2 = this.rowTop(to) + TIMELINE_ROW / 2;
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      context.stroke();
      const angle = Math.atan2(y2 - y1, x2 - x1);
      context.beginPath();
      context.moveTo(x2, y2);
      context.lineTo(x2 - 8 * Math.cos(angle - 0.35), y2 - 8 * Math.sin(angle - 0.35));
      context.lineTo(x2 - 8 * Math.cos(angle + 0.35), y2 - 8 * Math.sin(angle + 0.35));
      context.fill();
      context.beginPath();
      context.arc(x1, y1, 2.5, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  /** @param {MouseEvent} event */
  textAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const index = Math.floor((event.clientY - box.top - TIMELINE_TOP) / TIMELINE_ROW);
    const row = this.timeline.rows[index];
    const at = event.clientX - box.left;
    if (!row || at < TIMELINE_LEFT) return null;
    const x = this.scale();
    const time = x.invert(at);
    const slack = x.invert(at + 1.5) - time;
    const stack = row.bars.filter(
      (bar) => bar.begin_seconds - slack <= time && bar.end_seconds + slack >= time,
    );
    const innermost = stack.at(-1);
    if (!innermost) return [`${nameOf(row.thread)}: nothing recorded`];
    return [
      ...this.describe(row, innermost),
      ...stack
        .slice(0, -1)
        .reverse()
        .map((bar) => `in ${this.place(bar)}`),
    ];
  }

  /** @param {Data.Bar} bar */
  place(bar) {
    const place = this.timeline.places[bar.place];
    if (!place) return "?";
    return place.file
      ? `${place.region} (${placeText(baseName(place.file), place.line)})`
      : place.region;
  }

  /**
   * @param {Data.TimelineRow} row
   * @param {Data.Bar} bar
   */
  describe(row, bar) {
    const what = activityNames[bar.activity] ?? bar.activity;
    const begin = bar.begin_seconds - this.timeline.begin_seconds;
    const lines = [
      `${nameOf(row.thread)}: ${what}, ${seconds(bar.end_seconds - bar.begin_seconds)}`,
      `${bar.activity === "waiting" ? "in " : ""}${this.place(bar)}, from +${seconds(begin)}`,
    ];
    if (bar.metric)
      lines.push(`${metricName(bar.metric)}${bar.of_instance ? ", part of this instance" : ""}`);
    if (bar.merged > 1) lines.push(`${count(bar.merged)} drawn as one`);
    const ended = this.timeline.arrows.find(
      (a) =>
        a.to_thread === row.thread &&
        bar.activity === "waiting" &&
        Math.abs(a.to_seconds - bar.end_seconds) < 1e-9,
    );
    if (ended) lines.push(`for ${nameOf(ended.from_thread)}`);
    return lines;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const canvas = d3.select(this.canvas);
    /** @type {Record<string, () => void>} */
    const keys = {
      "+": () => this.zoom.scaleBy(canvas, 1.5),
      "=": () => this.zoom.scaleBy(canvas, 1.5),
      "-": () => this.zoom.scaleBy(canvas, 1 / 1.5),
      0: () => this.reset(),
      ArrowLeft: () =>
        event.shiftKey
          ? this.goTo(this.row, this.bar - 1)
          : this.zoom.translateBy(canvas, 80 / this.transform.k, 0),
      ArrowRight: () =>
        event.shiftKey
          ? this.goTo(this.row, this.bar + 1)
          : this.zoom.translateBy(canvas, -80 / this.transform.k, 0),
      ArrowUp: () => this.goTo(this.row - 1, -1),
      ArrowDown: () => this.goTo(this.row + 1, -1),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  }

  reset() {
    this.zoom.transform(d3.select(this.canvas), d3.zoomIdentity);
  }

  /**
   * @param {number} row
   * @param {number} bar
   */
  goTo(row, bar) {
    this.row = Math.max(0, Math.min(this.timeline.rows.length - 1, row));
    const { bars, thread } = this.timeline.rows[this.row] ?? { bars: [] };
    this.bar = Math.max(-1, Math.min(bars.length - 1, bar));
    const current = bars[this.bar];
    if (current) {
      const x = this.scale();
      const middle = x((current.begin_seconds + current.end_seconds) / 2);
      if (middle < TIMELINE_LEFT || middle > this.width) {
        const shift = (TIMELINE_LEFT + this.width) / 2 - middle;
        this.zoom.translateBy(d3.select(this.canvas), shift / this.transform.k, 0);
      }
    }
    const text = current
      ? this.describe(this.timeline.rows[this.row], current).join("; ")
      : `${nameOf(thread)}: ${plural(bars.length, "bar")}`;
    this.said.textContent = clean(text);
    this.schedule();
  }

  // By thread: how long it did what, innermost activity first.
  asTable() {
    const { timeline } = this;
    const activities = this.activities();
    const rows = timeline.rows.map((row) => {
      const sums = innermost(row.bars);
      return [nameOf(row.thread), ...activities.map((a) => seconds(sums[a] ?? 0))];
    });
    const columns = [
      { name: inWords("Thread") },
      ...activities.map((a) => ({ name: activityNames[a], n: true })),
    ];
    const arrows = timeline.arrows
      .slice(0, 200)
      .map((a) => [
        nameOf(a.to_thread),
        nameOf(a.from_thread),
        `+${seconds(a.to_seconds - timeline.begin_seconds)}`,
        metricName(a.metric),
      ]);
    return h(
      "div",
      { class: "stack" },
      table(columns, rows, inWords("Time of each thread in the window by activity")),
      arrows.length > 0 &&
        table(
          [{ name: "Who waited" }, { name: "For" }, { name: "Until", n: true }, { name: "Why" }],
          arrows,
          "Who waited for whom",
        ),
    );
  }
}

/**
 * Calls that are not drawn look like their callers.
 *
 * @param {Data.Timeline} timeline
 */
function throttledNote(timeline) {
  const missing = report.summary.recording.throttled.filter(
    (t) => t.since_seconds != null && t.since_seconds < timeline.end_seconds,
  );
  if (missing.length === 0) return null;
  const names = missing
    .slice(0, 3)
    .map(
      (t) =>
        `${t.region} (${placeText(baseName(t.file), t.line)}) from ${seconds(t.since_seconds ?? 0)} into the run on`,
    );
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
  return h(
    "p",
    { class: "fair" },
    `Throttled calls are not drawn, their time is in their callers': ${names.join(", ")}${more}.`,
  );
}

/**
 * Seconds by activity, each moment counted for the innermost bar. Bars come by begin, outer before inner.
 *
 * @param {Data.Bar[]} bars
 * @returns {Record<string,number>}
 */
function innermost(bars) {
  /** @type {Record<string, number>} */
  const sums = {};
  /**
   * @param {Data.Bar} bar
   * @param {number} seconds
   */
  const add = (bar, seconds) => (sums[bar.activity] = (sums[bar.activity] ?? 0) + seconds);
  /** @type {Data.Bar[]} */
  const stack = [];
  for (const bar of bars) {
    while ((stack.at(-1)?.depth ?? -1) >= bar.depth) stack.pop();
    const outer = stack.at(-1);
    const length = bar.end_seconds - bar.begin_seconds;
    add(bar, length);
    if (outer) add(outer, -length);
    stack.push(bar);
  }
  return sums;
}
