// Numbers for people: three digits and a unit, by the rule of crates/base/src/quantity.rs.

/** @param {number} value */
export function threeDigits(value) {
  const magnitude = Math.abs(value);
  return value.toFixed(magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0);
}

/** @param {number} value */
export function seconds(value) {
  if (!Number.isFinite(value)) return "?";
  const m = Math.abs(value);
  if (m === 0) return "0 s";
  if (m >= 3600 * 0.9995) return `${threeDigits(value / 3600)} h`;
  if (m >= 600) return `${threeDigits(value / 60)} min`;
  if (m >= 0.9995) return `${threeDigits(value)} s`;
  if (m >= 0.9995e-3) return `${threeDigits(value * 1e3)} ms`;
  if (m >= 0.9995e-6) return `${threeDigits(value * 1e6)} µs`;
  return `${threeDigits(value * 1e9)} ns`;
}

/** @param {number} value */
export function percent(value) {
  if (!Number.isFinite(value)) return "? %";
  const m = Math.abs(value);
  if (m === 0) return "0 %";
  if (m < 0.05) return "<0.1 %";
  return `${value.toFixed(m < 9.95 ? 1 : 0)} %`;
}

/** @param {number} value */
export function bytes(value) {
  if (!Number.isFinite(value)) return "?";
  if (Math.abs(value) < 1024) return `${value.toFixed(0)} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let scaled = value / 1024;
  let unit = 0;
  while (Math.abs(scaled) >= 999.5 && unit + 1 < units.length) {
    scaled /= 1024;
    unit += 1;
  }
  return `${threeDigits(scaled)} ${units[unit]}`;
}

/** @param {number} value */
export function count(value) {
  if (!Number.isFinite(value)) return "?";
  const m = Math.abs(value);
  if (m >= 999.5e15) return value.toExponential(2).replace("+", "");
  if (m >= 999.5e12) return `${threeDigits(value / 1e15)} quadrillion`;
  if (m >= 999.5e9) return `${threeDigits(value / 1e12)} trillion`;
  if (m >= 999.5e6) return `${threeDigits(value / 1e9)} billion`;
  if (m >= 999.5e3) return `${threeDigits(value / 1e6)} million`;
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * A value of a metric in its unit.
 *
 * @param {Data.Unit} unit
 * @param {number} value
 */
export function figure(unit, value) {
  if (unit === "s") return seconds(value);
  return unit === "bytes" ? bytes(value) : count(value);
}

/**
 * @param {string} text
 * @param {number} value
 */
export function signed(text, value) {
  return value > 0 ? `+${text}` : text;
}

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function plural(number, one, many) {
  return `${count(number)} ${number === 1 ? one : (many ?? `${one}s`)}`;
}
