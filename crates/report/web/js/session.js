// The report that the page shows, set once when the page opens. `trees` and `values` are made from it.

import { Trees, Values } from "./values.js";

export let report;
export let trees;
export let values;
// Values of the run that this one is compared with.
export let beforeValues = null;
// Names of activities by id, in the order of drawing.
export let activityNames = {};

export function openReport(data) {
  report = data;
  report.summary.phases ??= [];
  activityNames = Object.fromEntries(report.activity_names);
  trees = new Trees(report);
  values = new Values(trees, report.severities);
  if (report.comparison) beforeValues = new Values(trees, report.comparison.severities);
}
