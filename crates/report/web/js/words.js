// The program's words for its threads, which are PEs of OpenSHMEM and images of Fortran.

import { plural } from "./format.js";

/** @type {Data.Words} */
let ownWords = { one: "thread", many: "threads", article: "a", first: 0, models: "" };

/** @param {Data.Words} own */
export function useWords(own) {
  ownWords = own;
}

/**
 * The number that people know of the thread with this index: images count from 1.
 *
 * @param {number} thread
 */
export function numberOf(thread) {
  return thread + ownWords.first;
}

/**
 * "thread 3", "PE 3", "image 4"
 *
 * @param {number} thread
 */
export function nameOf(thread) {
  return `${ownWords.one} ${numberOf(thread)}`;
}

/**
 * "threads 0–7"
 *
 * @param {number} first
 * @param {number} last
 */
export function rangeOf(first, last) {
  return `${ownWords.many} ${numberOf(first)}–${numberOf(last)}`;
}

/**
 * "1 thread", "4 PEs"
 *
 * @param {number} threads
 */
export function countOf(threads) {
  return plural(threads, ownWords.one, ownWords.many);
}

/** The models of the program if they have no word in common: " (UPC and OpenSHMEM)". */
export function modelsInWords() {
  return ownWords.models && ` (${ownWords.models})`;
}

/**
 * A text about threads in these words.
 *
 * @param {string} text
 */
export function inWords(text) {
  return text.replace(
    /\b([Aa] )?([Tt])hread(s?)\b/g,
    (_, /** @type {string | undefined} */ a, /** @type {string} */ t, /** @type {string} */ s) => {
      const word = s ? ownWords.many : ownWords.one;
      const article = a && (s || ownWords.article === "a" ? a : `${a[0]}n `);
      return (article ?? "") + (t === "T" ? word[0].toUpperCase() + word.slice(1) : word);
    },
  );
}
