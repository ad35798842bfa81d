//! Where functions of the program begin and end: noted before the program begins, and written at
//! once.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::PoisonError;

use pgas_trace_format::MAX_STRING;
use pgas_trace_format::functions::{FUNCTIONS, FunctionLines};

use crate::recorder::Recorder;
use crate::signals::without_signals;

/// Functions of a program at most.
const MOST: usize = 1 << 16;

/// Of this process, until they are written. A function that is in several units counts once.
static NOTED: Mutex<BTreeSet<FunctionLines>> = Mutex::new(BTreeSet::new());

impl Recorder {
    /// Notes a function.
    pub(crate) fn note_function(&self, function: FunctionLines) {
        let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() < MOST && crate::memory::has_reserve() {
            noted.insert(function);
        }
    }

    /// Writes all that were noted.
    pub(crate) fn write_functions(&self) {
        let noted = std::mem::take(&mut *NOTED.lock().unwrap_or_else(PoisonError::into_inner));
        let texts = in_pieces(noted.iter().map(FunctionLines::to_text));
        let properties: Vec<_> = texts.into_iter().map(|text| (FUNCTIONS, text)).collect();
        without_signals(|| self.lock_sink().add_properties(&properties));
    }
}

/// Lines in texts that a property can hold; lines that none can are left out.
fn in_pieces(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for line in lines.filter(|line| line.len() < MAX_STRING) {
        match pieces.last_mut() {
            Some(piece) if piece.len() + line.len() < MAX_STRING => piece.push_str(&line),
            _ => pieces.push(line),
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push('\n');
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_piece_is_too_long_and_none_is_lost() {
        let lines: Vec<String> = (0..20_000).map(|n| format!("{n}\t{n}\tf\ta.upc")).collect();
        let pieces = in_pieces(lines.iter().cloned());
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.len() <= MAX_STRING));
        assert_eq!(pieces.concat(), lines.join("\n") + "\n");
    }
}
