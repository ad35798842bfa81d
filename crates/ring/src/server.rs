//! Receives messages: an HTTP server that passes on what is signed, and refuses everything else.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, Uri};

use crate::message::{Message, Refused};
use crate::secret::Secret;

/// Header with the signature.
pub(crate) const SIGNATURE: &str = "pgas-signature";
/// More bytes than a message has.
const MOST: usize = 256 << 20;

struct Shared {
    secret: Secret,
    messages: Sender<Message>,
}

/// A server. It ends with its process, or when the receiver of its messages is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    _stop: tokio::sync::oneshot::Sender<()>,
}

impl Server {
    pub(crate) fn start(
        address: SocketAddr,
        secret: Secret,
        messages: Sender<Message>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let shared = Arc::new(Shared { secret, messages });
        let router = Router::new()
            .fallback(take)
            .layer(DefaultBodyLimit::max(MOST))
            .with_state(shared);
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        std::thread::Builder::new()
            .name("ring".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
                        return;
                    };
                    tokio::select! {
                        _ = axum::serve(listener, router) => {}
                        _ = stopped => {}
                    }
                });
            })?;
        Ok(Server {
            address,
            _stop: stop,
        })
    }
}

async fn take(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, String) {
    let signature = headers.get(SIGNATURE).and_then(|text| text.to_str().ok());
    let message = match Message::read(&shared.secret, uri.path(), signature, &body) {
        Ok(message) => message,
        Err(refused) => return (status(refused), refused.to_string()),
    };
    let status = match shared.messages.send(message) {
        Ok(()) => StatusCode::ACCEPTED,
        Err(_) => StatusCode::GONE,
    };
    (status, String::new())
}

fn status(refused: Refused) -> StatusCode {
    match refused {
        Refused::Unsigned => StatusCode::UNAUTHORIZED,
        Refused::Path => StatusCode::NOT_FOUND,
        Refused::Body => StatusCode::BAD_REQUEST,
    }
}
