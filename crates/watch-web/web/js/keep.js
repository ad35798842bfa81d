// Updates elements in place: those that stay keep focus, selection and scroll position.

import { clean } from "./names.js";

/**
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  const shown = clean(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/**
 * An empty value removes the attribute.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(element, name, value) {
  const shown = clean(value);
  if (shown === "") element.removeAttribute(name);
  else if (element.getAttribute(name) !== shown) element.setAttribute(name, shown);
}

/**
 * Sets a length of an element as a share of that of its parent.
 *
 * @param {HTMLElement} element
 * @param {string} property
 * @param {number} share
 */
export function setShare(element, property, share) {
  // Browsers return it without trailing zeros.
  const value = `${Number((100 * share).toFixed(2))}%`;
  if (element.style.getPropertyValue(property) !== value)
    element.style.setProperty(property, value);
}

/**
 * Shows a text, or hides its element if there is none.
 *
 * @param {HTMLElement} element
 * @param {string} text
 */
export function setNote(element, text) {
  setText(element, text);
  if (element.hidden !== (text === "")) element.hidden = text === "";
}

/**
 * Parts of each list by key.
 *
 * @type {WeakMap<Element, Map<string, Part>>}
 */
const partsOf = new WeakMap();

/**
 * Children of an element for the items of a list: one for each key, in the order of the items.
 *
 * @template I
 * @template {Part} P
 * @param {Element} parent
 * @param {I[]} items
 * @param {{ key: (item: I) => string, make: (item: I) => P, update: (part: P, item: I) => void }} how
 */
export function keepList(parent, items, { key, make, update }) {
  const before = /** @type {Map<string, P>} */ (partsOf.get(parent) ?? new Map());
  /** @type {Map<string, P>} */
  const after = new Map();
  for (const item of items) {
    const name = key(item);
    if (after.has(name)) continue;
    const part = before.get(name) ?? make(item);
    after.set(name, part);
    update(part, item);
  }
  for (const [name, part] of before) if (!after.has(name)) part.element.remove();
  partsOf.set(parent, after);
  arrange(parent, [...after.values()]);
}

/**
 * Moves only what is elsewhere. A moved element loses the focus, so that it is given back.
 *
 * @param {Element} parent
 * @param {Part[]} parts
 */
function arrange(parent, parts) {
  const focused = document.activeElement;
  let at = parent.firstElementChild;
  for (const { element } of parts) {
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
  }
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected)
    focused.focus({ preventScroll: true });
}
