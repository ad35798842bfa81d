// The report that the page shows, set once when the page opens. `trees` and `values` are made from it.

import { Trees, Values } from "./values.js";

/** @type {Data.Report} */
export let report;
/** @type {Trees} */
export let trees;
/** @type {Values} */
export let values;
/**
 * Values of the run that this one is compared with.
 *
 * @type {Values | null}
 */
export let beforeValues = null;
/**
 * Names of activities by id, in the order of drawing.
 *
 * @type {Record<string, string>}
 */
export let activityNames = {};

/** @param {Data.Report} data */
export function openReport(data) {
  report = data;
  report.summary.phases ??= [];
  report.summary.live_findings ??= [];
  activityNames = Object.fromEntries(report.activity_names);
  trees = new Trees(report);
  values = new Values(trees, report.severities);
  if (report.comparison) beforeValues = new Values(trees, report.comparison.severities);
}
