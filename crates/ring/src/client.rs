//! Sends messages.

use std::net::SocketAddr;
use std::time::Duration;

use serde::Serialize;

use crate::secret::Secret;
use crate::server::SIGNATURE;

/// How long a member may take to accept a message. It answers before it does anything.
const PATIENCE: Duration = Duration::from_millis(400);

/// Keeps connections to those that it has sent messages to.
pub(crate) struct Client {
    agent: ureq::Agent,
    secret: Secret,
}

impl Client {
    pub(crate) fn new(secret: Secret) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .proxy(None)
            .build();
        Client {
            agent: config.into(),
            secret,
        }
    }

    /// Whether the message was accepted.
    pub(crate) fn send(&self, to: SocketAddr, path: &str, message: &impl Serialize) -> bool {
        let Ok(body) = postcard::to_stdvec(message) else {
            return false;
        };
        let signature = self.secret.sign(path, &body);
        let request = self
            .agent
            .post(format!("http://{to}{path}"))
            .header(SIGNATURE, signature);
        request.send(&body[..]).is_ok()
    }
}
