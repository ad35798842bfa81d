// Operations that took the time of the period, by place.

import { byId, h } from "./dom.js";
import { bytes, count } from "./format.js";
import { keepList, setAttribute, setNote, setShare, setText } from "./keep.js";
import { placeText, shareText, spoken } from "./sentences.js";
import { countOf } from "./words.js";

/** Max number of rows. */
const ROWS = 20;

/** @param {Live.Picture} picture */
export function updateOperations(picture) {
  const section = byId("operations");
  const { operations } = picture;
  keepList(/** @type {Element} */ (section.querySelector("tbody")), operations.slice(0, ROWS), {
    key: ({ kind, place }) => `${kind} ${placeText(place)} ${place.file}`,
    make: makeOperation,
    update: (part, operation) => updateOperation(part, picture, operation),
  });
  const table = /** @type {HTMLElement} */ (section.querySelector("table"));
  table.hidden = operations.length === 0;
  const left = operations.length - ROWS;
  const none = operations.length === 0 ? "no operation took time" : "";
  setNote(
    /** @type {HTMLElement} */ (section.querySelector(":scope > p")),
    left > 0 ? `${left} more` : none,
  );
}

/** @param {Live.Operation} operation */
function makeOperation({ activity }) {
  const bar = h("i", {
    class: activity === "waiting" ? "a-waiting" : "a-one_sided",
  });
  const share = h("span", {});
  const [calls, moved, place] = [h("td", { class: "n" }), h("td", { class: "n" }), h("td", {})];
  const meter = h(
    "td",
    {},
    h("div", { class: "meter" }, h("span", { class: "share" }, bar), share),
  );
  return {
    element: h("tr", {}, meter, calls, moved, place),
    bar,
    share,
    calls,
    moved,
    place,
  };
}

/**
 * @param {ReturnType<typeof makeOperation>} part
 * @param {Live.Picture} picture
 * @param {Live.Operation} operation
 */
function updateOperation(part, { period, seen }, operation) {
  const share = period * seen > 0 ? operation.seconds / (period * seen) : 0;
  const perSecond = (/** @type {number} */ value) => (period > 0 ? value / period : 0);
  setShare(part.bar, "width", Math.min(1, share));
  setText(part.share, shareText(share));
  setText(part.calls, count(perSecond(operation.calls)));
  setText(part.moved, operation.bytes > 0 ? bytes(perSecond(operation.bytes)) : "");
  setText(part.place, `${placeText(operation.place)} (${spoken(operation.kind)})`);
  setAttribute(part.place, "title", `${operation.place.file}, ${countOf(operation.threads)}`);
}
