//! Axes for times, sizes and numbers of threads.

use pgas_charts::{Axis, short_number, ticks};

/// How values lie along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// From 0 on.
    Linear,
    /// By powers of two.
    Binary,
    /// By powers of ten.
    Decimal,
}

/// An axis that knows where values lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placed {
    scale: Scale,
    /// Places, not values.
    low: f64,
    high: f64,
}

/// Values that are as far apart need a logarithmic axis.
const WIDE: f64 = 30.0;

/// The scale on which all values can be seen.
pub(super) fn for_range(values: impl Iterator<Item = f64>) -> Scale {
    let values: Vec<f64> = values.filter(|value| *value > 0.0).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    match most > WIDE * least {
        true => Scale::Decimal,
        false => Scale::Linear,
    }
}

/// An axis that has room for all values. `None` if there are none that it can show.
pub(super) fn over(values: impl Iterator<Item = f64>, scale: Scale) -> Option<Placed> {
    let can_show = |value: &f64| value.is_finite() && (scale == Scale::Linear || *value > 0.0);
    let places: Vec<f64> = values.filter(can_show).map(|v| scale.place(v)).collect();
    let least = places.iter().copied().reduce(f64::min)?;
    let most = places.iter().copied().reduce(f64::max)?;
    let least = if scale == Scale::Linear {
        least.min(0.0)
    } else {
        least
    };
    let room = if most > least {
        0.05 * (most - least)
    } else {
        0.5 * most.abs().max(1e-12)
    };
    let below = if scale == Scale::Linear && least == 0.0 {
        0.25 * room
    } else {
        room
    };
    Some(Placed {
        scale,
        low: least - below,
        high: most + room,
    })
}

impl Scale {
    fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Binary => value.log2(),
            Scale::Decimal => value.log10(),
        }
    }

    fn value(self, place: f64) -> f64 {
        match self {
            Scale::Linear => place,
            Scale::Binary => place.exp2(),
            Scale::Decimal => 10_f64.powf(place),
        }
    }
}

impl Placed {
    /// Where a value lies; at the end if it is beyond.
    pub fn place(&self, value: f64) -> f64 {
        let place = self.scale.place(value);
        // The logarithm of 0 or less.
        if place.is_nan() {
            self.low
        } else {
            place.clamp(self.low, self.high)
        }
    }

    /// The axis with values at its ticks.
    pub fn axis(&self, label: impl Fn(f64) -> String) -> Axis {
        let places = self.ticks();
        let labelled = places
            .into_iter()
            .map(|place| (place, label(self.scale.value(place))));
        Axis {
            low: self.low,
            high: self.high,
            ticks: labelled.collect(),
        }
    }

    fn ticks(&self) -> Vec<f64> {
        let span = self.high - self.low;
        match self.scale {
            // Halves of a thread are no ticks.
            Scale::Linear if self.high >= 2.0 => {
                let all = ticks(self.low, self.high, 8.0);
                all.into_iter().filter(|tick| tick.fract() == 0.0).collect()
            }
            Scale::Linear => ticks(self.low, self.high, 8.0),
            Scale::Binary => {
                let step = (span / 10.0).ceil().max(1.0) as usize;
                let powers = self.low.ceil() as i64..=self.high.floor() as i64;
                powers.step_by(step).map(|power| power as f64).collect()
            }
            Scale::Decimal => {
                let digits: &[f64] = if span < 1.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let powers = self.low.floor() as i64..=self.high.floor() as i64;
                let places =
                    powers.flat_map(|power| digits.iter().map(move |d| power as f64 + d.log10()));
                places
                    .filter(|place| (self.low..=self.high).contains(place))
                    .collect()
            }
        }
    }
}

/// Points of a curve over the span of some places, close enough for a smooth line.
pub(super) fn curve(
    places: &[f64],
    x: &Placed,
    y: &Placed,
    function: impl Fn(f64) -> f64,
) -> Vec<(f64, f64)> {
    const STEPS: usize = 60;
    let placed = || places.iter().map(|value| x.place(*value));
    let (Some(from), Some(to)) = (placed().reduce(f64::min), placed().reduce(f64::max)) else {
        return Vec::new();
    };
    let at = |step: usize| {
        let place = from + (to - from) * step as f64 / STEPS as f64;
        (place, y.place(function(x.scale.value(place))))
    };
    (0..=STEPS).map(at).collect()
}

/// "200 ns".
pub(super) fn short_time(value: f64) -> String {
    let size = value.abs();
    let (factor, unit) = match size {
        0.0 => return "0".to_string(),
        s if s < 0.9995e-6 => (1e9, "ns"),
        s if s < 0.9995e-3 => (1e6, "µs"),
        s if s < 0.9995 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    // A tick such as 3e-7 is not exactly 300 ns.
    let rounded = (value * factor * 1e4).round() / 1e4;
    format!("{} {unit}", short_number(rounded))
}

/// "1 KiB".
pub(super) fn short_bytes(value: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut scaled = value;
    let mut unit = 0;
    while scaled >= 1023.5 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    format!(
        "{} {}",
        short_number((scaled * 1e4).round() / 1e4),
        UNITS[unit]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_labelled_with_their_values() {
        let sizes = over([8.0, 1_048_576.0].into_iter(), Scale::Binary).unwrap();
        let labels: Vec<String> = sizes
            .axis(short_bytes)
            .ticks
            .into_iter()
            .map(|t| t.1)
            .collect();
        assert_eq!(labels[0], "8 B");
        assert!(labels.contains(&"2 KiB".to_string()), "{labels:?}");
        let times = over([2e-7, 3e-6].into_iter(), Scale::Decimal).unwrap();
        let labels: Vec<String> = times
            .axis(short_time)
            .ticks
            .into_iter()
            .map(|t| t.1)
            .collect();
        assert_eq!(labels, ["200 ns", "500 ns", "1 µs", "2 µs"]);
    }

    #[test]
    fn values_beyond_the_axis_are_at_its_end() {
        let axis = over([1e-6, 1e-5].into_iter(), Scale::Decimal).unwrap();
        assert_eq!(axis.place(0.0), axis.low);
        assert_eq!(axis.place(-1.0), axis.low);
        assert_eq!(over([0.0].into_iter(), Scale::Decimal), None);
        assert_eq!(over(std::iter::empty(), Scale::Linear), None);
    }
}
