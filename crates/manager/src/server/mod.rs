//! The HTTP server: a thread of its own, on the loopback interface, for those who have the token.

mod changes;
mod connections;
mod guard;
mod history;
mod names;
mod now;
mod page;
mod problem;
mod routes;

use std::net::TcpListener;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, oneshot, watch};

use crate::fresh::Question;
use crate::problem::ManagerError;
use crate::store::Store;
use connections::{Connection, Limited};
use page::Page;

/// Time for clients to get the last events.
const GRACE: Duration = Duration::from_millis(500);

/// Clients that may follow the events at once.
pub(crate) const STREAMS: usize = 64;

/// What the server's and the manager's threads share.
#[derive(Debug)]
pub(crate) struct Shared {
    store: Mutex<Store>,
    /// Number of the last event.
    news: watch::Sender<u64>,
    pub(crate) token: String,
    page: Page,
    questions: Option<SyncSender<Question>>,
    /// One for each client that may follow the events.
    streams: Arc<Semaphore>,
}

impl Shared {
    pub(crate) fn new(
        store: Store,
        token: String,
        page: String,
        questions: Option<SyncSender<Question>>,
    ) -> Self {
        Shared {
            store: Mutex::new(store),
            news: watch::Sender::new(0),
            token,
            page: Page::new(page),
            questions,
            streams: Arc::new(Semaphore::new(STREAMS)),
        }
    }

    /// Everything that is known, for this thread alone.
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is known, and wakes those who follow.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Store)) {
        let mut store = self.store();
        change(&mut store);
        let last = store.journal.last();
        drop(store);
        self.news.send_replace(last);
    }
}

/// A server that runs; dropped, it stops.
#[derive(Debug)]
pub(crate) struct Server {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server.
    pub(crate) fn start(listener: TcpListener, shared: Arc<Shared>) -> Result<Self, ManagerError> {
        let failed = |error| ManagerError::Server { error };
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(failed)?
        };
        let (stop, stopped) = oneshot::channel();
        let router = routes::router(shared);
        let thread = std::thread::Builder::new().name("manager".to_owned());
        let thread = thread.spawn(move || serve(&runtime, listener, router, stopped));
        Ok(Server {
            stop: Some(stop),
            thread: Some(thread.map_err(failed)?),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that has panicked has stopped, too.
            let _ = thread.join();
        }
    }
}

fn serve(
    runtime: &Runtime,
    listener: tokio::net::TcpListener,
    router: Router,
    stopped: oneshot::Receiver<()>,
) {
    runtime.block_on(async {
        let (end, ended) = oneshot::channel::<()>();
        let service = router.into_make_service_with_connect_info::<Connection>();
        let serving = axum::serve(Limited::new(listener), service).with_graceful_shutdown(async {
            let _ = ended.await;
        });
        let serving = tokio::spawn(async { serving.await });
        let _ = stopped.await;
        drop(end);
        // Those who do not read do not hold up the end.
        let _ = tokio::time::timeout(GRACE, serving).await;
    });
}
