// Places where threads wait now, and the threads that they wait for: holders of the lock, or those that have not
// entered the barrier or collective operation.

import { byId, h } from "./dom.js";
import { count, seconds } from "./format.js";
import { keepList, setNote, setText } from "./keep.js";
import { activityText, holderOf, placeText, threadsText } from "./sentences.js";
import { state } from "./state.js";
import { countOf, nameOf } from "./words.js";

/** Max number of lines for the threads that others wait for. */
const MISSING = 8;
/** Max number of places. */
const PLACES = 20;

/** @param {() => void} redraw */
export function watchWaits(redraw) {
  byId("waits").addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!button) return;
    state.selected = Number(button.dataset.thread);
    redraw();
    byId("detail").scrollIntoView({ block: "nearest" });
  });
}

/** @param {Live.Picture} picture */
export function updateWaits(picture) {
  const section = byId("waits");
  const { waits } = picture;
  keepList(/** @type {Element} */ (section.querySelector("ul")), waits.slice(0, PLACES), {
    key: ({ kind, place }) => `${kind} ${placeText(place)} ${place.file}`,
    make: makeWait,
    update: (part, wait) => updateWait(part, picture, wait),
  });
  const more = waits.length > PLACES ? `${waits.length - PLACES} more places` : "";
  const none = waits.length === 0 ? "nobody waits" : "";
  setNote(/** @type {HTMLElement} */ (section.querySelector(":scope > p")), more || none);
}

function makeWait() {
  const [head, who] = [h("p", { class: "where" }), h("p", { class: "soft" })];
  const [causes, more] = [h("ul", {}), h("p", { class: "dim" })];
  return {
    element: h("li", {}, head, who, causes, more),
    head,
    who,
    causes,
    more,
  };
}

/**
 * @param {ReturnType<typeof makeWait>} part
 * @param {Live.Picture} picture
 * @param {Live.Wait} wait
 */
function updateWait({ head, who, causes, more }, picture, wait) {
  const { threads, longest, longest_thread, place } = wait;
  const verb = threads.length === 1 ? "waits" : "wait";
  setText(
    head,
    `${count(threads.length)} of ${count(picture.seen)} ${verb} in ${placeText(place)}`,
  );
  const longestText = `${nameOf(longest_thread)} for ${seconds(longest)}`;
  setText(who, `${threadsText(threads)}; longest ${longestText}`);
  const missing = missingFor(picture, wait);
  keepList(causes, missing.slice(0, MISSING), {
    key: ({ thread }) => String(thread),
    make: (now) => makeCause(wait, now),
    update: (part, now) => {
      setText(part.name, nameOf(now.thread));
      setText(part.text, `, which ${activityText(picture, now)}`);
    },
  });
  const left = missing.length - MISSING;
  setNote(more, left > 0 ? `${countOf(left)} more` : "");
}

/**
 * @param {Live.Wait} wait
 * @param {Live.Now} now
 */
function makeCause({ kind }, now) {
  const name = h("button", {
    type: "button",
    class: "plain name",
    "data-thread": now.thread,
  });
  const text = h("span", {});
  const relation = kind === "lock" ? "held by " : "missing: ";
  return { element: h("li", {}, relation, name, text), name, text };
}

/**
 * @param {Live.Picture} picture
 * @param {Live.Wait} wait
 */
function missingFor(picture, { kind, threads }) {
  const waiting = new Set(threads);
  if (kind === "lock") {
    const wanted = picture.now.filter(({ thread }) => waiting.has(thread)).map((n) => n.wanted);
    const holders = wanted.flatMap((lock) =>
      lock === null ? [] : (holderOf(picture, lock) ?? []),
    );
    return [...new Set(holders)].sort((a, b) => a.thread - b.thread);
  }
  if (kind !== "barrier" && kind !== "collective") return [];
  return picture.now.filter((now) => !waiting.has(now.thread) && now.activity !== "ended");
}
