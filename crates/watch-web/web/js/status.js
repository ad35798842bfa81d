// What a reader must know about the age of the picture: whether it is live, held, old, or the last one.

import { byId, say } from "./dom.js";
import { seconds } from "./format.js";
import { setAttribute, setNote, setText } from "./keep.js";
import { alarmsOf } from "./sentences.js";
import { state } from "./state.js";

/** Seconds without a picture, beyond five periods, from which on it is called old. */
const SILENCE = 5;

const connection = {
  /** `connecting`, `live`, `lost`, `refused` or `ended`. */
  state: "connecting",
  /** Milliseconds of the page's clock. */
  since: performance.now(),
  pictureAt: performance.now(),
  why: "",
};

/**
 * @param {string} now
 * @param {string} [why]
 */
export function setConnection(now, why = "") {
  // A server that refuses, or has said that the program has ended, closes the connection, too.
  if (connection.state === "ended" || (connection.state === "refused" && now === "lost")) return;
  if (connection.state === now) return;
  Object.assign(connection, { state: now, since: performance.now(), why });
  if (now === "live") connection.pictureAt = performance.now();
  if (now === "lost" || now === "ended") say(bannerText());
  updateStatus();
}

export function notePicture() {
  connection.pictureAt = performance.now();
}

export function updateStatus() {
  const label = labelText();
  setText(byId("status"), label);
  setAttribute(byId("status"), "data-state", label);
  const isOld = label === "lost" || label === "refused" || label === "silent";
  setAttribute(byId("content"), "data-old", String(isOld));
  setNote(byId("banner"), bannerText());
  setAttribute(byId("banner"), "data-state", label);
  const hold = byId("hold");
  setText(hold, state.isHeld ? "Continue" : "Pause");
  setAttribute(hold, "aria-pressed", String(state.isHeld));
  updateOpening();
}

function labelText() {
  if (connection.state !== "live") return connection.state;
  if (isSilent()) return "silent";
  return state.isHeld ? "held" : "live";
}

function isSilent() {
  const limit = Math.max(SILENCE, 5 * (state.newest?.period ?? 0));
  return state.newest !== null && age(connection.pictureAt) > limit;
}

/** @param {number} since */
function age(since) {
  return (performance.now() - since) / 1000;
}

function bannerText() {
  const shown = state.shown
    ? ` Shown is the program ${seconds(state.shown.elapsed)} after its start.`
    : "";
  const ago = (/** @type {number} */ since) => `${Math.round(age(since))} s`;
  switch (labelText()) {
    case "lost":
      return `The connection to pgastool watch has been lost for ${ago(connection.since)}; trying again.${shown}`;
    case "refused":
      return `pgastool watch refuses the token of this address: open the one that it has printed.${shown}`;
    case "silent":
      return `No picture has come for ${ago(connection.pictureAt)}.${shown}`;
    case "ended": {
      const last = state.shown ? " Shown is its last period." : "";
      return `${connection.why || "The program has ended."}${state.isHeld ? shown : last}`;
    }
    case "held":
      return `Held; the program goes on.${shown}${newAlarm()}`;
    default:
      return "";
  }
}

/** An alarm that has come while the picture is held. */
function newAlarm() {
  if (!state.newest || !state.shown || state.newest === state.shown) return "";
  const known = new Set(alarmsOf(state.shown).map(({ key }) => key));
  const alarm = alarmsOf(state.newest).find(({ key }) => !known.has(key));
  return alarm ? ` Meanwhile, ${alarm.what}: ${alarm.text}` : "";
}

function updateOpening() {
  const opening = byId("opening");
  if (state.shown) opening.hidden = true;
  else if (connection.state === "live")
    setText(opening, "Connected. The first period of the program is not over yet.");
  else setText(opening, "Connecting to pgastool watch…");
}
