//! Reads server-sent events: lines of fields, an empty line after each message.

use std::io::{self, BufRead};

/// Bytes of a message, at most: a picture of 100,000 threads has less.
const LONGEST: usize = 256 << 20;

/// A message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// Name of the event; `message` if it has none.
    pub event: String,
    /// Its lines, without the end of the last one.
    pub data: String,
    /// The last identifier so far.
    pub id: Option<String>,
}

/// Messages of a stream. Comments and unknown fields are skipped, and so is a message that the end
/// of the stream cuts off.
#[derive(Debug)]
pub struct Messages<R> {
    input: R,
    id: Option<String>,
    is_begin: bool,
    /// The last line ended with a carriage return: a line feed just after it belongs to it.
    is_after_return: bool,
    is_over: bool,
}

impl<R: BufRead> Messages<R> {
    /// Of a stream that has not been read yet.
    pub fn new(input: R) -> Self {
        Messages {
            input,
            id: None,
            is_begin: true,
            is_after_return: false,
            is_over: false,
        }
    }

    fn message(&mut self) -> io::Result<Option<Message>> {
        let mut event = String::new();
        let mut data: Option<String> = None;
        let mut bytes = 0;
        while let Some(line) = self.line(LONGEST.saturating_sub(bytes))? {
            bytes += line.len();
            if line.is_empty() {
                match data.take() {
                    Some(data) => return Ok(Some(self.complete(event, data))),
                    // A message without data is none.
                    None => event.clear(),
                }
                bytes = 0;
                continue;
            }
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "event" => event = value.to_owned(),
                "data" => match &mut data {
                    Some(data) => data.extend(["\n", value]),
                    None => data = Some(value.to_owned()),
                },
                "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
                _ => {}
            }
        }
        Ok(None)
    }

    fn complete(&self, event: String, data: String) -> Message {
        let event = match event.is_empty() {
            true => "message".to_owned(),
            false => event,
        };
        Message {
            event,
            data,
            id: self.id.clone(),
        }
    }

    /// Reads a line without its line end, up to a limit in bytes; `None` at the end of the stream.
    fn line(&mut self, longest: usize) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if buffer.is_empty() {
                return Ok(None);
            }
            if std::mem::take(&mut self.is_after_return) && buffer[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            line.extend_from_slice(&buffer[..end.unwrap_or(buffer.len())]);
            self.is_after_return = end.is_some_and(|end| buffer[end] == b'\r');
            let taken = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(taken);
            if line.len() > longest {
                let error = format!("a message of more than {LONGEST} bytes");
                return Err(io::Error::new(io::ErrorKind::InvalidData, error));
            }
            if end.is_some() {
                return Ok(Some(self.text(&line)));
            }
        }
    }

    /// A line as text; a mark at the begin of the stream is left out.
    fn text(&mut self, line: &[u8]) -> String {
        let line = match std::mem::take(&mut self.is_begin) {
            true => line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line),
            false => line,
        };
        String::from_utf8_lossy(line).into_owned()
    }
}

impl<R: BufRead> Iterator for Messages<R> {
    type Item = io::Result<Message>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let message = self.message().transpose();
        self.is_over = !matches!(message, Some(Ok(_)));
        message
    }
}
