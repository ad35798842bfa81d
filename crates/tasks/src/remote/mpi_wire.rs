//! Wire between the processes of an MPI job.
//!
//! One thread makes all calls of MPI, as few libraries are fast when several do. It looks for
//! messages all the time, as MPI has no other way to wait for them and for this process at once.

use std::collections::{BTreeMap, VecDeque};
use std::env;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use mpi::environment::Universe;
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{AsRaw, Communicator, Equivalence, Source};
use mpi::{Rank, Tag, Threading};
use parking_lot::Mutex;

use crate::remote::wire::{Arrive, HEAD, Wire};

/// Bytes that are sent at once. MPI counts them with 31 bits.
const PIECE: usize = 1 << 30;
/// Of the last piece of a frame, and of those before it.
const LAST: Tag = 0;
const MORE: Tag = 1;
/// Looks in vain after which the thread sleeps between them.
const LOOKS: u32 = 20_000;
const SLEEP: Duration = Duration::from_micros(50);

/// Processes of the MPI job to which this one belongs, as its launcher says.
pub(crate) fn job_size() -> Option<usize> {
    let variables = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];
    variables
        .iter()
        .find_map(|variable| env::var(variable).ok()?.parse().ok())
}

/// This process in its job.
pub(crate) struct MpiWire {
    shared: Arc<Shared>,
    pub me: u32,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    outgoing: Mutex<VecDeque<(u32, Vec<u8>)>>,
    /// Frames that have not left.
    left: AtomicUsize,
    arrive: OnceLock<Arrive>,
    closing: AtomicBool,
}

impl MpiWire {
    /// Connects this process with its job.
    ///
    /// # Errors
    /// MPI was in use before.
    pub fn connect() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (tell, told) = sync_channel(1);
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new().name("MPI".to_owned());
        let thread = thread.spawn(move || {
            let universe = mpi::initialize_with_threading(Threading::Serialized);
            let Some((universe, _)) = universe else {
                return;
            };
            let _ = tell.send(universe.world().rank());
            Carrier::new(&universe, own).run();
        })?;
        let me = told
            .recv()
            .map_err(|_| std::io::Error::other("MPI was initialised before"))?;
        Ok(Self {
            shared,
            me: me as u32,
            thread: Mutex::new(Some(thread)),
        })
    }
}

impl Wire for MpiWire {
    fn send(&self, to: u32, frame: Vec<u8>) {
        self.shared.left.fetch_add(1, Ordering::AcqRel);
        self.shared.outgoing.lock().push_back((to, frame));
    }

    fn listen(&self, arrive: Arrive) {
        let _ = self.shared.arrive.set(arrive);
    }

    fn flush(&self) {
        while self.shared.left.load(Ordering::Acquire) > 0 {
            thread::yield_now();
        }
    }

    fn close(&self) {
        self.shared.closing.store(true, Ordering::Release);
        if let Some(thread) = self.thread.lock().take() {
            let _ = thread.join();
        }
    }
}

/// A piece that MPI is sending.
struct Sending {
    request: ffi::MPI_Request,
    /// Stays where it is until MPI has sent it.
    _bytes: Arc<Vec<u8>>,
    last: bool,
}

struct Carrier {
    world: SimpleCommunicator,
    shared: Arc<Shared>,
    sending: Vec<Sending>,
    begun: BTreeMap<Rank, Vec<u8>>,
    /// Frames that must wait for those of other processes, and what came after them.
    held: BTreeMap<Rank, VecDeque<Vec<u8>>>,
}

impl Carrier {
    fn new(universe: &Universe, shared: Arc<Shared>) -> Self {
        Self {
            world: universe.world(),
            shared,
            sending: Vec::new(),
            begun: BTreeMap::new(),
            held: BTreeMap::new(),
        }
    }

    fn run(mut self) {
        let mut looks = 0;
        while !self.shared.closing.load(Ordering::Acquire) {
            let sent = self.send();
            let done = self.complete();
            let received = self.receive();
            looks = if sent || done || received {
                0
            } else {
                looks + 1
            };
            match looks {
                0 => {}
                1..LOOKS => thread::yield_now(),
                _ => thread::sleep(SLEEP),
            }
        }
    }

    fn send(&mut self) -> bool {
        let mut outgoing = std::mem::take(&mut *self.shared.outgoing.lock());
        let any = !outgoing.is_empty();
        for (to, frame) in outgoing.drain(..) {
            let frame = Arc::new(frame);
            let pieces = frame[HEAD..].chunks(PIECE).count();
            for (number, piece) in frame[HEAD..].chunks(PIECE).enumerate() {
                let last = number + 1 == pieces;
                let request = self.begin_send(to, piece, if last { LAST } else { MORE });
                self.sending.push(Sending {
                    request,
                    _bytes: Arc::clone(&frame),
                    last,
                });
            }
        }
        any
    }

    fn begin_send(&self, to: u32, piece: &[u8], tag: Tag) -> ffi::MPI_Request {
        let mut request = std::mem::MaybeUninit::uninit();
        // SAFETY: the caller keeps the bytes until the request is complete; errors end the job.
        unsafe {
            ffi::MPI_Isend(
                piece.as_ptr().cast(),
                piece.len() as i32,
                u8::equivalent_datatype().as_raw(),
                to as Rank,
                tag,
                self.world.as_raw(),
                request.as_mut_ptr(),
            );
            request.assume_init()
        }
    }

    fn complete(&mut self) -> bool {
        let before = self.sending.len();
        let shared = &self.shared;
        self.sending.retain_mut(|sending| {
            let mut done = 0;
            // SAFETY: the request is not complete, and its status is of no interest.
            unsafe { ffi::MPI_Test(&mut sending.request, &mut done, ffi::RSMPI_STATUS_IGNORE) };
            if done != 0 && sending.last {
                shared.left.fetch_sub(1, Ordering::AcqRel);
            }
            done == 0
        });
        before > self.sending.len()
    }

    /// A frame that is taken may be the one for which others wait.
    fn hand_over(&mut self, arrive: &Arrive) {
        let mut any = true;
        while std::mem::take(&mut any) {
            for (rank, frames) in &mut self.held {
                while let Some(frame) = frames.front() {
                    if !arrive.try_take(*rank as u32, frame) {
                        break;
                    }
                    frames.pop_front();
                    any = true;
                }
            }
        }
    }

    /// Until this process takes part in the run, messages wait in MPI.
    fn receive(&mut self) -> bool {
        let Some(arrive) = self.shared.arrive.get().cloned() else {
            return false;
        };
        let Some((message, status)) = self.world.any_process().immediate_matched_probe() else {
            return false;
        };
        let (rank, tag) = (status.source_rank(), status.tag());
        let bytes = status.count(u8::equivalent_datatype());
        let mut piece = vec![0; usize::try_from(bytes).unwrap_or(0)];
        message.matched_receive_into(&mut piece[..]);
        let mut whole = self.begun.remove(&rank).unwrap_or_default();
        if whole.is_empty() {
            whole = piece;
        } else {
            whole.append(&mut piece);
        }
        if tag == MORE {
            self.begun.insert(rank, whole);
        } else {
            self.held.entry(rank).or_default().push_back(whole);
            self.hand_over(&arrive);
        }
        true
    }
}
