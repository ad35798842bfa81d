// The data of the page, out of the element that holds it.

import { byId } from "./dom.js";

/** @returns {Promise<Data.Report>} */
export async function readData() {
  const element = /** @type {HTMLScriptElement} */ (byId("data"));
  if (element.type === "application/json") return JSON.parse(element.textContent ?? "");
  if (typeof DecompressionStream === "undefined") {
    throw new Error(
      "This browser is too old for a report of this size: it cannot decompress data. Chrome 80, Firefox 113, " +
        "Safari 16.4 or later can.",
    );
  }
  const text = atob(element.textContent ?? "");
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  // What was read is no longer needed in this form.
  element.textContent = "";
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
