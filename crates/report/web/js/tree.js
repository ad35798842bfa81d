// A tree as users of Cube know it: a closed node shows its value with all below, an open one without. Only rows that can
// be seen are elements, so that it may have any number of nodes. Keys are those of the tree pattern of WAI-ARIA.

import { heat } from "./activities.js";
import { h } from "./dom.js";

export const ROW = 24;
const ROWS_ON_PAPER = 200;

let treeCount = 0;

export class Tree {
  /**
   * model: { label, roots, children(node), text(node), hint(node), value(node, open) -> { text, share, colour, zero,
   * title } }; chosen(node) is called when another node is selected or the selected one opens or closes.
   *
   * @param {TreeModel} model
   * @param {(node: number) => void} chosen
   */
  constructor(model, chosen) {
    this.model = model;
    this.chosen = chosen;
    /** @type {Set<number>} */
    this.open = new Set();
    this.selected = model.roots[0];
    /**
     * Where the keys are, which may be elsewhere than the selection.
     *
     * @type {number | null}
     */
    this.cursor = null;
    /** @type {TreeEntry[]} */
    this.list = [];
    /** Places in the list, by node. */
    this.at = new Map();
    /**
     * The rows that are there now.
     *
     * @type {string | null}
     */
    this.drawn = null;
    this.onPaper = false;
    this.placeOnScreen = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.forget = undefined;
    this.id = `tree-${++treeCount}`;
    this.rows = h("div", { class: "rows", role: "presentation" });
    this.element = h(
      "div",
      {
        class: "tree",
        role: "tree",
        tabindex: "0",
        "aria-label": model.label,
        onkeydown: (event) => this.key(event),
        onclick: (event) => this.click(event),
        ondblclick: (event) => this.doubleClick(event),
        onscroll: () => this.draw(),
      },
      this.rows,
    );
    this.typed = "";
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.element.addEventListener("paper", (event) => {
      const { detail } = /** @type {CustomEvent<boolean>} */ (event);
      // Where nothing scrolls, the place is forgotten.
      if (detail) this.placeOnScreen = this.element.scrollTop;
      this.onPaper = detail;
      this.redraw();
      // The window may have its size back only later.
      if (!detail) requestAnimationFrame(() => this.redraw());
    });
  }

  /** @param {number} node */
  isOpen(node) {
    return this.open.has(node) && this.model.children(node).length > 0;
  }

  // After opening, closing or new values.
  refresh() {
    this.list = [];
    /** @type {TreeEntry[]} */
    const stack = [];
    /**
     * @param {number[]} nodes
     * @param {number} level
     * @param {number | null} parent
     */
    const push = (nodes, level, parent) => {
      for (let i = nodes.length - 1; i >= 0; i--) {
        stack.push({ node: nodes[i], level, parent, position: i + 1, size: nodes.length });
      }
    };
    push(this.model.roots, 1, null);
    for (let entry = stack.pop(); entry; entry = stack.pop()) {
      this.list.push(entry);
      if (this.isOpen(entry.node))
        push(this.model.children(entry.node), entry.level + 1, entry.node);
    }
    this.at = new Map(this.list.map((entry, i) => [entry.node, i]));
    if (!this.at.has(this.cursor)) this.cursor = this.selected;
    this.drawn = null;
    this.draw();
  }

  draw() {
    if (this.list.length === 0) return;
    if (this.onPaper) return this.drawOnPaper();
    const height = this.element.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW) - 8);
    const last = Math.min(this.list.length, Math.ceil((this.element.scrollTop + height) / ROW) + 8);
    const window = `${first} ${last}`;
    if (this.drawn === window) return;
    this.drawn = window;
    this.rows.style.setProperty("height", `${this.list.length * ROW}px`);
    this.rows.replaceChildren(
      ...this.list.slice(first, last).map((entry, i) => this.rowOf(entry, first + i)),
    );
    this.element.setAttribute(
      "aria-activedescendant",
      `${this.id}-${this.at.get(this.cursor) ?? 0}`,
    );
  }

  redraw() {
    this.drawn = null;
    this.draw();
    if (!this.onPaper) this.element.scrollTop = this.placeOnScreen;
  }

  // There is no scrolling: rows from the first that was in sight, as many as people read.
  drawOnPaper() {
    const top = Math.floor(this.placeOnScreen / ROW);
    const first =
      this.list.length <= ROWS_ON_PAPER
        ? 0
        : Math.max(0, Math.min(top, this.list.length - ROWS_ON_PAPER));
    const shown = this.list.slice(first, first + ROWS_ON_PAPER);
    const rows = shown.map((entry, i) => this.rowOf(entry, first + i));
    rows.forEach((row, i) => row.style.setProperty("top", `${i * ROW}px`));
    const all = shown.length === this.list.length;
    const words = `rows ${first + 1} to ${first + shown.length} of ${this.list.length}`;
    const note = h("p", { class: "row dim", style: { top: `${shown.length * ROW}px` } }, words);
    this.rows.style.setProperty("height", `${(shown.length + (all ? 0 : 1)) * ROW}px`);
    this.rows.replaceChildren(...rows, ...(all ? [] : [note]));
    this.drawn = null;
  }

  /**
   * @param {TreeEntry} entry
   * @param {number} index
   */
  rowOf(entry, index) {
    const { node, level } = entry;
    const children = this.model.children(node).length > 0;
    const open = this.isOpen(node);
    const value = this.model.value(node, open);
    const hint = this.model.hint?.(node);
    const text = this.model.text(node);
    const share = Math.max(0, Math.min(1, Math.abs(value.share || 0)));
    return h(
      "div",
      {
        class: `row${value.zero ? " zero" : ""}${node === this.cursor ? " cursor" : ""}`,
        id: `${this.id}-${index}`,
        role: "treeitem",
        "aria-level": String(level),
        "aria-posinset": String(entry.position),
        "aria-setsize": String(entry.size),
        "aria-expanded": children ? String(open) : undefined,
        "aria-selected": String(node === this.selected),
        "aria-label": `${text}${hint ? `, ${hint}` : ""}: ${value.text}`,
        "data-index": String(index),
        title: value.title,
        style: { top: `${index * ROW}px` },
      },
      h("span", { style: { flex: "none", width: `${(level - 1) * 14}px` } }),
      h("span", { class: "twisty", "aria-hidden": "true" }, children ? (open ? "▼" : "▶") : ""),
      h(
        "span",
        { class: "box", "aria-hidden": "true" },
        h("i", {
          style: {
            width: share > 0 ? `${Math.max(4, share * 100)}%` : "0",
            background: value.colour ?? heat(share),
          },
        }),
      ),
      h("span", { class: "value" }, value.text),
      h("span", { class: "label" }, text),
      hint && h("span", { class: "hint" }, hint),
    );
  }

  /** @param {MouseEvent & {target: HTMLElement}} event */
  entryOf(event) {
    /** @type {HTMLElement | null} */
    const row = event.target.closest(".row");
    return row && this.list[Number(row.dataset.index)];
  }

  /** @param {MouseEvent & {target: HTMLElement}} event */
  click(event) {
    const entry = this.entryOf(event);
    if (!entry) return;
    if (event.target.closest(".twisty") && this.model.children(entry.node).length > 0)
      this.toggle(entry.node);
    else this.select(entry.node);
  }

  /** @param {MouseEvent & {target: HTMLElement}} event */
  doubleClick(event) {
    const entry = this.entryOf(event);
    if (entry && !event.target.closest(".twisty") && this.model.children(entry.node).length > 0)
      this.toggle(entry.node);
  }

  /** @param {number} node */
  toggle(node) {
    if (this.open.has(node)) this.open.delete(node);
    else this.open.add(node);
    // A selection that is hidden now goes to the node that hides it.
    if (!this.isOpen(node) && this.isBelow(this.selected, node)) this.selected = node;
    this.cursor = node;
    this.refresh();
    this.chosen(this.selected);
  }

  /**
   * @param {number} node
   * @param {number} above
   */
  isBelow(node, above) {
    for (let n = this.model.parent(node); n !== null; n = this.model.parent(n))
      if (n === above) return true;
    return false;
  }

  /** @param {number} node */
  select(node) {
    this.selected = node;
    this.move(node);
    this.chosen(node);
  }

  /** @param {number} node */
  move(node) {
    this.cursor = node;
    const top = this.at.get(node) * ROW;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight)
      this.element.scrollTop = top + ROW - clientHeight;
    this.drawn = null;
    this.draw();
  }

  /**
   * Opens what is above it, and selects it.
   *
   * @param {number} node
   */
  reveal(node) {
    for (let n = this.model.parent(node); n !== null; n = this.model.parent(n)) this.open.add(n);
    this.selected = node;
    this.cursor = node;
    this.refresh();
    this.element.scrollTop = Math.max(0, this.at.get(node) * ROW - this.element.clientHeight / 2);
    this.move(node);
    this.chosen(node);
  }

  // Down the child with most, as long as one has most of its parent's value.
  hotPath() {
    let node = this.selected;
    for (;;) {
      const children = this.model.children(node);
      if (children.length === 0) break;
      /** @param {number} n */
      const weight = (n) => Math.abs(this.model.weight(n));
      const heaviest = children.reduce((best, n) => (weight(n) > weight(best) ? n : best));
      if (weight(heaviest) < 0.5 * weight(node) || weight(heaviest) === 0) break;
      node = heaviest;
    }
    this.reveal(node);
  }

  /**
   * The next node whose text has this in it, opened or not.
   *
   * @param {string} text
   */
  find(text) {
    const wanted = text.toLowerCase();
    if (!wanted) return true;
    const all = [];
    const stack = [...this.model.roots].reverse();
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      all.push(node);
      stack.push(...[...this.model.children(node)].reverse());
    }
    const start = all.indexOf(this.selected);
    for (let i = 1; i <= all.length; i++) {
      const node = all[(start + i) % all.length];
      const searched = `${this.model.text(node)} ${this.model.hint?.(node) ?? ""}`.toLowerCase();
      if (searched.includes(wanted)) {
        this.reveal(node);
        return true;
      }
    }
    return false;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = this.at.get(this.cursor) ?? 0;
    const entry = this.list[index];
    const children = this.model.children(entry.node);
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 1);
    /** @param {number} to */
    const go = (to) => this.select(this.list[Math.max(0, Math.min(this.list.length - 1, to))].node);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index - 1),
      PageDown: () => go(index + page),
      PageUp: () => go(index - page),
      Home: () => go(0),
      End: () => go(this.list.length - 1),
      ArrowRight: () => {
        if (children.length === 0) return;
        if (this.isOpen(entry.node)) go(index + 1);
        else this.toggle(entry.node);
      },
      ArrowLeft: () => {
        if (this.isOpen(entry.node)) this.toggle(entry.node);
        else if (entry.parent !== null) this.select(entry.parent);
      },
      Enter: () => children.length > 0 && this.toggle(entry.node),
      " ": () => this.select(entry.node),
      "*": () => {
        const siblings =
          entry.parent === null ? this.model.roots : this.model.children(entry.parent);
        siblings.forEach((node) => this.model.children(node).length > 0 && this.open.add(node));
        this.refresh();
        this.chosen(this.selected);
      },
    };
    if (keys[event.key]) keys[event.key]();
    else if (event.key.length === 1 && event.key !== "?") this.type(event.key, index);
    else return;
    event.preventDefault();
  }

  /**
   * Letters go to the next row that begins with them.
   *
   * @param {string} letter
   * @param {number} index
   */
  type(letter, index) {
    clearTimeout(this.forget);
    this.forget = setTimeout(() => (this.typed = ""), 700);
    this.typed += letter.toLowerCase();
    const begin = this.typed.length > 1 ? 0 : 1;
    for (let i = begin; i <= this.list.length; i++) {
      const { node } = this.list[(index + i) % this.list.length];
      if (this.model.text(node).toLowerCase().startsWith(this.typed)) return this.select(node);
    }
  }
}
