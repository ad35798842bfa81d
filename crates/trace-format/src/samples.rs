//! Samples of accesses with addresses, and the shared arrays of a program: what a recorder writes
//! into the properties [`SAMPLES`] and [`ARRAYS`] of a stream, and what readers make of them. Text
//! that was damaged is no samples.

/// The property with samples of a thread's accesses.
pub const SAMPLES: &str = "access_samples";
/// The property with shared arrays that a thread knows of.
pub const ARRAYS: &str = "shared_arrays";

/// Largest number of samples that a reader takes from one stream.
const MOST_SAMPLES: usize = 1 << 16;

/// One access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sample {
    /// Number of the site in the stream.
    pub site: u32,
    /// The thread with affinity to the data.
    pub partner: u32,
    /// Within the shared memory of that thread.
    pub address: u64,
    /// Bytes that the access moves.
    pub bytes: u64,
    /// It does not follow the sample before it at once.
    pub is_first: bool,
    /// The thread has synchronised since the sample before it: a barrier, a lock, a fence.
    pub is_new_period: bool,
    /// The thread held a lock.
    pub is_locked: bool,
}

/// Samples of one thread.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Samples {
    /// Accesses for which each one stands.
    pub accesses_of_each: u64,
    /// Samples in the order of the accesses.
    pub samples: Vec<Sample>,
}

const FIRST: u8 = 1;
const NEW_PERIOD: u8 = 2;
const LOCKED: u8 = 4;

impl Samples {
    /// `accesses_of_each`, and then `site,partner,address,bytes,flags` of each sample, all in
    /// hexadecimal digits.
    pub fn to_text(&self) -> String {
        use std::fmt::Write;
        let mut text = format!("{:x}", self.accesses_of_each);
        for sample in &self.samples {
            let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
            let flags = flag(sample.is_first, FIRST)
                | flag(sample.is_new_period, NEW_PERIOD)
                | flag(sample.is_locked, LOCKED);
            let Sample {
                site,
                partner,
                address,
                bytes,
                ..
            } = sample;
            // Writing to a string cannot fail.
            let _ = write!(text, " {site:x},{partner:x},{address:x},{bytes:x},{flags}");
        }
        text
    }

    /// `None` if that is not what a recorder writes.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let accesses_of_each = u64::from_str_radix(words.next()?, 16).ok()?;
        let samples = words.take(MOST_SAMPLES).map(|word| {
            let mut numbers = word.split(',').map(|n| u64::from_str_radix(n, 16).ok());
            let mut next = || numbers.next().flatten();
            let (site, partner) = (next()?, next()?);
            let (address, bytes, flags) = (next()?, next()?, next()? as u8);
            Some(Sample {
                site: u32::try_from(site).ok()?,
                partner: u32::try_from(partner).ok()?,
                address,
                bytes,
                is_first: flags & FIRST != 0,
                is_new_period: flags & NEW_PERIOD != 0,
                is_locked: flags & LOCKED != 0,
            })
        });
        let samples = samples.collect::<Option<Vec<Sample>>>()?;
        (accesses_of_each > 0).then_some(Samples {
            accesses_of_each,
            samples,
        })
    }
}

/// An array in shared memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SharedArray {
    /// Of its first element, within the shared memory of thread 0.
    pub address: u64,
    /// Of one element; 1 if that is not known, since it was allocated.
    pub element_bytes: u64,
    /// Elements of a block; 0 if all are on one thread.
    pub block: u64,
    /// Elements of the array, over all threads.
    pub elements: u64,
    /// Where it is declared or allocated.
    pub line: u32,
    /// Empty if it was allocated.
    pub name: String,
    /// Source file of the declaration or allocation; empty if unknown.
    pub file: String,
}

impl SharedArray {
    /// A line of the property [`ARRAYS`].
    pub fn to_text(&self) -> String {
        let clean = |text: &str| text.replace(['\t', '\n'], " ");
        format!(
            "{:x}\t{:x}\t{:x}\t{:x}\t{}\t{}\t{}",
            self.address,
            self.element_bytes,
            self.block,
            self.elements,
            self.line,
            clean(&self.name),
            clean(&self.file)
        )
    }

    /// All arrays of a property; lines that are none are left out.
    pub fn all(text: &str) -> Vec<SharedArray> {
        text.lines().filter_map(SharedArray::from_text).collect()
    }

    fn from_text(line: &str) -> Option<Self> {
        let mut words = line.split('\t');
        let mut number = || u64::from_str_radix(words.next()?, 16).ok();
        let (address, element_bytes) = (number()?, number()?);
        let (block, elements) = (number()?, number()?);
        let array = SharedArray {
            address,
            element_bytes,
            block,
            elements,
            line: words.next()?.parse().ok()?,
            name: words.next()?.to_owned(),
            file: words.next()?.to_owned(),
        };
        let bytes = element_bytes.checked_mul(elements)?;
        let fits =
            address.checked_add(bytes).is_some() && element_bytes.checked_mul(block).is_some();
        (bytes > 0 && fits).then_some(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let samples = Samples {
            accesses_of_each: 17,
            samples: vec![
                Sample {
                    site: 3,
                    partner: 1,
                    address: 0xff00,
                    bytes: 8,
                    is_first: true,
                    is_new_period: true,
                    is_locked: false,
                },
                Sample {
                    site: 4,
                    is_locked: true,
                    ..Sample::default()
                },
            ],
        };
        assert_eq!(Samples::from_text(&samples.to_text()), Some(samples));
        for wrong in [
            "",
            "0",
            "x 1,2,3,4,5",
            "7 1,2,3,4",
            "7 1,2,3,4,5 ",
            "7 -1,2,3,4,5",
        ] {
            assert_eq!(Samples::from_text(wrong), None, "{wrong}");
        }
        let array = SharedArray {
            address: 64,
            element_bytes: 8,
            block: 1,
            elements: 100,
            line: 7,
            name: "a".into(),
            file: "with\ttab.upc".into(),
        };
        let text = format!("nonsense\n{}\n{}", array.to_text(), array.to_text());
        let read = SharedArray::all(&text);
        assert_eq!((read.len(), read[1].file.as_str()), (2, "with tab.upc"));
        assert_eq!((read[0].address, read[0].elements), (64, 100));
        assert_eq!(SharedArray::all("ffffffffffffffff\t2\t1\t2\t7\ta\tf"), []);
    }
}
