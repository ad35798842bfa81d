// Text beside the pointer. Whatever it says is also said elsewhere: in a table, or in words.

import { byId, h, replace } from "./dom.js";

function hover(event, lines) {
  const box = byId("hover");
  replace(box, lines.map((line, i) => h("div", { class: i > 0 && "dim" }, line)));
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = event.clientX + 14 + width > innerWidth ? event.clientX - width - 10 : event.clientX + 14;
  const top = event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18;
  box.style.setProperty("left", `${Math.max(4, left)}px`);
  box.style.setProperty("top", `${Math.max(4, top)}px`);
}

export function hoverEnd() {
  byId("hover").hidden = true;
}

// lines(event) gives the text, or nothing where there is none.
export function withHover(element, lines) {
  element.addEventListener("pointermove", (event) => {
    const text = lines(event);
    if (text) hover(event, text);
    else hoverEnd();
  });
  element.addEventListener("pointerleave", hoverEnd);
  return element;
}
