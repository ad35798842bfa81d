// Names of the measured program (functions, files, arguments, source text) can hold anything. They reach the page as
// text alone; characters that are invisible or change the direction of writing are replaced, so that what one reads is
// what is there.
const TREACHEROUS =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** @param {unknown} text */
export function clean(text) {
  return String(text).replace(TREACHEROUS, (c) => {
    if (c < " ") return String.fromCharCode(0x2400 + c.charCodeAt(0));
    return c === "\u007f" ? "\u2421" : "\ufffd";
  });
}

/**
 * A line of source: tabs stay.
 *
 * @param {string} text
 */
export function cleanLine(text) {
  return text.split("\t").map(clean).join("\t");
}

/** @param {string} file */
export function baseName(file) {
  return file.slice(file.lastIndexOf("/") + 1) || file;
}
