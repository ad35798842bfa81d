//! A region that a thread has open, as the recorder keeps it for itself: the area of regions lies in
//! place of the recorder's own stack, so that an event stores nothing more than without it.

/// An open region. The first entry of an area is none: it stands for what lies below all regions.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct StackEntry {
    /// An address in the program, for the recorder's own use.
    pub name: u64,
    /// Ticks: when it was entered; 0 if that is not known.
    pub begin: u64,
    /// Number of its place.
    pub site: u32,
    /// For the recorder's own use.
    pub node: u32,
    /// Operation in the low byte; treatment by the recorder, such as [`FILTERED`], in the high one.
    pub kind: u16,
    /// Of no meaning.
    pub unused: [u16; 3],
}

/// A call of a place that a filter excludes: it has no place either.
pub const FILTERED: u8 = 5;

impl StackEntry {
    /// The entry in these words.
    pub(crate) fn of_words(words: [u64; 4]) -> Self {
        let halves = |word: u64| {
            let bytes = word.to_ne_bytes();
            let half = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            [half(0), half(4)].map(u32::from_ne_bytes)
        };
        let [site, node] = halves(words[2]);
        let bytes = words[3].to_ne_bytes();
        StackEntry {
            name: words[0],
            begin: words[1],
            site,
            node,
            kind: u16::from_ne_bytes([bytes[0], bytes[1]]),
            unused: [0; 3],
        }
    }

    /// Whether two readings found the same call there.
    pub(crate) fn is_same(&self, other: &StackEntry) -> bool {
        let parts = |entry: &StackEntry| (entry.name, entry.begin, entry.site, entry.kind);
        parts(self) == parts(other)
    }

    /// Number of its place; `None` if it has none.
    pub fn place(&self) -> Option<u32> {
        (self.treatment() != FILTERED).then_some(self.site)
    }

    /// Number of its operation.
    pub fn operation(&self) -> u8 {
        self.kind as u8
    }

    /// How the recorder treats it.
    pub fn treatment(&self) -> u8 {
        (self.kind >> 8) as u8
    }
}
