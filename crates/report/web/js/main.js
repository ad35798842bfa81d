// Opens the page: reads the data, and shows the view that the address names.

import { balanceView } from "./balance.js";
import { communicationView } from "./communication.js";
import { comparisonView } from "./comparison.js";
import { readData } from "./data.js";
import { byId, h, replace, say } from "./dom.js";
import { exploreView } from "./explore.js";
import { findingsView } from "./findings.js";
import { openHelp } from "./help.js";
import { hoverEnd } from "./hover.js";
import { iterationsView } from "./iterations.js";
import { baseName, clean } from "./names.js";
import { overviewView } from "./overview.js";
import { patternsView, referencePages } from "./patterns.js";
import { watchPrinting } from "./print.js";
import { recordingView } from "./recording.js";
import { openReport, report } from "./session.js";
import { sourceView } from "./source.js";
import { tasksView } from "./tasks.js";
import { switchTheme, watchTheme } from "./theme.js";
import { useWords } from "./words.js";

/** @type {View[]} */
const VIEWS = [
  { id: "overview", name: "Overview", make: overviewView },
  {
    id: "findings",
    name: "Findings",
    make: findingsView,
    count: () => report.summary.findings.length,
  },
  { id: "explore", name: "Explore", make: exploreView, wide: true },
  { id: "source", name: "Source", make: sourceView, wide: true },
  { id: "balance", name: "Load balance", make: balanceView },
  { id: "tasks", name: "Tasks", make: tasksView, there: () => report.summary.tasks },
  {
    id: "communication",
    name: "Communication",
    make: communicationView,
    there: () => report.summary.communication,
  },
  {
    id: "iterations",
    name: "Iterations",
    make: iterationsView,
    there: () => report.summary.phases.length > 0,
  },
  { id: "comparison", name: "Comparison", make: comparisonView, there: () => report.comparison },
  { id: "patterns", name: "Patterns", make: patternsView },
  { id: "recording", name: "Recording", make: recordingView },
];

async function start() {
  watchTheme();
  try {
    const data = await readData();
    useWords(data.words);
    openReport(data);
  } catch (error) {
    replace(
      byId("main"),
      h(
        "p",
        { class: "notice", role: "alert" },
        `This report cannot be opened. ${messageOf(error)}`,
      ),
    );
    return;
  }
  const { program, arguments: words } = report.summary;
  replace(byId("program"), baseName(program), h("span", { class: "dim" }, ` ${words.join(" ")}`));
  byId("program").title = clean([program, ...words].join(" "));
  byId("theme").addEventListener("click", switchTheme);
  byId("help-button").addEventListener("click", openHelp);
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
  addEventListener("hashchange", () => route(true));
  addEventListener("keydown", keys);
  watchPrinting();
  route(false);
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

function shownViews() {
  return VIEWS.filter((view) => !view.there || view.there());
}

/** @param {boolean} moved */
function route(moved) {
  const [id, ...parameters] = location.hash.slice(1).split("/");
  const shown = shownViews();
  // Pages of the reference link to each other by id.
  if (
    id &&
    !VIEWS.some((v) => v.id === id) &&
    referencePages().some((page) => page.ids.includes(id))
  ) {
    location.replace(`#patterns/${id}`);
    return;
  }
  const view = shown.find((v) => v.id === id) ?? shown[0];
  replace(
    byId("views"),
    shown.map((v) =>
      h(
        "a",
        { href: `#${v.id}`, "aria-current": v === view && "page" },
        v.name,
        v.count && v.count() > 0 && h("span", { class: "count" }, String(v.count())),
      ),
    ),
  );
  hoverEnd();
  const main = byId("main");
  main.className = view.wide ? "wide" : "";
  try {
    replace(main, view.make(parameters));
  } catch (error) {
    console.error(error);
    replace(
      main,
      h("p", { class: "notice", role: "alert" }, `This view cannot be shown: ${messageOf(error)}`),
    );
  }
  document.title = clean(`${view.name} · ${baseName(report.summary.program)}`);
  if (moved) {
    scrollTo({ top: 0, behavior: "instant" });
    // A list that one is going through keeps the focus.
    /** @type {HTMLElement | null} */
    const current = main.querySelector(".side [aria-current]");
    if (current) current.focus({ preventScroll: true });
    else main.focus({ preventScroll: true });
    say(view.name);
  }
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    /** @type {HTMLDialogElement} */ (byId("help")).open
  )
    return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input, select, textarea")) return;
  const inTree = target.closest('[role="tree"]');
  if (event.key === "?") openHelp();
  else if (inTree) return;
  else if (event.key >= "1" && event.key <= "9") {
    const view = shownViews()[Number(event.key) - 1];
    if (view) location.hash = `#${view.id}`;
  } else if (event.key === "t") switchTheme();
  else if (event.key === "n" || event.key === "p") stepFinding(event.key === "n" ? 1 : -1);
  else return;
  event.preventDefault();
}

/** @param {number} step */
function stepFinding(step) {
  const total = report.summary.findings.length;
  if (total === 0) return;
  const [id, number] = location.hash.slice(1).split("/");
  const now = id === "findings" ? Number(number) || 1 : step > 0 ? 0 : 2;
  location.hash = `#findings/${Math.max(1, Math.min(total, now + step))}`;
}

start();
