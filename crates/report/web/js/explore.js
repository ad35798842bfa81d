// The three coupled trees: what is chosen in the first decides what the second shows, and both what the third does.

import { changeColour, heat } from "./activities.js";
import { d3 } from "./d3.js";
import { h, replace, say } from "./dom.js";
import { count, figure, percent, signed } from "./format.js";
import { baseName } from "./names.js";
import { placeLink, placeText } from "./places.js";
import { beforeValues, report, trees, values } from "./session.js";
import { spreadBox, threadBars } from "./threads.js";
import { ROW, Tree } from "./tree.js";
import { inWords } from "./words.js";

const MODES = [
  ["absolute", "absolute"],
  ["root", "percent of root"],
  ["selection", "percent of selection"],
  ["change", "change against the other run"],
  ["changePercent", "change in percent"],
  ["before", "the other run"],
];

/**
 * Kept while other views are looked at.
 *
 * @type {Explorer | null}
 */
let explorer = null;

/** @param {string[]} parameters */
export function exploreView(parameters) {
  explorer ??= new Explorer();
  const [metric, path] = parameters;
  if (metric !== undefined) explorer.show(metric, path === undefined ? undefined : Number(path));
  return explorer.element;
}

/**
 * The share of a time that recording took, where it is worth a mark.
 *
 * @param {string | undefined} share
 */
export function inflatedBy(share) {
  return share && `[${share} recording]`;
}

class Explorer {
  constructor() {
    this.mode = "absolute";
    /** @type {ByThread} */
    this.current = {};
    /** @type {ByThread | undefined} */
    this.currentBefore = undefined;
    const { metricChildren, pathChildren } = trees;
    this.metrics = new Tree(
      {
        label: "Metrics",
        roots: metricChildren.roots,
        children: (m) => metricChildren.of[m],
        parent: (m) => report.metrics[m].parent,
        text: (m) => report.metrics[m].name,
        hint: (m) => inflatedBy(report.inflated.metrics[m]),
        weight: (m) => values.total(m, false),
        value: (m, open) => this.metricValue(m, open),
      },
      () => this.update(),
    );
    this.paths = new Tree(
      {
        label: "Call paths",
        roots: pathChildren.roots,
        children: (p) => pathChildren.of[p],
        parent: (p) => trees.paths.parent[p],
        text: (p) => trees.regionName(p),
        hint: (p) =>
          [
            inflatedBy(report.inflated.call_paths[p]),
            placeText(baseName(trees.file(p)), trees.paths.line[p]),
          ]
            .filter(Boolean)
            .join(" · "),
        weight: (p) => values.withCallees(this.metric, this.metricOpen)[p],
        value: (p, open) => this.pathValue(p, open),
      },
      () => this.update(),
    );
    this.machine = systemTree();
    this.system = new Tree(
      {
        label: "System",
        roots: [0],
        children: (n) => this.machine[n].children,
        parent: (n) => this.machine[n].parent,
        text: (n) => this.machine[n].name,
        weight: (n) => this.systemSum(n),
        value: (n, open) => this.systemValue(n, open),
      },
      () => this.update(),
    );
    this.openFirst();
    this.note = h("p", { class: "dim", hidden: true });
    this.threads = h("section", { class: "card", "aria-label": inWords("Values by thread") });
    this.about = h("section", { class: "card" });
    this.scale = h("span", { class: "scale" });
    this.element = h(
      "div",
      {},
      this.toolbar(),
      h(
        "div",
        { class: "trees" },
        pane("Metric", this.metrics),
        pane("Call path", this.paths, [finder(this.paths), hotPathButton(this.paths)]),
        pane("System", this.system),
      ),
      h("div", { class: "below" }, this.about, this.threads),
    );
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.update();
  }

  openFirst() {
    /**
     * @param {import("./tree.js").Tree} tree
     * @param {(node: number) => number[]} children
     * @param {number} depth
     */
    const open = (tree, children, depth) => {
      let level = tree.model.roots;
      for (let i = 0; i < depth; i++) {
        level.forEach((node) => tree.open.add(node));
        level = level.flatMap((node) => children(node));
        if (level.length > 60) break;
      }
    };
    const time = trees.metricById.get("time");
    if (time !== undefined) {
      this.metrics.open.add(time);
      const pgas = trees.metricById.get("pgas");
      if (pgas !== undefined) this.metrics.open.add(pgas);
    }
    // What is worth most to look at, so that all three trees have something to show.
    const [first] = report.summary.findings;
    const metric = first && trees.metricById.get(first.metric);
    this.metrics.selected = metric ?? trees.metricById.get("computation") ?? pgasOrFirst();
    for (
      let m = report.metrics[this.metrics.selected].parent;
      m !== null;
      m = report.metrics[m].parent
    )
      this.metrics.open.add(m);
    if (metric !== undefined) {
      this.paths.selected = first.call_path;
      for (let p = trees.paths.parent[first.call_path]; p !== null; p = trees.paths.parent[p])
        this.paths.open.add(p);
    }
    open(this.paths, (p) => trees.pathChildren.of[p], 2);
    open(this.system, (n) => this.machine[n].children, report.summary.threads <= 64 ? 2 : 1);
  }

  get metric() {
    return this.metrics.selected;
  }
  get metricOpen() {
    return this.metrics.isOpen(this.metric);
  }
  get path() {
    return this.paths.selected;
  }
  get pathOpen() {
    return this.paths.isOpen(this.path);
  }

  toolbar() {
    const modes = MODES.filter(
      ([id]) => report.comparison || !["change", "changePercent", "before"].includes(id),
    );
    const select = h(
      "select",
      {
        id: "mode",
        onchange: (event) => {
          this.mode = event.target.value;
          this.update();
        },
      },
      modes.map(([id, name]) => h("option", { value: id }, name)),
    );
    return h("div", { class: "toolbar" }, h("label", {}, "Values", select), this.note, this.scale);
  }

  /**
   * Of one run: what the modes are made from.
   *
   * @param {number} sum
   * @param {number} reference
   * @param {number} before
   * @param {number} root
   * @returns {Shown}
   */
  value(sum, reference, before, root) {
    const { unit } = report.metrics[this.metric];
    return this.shown(unit, sum, reference, before, root);
  }

  /**
   * @param {Data.Unit} unit
   * @param {number} now
   * @param {number} selection
   * @param {number} before
   * @param {number} root
   * @returns {Shown}
   */
  shown(unit, now, selection, before, root) {
    const exact = `${now} ${unit}`;
    const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
      whole ? part / whole : 0;
    switch (this.mode) {
      case "root":
        return {
          text: percent(share(now, root) * 100),
          share: share(now, root),
          zero: now === 0,
          title: exact,
        };
      case "selection":
        return {
          text: percent(share(now, selection) * 100),
          share: share(now, selection),
          zero: now === 0,
          title: exact,
        };
      case "before":
        return {
          text: figure(unit, before),
          share: share(before, selection),
          zero: before === 0,
          title: `${before} ${unit}`,
        };
      case "change": {
        const change = now - before;
        const part = share(change, root);
        return {
          text: signed(figure(unit, change), change),
          share: part,
          colour: changeColour(Math.sign(part) * Math.sqrt(Math.abs(part))),
          zero: change === 0,
          title: `${before} → ${exact}`,
        };
      }
      case "changePercent": {
        const change = before ? ((now - before) / before) * 100 : now ? Infinity : 0;
        const text = Number.isFinite(change) ? signed(percent(change), change) : "new";
        return {
          text,
          share: Math.min(1, Math.abs(change) / 100),
          colour: changeColour(change / 100),
          zero: change === 0,
          title: `${before} → ${exact}`,
        };
      }
      default:
        return {
          text: figure(unit, now),
          share: share(now, selection),
          zero: now === 0,
          title: exact,
        };
    }
  }

  /**
   * A metric's share is that of the root of its tree.
   *
   * @param {number} metric
   * @param {boolean} open
   */
  metricValue(metric, open) {
    const whole = values.total(trees.rootOf(metric), false);
    const before = beforeValues ? beforeValues.total(metric, open) : 0;
    return this.shown(
      report.metrics[metric].unit,
      values.total(metric, open),
      whole,
      before,
      whole,
    );
  }

  rootTotal() {
    return values.total(trees.rootOf(this.metric), false);
  }

  /**
   * @param {import("./values.js").Values} which
   * @param {number} path
   * @param {boolean} open
   */
  pathSum(which, path, open) {
    const list = open
      ? which.own(this.metric, this.metricOpen)
      : which.withCallees(this.metric, this.metricOpen);
    return list[path];
  }

  /**
   * @param {number} path
   * @param {boolean} open
   */
  pathValue(path, open) {
    const before = beforeValues ? this.pathSum(beforeValues, path, open) : 0;
    return this.value(
      this.pathSum(values, path, open),
      values.total(this.metric, this.metricOpen),
      before,
      this.rootTotal(),
    );
  }

  /**
   * @param {number} node
   * @param {Numbers} [list]
   */
  systemSum(node, list = this.current?.values) {
    return list ? d3.sum(this.machine[node].threads, (t) => list[t]) : 0;
  }

  /**
   * @param {number} node
   * @param {boolean} open
   * @returns {Shown}
   */
  systemValue(node, open) {
    if (!this.current?.values) return { text: "–", share: 0, zero: true };
    // Only threads have values of their own.
    const sum = open ? 0 : this.systemSum(node);
    const before =
      open || !this.currentBefore?.values ? 0 : this.systemSum(node, this.currentBefore.values);
    return this.value(
      sum,
      this.pathSum(values, this.path, this.pathOpen),
      before,
      this.rootTotal(),
    );
  }

  /**
   * Opens the trees at a metric and a call path, e.g. from a finding.
   *
   * @param {string} metricId
   * @param {number} [path]
   */
  show(metricId, path) {
    const metric = trees.metricById.get(metricId);
    if (metric !== undefined) this.metrics.reveal(metric);
    if (path !== undefined && path >= 0 && path < trees.paths.region.length)
      this.paths.reveal(path);
  }

  update() {
    this.current = values.byThread(this.metric, this.metricOpen, this.path, this.pathOpen);
    this.currentBefore = beforeValues?.byThread(
      this.metric,
      this.metricOpen,
      this.path,
      this.pathOpen,
    );
    [this.metrics, this.paths, this.system].forEach((tree) => tree.refresh());
    this.drawThreads();
    this.drawAbout();
    this.drawScale();
  }

  drawScale() {
    const change = this.mode.startsWith("change");
    const colours = d3
      .range(0, 1.01, 0.1)
      .map((at) => (change ? changeColour(at * 2 - 1) : heat(at)));
    const strip = h("i", {
      style: { background: `linear-gradient(90deg, ${colours.join(", ")})` },
    });
    replace(this.scale, change ? ["less", strip, "more"] : ["0 %", strip, "100 %"]);
  }

  drawThreads() {
    const { name, unit } = report.metrics[this.metric];
    const heading = h(
      "header",
      {},
      h("h2", {}, inWords("By thread")),
      h("span", { class: "dim" }, this.selectionInWords()),
    );
    const { values: list, spread } = this.current;
    let chart;
    if (list) {
      const before =
        this.mode === "before" || this.mode.startsWith("change")
          ? this.currentBefore?.values
          : undefined;
      const colour = report.metrics[this.metric].wait_state ? "var(--waiting)" : undefined;
      chart = threadBars(list, { unit, label: name, before, colour });
    } else {
      chart = [
        h(
          "p",
          { class: "dim" },
          inWords(
            "This call path contributes little to every metric, so this page leaves out its values by thread to stay " +
              "small. Its sum is exact, and its callers have the values of all threads.",
          ),
        ),
        spread &&
          h(
            "p",
            {},
            `${inWords("Without callees, threads have")} ${figure(unit, spread[0])} to ` +
              `${figure(unit, spread[4])}, half of them ` +
              `${figure(unit, spread[1])} to ${figure(unit, spread[3])}; median ${figure(unit, spread[2])}.`,
          ),
        spread && spreadBox(spread, spread[4]),
      ];
    }
    replace(this.threads, heading, chart);
  }

  selectionInWords() {
    const metric = report.metrics[this.metric].name;
    const parts = [
      `${metric}${this.metricOpen ? " without its parts" : ""}`,
      `in ${trees.regionName(this.path)}${this.pathOpen ? " alone" : trees.pathChildren.of[this.path].length ? " and what it calls" : ""}`,
    ];
    return parts.join(" ");
  }

  drawAbout() {
    const metric = report.metrics[this.metric];
    const { path } = this;
    const region = trees.regions[trees.paths.region[path]];
    const total = this.pathSum(values, path, this.pathOpen);
    const visits = trees.metricById.get("visits");
    const calls = visits === undefined ? 0 : values.own(visits, false)[path];
    const here = report.summary.findings
      .map((finding, i) => ({ finding, i }))
      .filter(({ finding }) => finding.call_path === path);
    const definition = placeText(region.module, region.begin_line);
    replace(
      this.about,
      h("h2", {}, "The selection"),
      h(
        "dl",
        { class: "facts" },
        h("dt", {}, metric.name),
        h(
          "dd",
          {},
          h("b", {}, figure(metric.unit, total)),
          h(
            "span",
            { class: "dim" },
            ` · ${percent((total / this.rootTotal()) * 100)} of the root`,
          ),
        ),
        h("dt", {}, "Call path"),
        h(
          "dd",
          { class: "mono" },
          trees
            .callers(path)
            .map((p) => trees.regionName(p))
            .join(" › "),
        ),
        trees.file(path) && [
          h("dt", {}, "Called at"),
          h("dd", {}, placeLink(trees.file(path), trees.paths.line[path])),
        ],
        definition && [h("dt", {}, "Defined in"), h("dd", { class: "mono" }, definition)],
        calls > 0 && [h("dt", {}, "Calls"), h("dd", {}, count(calls))],
        h("dt", {}, "Metric"),
        h("dd", {}, metric.description, " ", h("a", { href: `#patterns/${metric.id}` }, "more")),
        here.length > 0 && [
          h("dt", {}, "Findings"),
          h(
            "dd",
            {},
            here.map(({ i }) => [
              h("a", { href: `#findings/${i + 1}` }, `${i + 1} ${report.titles[i]}`),
              " ",
            ]),
          ),
        ],
      ),
    );
  }

  /** @param {boolean} printing */
  print(printing) {
    [this.metrics, this.paths, this.system].forEach((tree) => {
      tree.element.style.setProperty(
        "height",
        printing ? `${Math.min(200, tree.list.length) * ROW}px` : "",
      );
      tree.drawn = null;
      tree.draw();
    });
  }
}

export function pgasOrFirst() {
  return trees.metricById.get("time") ?? trees.metricChildren.roots[0];
}

/**
 * @param {string} title
 * @param {import("./tree.js").Tree} tree
 * @param {Content} [tools]
 */
function pane(title, tree, tools) {
  return h(
    "section",
    { class: "card pane", "aria-label": title },
    h("header", {}, h("h2", {}, title), tools),
    tree.element,
  );
}

/** @param {import("./tree.js").Tree} tree */
function finder(tree) {
  const input = h("input", {
    type: "search",
    id: "find",
    placeholder: "find…",
    "aria-label": "Find a call path by function, file or line; Enter goes to the next",
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      const found = tree.find(input.value);
      input.setAttribute("aria-invalid", String(!found));
      say(found ? `${trees.regionName(tree.selected)}` : "not found");
    },
  });
  return input;
}

/** @param {import("./tree.js").Tree} tree */
function hotPathButton(tree) {
  return h(
    "button",
    {
      type: "button",
      id: "hot",
      title: "From the selection down to where most of its value is",
      onclick: () => tree.hotPath(),
    },
    "hot path",
  );
}

// Machine, nodes, processes where they have several threads, threads: { name, parent, children, threads }.
function systemTree() {
  const { machine, nodes, threads, node, process } = report.system;
  /** @type {{ name: string, parent: number | null, children: number[], threads: number[] }[]} */
  const all = [
    { name: machine || "machine", parent: null, children: [], threads: threads.map((_, t) => t) },
  ];
  /**
   * @param {string} name
   * @param {number} parent
   * @param {number[]} of
   */
  const add = (name, parent, of) => {
    all.push({ name, parent, children: [], threads: of });
    all[parent].children.push(all.length - 1);
    return all.length - 1;
  };
  nodes.forEach((name, n) => {
    const of = d3.range(threads.length).filter((t) => node[t] === n);
    const parent = add(name, 0, of);
    const processes = d3.group(of, (t) => process[t]);
    for (const [number, members] of processes) {
      const above = members.length > 1 ? add(`process ${number}`, parent, members) : parent;
      members.forEach((t) => add(threads[t], above, [t]));
    }
  });
  return all;
}
