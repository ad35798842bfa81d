//! Files that another tool could have written, byte by byte, right or wrong.

/// A file in the making. Numbers are written in one byte order; nothing is checked.
#[derive(Debug, Clone)]
pub struct Bytes {
    pub big: bool,
    pub bytes: Vec<u8>,
}

/// A field of a record.
#[derive(Debug, Clone, Copy)]
pub enum F<'a> {
    U1(u8),
    U4(u32),
    D8(f64),
    Raw(&'a [u8]),
}
use F::*;

/// "None".
pub const NO: F = U4(u32::MAX);

impl Bytes {
    pub fn new(big: bool) -> Self {
        let mut bytes = b"EPILOG\0\x01\x09".to_vec();
        bytes.push(if big { 2 } else { 1 });
        Bytes { big, bytes }
    }

    pub fn record(&mut self, kind: u8, fields: &[F]) -> &mut Self {
        let mut body = Vec::new();
        for field in fields {
            match (field, self.big) {
                (U1(value), _) => body.push(*value),
                (U4(value), false) => body.extend(value.to_le_bytes()),
                (U4(value), true) => body.extend(value.to_be_bytes()),
                (D8(value), false) => body.extend(value.to_le_bytes()),
                (D8(value), true) => body.extend(value.to_be_bytes()),
                (Raw(bytes), _) => body.extend(*bytes),
            }
        }
        self.bytes.extend([u8::try_from(body.len()).unwrap(), kind]);
        self.bytes.extend(body);
        self
    }

    pub fn string(&mut self, id: u32, text: &str) -> &mut Self {
        let text = format!("{text}\0");
        self.record(1, &[U4(id), U1(0), Raw(text.as_bytes())])
    }

    pub fn enter(&mut self, location: u32, time: f64, region: u32) -> &mut Self {
        self.record(101, &[U4(location), D8(time), U4(region)])
    }

    pub fn exit(&mut self, location: u32, time: f64) -> &mut Self {
        self.record(102, &[U4(location), D8(time)])
    }

    /// Exit of a collective operation without a root.
    pub fn leave(&mut self, location: u32, time: f64, communicator: u32) -> &mut Self {
        let body = [U4(location), D8(time), NO, U4(communicator), U4(0), U4(0)];
        self.record(129, &body)
    }
}

/// The regions that [`definitions`] defines.
pub const REGIONS: [(&str, u8); 8] = [
    ("main", 1),
    ("shmem_barrier_all", 4),
    ("shmem_broadcast32", 5),
    ("shmem_put", 1),
    ("shmem_double_get", 1),
    ("shmem_set_lock", 1),
    ("shmem_clear_lock", 1),
    ("solve", 3),
];
pub const MAIN: u32 = 0;
pub const BARRIER: u32 = 1;
pub const BROADCAST: u32 = 2;
pub const PUT: u32 = 3;
pub const GET: u32 = 4;
pub const SET_LOCK: u32 = 5;
pub const CLEAR_LOCK: u32 = 6;
pub const SOLVE: u32 = 7;

/// Two processes on two nodes, the regions, communicator 0 of both and 1 of the first alone, call
/// site 9 of the barrier in main, and the number of events to come.
pub fn definitions(big: bool, events: u32) -> Bytes {
    let mut file = Bytes::new(big);
    file.string(100, "cluster");
    file.string(101, "n1").string(102, "n2");
    file.string(103, "rank").string(104, "prog.c");
    for (number, (name, _)) in REGIONS.iter().enumerate() {
        file.string(number as u32, name);
    }
    file.record(3, &[U4(7), U4(2), U4(100)]);
    file.record(4, &[U4(1), U4(7), U4(4), U4(101), D8(1e9)]);
    file.record(4, &[U4(2), U4(7), U4(4), U4(102), D8(1e9)]);
    for process in 0..2 {
        file.record(5, &[U4(process), U4(103)]);
        file.record(6, &[U4(0), U4(process), NO]);
        file.record(
            7,
            &[U4(process), U4(7), U4(process + 1), U4(process), U4(0)],
        );
    }
    file.record(8, &[U4(3), U4(104)]);
    for (number, (_, kind)) in REGIONS.iter().enumerate() {
        let number = number as u32;
        let body = [U4(number), U4(number), U4(3), U4(10 + number), NO, NO];
        file.record(9, &[&body[..], &[U1(*kind)]].concat());
    }
    file.record(11, &[U4(0), U1(0), U4(1), Raw(&[0b11])]);
    file.record(11, &[U4(1), U1(0), U4(1), Raw(&[0b01])]);
    file.record(12, &[D8(0.0), D8(1e-6)]);
    file.record(15, &[U4(9), U4(3), U4(33), U4(BARRIER), U4(MAIN)]);
    file.record(14, &[U4(events)]);
    file.record(13, &[]);
    file
}

/// A whole file of a little SHMEM program.
pub fn program(big: bool) -> Bytes {
    with_events(big, |file| {
        program_events(file);
    })
}

/// A file with [`definitions`] and the events that `write` writes.
pub fn with_events(big: bool, write: impl FnOnce(&mut Bytes)) -> Bytes {
    let mut events = Bytes {
        big,
        bytes: Vec::new(),
    };
    write(&mut events);
    let (mut at, mut count) = (0, 0);
    while at < events.bytes.len() {
        at += 2 + usize::from(events.bytes[at]);
        count += 1;
    }
    let mut file = definitions(big, count);
    file.bytes.extend(events.bytes);
    file
}

fn program_events(file: &mut Bytes) {
    for location in 0..2 {
        file.enter(location, 0.0, MAIN);
    }
    // A put from 0 to 1, a get by 1 from 0.
    file.enter(0, 0.5, PUT);
    file.record(123, &[U4(0), D8(0.5), U4(1), U4(5), U4(64)]);
    file.enter(1, 0.6, GET);
    file.record(125, &[U4(0), D8(0.6), U4(1), U4(5), U4(32)]);
    file.record(124, &[U4(1), D8(0.7), U4(0), U4(5)]);
    file.exit(0, 0.7);
    file.record(126, &[U4(1), D8(0.8), U4(0), U4(5)]);
    file.exit(1, 0.8);
    // A lock.
    for (location, time) in [(0, 1.0), (1, 1.25)] {
        file.enter(location, time, SET_LOCK);
        file.record(130, &[U4(location), D8(time + 0.05), U4(77)]);
        file.exit(location, time + 0.05);
        file.enter(location, time + 0.1, CLEAR_LOCK);
        file.record(131, &[U4(location), D8(time + 0.1), U4(77)]);
        file.exit(location, time + 0.15);
    }
    // Location 1 comes late to a barrier, and to a broadcast whose root it is.
    file.enter(0, 2.0, BARRIER);
    file.record(111, &[U4(1), D8(2.5), U4(9)]);
    file.leave(0, 2.5, 0).leave(1, 2.5, 0);
    file.enter(0, 3.0, BROADCAST).enter(1, 3.25, BROADCAST);
    for (location, sent, received) in [(0, 0, 8), (1, 8, 0)] {
        let body = [U4(location), D8(3.5), U4(1), U4(0), U4(sent), U4(received)];
        file.record(129, &body);
    }
    // Something of location 0 alone.
    file.enter(0, 3.75, SOLVE);
    file.record(201, &[U4(1), D8(3.75)]);
    file.leave(0, 4.0, 1);
    file.record(202, &[U4(1), D8(4.0)]);
    file.exit(0, 5.0).exit(1, 5.0);
}
