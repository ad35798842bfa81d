//! Countable events, by the names that perf gives them: events of the processor, of the kernel, of
//! caches, and raw numbers of the processor's manual. Numbers are those of `linux/perf_event.h`.

const TYPE_HARDWARE: u32 = 0;
const TYPE_SOFTWARE: u32 = 1;
const TYPE_CACHE: u32 = 3;
const TYPE_RAW: u32 = 4;

const HARDWARE: &[(&str, u64)] = &[
    ("cycles", 0),
    ("cpu-cycles", 0),
    ("instructions", 1),
    ("cache-references", 2),
    ("cache-misses", 3),
    ("branches", 4),
    ("branch-instructions", 4),
    ("branch-misses", 5),
    ("bus-cycles", 6),
    ("stalled-cycles-frontend", 7),
    ("idle-cycles-frontend", 7),
    ("stalled-cycles-backend", 8),
    ("idle-cycles-backend", 8),
    ("ref-cycles", 9),
];
const TASK_CLOCK: u64 = 1;
const CONTEXT_SWITCHES: u64 = 3;
const MIGRATIONS: u64 = 4;
const SOFTWARE: &[(&str, u64)] = &[
    ("cpu-clock", 0),
    ("task-clock", TASK_CLOCK),
    ("page-faults", 2),
    ("faults", 2),
    ("context-switches", CONTEXT_SWITCHES),
    ("cs", CONTEXT_SWITCHES),
    ("cpu-migrations", MIGRATIONS),
    ("migrations", MIGRATIONS),
    ("minor-faults", 5),
    ("major-faults", 6),
    ("alignment-faults", 7),
    ("emulation-faults", 8),
];
const CACHES: &[(&str, u64)] = &[
    ("L1-dcache", 0),
    ("L1-icache", 1),
    ("LLC", 2),
    ("dTLB", 3),
    ("iTLB", 4),
    ("branch", 5),
    ("node", 6),
];
/// Cache events: the number of the operation, and of its result (0 access, 1 miss).
const CACHE_OPERATIONS: &[(&str, u64, u64)] = &[
    ("loads", 0, 0),
    ("load-misses", 0, 1),
    ("stores", 1, 0),
    ("store-misses", 1, 1),
    ("prefetches", 2, 0),
    ("prefetch-misses", 2, 1),
];

/// Something that can be counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    /// As it was asked for.
    pub(super) name: String,
    pub(super) kind: u32,
    pub(super) config: u64,
    pub(super) exclude_user: bool,
    pub(super) exclude_kernel: bool,
}

impl Event {
    /// The event of that name, which may end with `:u` (only what the program itself does), `:k`
    /// (only what the kernel does for it), or `:uk`; `None` if nobody knows it.
    pub(super) fn named(text: &str) -> Option<Self> {
        let (name, modifiers) = text.split_once(':').unwrap_or((text, "uk"));
        let (exclude_user, exclude_kernel) = match modifiers {
            "u" => (false, true),
            "k" => (true, false),
            "uk" | "ku" => (false, false),
            _ => return None,
        };
        let (kind, config) = number(name)?;
        Some(Event {
            name: text.to_owned(),
            kind,
            config,
            exclude_user,
            exclude_kernel,
        })
    }

    /// Whether the kernel itself counts it, so that it is there on any machine.
    pub(super) fn is_software(&self) -> bool {
        self.kind == TYPE_SOFTWARE
    }

    /// Whether it is a time, which always is that of program and kernel together.
    pub(super) fn is_time(&self) -> bool {
        self.is_software() && self.config <= TASK_CLOCK
    }

    /// Whether it happens in the kernel alone, so that there is nothing to count without it.
    pub(super) fn is_of_kernel(&self) -> bool {
        self.is_software() && matches!(self.config, CONTEXT_SWITCHES | MIGRATIONS)
    }
}

fn number(name: &str) -> Option<(u32, u64)> {
    let find = |table: &[(&str, u64)]| {
        let mut known = table.iter();
        Some(known.find(|(known, _)| known.eq_ignore_ascii_case(name))?.1)
    };
    if let Some(config) = find(HARDWARE) {
        return Some((TYPE_HARDWARE, config));
    }
    if let Some(config) = find(SOFTWARE) {
        return Some((TYPE_SOFTWARE, config));
    }
    if let Some(config) = cache_event(name) {
        return Some((TYPE_CACHE, config));
    }
    let digits = name.strip_prefix('r')?;
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let config = u64::from_str_radix(digits, 16).ok()?;
    is_hexadecimal.then_some((TYPE_RAW, config))
}

fn cache_event(name: &str) -> Option<u64> {
    CACHES.iter().find_map(|(cache, number)| {
        let beginning = name.get(..cache.len())?;
        if !beginning.eq_ignore_ascii_case(cache) {
            return None;
        }
        let operation = name[cache.len()..].strip_prefix('-')?;
        let mut operations = CACHE_OPERATIONS.iter();
        let (_, operation, result) =
            operations.find(|(known, ..)| known.eq_ignore_ascii_case(operation))?;
        Some(number | operation << 8 | result << 16)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<(u32, u64, bool, bool)> {
        let event = Event::named(name)?;
        assert_eq!(event.name, name);
        Some((
            event.kind,
            event.config,
            event.exclude_user,
            event.exclude_kernel,
        ))
    }

    #[test]
    fn names_are_those_of_perf() {
        for (name, kind, config) in [
            ("cycles", 0, 0),
            ("instructions", 0, 1),
            ("Branch-Misses", 0, 5),
            ("ref-cycles", 0, 9),
            ("task-clock", 1, 1),
            ("page-faults", 1, 2),
            ("cs", 1, 3),
            ("L1-dcache-load-misses", 3, 0x1_0000),
            ("LLC-loads", 3, 2),
            ("dTLB-store-misses", 3, 0x1_0103),
            ("r1c0", 4, 0x1c0),
        ] {
            assert_eq!(of(name), Some((kind, config, false, false)), "{name}");
        }
    }

    #[test]
    fn modifiers_say_whose_events_count() {
        assert_eq!(of("cycles:u"), Some((0, 0, false, true)));
        assert_eq!(of("cycles:k"), Some((0, 0, true, false)));
        assert_eq!(of("cycles:uk"), Some((0, 0, false, false)));
    }

    #[test]
    fn what_nobody_knows_has_no_number() {
        for name in [
            "",
            "cycle",
            "cycles:",
            "cycles:p",
            "r",
            "rx1",
            "r+1",
            "r12345678901234567",
            "LLC",
            "LLC-",
            "LLC-load",
            "L1-dcacheloads",
            "Ä",
            "LLÄ-loads",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
