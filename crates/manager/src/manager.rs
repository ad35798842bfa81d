//! The manager of a run: a server, and what it answers.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pgas_base::models::Words;
use pgas_monitor::Picture;
use pgas_search::{Change, Finding};

use crate::announcement::Announcement;
use crate::fresh::Question;
use crate::problem::ManagerError;
use crate::server::{Server, Shared};
use crate::store::Store;

/// Bytes of a token before they become text.
const TOKEN: usize = 24;

/// How to start a manager.
#[derive(Debug, Clone)]
pub struct Options {
    /// HTML of the page `/`.
    pub page: String,
    /// Words for the threads of the program, in sentences.
    pub words: Words,
    /// Port to listen at; 0 for one that is free.
    pub port: u16,
    /// Takes questions for values as they are now; `None` if nobody answers them.
    pub questions: Option<SyncSender<Question>>,
}

/// Keeps what is known of a run, and offers it over HTTP. Dropped, it stops.
#[derive(Debug)]
pub struct Manager {
    // First, so that nobody finds the address of a server that is gone.
    announcement: Mutex<Option<Announcement>>,
    address: SocketAddr,
    shared: Arc<Shared>,
    /// Stops when it is dropped.
    _server: Server,
}

impl Manager {
    /// Starts a manager that knows nothing yet, on the loopback interface.
    ///
    /// # Errors
    /// If the port is taken, or the system has no thread, port or random number left.
    pub fn start(options: Options) -> Result<Self, ManagerError> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listen = |error| ManagerError::Listen {
            address: wanted,
            error,
        };
        let listener = TcpListener::bind(wanted).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let shared = Shared::new(
            Store::new(options.words),
            token()?,
            options.page,
            options.questions,
        );
        let shared = Arc::new(shared);
        let server = Server::start(listener, Arc::clone(&shared))?;
        Ok(Manager {
            announcement: Mutex::new(None),
            address,
            shared,
            _server: server,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What each request must have.
    pub fn token(&self) -> &str {
        &self.shared.token
    }

    /// Adds a period: its picture, all findings so far, and those that came and went in it.
    pub fn add(&self, picture: Picture, findings: Vec<Finding>, changes: Vec<Change>) {
        let add = |store: &mut Store| store.add(picture, &findings, &changes);
        self.shared.change(add);
    }

    /// Ends the run: clients receive the reason. Its data can still be read, but the file of
    /// [`Manager::announce`] is removed.
    pub fn end(&self, why: &str) {
        self.shared.change(|store| store.end(why));
        self.withdraw();
    }

    /// Writes `live/manager.json` in the directory of an experiment, for clients of this user;
    /// it is removed at the end.
    ///
    /// # Errors
    /// Those of writing the file.
    pub fn announce(&self, experiment: &Path) -> Result<(), ManagerError> {
        let announcement = Announcement::write(experiment, self.address, self.token())?;
        let mut place = self
            .announcement
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *place = Some(announcement);
        Ok(())
    }

    fn withdraw(&self) {
        let mut place = self
            .announcement
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *place = None;
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        self.withdraw();
        self.shared.change(|store| store.is_stopping = true);
    }
}

fn token() -> Result<String, ManagerError> {
    let mut bytes = [0; TOKEN];
    getrandom::fill(&mut bytes).map_err(|error| ManagerError::Token { error })?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
