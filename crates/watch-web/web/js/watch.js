// Opens the page: connects it to the server, and draws what comes in, at most once a frame.

import { nextOrder, watchChoice } from "./choice.js";
import { takeFound, takeGone, updateAlarms, updateBottlenecks } from "./confirmed.js";
import { updateCurve } from "./curve.js";
import { updateDetail } from "./detail.js";
import { byId } from "./dom.js";
import { updateHeadline } from "./headline.js";
import { updateOperations } from "./hottest.js";
import { openWatchHelp } from "./keyhelp.js";
import { updateMetrics } from "./metrics.js";
import { updateRows, watchRows } from "./rows.js";
import { catchUpLater, connect } from "./server.js";
import { hasMissed, state, takeHistory, takePicture, toggleHold } from "./state.js";
import { notePicture, setConnection, updateStatus } from "./status.js";
import { updateStrip, watchStrip } from "./strip.js";
import { updateTasks } from "./taskrows.js";
import { switchTheme, watchTheme } from "./theme.js";
import { updateWaits, watchWaits } from "./waits.js";
import { useWords } from "./words.js";

/** Milliseconds of a frame. */
const FRAME_TIME = 16;

let isDue = false;
let isPaced = false;
/** Milliseconds that the last drawing took. */
let lastTook = 0;

/** Draws once for all that changes until the next frame. */
function redraw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(drawTimed);
}

/**
 * Draws what has come in. After a picture of very many threads, it first leaves as much time as that took, so that the
 * page still answers its reader.
 */
function redrawPaced() {
  if (isPaced) return;
  if (lastTook <= FRAME_TIME) return redraw();
  isPaced = true;
  setTimeout(() => {
    isPaced = false;
    redraw();
  }, lastTook);
}

function drawTimed() {
  isDue = false;
  const begin = performance.now();
  draw();
  lastTook = performance.now() - begin;
}

function draw() {
  updateStatus();
  const picture = state.shown;
  byId("content").hidden = picture === null;
  if (!picture) return;
  useWordsOf(picture);
  updateHeadline(picture);
  updateCurve(picture.elapsed);
  updateAlarms(picture);
  updateBottlenecks(picture);
  updateStrip(picture);
  updateRows(picture);
  updateDetail(picture);
  updateWaits(picture);
  updateTasks(picture);
  updateOperations(picture);
  updateMetrics(picture);
  document.documentElement.dataset.ready = "true";
}

/** @param {Live.Picture} picture */
function useWordsOf({ words }) {
  const { one, many } = words ?? { one: "thread", many: "threads" };
  // Images of Fortran count from 1.
  const first = words?.first ?? (one === "image" ? 1 : 0);
  const article = /^[aeiou]/.test(one) ? "an" : "a";
  useWords({ one, many, article, first, models: "" });
}

/** @type {Listener} */
const listener = {
  picture(picture) {
    if (takePicture(picture)) {
      notePicture();
      if (hasMissed()) catchUpLater(listener);
    }
    redrawPaced();
  },
  history(points) {
    takeHistory(points);
    redrawPaced();
  },
  found(finding) {
    takeFound(finding);
    redrawPaced();
  },
  gone(finding) {
    takeGone(finding);
    redrawPaced();
  },
  ended: (why) => setConnection("ended", why),
  connected: () => setConnection("live"),
  lost: () => setConnection("lost"),
  refused: () => setConnection("refused"),
};

function hold() {
  toggleHold();
  redraw();
}

/** @type {Record<string, () => void>} */
const KEY_ACTIONS = {
  " ": hold,
  o: () => {
    nextOrder();
    redraw();
  },
  "/": () => byId("filter").focus(),
  1: () => goTo("threads"),
  2: () => goTo("waits"),
  3: () => goTo("operations"),
  4: () => goTo("metrics"),
  5: () => goTo("tasks"),
  t: switchTheme,
  "?": openWatchHelp,
};

/** @param {string} section */
function goTo(section) {
  byId(section).scrollIntoView({ block: "start" });
  byId(section).focus({ preventScroll: true });
}

/** @param {KeyboardEvent} event */
function press(event) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("help"));
  if (event.altKey || event.ctrlKey || event.metaKey || dialog.open) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input, select")) return;
  // A button takes the space bar for itself.
  if (event.key === " " && target.closest("button, a")) return;
  const action = KEY_ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function start() {
  watchTheme();
  watchChoice(redraw);
  watchRows(redraw);
  watchStrip(redraw);
  watchWaits(redraw);
  byId("hold").addEventListener("click", hold);
  byId("theme").addEventListener("click", switchTheme);
  byId("help-button").addEventListener("click", openWatchHelp);
  addEventListener("keydown", press);
  // Ages in the banner grow without anything coming in.
  setInterval(updateStatus, 1000);
  connect(listener);
}

start();
