// The selected thread: its call path, locks, times of the period, metrics.

import { byId, h } from "./dom.js";
import { keepList, setNote, setText } from "./keep.js";
import { metricText } from "./metrics.js";
import { activityText, lockText, placeText, shareText, spoken } from "./sentences.js";
import { kindsOf } from "./shares.js";
import { state } from "./state.js";
import { inWords, nameOf } from "./words.js";

/** Levels of the call path that are indented further and further. */
const MAX_INDENT = 8;

/** @type {ReturnType<typeof makeDetail> | null} */
let detail = null;

/** @param {Live.Picture} picture */
export function updateDetail(picture) {
  detail ??= makeDetail();
  const now = picture.now.find(({ thread }) => thread === state.selected);
  detail.body.hidden = !now;
  setNote(detail.hint, now ? "" : hintText());
  if (!now) return;
  setText(detail.title, nameOf(now.thread));
  setText(detail.does, activityText(picture, now));
  updatePath(detail, now);
  updateFacts(detail.facts, now);
}

function hintText() {
  const { selected } = state;
  return selected === null
    ? inWords("Select a thread to see its call path.")
    : `${nameOf(selected)} is not in the picture: it has ended, or cannot be read.`;
}

function makeDetail() {
  const hint = h("p", { class: "dim" });
  const [title, does] = [h("h3", {}), h("p", { class: "soft" })];
  const [path, deeper] = [h("ol", { class: "path" }), h("p", { class: "dim" })];
  const facts = h("dl", { class: "facts" });
  const heading = h("h4", {}, "Call path");
  const body = h("div", {}, title, does, heading, path, deeper, facts);
  byId("detail").append(hint, body);
  return { hint, body, title, does, path, deeper, facts };
}

/**
 * @param {ReturnType<typeof makeDetail>} parts
 * @param {Live.Now} now
 */
function updatePath({ path, deeper }, now) {
  const levels = now.path.map((place, level) => ({ level, place }));
  keepList(path, levels, {
    key: ({ level }) => String(level),
    make: ({ level }) => {
      const style = { "--level": String(Math.min(level, MAX_INDENT)) };
      return { element: h("li", { class: "mono", style }) };
    },
    update: ({ element }, { place }) => setText(element, placeText(place)),
  });
  const none = now.path.length === 0 ? "no open region is known" : "";
  setNote(deeper, now.deeper > 0 ? `${now.deeper} more` : none);
}

/**
 * @param {Element} list
 * @param {Live.Now} now
 */
function updateFacts(list, now) {
  keepList(list, factsOf(now), {
    key: ({ name }) => name,
    make: ({ name }) => {
      const value = h("dd", {});
      return { element: h("div", {}, h("dt", {}, name), value), value };
    },
    update: ({ value }, { text }) => setText(value, text),
  });
}

/** @param {Live.Now} now */
function factsOf(now) {
  const facts = [];
  if (now.node) facts.push({ name: "node", text: now.node });
  if (now.held.length > 0) facts.push({ name: "holds", text: now.held.map(lockText).join(", ") });
  for (const { id, share, kinds } of now.times ? kindsOf(now.times) : []) {
    const names = kinds.map((kind) => `${spoken(kind.kind)} ${shareText(kind.share)}`).join(", ");
    facts.push({ name: id, text: names || shareText(share) });
  }
  for (const metric of now.metrics ?? [])
    facts.push({ name: metric.name, text: metricText(metric) });
  return facts;
}
