// What keys do, and how to read the page.

import { byId, h, replace } from "./dom.js";
import { inWords } from "./words.js";

/** @type {[key: string, what: string][]} */
const KEYS_OF_WATCH = [
  ["Space", "hold the picture, and go on"],
  ["1", "threads"],
  ["2", "waits"],
  ["3", "operations"],
  ["4", "metrics"],
  ["5", "tasks and channels"],
  ["o", "next order of the threads"],
  ["/", "filter the threads"],
  ["↑ ↓", "previous and next thread in the list"],
  ["Enter", "select the thread, or leave it"],
  ["t", "light or dark"],
  ["?", "this help"],
];

const READING =
  "Bars are of the last period: computing, waiting, communicating. A wait counts while it lasts. The curve shows the " +
  "whole run; the upper edge of computing is the efficiency. The program does not notice that it is watched.";

export function openWatchHelp() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("help"));
  const rows = KEYS_OF_WATCH.map(([keys, what]) =>
    h(
      "tr",
      {},
      h(
        "td",
        { class: "keys" },
        keys.split(" ").map((key) => [h("kbd", {}, key), " "]),
      ),
      h("td", {}, inWords(what)),
    ),
  );
  const close = {
    type: "button",
    autofocus: true,
    onclick: () => dialog.close(),
  };
  replace(
    dialog,
    h("h2", { id: "help-title" }, "Help"),
    h("p", { class: "soft" }, READING),
    h("table", {}, h("tbody", {}, rows)),
    h("p", {}, h("button", close, "Close")),
  );
  dialog.showModal();
}
