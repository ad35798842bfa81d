// d3 as it is published, which the page loads before its own program.

export const d3 = globalThis.d3;
