// Ticks of axes.

import { d3 } from "./d3.js";

/**
 * Ticks of an axis of whole numbers: none of them is a fraction, and none comes twice.
 *
 * @param {[number,number]} range
 * @param {number} wanted
 */
export function integerTicks([from, to], wanted) {
  return [...new Set(d3.ticks(from, to, wanted).filter(Number.isInteger).concat(from))].sort(
    (a, b) => a - b,
  );
}

/**
 * Ticks of an axis in the unit of a metric.
 *
 * @param {Data.Unit} unit
 * @param {import("d3").ScaleLinear<number,number>} scale
 * @param {number} wanted
 */
export function ticksOf(unit, scale, wanted) {
  return unit === "s" ? scale.ticks(wanted) : scale.ticks(wanted).filter(Number.isInteger);
}
