//! Uncompresses results of other tools. A few megabytes can become thousands of times as many, so a
//! text is read on only as long as what it says of its contents explains its length.

use std::io::{self, Read};

use flate2::read::GzDecoder;

/// Bytes that are never too many.
const ALWAYS: u64 = 16 << 20;
/// How much shorter compression makes definitions.
const MOST_OF_DEFINITIONS: u64 = 100;
/// Bytes of one value.
const WIDEST_VALUE: u64 = 32;
/// Bytes that a compressed file may become at all.
const MOST: u64 = 4 << 30;
const PART: usize = 1 << 16;
/// Beginnings of definitions in CUBE files.
const DEFINITIONS: [&[u8]; 3] = [b"<metric ", b"<cnode ", b"<thread "];
const LONGEST_WORD: usize = 8;

/// Why a text is not uncompressed.
#[derive(Debug)]
pub(crate) enum Refused {
    Io(io::Error),
    /// It has more bytes than this.
    TooLong(u64),
}

/// Uncompresses all of `compressed`, which has `length` bytes.
pub(crate) fn unzipped(compressed: impl Read, length: u64) -> Result<Vec<u8>, Refused> {
    let mut plain = Vec::new();
    let mut source = GzDecoder::new(compressed);
    let mut part = vec![0; PART];
    let mut counts = [0_u64; DEFINITIONS.len()];
    loop {
        let count = source.read(&mut part).map_err(Refused::Io)?;
        if count == 0 {
            return Ok(plain);
        }
        let begin = plain.len();
        let most = most(length, counts);
        if (begin + count) as u64 > most {
            return Err(Refused::TooLong(most));
        }
        plain.extend_from_slice(&part[..count]);
        // A word may lie across two parts.
        let from = begin.saturating_sub(LONGEST_WORD - 1);
        for (word, counted) in DEFINITIONS.iter().zip(&mut counts) {
            let places = plain[from..].windows(word.len()).enumerate();
            let is_new = |at: usize| from + at + word.len() > begin;
            let found = places.filter(|(at, text)| text == word && is_new(*at));
            *counted += found.count() as u64;
        }
    }
}

/// Bytes that a text with these numbers of definitions can have.
fn most(length: u64, counts: [u64; DEFINITIONS.len()]) -> u64 {
    let values = counts
        .iter()
        .fold(1, |all, &count| count.saturating_mul(all));
    let definitions = length.saturating_mul(MOST_OF_DEFINITIONS);
    ALWAYS
        .saturating_add(definitions)
        .saturating_add(values.saturating_mul(WIDEST_VALUE))
        .min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn zipped(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn unzip(text: &[u8]) -> Result<Vec<u8>, Refused> {
        let bytes = zipped(text);
        unzipped(bytes.as_slice(), bytes.len() as u64)
    }

    #[test]
    fn a_text_that_says_nothing_is_read_no_further_than_its_definitions_could_be_long() {
        let bomb = vec![b' '; 100 << 20];
        let Err(Refused::TooLong(most)) = unzip(&bomb) else {
            panic!("it was taken");
        };
        assert!(most < 30 << 20, "{most}");
    }

    #[test]
    fn values_of_what_is_defined_are_read() {
        let mut text = b"<cube>".to_vec();
        for word in DEFINITIONS {
            for _ in 0..100 {
                text.extend_from_slice(word);
                text.push(b'>');
            }
        }
        text.extend(b"0\n".repeat(20 << 20));
        // A million values explain 32 MB beside the 16 MB that are always taken, and the part of
        // the definitions.
        assert_eq!(unzip(&text).unwrap(), text);
        text.extend(b"0\n".repeat(20 << 20));
        assert!(matches!(unzip(&text), Err(Refused::TooLong(_))));
    }

    #[test]
    fn a_word_across_two_parts_counts_once() {
        for shift in 0..=LONGEST_WORD {
            let mut text = vec![b' '; PART - shift];
            text.extend_from_slice(b"<cnode ");
            let bytes = zipped(&text);
            let read = unzipped(bytes.as_slice(), bytes.len() as u64).unwrap();
            assert_eq!(read, text, "{shift}");
        }
        assert_eq!(most(0, [1, 1, 1]), ALWAYS + WIDEST_VALUE);
        assert_eq!(most(0, [1, 0, 1]), ALWAYS);
        assert_eq!(most(u64::MAX, [u64::MAX; 3]), MOST);
    }
}
