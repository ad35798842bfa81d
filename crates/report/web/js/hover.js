// Text beside the pointer. Whatever it says is also said elsewhere: in a table, or in words.

import { byId, h, replace } from "./dom.js";

/**
 * @param {MouseEvent} event
 * @param {string[]} lines
 */
function hover(event, lines) {
  const box = byId("hover");
  replace(
    box,
    lines.map((line, i) => h("div", { class: i > 0 && "dim" }, line)),
  );
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left =
    event.clientX + 14 + width > innerWidth ? event.clientX - width - 10 : event.clientX + 14;
  const top =
    event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18;
  box.style.setProperty("left", `${Math.max(4, left)}px`);
  box.style.setProperty("top", `${Math.max(4, top)}px`);
}

export function hoverEnd() {
  byId("hover").hidden = true;
}

/**
 * Lines are asked for at each move; there may be none.
 *
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {(event: MouseEvent) => string[] | null} lines
 */
export function withHover(element, lines) {
  element.addEventListener("pointermove", (/** @type {any} */ event) => {
    const text = lines(event);
    if (text) hover(event, text);
    else hoverEnd();
  });
  element.addEventListener("pointerleave", hoverEnd);
  return element;
}
