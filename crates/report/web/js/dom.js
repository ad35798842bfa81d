// Makes elements. There is no other way in which text gets into the page than here, as text nodes.

import { clean } from "./names.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * h("p", { class: "soft", onclick: f, style: { width: "3px" } }, "text", element, [more])
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {...Content} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/**
 * The same for drawings.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {...Content} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Content[]} children
 */
function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "style") {
      for (const [property, text] of Object.entries(value))
        element.style.setProperty(property, text);
    } else if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? "" : clean(value));
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Content[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else element.append(clean(child));
  }
}

/**
 * @param {Element} element
 * @param {...Content} children
 */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element;
}

/**
 * Says something to those who listen to the page.
 *
 * @param {string} text
 */
export function say(text) {
  byId("said").textContent = clean(text);
}

/**
 * A table of figures: columns are { name, n: whether it is a number }, rows are lists of contents.
 *
 * @param {Column[]} columns
 * @param {Content[][]} rows
 * @param {string} [caption]
 */
export function table(columns, rows, caption) {
  return h(
    "table",
    { class: "figures" },
    caption && h("caption", { class: "unseen" }, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((c) => h("th", { scope: "col", class: c.n && "n" }, c.name)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          row.map((cell, i) => h("td", { class: columns[i].n && "n" }, cell)),
        ),
      ),
    ),
  );
}

/**
 * What a chart shows, as a table that can be opened; it is made when it is.
 *
 * @param {() => Element} make
 * @param {string} [label]
 */
export function asTable(make, label = "As a table") {
  const details = h("details", { class: "table" }, h("summary", {}, label));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1)
      details.append(h("div", { class: "scroll" }, make()));
  });
  return details;
}

/**
 * A drawing of the width that there is, drawn anew when that changes: draw(width) gives the element.
 *
 * @param {(width: number) => Element} draw
 */
export function fitted(draw) {
  const holder = h("div", { class: "fitted" });
  let drawn = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width === 0 || width === drawn) return;
    drawn = width;
    holder.replaceChildren(draw(width));
  }).observe(holder);
  return holder;
}

/**
 * An event for the parts that draw themselves. Only to what is shown now: views that were left hear nothing, and can go.
 *
 * @param {string} name
 * @param {boolean} [detail]
 */
export function tellParts(name, detail) {
  for (const part of document.querySelectorAll(".tree, .timeline"))
    part.dispatchEvent(new CustomEvent(name, { detail }));
}
