// d3 as it is published, which the page loads before its own program.

/** @type {typeof import("d3")} */
export const d3 = /** @type {any} */ (globalThis).d3;
