// Places in the source: links to the source view, and excerpts.

import { h } from "./dom.js";
import { baseName, cleanLine } from "./names.js";
import { report } from "./session.js";

/**
 * @param {string} file
 * @param {number} line
 */
export function placeText(file, line) {
  if (!file) return "";
  return line ? `${file}:${line}` : file;
}

/**
 * @param {string} file
 * @param {number} line
 */
export function sourceAddress(file, line) {
  return `#source/${encodeURIComponent(file)}/${line || 0}`;
}

/**
 * @param {string} file
 * @param {number} line
 */
export function placeLink(file, line) {
  if (!file) return null;
  return h(
    "a",
    { class: "mono name", href: sourceAddress(file, line), title: placeText(file, line) },
    placeText(baseName(file), line),
  );
}

/**
 * The text of a file by lines; nothing if it was not kept.
 *
 * @param {string} file
 * @returns {string[] | null}
 */
export function sourceLines(file) {
  const source = report.sources.find((f) => f.name === file);
  if (!source || source.text === undefined) return null;
  source.lines ??= source.text.split(/\r\n|\n|\r/);
  return source.lines;
}

/** @param {string} file */
export function sourceMissing(file) {
  return report.sources.find((f) => f.name === file)?.missing;
}

/**
 * Lines around one, that one marked; nothing where there is no text.
 *
 * @param {string} file
 * @param {number} line
 * @param {number} around
 */
export function excerpt(file, line, around) {
  const lines = sourceLines(file);
  if (!lines || !line || line > lines.length) return null;
  const first = Math.max(1, line - around);
  const last = Math.min(lines.length, line + around);
  const rows = [];
  for (let number = first; number <= last; number++) {
    const here = number === line;
    const text = h("span", { class: "text" });
    text.textContent = cleanLine(lines[number - 1]) || " ";
    rows.push(
      h(
        "div",
        { class: here && "here" },
        h("span", { class: "at", "aria-hidden": "true" }, String(number)),
        text,
      ),
    );
  }
  const label = `Source of ${file}, lines ${first} to ${last}; line ${line} is marked`;
  return h("div", { class: "excerpt", role: "region", "aria-label": label, tabindex: "0" }, rows);
}

/**
 * "upc_barrier in rank()"
 *
 * @param {string} region
 * @param {string} caller
 * @returns {Content}
 */
export function operation(region, caller) {
  if (!caller || caller === region) return h("span", { class: "mono name" }, region);
  return [
    h("span", { class: "mono name" }, region),
    " in ",
    h("span", { class: "mono name" }, `${caller}()`),
  ];
}
