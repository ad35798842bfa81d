// Values over the three trees. Rows hold a metric with its children, and a call path without what it calls; from them
// come the values of open nodes (without children) and closed ones (with all of them) in any tree.

export class Trees {
  /** @param {Data.Report} data */
  constructor(data) {
    this.metrics = data.metrics;
    this.paths = data.call_paths;
    this.regions = data.regions;
    this.system = data.system;
    this.threads = data.system.threads.length;
    this.detailed = data.detailed === null ? null : new Set(data.detailed);
    this.metricChildren = childrenOf(this.metrics.map((m) => m.parent));
    this.pathChildren = childrenOf(this.paths.parent);
    this.metricById = new Map(this.metrics.map((m, i) => [m.id, i]));
  }
  /** @param {number} path */
  regionName(path) {
    return this.regions[this.paths.region[path]].name;
  }
  /**
   * Whether the page has every thread's value of a call path.
   *
   * @param {number} path
   */
  isDetailed(path) {
    return this.detailed === null || this.detailed.has(path);
  }
  /** @param {number} path */
  file(path) {
    return this.paths.files[this.paths.file[path]];
  }
  /**
   * The root of the tree that a metric is in.
   *
   * @param {number} metric
   */
  rootOf(metric) {
    let root = metric;
    let { parent } = this.metrics[root];
    for (; parent !== null; parent = this.metrics[root].parent) root = parent;
    return root;
  }
  /**
   * From the root down.
   *
   * @param {number} path
   */
  callers(path) {
    const all = [];
    /** @type {number | null} */
    let p = path;
    for (; p !== null; p = this.paths.parent[p]) all.unshift(p);
    return all;
  }
  /** @param {number} path */
  below(path) {
    const found = [path];
    for (let i = 0; i < found.length; i++) found.push(...this.pathChildren.of[found[i]]);
    return found;
  }
}

/**
 * Children by parent, and the roots; a parent has a smaller number than its children.
 *
 * @param {(number | null)[]} parents
 */
function childrenOf(parents) {
  /** @type {number[][]} */
  const of = parents.map(() => []);
  /** @type {number[]} */
  const roots = [];
  parents.forEach((parent, child) => (parent === null ? roots : of[parent]).push(child));
  return { of, roots };
}

export class Values {
  /**
   * @param {Trees} trees
   * @param {Data.MetricRows[]} severities
   */
  constructor(trees, severities) {
    this.trees = trees;
    this.rows = severities;
    this.rowOf = severities.map((metric) => new Map(metric.call_paths.map((path, i) => [path, i])));
    this.cache = new Map();
  }

  /**
   * @template T
   * @param {string} key
   * @param {() => T} make
   * @returns {T}
   */
  cached(key, make) {
    if (!this.cache.has(key)) this.cache.set(key, make());
    return this.cache.get(key);
  }

  /**
   * Totals over threads by call path, without callees; an open metric is without its children.
   *
   * @param {number} metric
   * @param {boolean} open
   * @returns {Float64Array}
   */
  own(metric, open) {
    return this.cached(`own ${metric} ${open}`, () => {
      const sums = new Float64Array(this.trees.paths.region.length);
      /**
       * @param {number} m
       * @param {number} sign
       */
      const add = (m, sign) =>
        this.rows[m].call_paths.forEach((path, i) => (sums[path] += sign * this.rows[m].totals[i]));
      add(metric, 1);
      if (!open) return sums;
      this.trees.metricChildren.of[metric].forEach((child) => add(child, -1));
      // What rounding leaves of a difference is nothing.
      return sums.map((value, path) => nothingOf(value, this.own(metric, false)[path]));
    });
  }

  /**
   * The same with callees.
   *
   * @param {number} metric
   * @param {boolean} open
   * @returns {Float64Array}
   */
  withCallees(metric, open) {
    return this.cached(`with ${metric} ${open}`, () => {
      const sums = Float64Array.from(this.own(metric, open));
      const parents = this.trees.paths.parent;
      for (let path = sums.length - 1; path > 0; path--) {
        const parent = parents[path];
        if (parent !== null) sums[parent] += sums[path];
      }
      return sums;
    });
  }

  /**
   * @param {number} metric
   * @param {boolean} open
   * @returns {number}
   */
  total(metric, open) {
    return this.cached(`total ${metric} ${open}`, () => {
      const sum = this.own(metric, open).reduce((a, b) => a + b, 0);
      return open ? nothingOf(sum, this.total(metric, false)) : sum;
    });
  }

  /**
   * By thread: { values }, or { spread: [minimum, quartiles, maximum] } of the call path alone, or neither, where the page
   * does not have every thread's value.
   *
   * @param {number} metric
   * @param {boolean} metricOpen
   * @param {number} path
   * @param {boolean} pathOpen
   * @returns {ByThread}
   */
  byThread(metric, metricOpen, path, pathOpen) {
    const parts = [[metric, 1]];
    if (metricOpen)
      this.trees.metricChildren.of[metric].forEach((child) => parts.push([child, -1]));
    const sums = new Float64Array(this.trees.threads);
    const alone = pathOpen || this.trees.pathChildren.of[path].length === 0;
    if (!this.trees.isDetailed(path)) {
      const rows = parts.map(([m]) => this.row(m, path));
      if (!alone || rows.some(isSpread))
        return alone ? this.onlySpread(metric, metricOpen, path) : {};
      parts.forEach(([, sign], i) => addRow(sums, rows[i], sign));
      return { values: sums };
    }
    for (const p of pathOpen ? [path] : this.trees.below(path)) {
      // The others are in the rest of the nearest path that has values.
      if (!this.trees.isDetailed(p)) continue;
      for (const [m, sign] of parts) {
        addRow(sums, this.row(m, p), sign);
        if (!pathOpen) addRow(sums, this.rows[m].rest?.[p], sign);
      }
    }
    return { values: sums };
  }

  /**
   * @param {number} metric
   * @param {boolean} metricOpen
   * @param {number} path
   * @returns {ByThread}
   */
  onlySpread(metric, metricOpen, path) {
    const row =
      metricOpen && this.trees.metricChildren.of[metric].length > 0
        ? undefined
        : this.row(metric, path);
    return isSpread(row) ? { spread: row[0] } : {};
  }

  /**
   * @param {number} metric
   * @param {number} path
   * @returns {Data.Row | undefined}
   */
  row(metric, path) {
    const index = this.rowOf[metric].get(path);
    return index === undefined ? undefined : this.rows[metric].values[index];
  }
}

/**
 * @param {number} value
 * @param {number} whole
 */
function nothingOf(value, whole) {
  return Math.abs(value) <= 1e-9 * Math.abs(whole) ? 0 : value;
}

/**
 * @param {Data.Row | undefined} row
 * @returns {row is [Data.Five]}
 */
export function isSpread(row) {
  return Array.isArray(row) && Array.isArray(row[0]);
}

/**
 * @param {Float64Array} sums
 * @param {Data.Row | undefined} row
 * @param {number} sign
 */
export function addRow(sums, row, sign) {
  if (row === undefined) return;
  if (typeof row === "number") {
    for (let t = 0; t < sums.length; t++) sums[t] += sign * row;
  } else {
    // Spreads are not added.
    const list = /** @type {number[]} */ (row);
    for (let t = 0; t < sums.length; t++) sums[t] += sign * list[t];
  }
}

/**
 * What a list of values by thread looks like: smallest, largest and who, mean.
 *
 * @param {Numbers} values
 */
export function extremes(values) {
  let least = 0;
  let most = 0;
  let sum = 0;
  for (let t = 0; t < values.length; t++) {
    if (values[t] < values[least]) least = t;
    if (values[t] > values[most]) most = t;
    sum += values[t];
  }
  return { least, most, sum, mean: values.length ? sum / values.length : 0 };
}
