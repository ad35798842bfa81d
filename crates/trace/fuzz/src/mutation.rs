//! Mutations of a stream file that keep its form, so that the next check is reached: in payloads,
//! in fields of headers, of whole blocks.

use crate::assembly::{Assembly, EVENTS, HEADER_FIELDS, Part};
use crate::numbers::Numbers;
use pgas_trace::format::varint;

/// A number where mistakes like to be, near `value` or anywhere.
fn interesting(numbers: &mut Numbers, value: u64) -> u64 {
    match numbers.index(8) {
        0 => value.wrapping_add(1),
        1 => value.wrapping_sub(1),
        2 => [0, 1, 2, 127, 128, 0xffff, 1 << 16, 1 << 20][numbers.index(8)],
        3 => [
            u64::MAX,
            1 << 63,
            u64::from(u32::MAX),
            1 << 32,
            (1 << 62) - 1,
        ][numbers.index(5)],
        4 => value ^ 1 << numbers.index(64),
        5 => numbers.index(8) as u64,
        6 => value.wrapping_add(numbers.any() % 300),
        _ => numbers.any() >> numbers.index(64),
    }
}

/// Changes a file; `mutate_bytes` changes the bytes of a payload, and is given the room that it
/// has.
pub fn mutate(
    bytes: &[u8],
    numbers: &mut Numbers,
    mut mutate_bytes: impl FnMut(&mut Vec<u8>),
) -> Option<Vec<u8>> {
    let mut assembly = Assembly::take_apart(bytes)?;
    for _ in 0..=numbers.index(3) {
        change(&mut assembly, numbers, &mut mutate_bytes);
    }
    Some(assembly.assemble())
}

fn change(
    assembly: &mut Assembly,
    numbers: &mut Numbers,
    mutate_bytes: &mut impl FnMut(&mut Vec<u8>),
) {
    let count = assembly.parts.len();
    if count == 0 || numbers.index(16) == 0 {
        change_file(assembly, numbers);
        return;
    }
    let index = numbers.index(count);
    let part = &mut assembly.parts[index];
    match numbers.index(16) {
        0..=5 => mutate_bytes(&mut part.payload),
        6..=7 => change_integer(part, numbers),
        8 => repeat_entry(part, numbers),
        9 => append_event(part, numbers),
        10..=11 => change_header(part, numbers),
        12 => {
            part.compressed = !part.compressed;
            part.claimed_length = None;
        }
        13 => {
            let copy = part.clone();
            let to = numbers.index(count + 1);
            assembly.parts.insert(to, copy);
        }
        14 => {
            assembly.parts.remove(index);
        }
        _ => {
            let other = numbers.index(count);
            assembly.parts.swap(index, other);
        }
    }
    // Mostly, so that gaps are tried, too.
    if numbers.index(4) > 0 {
        assembly.renumber();
    }
}

fn change_file(assembly: &mut Assembly, numbers: &mut Numbers) {
    match numbers.index(5) {
        0 => {
            let at = 8 + numbers.index(48);
            assembly.header[at] ^= 1 << numbers.index(8);
        }
        1 => assembly.header[8] = 1 + numbers.index(2) as u8,
        2 => {
            let threads = interesting(numbers, 1) as u32;
            assembly.header[16..20].copy_from_slice(&threads.to_le_bytes());
        }
        3 => match &mut assembly.footer {
            Some(_) => assembly.footer = None,
            None => assembly.footer = Some([0; 32]),
        },
        _ => {
            if let Some(footer) = &mut assembly.footer {
                footer[8 + numbers.index(24)] = numbers.any() as u8;
            }
        }
    }
}

/// One of the integers of the payload, as far as its beginning can be guessed.
fn change_integer(part: &mut Part, numbers: &mut Numbers) {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some((value, next)) = varint::get(&part.payload, at) {
        places.push((at, value, next));
        at = next;
    }
    if places.is_empty() {
        return;
    }
    let (begin, value, end) = places[numbers.index(places.len())];
    let mut bytes = Vec::new();
    varint::push(&mut bytes, interesting(numbers, value));
    part.payload.splice(begin..end, bytes);
}

/// Some bytes once more, and one entry more.
fn repeat_entry(part: &mut Part, numbers: &mut Numbers) {
    if part.payload.is_empty() {
        return;
    }
    let begin = numbers.index(part.payload.len());
    let length = 1 + numbers.index(24.min(part.payload.len() - begin));
    let copy = part.payload[begin..begin + length].to_vec();
    let to = if numbers.index(2) == 0 {
        begin
    } else {
        part.payload.len()
    };
    part.payload.splice(to..to, copy);
    part.set_u32(32, part.u32(32).wrapping_add(1));
}

/// A record of an event at the end.
fn append_event(part: &mut Part, numbers: &mut Numbers) {
    if part.kind() != EVENTS {
        return;
    }
    let difference = numbers.index(1000) as u64;
    let tag = numbers.index(4) as u64;
    varint::push(&mut part.payload, 4 * difference + tag);
    if tag & 1 == 0 {
        let site = numbers.index(part.u32(44) as usize + 1);
        varint::push(&mut part.payload, site as u64);
    }
    if tag >= 2 {
        varint::push(&mut part.payload, numbers.index(14) as u64);
        for _ in 0..numbers.index(6) {
            let value = interesting(numbers, 1);
            varint::push(&mut part.payload, value);
        }
    }
    part.set_u32(32, part.u32(32).wrapping_add(1));
    part.set_u64(24, part.u64(24).wrapping_add(difference));
}

fn change_header(part: &mut Part, numbers: &mut Numbers) {
    if numbers.index(8) == 0 {
        let length = interesting(numbers, part.payload.len() as u64);
        part.claimed_length = Some(length as u32);
        return;
    }
    let (at, size) = HEADER_FIELDS[numbers.index(HEADER_FIELDS.len())];
    let field = &mut part.header[at..at + size];
    let mut value = [0; 8];
    value[..size].copy_from_slice(field);
    let changed = interesting(numbers, u64::from_le_bytes(value)).to_le_bytes();
    field.copy_from_slice(&changed[..size]);
}
