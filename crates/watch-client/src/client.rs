//! Requests to the manager of a run.

use std::io::BufReader;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body};

use crate::changes::Changes;
use crate::matrices::{Fresh, Matrices, Point, Query, Series};
use crate::picture::Picture;
use crate::problem::ClientError;

/// Time for an answer that is not a stream.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time for a connection on the same machine.
const CONNECT: Duration = Duration::from_secs(10);
/// Longest silence of a stream: the manager sends a comment at least each 10 s.
const SILENCE: Duration = Duration::from_secs(45);
/// Bytes of an answer, at most.
const LONGEST: u64 = 1 << 30;

/// Address and token of a manager: the file `live/manager.json` of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Announcement {
    /// Address and port.
    pub address: SocketAddr,
    /// What each request must have.
    pub token: String,
}

impl Announcement {
    /// The manager of the run that writes into this directory.
    ///
    /// # Errors
    /// If there is no such file, or it is something else.
    pub fn read(experiment: &Path) -> Result<Self, ClientError> {
        let file = experiment.join("live").join("manager.json");
        let read = pgas_files::read_to_string(&file);
        let parsed = read.and_then(|text| Ok(serde_json::from_str(&text)?));
        parsed.map_err(|error| ClientError::Announcement { file, error })
    }
}

/// Connection to the manager of a run.
#[derive(Debug, Clone)]
pub struct Client {
    agent: Agent,
    address: SocketAddr,
    token: String,
}

/// An error as the manager writes it.
#[derive(Debug, Default, Deserialize)]
struct Said {
    error: String,
    expected: String,
}

#[derive(Debug, Deserialize)]
struct OfSystem {
    points: Vec<Point>,
}

#[derive(Debug, Deserialize)]
struct AllSeries {
    series: Vec<Series>,
}

impl Client {
    /// Connects to the manager at an address.
    ///
    /// # Errors
    /// [`ClientError::Gone`] if nobody answers there, [`ClientError::Token`] if the token is wrong.
    pub fn connect(address: SocketAddr, token: &str) -> Result<Self, ClientError> {
        let agent = Agent::config_builder()
            // A proxy is not for this machine.
            .proxy(None)
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(PATIENCE));
        let client = Client {
            agent: Agent::new_with_config(agent.build()),
            address,
            token: token.to_owned(),
        };
        client.get("/api/1/matrices", &[("level", "system")])?;
        Ok(client)
    }

    /// Connects to the manager of the run that writes into this directory.
    ///
    /// # Errors
    /// As [`Announcement::read`] and [`Client::connect`].
    pub fn of_experiment(experiment: &Path) -> Result<Self, ClientError> {
        let found = Announcement::read(experiment)?;
        Client::connect(found.address, &found.token)
    }

    /// The last picture; `None` if there is none yet.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn picture(&self) -> Result<Option<Picture>, ClientError> {
        self.picture_as()
    }

    /// The same as a type of the caller's.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn picture_as<T: DeserializeOwned>(&self) -> Result<Option<T>, ClientError> {
        self.json("/api/1/picture", &[])
    }

    /// The matrices of all levels; `None` if there are none yet.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn matrices(&self) -> Result<Option<Matrices>, ClientError> {
        self.json("/api/1/matrices", &[])
    }

    /// The history of the system, the oldest point first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn history(&self) -> Result<Vec<Point>, ClientError> {
        let history: Option<OfSystem> = self.json("/api/1/history", &[])?;
        Ok(history.map_or_else(Vec::new, |history| history.points))
    }

    /// The history of metrics of objects.
    ///
    /// # Errors
    /// [`ClientError::Refused`] if there is none, or there are too many series, else as others.
    pub fn series(&self, query: &Query) -> Result<Vec<Series>, ClientError> {
        let answer: Option<AllSeries> = self.selected("/api/1/history", query)?;
        Ok(answer.map_or_else(Vec::new, |answer| answer.series))
    }

    /// Values of metrics of objects as they are now: the threads are looked at for this answer.
    ///
    /// # Errors
    /// [`ClientError::Refused`] if no thread has such a value, or not all nodes answer, else as
    /// others.
    pub fn now(&self, query: &Query) -> Result<Fresh, ClientError> {
        let answer = self.selected("/api/1/now", query)?;
        answer.ok_or_else(|| ClientError::Answer {
            address: self.address.to_string(),
            error: "nothing".to_owned(),
        })
    }

    fn selected<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &Query,
    ) -> Result<Option<T>, ClientError> {
        let level = query.level.or(query.kind.is_none().then_some("system"));
        let pairs = [
            ("kind", query.kind),
            ("level", level),
            ("object", query.object),
            ("metric", query.metric),
        ];
        let pairs = pairs
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        let pairs: Vec<(&str, &str)> = pairs.collect();
        self.json(path, &pairs)
    }

    /// Events as they happen: first the last picture, if there is one, in the end why the run
    /// ended. A client that is slow misses pictures.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn changes(&self) -> Result<Changes, ClientError> {
        let answer = self.get("/api/1/changes", &[])?;
        let reader = BufReader::new(answer.into_body().into_reader());
        Ok(Changes::new(Box::new(reader), self.address.to_string()))
    }

    fn json<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<Option<T>, ClientError> {
        let mut answer = self.get(path, query)?;
        if answer.status() == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        let text = answer
            .body_mut()
            .with_config()
            .limit(LONGEST)
            .read_to_string();
        let text = text.map_err(|error| self.gone(&error))?;
        let parsed = serde_json::from_str(&text);
        parsed.map(Some).map_err(|error| ClientError::Answer {
            address: self.address.to_string(),
            error: error.to_string(),
        })
    }

    fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Response<Body>, ClientError> {
        let request = self.agent.get(format!("http://{}{path}", self.address));
        let request = request.query_pairs(query.iter().copied());
        let request = request.header("Authorization", format!("Bearer {}", self.token));
        // A stream lasts as long as the run; only its silence is limited.
        let answer = request
            .config()
            .timeout_per_read(Some(SILENCE))
            .build()
            .call();
        let mut answer = answer.map_err(|error| self.gone(&error))?;
        match answer.status().is_success() {
            true => Ok(answer),
            false => Err(self.refused(&mut answer)),
        }
    }

    fn gone(&self, error: &ureq::Error) -> ClientError {
        ClientError::Gone {
            address: self.address.to_string(),
            error: error.to_string(),
        }
    }

    fn refused(&self, answer: &mut Response<Body>) -> ClientError {
        let text = answer.body_mut().read_to_string().unwrap_or_default();
        let said: Said = serde_json::from_str(&text).unwrap_or_else(|_| Said {
            error: "no reason".to_owned(),
            expected: "the manager of a run".to_owned(),
        });
        let (address, status) = (self.address.to_string(), answer.status());
        let Said { error, expected } = said;
        match status {
            StatusCode::UNAUTHORIZED => ClientError::Token {
                address,
                error,
                expected,
            },
            status => ClientError::Refused {
                address,
                status: status.as_u16(),
                error,
                expected,
            },
        }
    }
}
