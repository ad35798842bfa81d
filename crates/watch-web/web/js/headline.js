// Summary of the period: efficiency, shares of time, rates, number of waiting threads.

import { byId, h } from "./dom.js";
import { bytes, count, seconds } from "./format.js";
import { keepList, setAttribute, setShare, setText } from "./keep.js";
import { baseName } from "./names.js";
import { placeText, shareText, spoken } from "./sentences.js";
import { kindsOf } from "./shares.js";
import { statesText } from "./taskrows.js";
import { countOf, nameOf } from "./words.js";

/** Min values of a good and of a fair efficiency, as in crates/report/src/figures.rs. */
const GOOD = 0.8;
const FAIR = 0.6;

/** @param {number | null} efficiency */
export function judged(efficiency) {
  if (efficiency === null) return "dim";
  if (efficiency >= GOOD) return "good";
  return efficiency >= FAIR ? "fair" : "bad";
}

/** @param {Live.Picture} picture */
export function programOf({ program, experiment }) {
  return baseName(program || experiment.replace(/\/+$/, ""));
}

/** @param {Live.Picture} picture */
export function updateHeadline(picture) {
  const efficiency = shareText(picture.efficiency);
  const program = programOf(picture);
  setText(byId("program"), program);
  setAttribute(byId("program"), "title", picture.experiment);
  document.title = `${efficiency} · ${program} · pgastool watch`;
  setText(byId("efficiency"), efficiency);
  setAttribute(byId("efficiency"), "class", judged(picture.efficiency));
  setText(byId("about"), aboutText(picture));
  setText(byId("rates"), ratesText(picture));
  updateShares(picture.times);
}

/** @param {Live.Picture} picture */
function aboutText({ seen, threads, elapsed, period }) {
  const of = seen < threads ? `${count(seen)} of ${countOf(threads)} seen` : countOf(threads);
  return `${of} · ${seconds(elapsed)} since the start · period of ${seconds(period)}`;
}

/** @param {Live.Picture} picture */
function ratesText(picture) {
  const { own, near, far, unknown } = picture.bytes_per_second;
  const moved = bytes(own + near + far + unknown);
  return `${waitsText(picture)} · ${count(picture.calls_per_second)} calls/s, ${moved}/s`;
}

/** @param {Live.Picture} picture */
function waitsText({ waits, waiting, seen, tasks, now }) {
  if (tasks) return statesText(tasks, now);
  const wait = waits[0];
  if (!wait) return `nobody of ${count(seen)} waits`;
  const here = wait.threads.length === waiting ? "" : `${count(wait.threads.length)} of them `;
  const longest = `${nameOf(wait.longest_thread)} for ${seconds(wait.longest)}`;
  const verb = waiting === 1 ? "waits" : "wait";
  return `${count(waiting)} of ${count(seen)} ${verb}: ${here}in ${placeText(wait.place)}, ${longest}`;
}

/** @param {Live.Times} times */
function updateShares(times) {
  const activities = kindsOf(times);
  const segments = activities.flatMap(({ id, look, share, kinds }) =>
    kinds.length > 0
      ? kinds.map((kind) => ({ ...kind, id, look, name: spoken(kind.kind) }))
      : [{ id, look, share, kind: "", name: id }],
  );
  keepList(byId("shares"), segments, {
    key: ({ id, kind }) => `${id} ${kind}`,
    make: makeSegment,
    update: updateSegment,
  });
  updateLegend(activities);
}

/** @param {{ look: string }} segment */
function makeSegment({ look }) {
  const label = h("b", {});
  return { element: h("i", { class: look }, label), label };
}

/**
 * @param {ReturnType<typeof makeSegment>} part
 * @param {{ id: string, name: string, share: number }} segment
 */
function updateSegment({ element, label }, { id, name, share }) {
  // The share first: narrow segments cut the end off.
  const text = `${shareText(share)} ${name}`;
  setShare(element, "width", share);
  setAttribute(element, "title", name === id ? text : `${id}: ${text}`);
  // A label that would be cut off is left to the legend.
  setText(label, share > 0.12 ? text : "");
}

/** @param {ReturnType<typeof kindsOf>} activities */
function updateLegend(activities) {
  keepList(byId("legend"), activities, {
    key: ({ id }) => id,
    make: ({ look }) => {
      const text = h("span", {});
      return {
        element: h("li", {}, h("span", { class: `swatch ${look}` }), text),
        text,
      };
    },
    update: ({ text }, activity) => setText(text, legendText(activity)),
  });
  const all = activities.map(legendText).join(", ");
  setAttribute(byId("shares"), "aria-label", all || "No time in the period.");
}

/**
 * "waiting 65 % (barrier 56 %, lock 9.2 %)"
 *
 * @param {ReturnType<typeof kindsOf>[number]} activity
 */
function legendText({ id, share, kinds }) {
  const names = kinds.map((kind) => `${spoken(kind.kind)} ${shareText(kind.share)}`);
  return `${id} ${shareText(share)}${names.length > 0 ? ` (${names.join(", ")})` : ""}`;
}
