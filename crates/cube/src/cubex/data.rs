//! The binary files of a metric. Numbers are in the byte order that the index declares.
//!
//! Index: `CUBEX.INDEX`, 1 (u32, tells the byte order), version (u16), format (u8: 1), number of
//! rows (u32), the position of each row (u32). Data: `CUBEX.DATA` and the rows; or `ZCUBEX.DATA`,
//! number of rows (u64), for each its offset among the plain rows, its offset among the compressed
//! ones and its compressed size (u64 each), then the rows, each compressed by zlib.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::model::Aggregation;

/// Of the binary numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ByteOrder {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

const INDEX: &[u8] = b"CUBEX.INDEX";
const DATA: &[u8] = b"CUBEX.DATA";
const COMPRESSED: &[u8] = b"ZCUBEX.DATA";
/// Rows that are listed one by one.
const SPARSE: u8 = 1;

/// Damage in a binary file.
#[derive(Debug)]
pub(super) struct Damage {
    pub offset: usize,
    pub found: String,
    pub expected: String,
}

fn damage<T>(
    offset: usize,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> Result<T, Damage> {
    Err(Damage {
        offset,
        found: found.into(),
        expected: expected.into(),
    })
}

/// A type of values that the reader knows. All are read as `f64`; integers beyond 2^53 lose digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Unsigned(usize),
    Signed(usize),
    Float,
}

impl Scalar {
    /// Of a `dtype`, and how such values are put together; `None` for types that are not one
    /// number.
    pub fn of(name: &str) -> Option<(Scalar, Aggregation)> {
        use Aggregation::{Maximum, Minimum, Sum};
        Some(match name.trim() {
            "DOUBLE" | "FLOAT" => (Scalar::Float, Sum),
            "MINDOUBLE" => (Scalar::Float, Minimum),
            "MAXDOUBLE" => (Scalar::Float, Maximum),
            "UINT64" | "UNSIGNED INTEGER" => (Scalar::Unsigned(8), Sum),
            "INT64" | "INTEGER" | "SIGNED INTEGER" => (Scalar::Signed(8), Sum),
            "UINT32" | "UNSIGNED INT" => (Scalar::Unsigned(4), Sum),
            "INT32" | "INT" | "SIGNED INT" => (Scalar::Signed(4), Sum),
            "UINT16" | "UNSIGNED SHORT INT" => (Scalar::Unsigned(2), Sum),
            "INT16" | "SHORT INT" | "SIGNED SHORT INT" => (Scalar::Signed(2), Sum),
            "UINT8" | "CHAR" => (Scalar::Unsigned(1), Sum),
            "INT8" => (Scalar::Signed(1), Sum),
            _ => return None,
        })
    }

    pub fn width(self) -> usize {
        match self {
            Scalar::Unsigned(width) | Scalar::Signed(width) => width,
            Scalar::Float => 8,
        }
    }

    /// `bytes`: as many as the type is wide.
    fn value(self, bytes: &[u8], order: ByteOrder) -> f64 {
        let mut raw = [0; 8];
        for (index, byte) in bytes.iter().enumerate().take(8) {
            let place = match order {
                ByteOrder::Little => index,
                ByteOrder::Big => bytes.len() - 1 - index,
            };
            raw[place] = *byte;
        }
        let number = u64::from_le_bytes(raw);
        match self {
            Scalar::Float => f64::from_bits(number),
            Scalar::Unsigned(_) => number as f64,
            Scalar::Signed(width) => {
                let unused = 64 - 8 * width as u32;
                (((number << unused) as i64) >> unused) as f64
            }
        }
    }

    /// `value` is one that the type has; eight bytes wide.
    fn bytes(self, value: f64, order: ByteOrder) -> [u8; 8] {
        let number = match self {
            Scalar::Float => value.to_bits(),
            Scalar::Unsigned(_) => value as u64,
            Scalar::Signed(_) => value as i64 as u64,
        };
        order.u64(number)
    }
}

impl ByteOrder {
    fn u32(self, number: u32) -> [u8; 4] {
        match self {
            ByteOrder::Little => number.to_le_bytes(),
            ByteOrder::Big => number.to_be_bytes(),
        }
    }

    fn u64(self, number: u64) -> [u8; 8] {
        match self {
            ByteOrder::Little => number.to_le_bytes(),
            ByteOrder::Big => number.to_be_bytes(),
        }
    }

    fn read_u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = bytes.get(at..)?.first_chunk()?;
        Some(match self {
            ByteOrder::Little => u32::from_le_bytes(*bytes),
            ByteOrder::Big => u32::from_be_bytes(*bytes),
        })
    }

    fn read_u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        let bytes = bytes.get(at..)?.first_chunk()?;
        Some(match self {
            ByteOrder::Little => u64::from_le_bytes(*bytes),
            ByteOrder::Big => u64::from_be_bytes(*bytes),
        })
    }
}

/// The index file for rows at these positions.
pub(super) fn encode_index(positions: &[u32], order: ByteOrder) -> Vec<u8> {
    let mut out = INDEX.to_vec();
    out.extend(order.u32(1));
    // The version, 0.
    out.extend([0, 0, SPARSE]);
    out.extend(order.u32(positions.len() as u32));
    for &position in positions {
        out.extend(order.u32(position));
    }
    out
}

/// The byte order of the metric's files and the positions of its rows.
pub(super) fn decode_index(bytes: &[u8]) -> Result<(ByteOrder, Vec<u32>), Damage> {
    let Some(rest) = bytes.strip_prefix(INDEX) else {
        return damage(0, "something else", "the word CUBEX.INDEX");
    };
    let cut = || Damage {
        offset: bytes.len(),
        found: "the end of the index".into(),
        expected: "its header".into(),
    };
    let order = match ByteOrder::Little.read_u32(rest, 0).ok_or_else(cut)? {
        1 => ByteOrder::Little,
        0x0100_0000 => ByteOrder::Big,
        other => return damage(INDEX.len(), format!("{other:#x}"), "1 in either byte order"),
    };
    let format = *rest.get(6).ok_or_else(cut)?;
    if format != SPARSE {
        return damage(INDEX.len() + 6, format!("index format {format}"), "1");
    }
    // CubeLib ends here where a metric has no row.
    if rest.len() == 7 {
        return Ok((order, Vec::new()));
    }
    let count = order.read_u32(rest, 7).ok_or_else(cut)? as usize;
    let positions = &rest[11..];
    if positions.len() != count.saturating_mul(4) {
        return damage(
            INDEX.len() + 7,
            format!("{count} rows, and {} bytes of positions", positions.len()),
            "four bytes for each row",
        );
    }
    let positions = positions.chunks_exact(4);
    let positions = positions.filter_map(|bytes| order.read_u32(bytes, 0));
    Ok((order, positions.collect()))
}

/// The data file of these rows; `scalar` is eight bytes wide.
pub(super) fn encode_data<'a>(
    rows: impl Iterator<Item = std::borrow::Cow<'a, [f64]>>,
    scalar: Scalar,
    order: ByteOrder,
    compress: bool,
) -> std::io::Result<Vec<u8>> {
    if !compress {
        let mut out = DATA.to_vec();
        for row in rows {
            out.extend(row.iter().flat_map(|&value| scalar.bytes(value, order)));
        }
        return Ok(out);
    }
    let (mut table, mut packed) = (Vec::new(), Vec::new());
    let (mut count, mut plain) = (0u64, 0);
    for row in rows {
        let bytes: Vec<u8> = row
            .iter()
            .flat_map(|&value| scalar.bytes(value, order))
            .collect();
        let begin = packed.len();
        let mut encoder = ZlibEncoder::new(&mut packed, Compression::default());
        encoder.write_all(&bytes)?;
        encoder.finish()?;
        for number in [plain, begin, packed.len() - begin] {
            table.extend(order.u64(number as u64));
        }
        plain += bytes.len();
        count += 1;
    }
    let mut out = COMPRESSED.to_vec();
    out.extend(order.u64(count));
    out.append(&mut table);
    out.append(&mut packed);
    Ok(out)
}

/// The values of `rows` rows of `width` values each, one after the other.
pub(super) fn decode_data(
    bytes: &[u8],
    scalar: Scalar,
    order: ByteOrder,
    rows: usize,
    width: usize,
) -> Result<Vec<f64>, Damage> {
    let expected = rows.saturating_mul(width).saturating_mul(scalar.width());
    let unpacked;
    let plain = if let Some(plain) = bytes.strip_prefix(DATA) {
        plain
    } else if let Some(packed) = bytes.strip_prefix(COMPRESSED) {
        unpacked = unpack(packed, order, expected)?;
        &unpacked
    } else {
        return damage(0, "something else", "the word CUBEX.DATA or ZCUBEX.DATA");
    };
    if plain.len() != expected {
        return damage(
            bytes.len(),
            format!("{} bytes of values", plain.len()),
            format!("{rows} rows of {width} values of {} bytes", scalar.width()),
        );
    }
    let values = plain.chunks_exact(scalar.width());
    Ok(values.map(|bytes| scalar.value(bytes, order)).collect())
}

/// Compressed rows as if they had never been compressed; at most a little more than `expected`
/// bytes.
fn unpack(packed: &[u8], order: ByteOrder, expected: usize) -> Result<Vec<u8>, Damage> {
    let begin = COMPRESSED.len();
    let count = order
        .read_u64(packed, 0)
        .and_then(|n| usize::try_from(n).ok());
    let table_end = count.and_then(|count| count.checked_mul(24)?.checked_add(8));
    let Some((table, mut rest)) = table_end.and_then(|end| packed.split_at_checked(end)) else {
        return damage(
            begin,
            "a table of rows that is longer than the file",
            "a shorter one",
        );
    };
    let mut plain = Vec::new();
    for entry in table[8..].chunks_exact(24) {
        let offset = begin + packed.len() - rest.len();
        let size = order
            .read_u64(entry, 16)
            .and_then(|n| usize::try_from(n).ok());
        let Some((row, after)) = size.and_then(|size| rest.split_at_checked(size)) else {
            return damage(offset, "the end of the data", "another compressed row");
        };
        rest = after;
        if row.is_empty() {
            continue;
        }
        // One byte too many is enough to see that the rows do not fit.
        let room = expected.saturating_sub(plain.len()) as u64 + 1;
        let read = ZlibDecoder::new(row).take(room).read_to_end(&mut plain);
        if let Err(error) = read {
            return damage(
                offset,
                format!("a bad row ({error})"),
                "a row compressed by zlib",
            );
        }
        if plain.len() > expected {
            return damage(offset, "more values", format!("{expected} bytes in all"));
        }
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_and_sign_in_both_byte_orders() {
        for (name, bytes, value) in [
            ("UINT8", &[0xff][..], 255.0),
            ("INT8", &[0xff], -1.0),
            ("UINT16", &[0x34, 0x12], 4660.0),
            ("SHORT INT", &[0xfe, 0xff], -2.0),
            ("UINT32", &[0, 0, 0, 0x80], 2_147_483_648.0),
            ("INT", &[0, 0, 0, 0x80], -2_147_483_648.0),
            ("UINT64", &[1, 0, 0, 0, 1, 0, 0, 0], 4_294_967_297.0),
            (
                "INTEGER",
                &[0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
                -3.0,
            ),
            ("DOUBLE", &[0, 0, 0, 0, 0, 0, 0xf8, 0x3f], 1.5),
        ] {
            let (scalar, _) = Scalar::of(name).unwrap();
            assert_eq!(scalar.value(bytes, ByteOrder::Little), value, "{name}");
            let big: Vec<u8> = bytes.iter().rev().copied().collect();
            assert_eq!(scalar.value(&big, ByteOrder::Big), value, "{name}");
        }
        assert_eq!(Scalar::of("HISTOGRAM(5)"), None);
    }

    #[test]
    fn the_index_as_its_bytes() {
        let index = encode_index(&[0, 258], ByteOrder::Big);
        assert_eq!(
            index,
            b"CUBEX.INDEX\0\0\0\x01\0\0\x01\0\0\0\x02\0\0\0\0\0\0\x01\x02"
        );
        let (order, positions) = decode_index(&index).unwrap();
        assert_eq!((order, positions), (ByteOrder::Big, vec![0, 258]));
        let header = INDEX.len() + 7;
        for length in (0..index.len()).filter(|&length| length != header) {
            assert!(decode_index(&index[..length]).is_err());
        }
        // The index of a metric without rows, as CubeLib 4.8 writes it.
        let (_, positions) = decode_index(&index[..header]).unwrap();
        assert!(positions.is_empty());
    }

    #[test]
    fn a_small_file_cannot_become_large() {
        let rows = [vec![0.0; 100_000]];
        let rows = rows.iter().map(|row| row.as_slice().into());
        let packed = encode_data(rows, Scalar::Float, ByteOrder::Little, true).unwrap();
        let damage = decode_data(&packed, Scalar::Float, ByteOrder::Little, 1, 10).unwrap_err();
        assert_eq!(damage.found, "more values");
    }
}
