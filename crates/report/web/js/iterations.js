// How the iterations of the program's loops develop, metric by metric.

function iterationsView() {
  const { phases } = report.summary;
  if (phases.length === 0) return h("p", { class: "notice" }, "No loop whose iterations all threads run together was found.");
  return h("div", { class: "stack" }, phases.map(loopCard));
}

function loopCard(loop, index) {
  const words = report.loops[index];
  // Those that matter first, then the others.
  const said = new Map(words.series);
  const series = [...loop.series].sort((a, b) => order(said, a) - order(said, b));
  return h(
    "section",
    { class: "card" },
    h("header", {}, h("h2", {}, words.title), placeLink(loop.file, loop.line)),
    h("p", {}, words.sentences.join(" ")),
    h("div", { class: "series" }, series.map((one) => seriesChart(loop, one, said.get(one.metric)))),
    asTable(() => seriesTable(loop)),
  );
}

function order(said, series) {
  const at = [...said.keys()].indexOf(series.metric);
  return at < 0 ? said.size : at;
}

function metricName(id) {
  if (id === "duration") return "Duration";
  const metric = trees.metricById.get(id);
  return metric === undefined ? id : report.metrics[metric].name;
}

function seriesChart(loop, series, said) {
  const words = said ?? `mean ${seconds(series.mean)}`;
  const metric = trees.metricById.get(series.metric);
  const wait = metric !== undefined && report.metrics[metric].wait_state;
  return h(
    "div",
    { class: wait ? "wait" : "" },
    h("h3", {}, metricName(series.metric)),
    h("div", { class: "dim" }, words),
    fitted((width) => curve(loop, series, words, width)),
  );
}

function curve(loop, series, words, width) {
  const height = 120;
  const margin = { left: 66, right: 8, top: 8, bottom: 20 };
  const list = series.values;
  const each = loop.iterations_per_value;
  const x = d3.scaleLinear([0, Math.max(1, list.length - 1)], [margin.left, width - margin.right]);
  const y = d3.scaleLinear([0, d3.max(list) || 1], [height - margin.bottom, margin.top]).nice(3);
  const chart = s("svg", {
    class: "chart",
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `${metricName(series.metric)} over ${plural(loop.iterations, "iteration")}: ${words}`,
  });
  for (const tick of y.ticks(3)) {
    chart.append(
      s("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: y(tick), y2: y(tick) }),
      s("text", { class: "n", x: margin.left - 6, y: y(tick) + 4, "text-anchor": "end" }, seconds(tick)),
    );
  }
  const line = d3.line((_, i) => x(i), (v) => y(v));
  const area = d3.area((_, i) => x(i), y(0), (v) => y(v));
  chart.append(s("path", { class: "area", d: area(list) }), s("path", { class: "path", d: line(list) }));
  for (const tick of x.ticks(Math.min(5, list.length))) {
    if (!Number.isInteger(tick)) continue;
    chart.append(s("text", { class: "n", x: x(tick), y: height - 5, "text-anchor": "middle" }, count(tick * each)));
  }
  return withHover(chart, (event) => {
    const i = Math.round(x.invert(event.clientX - chart.getBoundingClientRect().left));
    if (i < 0 || i >= list.length) return null;
    const which = each === 1 ? `iteration ${i}` : `iterations ${i * each}–${(i + 1) * each - 1}, mean`;
    return [which, seconds(list[i])];
  });
}

function seriesTable(loop) {
  const columns = [{ name: "Iteration" }, ...loop.series.map((series) => ({ name: metricName(series.metric), n: true }))];
  const length = d3.max(loop.series, (series) => series.values.length) ?? 0;
  const rows = d3.range(length).map((i) => [
    count(i * loop.iterations_per_value),
    ...loop.series.map((series) => (series.values[i] === undefined ? "" : seconds(series.values[i]))),
  ]);
  return table(columns, rows, "Metrics by iteration");
}
