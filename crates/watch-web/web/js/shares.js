// Times as shares: of a bar, of a sentence.

import { sumOf } from "./state.js";

/** Activities of a bar from left to right, with their classes of colour. */
export const ACTIVITIES = [
  { id: "computing", look: "a-computation" },
  { id: "waiting", look: "a-waiting" },
  { id: "communicating", look: "a-one_sided" },
  { id: "recording", look: "a-measurement" },
  { id: "paused", look: "a-measurement" },
];

/**
 * Share of each activity in all of the time, 0 if there was none.
 *
 * @param {Live.Times | null} times
 */
export function sharesOf(times) {
  const seconds = secondsOf(times);
  const all = sumOf(Object.values(seconds));
  return Object.fromEntries(
    Object.entries(seconds).map(([id, value]) => [id, all > 0 ? value / all : 0]),
  );
}

/**
 * @param {Live.Times | null} times
 * @returns {Record<string, number>}
 */
function secondsOf(times) {
  return {
    computing: times?.computing ?? 0,
    waiting: sumOf(Object.values(times?.waiting ?? {})),
    communicating: sumOf(Object.values(times?.communicating ?? {})),
    recording: times?.recording ?? 0,
    paused: times?.paused ?? 0,
  };
}

/**
 * Activities with time, and below waiting and communicating their kinds, that of the most time first.
 *
 * @param {Live.Times} times
 */
export function kindsOf(times) {
  const shares = sharesOf(times);
  const all = sumOf(Object.values(secondsOf(times)));
  return ACTIVITIES.filter(({ id }) => shares[id] > 0).map((activity) => ({
    ...activity,
    share: shares[activity.id],
    kinds: sortedKinds(times, activity.id, all),
  }));
}

/**
 * @param {Live.Times} times
 * @param {string} id
 * @param {number} all
 */
function sortedKinds(times, id, all) {
  const kinds = id === "waiting" || id === "communicating" ? times[id] : {};
  return Object.entries(kinds)
    .filter(([, seconds]) => seconds > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([kind, seconds]) => ({ kind, share: seconds / all }));
}
