//! Means of samples without their smallest and largest values.
//!
//! Of n sorted values, g = floor(share n) are dropped at each end, and h = n - 2 g remain. The mean
//! of these is little disturbed by the few launches that an interrupt hits. Its standard error is
//! not that of the h values by themselves: they lie closer together than the values they were taken
//! from, so it would be too small by about a third at a share of a quarter. The right one takes the
//! variance s_w^2 of the Winsorised sample, in which each dropped value is replaced by the closest
//! one that remains:
//!
//! SE = sqrt((n - 1) s_w^2 / (h (h - 1))), with h - 1 degrees of freedom.
//!
//! (J. W. Tukey and D. H. McLaughlin, Less vulnerable confidence and significance procedures for
//! location based on a single sample, Sankhya A 25, 1963; K. K. Yuen, The two-sample trimmed t for
//! unequal population variances, Biometrika 61, 1974.) In large samples this is
//! s_w / ((1 - 2 share) sqrt(n)), the form that textbooks print; with few values it is right for the
//! number that was really dropped, which is less than the share. Without a share it is the ordinary
//! standard error s / sqrt(n).

use crate::student;

/// A sample's mean without the ends, and how exact it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trimmed {
    /// n: values of the sample.
    pub count: usize,
    /// h: values that remain.
    pub kept: usize,
    /// Of those that remain.
    pub mean: f64,
    /// Of the mean. Zero if a single value remains, about whose scatter nothing is known.
    pub standard_error: f64,
    /// Smallest value that remains.
    pub minimum: f64,
    /// Largest value that remains.
    pub maximum: f64,
}

impl Trimmed {
    /// Drops a share (0 to below 0.5) of the values at each end. `None` of no values, or if one of
    /// them is not a number.
    pub fn of(values: &[f64], share: f64) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let dropped = dropped(sorted.len(), share);
        let kept = &sorted[dropped..sorted.len() - dropped];
        let (minimum, maximum) = (kept[0], kept[kept.len() - 1]);
        Some(Trimmed {
            count: sorted.len(),
            kept: kept.len(),
            // Rounding may put the mean of equal values outside of them.
            mean: mean(kept).clamp(minimum, maximum),
            standard_error: standard_error(&sorted, kept),
            minimum,
            maximum,
        })
    }

    /// How many of some values remain without a share (0 to below 0.5) at each end.
    pub fn remain(count: usize, share: f64) -> usize {
        match count {
            0 => 0,
            _ => count - 2 * dropped(count, share),
        }
    }

    /// Degrees of freedom of the standard error; 0 if a single value remains.
    pub fn freedom(&self) -> f64 {
        (self.kept - 1) as f64
    }

    /// E = a SE, half of the interval, a being Student's coefficient at this confidence (0 to 1).
    /// Infinite if a single value remains.
    pub fn error(&self, confidence: f64) -> f64 {
        if self.kept < 2 {
            return f64::INFINITY;
        }
        self.standard_error * student::coefficient(confidence, self.freedom())
    }

    /// Where the true mean lies with this confidence.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        let error = self.error(confidence);
        (self.mean - error, self.mean + error)
    }

    /// Half of the interval as a part of the mean; infinite if the mean is 0.
    pub fn relative_error(&self, confidence: f64) -> f64 {
        let error = self.error(confidence);
        if error == 0.0 {
            return 0.0;
        }
        (error / self.mean).abs()
    }
}

/// How many values are dropped at each end; one at least remains.
fn dropped(count: usize, share: f64) -> usize {
    // A quarter of 100 is 25 also where the share is a rounded fraction.
    let dropped = (share.clamp(0.0, 0.5) * count as f64 + 1e-9).floor() as usize;
    dropped.min((count - 1) / 2)
}

fn standard_error(sorted: &[f64], kept: &[f64]) -> f64 {
    let (least, most) = (kept[0], kept[kept.len() - 1]);
    if kept.len() < 2 || least == most {
        return 0.0;
    }
    let winsorised: Vec<f64> = sorted.iter().map(|v| v.clamp(least, most)).collect();
    let h = kept.len() as f64;
    (squares(&winsorised) / (h * (h - 1.0))).sqrt()
}

/// Without values 0.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Sum of the squared distances from the mean.
fn squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R. R. Wilcox, Introduction to Robust Estimation and Hypothesis Testing, section 3.3: minutes
    /// that people kept an apparatus in contact with a target; the book's mean without 20 % at each
    /// end is 283, and the Winsorised variance 21551.
    const CONTACT: [f64; 19] = [
        77.0, 87.0, 88.0, 114.0, 151.0, 210.0, 219.0, 246.0, 253.0, 262.0, 296.0, 299.0, 306.0,
        376.0, 428.0, 515.0, 666.0, 1310.0, 2611.0,
    ];

    #[test]
    fn mean_and_error_are_those_of_the_textbook() {
        let trimmed = Trimmed::of(&CONTACT, 0.2).unwrap();
        assert_eq!((trimmed.count, trimmed.kept), (19, 13));
        assert_eq!((trimmed.minimum, trimmed.maximum), (114.0, 515.0));
        assert!((trimmed.mean - 282.7).abs() < 0.05, "{trimmed:?}");
        let variance = trimmed.standard_error.powi(2) * 13.0 * 12.0 / 18.0;
        assert!((variance - 21551.4).abs() < 0.1, "{variance}");
        assert_eq!(trimmed.freedom(), 12.0);
    }

    #[test]
    fn without_trimming_it_is_the_ordinary_mean() {
        let trimmed = Trimmed::of(&[5.0, 3.0, 4.0], 0.0).unwrap();
        assert_eq!((trimmed.mean, trimmed.kept), (4.0, 3));
        assert!((trimmed.standard_error - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        let (low, high) = trimmed.interval(0.95);
        // Student's coefficient of 2 degrees of freedom is 4.302653.
        assert!((high - 4.0 - 4.302_653 / 3.0_f64.sqrt()).abs() < 1e-5);
        assert!((low + high - 8.0).abs() < 1e-12);
    }

    #[test]
    fn equal_values_have_no_error() {
        let trimmed = Trimmed::of(&[0.1; 40], 0.25).unwrap();
        assert_eq!((trimmed.mean, trimmed.kept), (0.1, 20));
        assert_eq!(trimmed.interval(0.99), (0.1, 0.1));
        assert_eq!(trimmed.relative_error(0.99), 0.0);
    }

    #[test]
    fn a_single_value_says_nothing_about_its_error() {
        for values in [&[2.0][..], &[1.0, 2.0, 3.0]] {
            let trimmed = Trimmed::of(values, 0.4).unwrap();
            assert_eq!((trimmed.mean, trimmed.kept), (2.0, 1));
            assert_eq!(trimmed.error(0.95), f64::INFINITY);
        }
        assert_eq!(Trimmed::of(&[], 0.25), None);
        assert_eq!(Trimmed::of(&[1.0, f64::NAN], 0.25), None);
    }

    #[test]
    fn shares_are_of_whole_values() {
        for (count, share, expected) in [
            (100, 0.25, 25),
            (10, 0.25, 2),
            (10, 0.3, 3),
            (3, 0.25, 0),
            (4, 0.5, 1),
            (1, 0.4, 0),
        ] {
            assert_eq!(dropped(count, share), expected, "{share} of {count}");
        }
    }
}
