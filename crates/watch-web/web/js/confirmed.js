// Alarms, and findings of the online search with the time at which each was confirmed or rejected.

import { byId, h, say } from "./dom.js";
import { seconds } from "./format.js";
import { keepList, setNote, setText } from "./keep.js";
import { alarmsOf, findingKey, findingText } from "./sentences.js";
import { state } from "./state.js";

/** Keys of the alarms that were said. */
let saidAlarms = "";

/** @param {Live.Picture} picture */
export function updateAlarms(picture) {
  const alarms = alarmsOf(picture);
  const section = byId("alarms");
  section.hidden = alarms.length === 0;
  keepList(/** @type {Element} */ (section.querySelector("ul")), alarms, {
    key: ({ key }) => key,
    make: ({ what }) => {
      const text = h("span", {});
      return {
        element: h("li", { class: what }, h("b", {}, `${what}: `), text),
        text,
      };
    },
    update: ({ text }, alarm) => setText(text, alarm.text),
  });
  const keys = alarms.map(({ key }) => key).join("\n");
  if (keys !== saidAlarms && alarms.length > 0) say(`${alarms[0].what}: ${alarms[0].text}`);
  saidAlarms = keys;
}

/** Indentation by the level of a finding. */
const LEVELS = ["program", "kind", "place", "thread"];

/** Level of indentation of one about two tasks: below the program. */
const PAIR = 1;

/** @param {Live.Picture} picture */
export function updateBottlenecks(picture) {
  const confirmed = (picture.findings ?? []).map((finding) => ({
    finding,
    isGone: false,
    when: `known after ${seconds(finding.known_after)}`,
  }));
  const keys = new Set(confirmed.map(({ finding }) => findingKey(finding)));
  const gone = [...state.gone]
    .filter(([key]) => !keys.has(key))
    .map(([, { finding, after }]) => ({
      finding,
      isGone: true,
      when: `confirmed after ${seconds(finding.known_after)}, gone at ${seconds(after)}`,
    }));
  const section = byId("bottlenecks");
  keepList(/** @type {Element} */ (section.querySelector("ul")), confirmed.concat(gone), {
    key: ({ finding, isGone }) => `${findingKey(finding)} ${isGone}`,
    make: makeFinding,
    update: (part, { finding, when }) => {
      setText(part.text, findingText(finding));
      setText(part.when, when);
    },
  });
  const none = confirmed.length + gone.length === 0 ? "none yet" : "";
  setNote(/** @type {HTMLElement} */ (section.querySelector(":scope > p")), none);
}

/** @param {{ finding: Live.Finding, isGone: boolean }} item */
function makeFinding({ finding, isGone }) {
  const [text, when] = [h("span", { class: "text" }), h("span", { class: "dim when" })];
  const depth = finding.level === "channel" ? PAIR : LEVELS.indexOf(finding.level);
  const level = isGone ? 0 : Math.max(0, depth);
  const style = { "--level": String(level) };
  return {
    element: h("li", { class: isGone && "gone", style }, text, " ", when),
    text,
    when,
  };
}

/** @param {Live.Finding} finding */
export function takeFound(finding) {
  state.gone.delete(findingKey(finding));
  say(`found: ${findingText(finding)}`);
}

/** @param {Live.Finding} finding */
export function takeGone(finding) {
  state.gone.set(findingKey(finding), {
    finding,
    after: state.newest?.elapsed ?? 0,
  });
  say(`gone: ${findingText(finding)}`);
}
