// The reference: what each metric is, with a drawing and a formula where there is one, and how much of it this run has.

import { h, table } from "./dom.js";
import { figure } from "./format.js";
import { report, trees, values } from "./session.js";
import { inWords } from "./words.js";

/** @param {string[]} parameters */
export function patternsView(parameters) {
  const pages = referencePages();
  const wanted = parameters[0];
  const chosen = pages.find((page) => page.ids.includes(wanted)) ?? pages[0];
  if (!chosen) return h("p", { class: "notice" }, "There are no metrics.");
  const list = h(
    "nav",
    { class: "card side plain", "aria-label": "Metrics and patterns" },
    pages.map((page) =>
      h(
        "a",
        { href: `#patterns/${page.ids[0]}`, "aria-current": page === chosen && "true" },
        page.title,
      ),
    ),
  );
  const here = chosen.ids
    .map((id) => trees.metricById.get(id))
    .filter((metric) => metric !== undefined);
  const rows = here.map((metric) => {
    const { id, name, unit } = report.metrics[metric];
    return [
      h("a", { href: `#explore/${id}` }, name),
      figure(unit, values.total(metric, false)),
      report.metrics[metric].description,
    ];
  });
  return h(
    "div",
    { class: "with-list" },
    list,
    h(
      "div",
      { class: "stack" },
      h(
        "article",
        { class: "card reference" },
        h("h1", {}, chosen.title),
        inWords("thread") !== "thread" &&
          h("p", { class: "dim" }, `"Thread" on this page stands for ${inWords("a thread")}.`),
        chosen.content
          ? chosen.content.cloneNode(true)
          : h("p", {}, report.metrics[here[0]]?.description ?? ""),
      ),
      rows.length > 0 &&
        h(
          "section",
          { class: "card" },
          h("h2", {}, "In this run"),
          table([{ name: "Metric" }, { name: "Total", n: true }, { name: "" }], rows, "Totals"),
        ),
    ),
  );
}

/**
 * Pages that came with the report, then one for each metric that none explains.
 *
 * @returns {ReferencePage[]}
 */
export function referencePages() {
  /** @type {NodeListOf<HTMLTemplateElement>} */
  const templates = document.querySelectorAll("template.reference");
  /** @type {ReferencePage[]} */
  const pages = [...templates].map((template) => ({
    ids: (template.dataset.ids ?? "").split(" "),
    title: template.dataset.title ?? "",
    content: template.content,
  }));
  const explained = new Set(pages.flatMap((page) => page.ids));
  for (const { id, name } of report.metrics) {
    if (!explained.has(id)) pages.push({ ids: [id], title: name });
  }
  return pages;
}
