// What keys do, and how to read the page.

import { byId, h, replace } from "./dom.js";
import { inWords } from "./words.js";

/** @type {[title: string, keys: [key: string, what: string][]][]} */
const KEYS = [
  [
    "Everywhere",
    [
      ["1 … 9", "go to a view"],
      ["n  p", "next and previous finding"],
      ["t", "light or dark"],
      ["?", "this help"],
    ],
  ],
  [
    "Trees",
    [
      ["↑ ↓", "choose a node"],
      ["→ ←", "open and close it, or go in and out"],
      ["Home End", "first and last node"],
      ["*", "open all beside it"],
      ["letters", "go to the next node that begins with them"],
    ],
  ],
  [
    "Timelines",
    [
      ["+ − 0", "zoom in, out, show all"],
      ["← →", "move"],
      ["↑ ↓", inWords("choose a thread")],
      ["Shift ← →", "go from bar to bar"],
    ],
  ],
];

export function openHelp() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("help"));
  replace(
    dialog,
    h("h2", { id: "help-title" }, "Help"),
    h(
      "p",
      { class: "soft" },
      "In the trees, a closed node shows its value with everything below it, an open one its own alone. The metric that is " +
        inWords("chosen decides what the call paths show, both decide what the threads show."),
    ),
    KEYS.map(([title, keys]) => [
      h("h3", {}, title),
      h(
        "table",
        {},
        h(
          "tbody",
          {},
          keys.map(([key, what]) =>
            h(
              "tr",
              {},
              h(
                "td",
                { style: { width: "9rem" } },
                key.split(" ").map((k) => [h("kbd", {}, k), " "]),
              ),
              h("td", {}, what),
            ),
          ),
        ),
      ),
    ]),
    h(
      "p",
      {},
      h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close"),
    ),
  );
  dialog.showModal();
}
