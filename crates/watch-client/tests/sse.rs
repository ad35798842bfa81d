//! The reader of server-sent events, on streams that are right, wrong, and cut anywhere.

use std::io::{self, BufRead, BufReader, Read};

use pgas_watch_client::{Message, Messages};
use proptest::prelude::*;

/// A stream that arrives in pieces of these sizes, again and again.
struct Pieces<'a> {
    rest: &'a [u8],
    sizes: Vec<usize>,
    next: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes[self.next % self.sizes.len()];
        self.next += 1;
        let size = size.min(buffer.len()).min(self.rest.len());
        buffer[..size].copy_from_slice(&self.rest[..size]);
        self.rest = &self.rest[size..];
        Ok(size)
    }
}

fn all(input: impl BufRead) -> Vec<Message> {
    Messages::new(input).map(Result::unwrap).collect()
}

fn message(event: &str, data: &str, id: Option<&str>) -> Message {
    Message {
        event: event.to_owned(),
        data: data.to_owned(),
        id: id.map(str::to_owned),
    }
}

#[test]
fn fields_are_read_as_browsers_read_them() {
    let text = "\u{feff}: comment\n\ndata: a\ndata:b\ndata\n\nevent: no data\n\nid: 7\r\nevent:x\r\
                data:  1\r\n\r\nretry: 5\nunknown\ndata: {\"a\":1}\n\ndata: cut off\n";
    let expected = [
        message("message", "a\nb\n", None),
        message("x", " 1", Some("7")),
        message("message", "{\"a\":1}", Some("7")),
    ];
    assert_eq!(all(text.as_bytes()), expected);
}

#[test]
fn an_error_of_the_stream_is_the_last_item() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let text = "data: 1\n\ndata: 2".as_bytes();
    let mut messages = Messages::new(BufReader::new(text.chain(Broken)));
    assert!(messages.next().unwrap().is_ok());
    assert!(messages.next().unwrap().is_err());
    assert!(messages.next().is_none());
}

/// Messages with the ends of their lines, and comments between them.
fn messages() -> impl Strategy<Value = (Vec<Message>, String)> {
    let line = "[ -~äß]{0,20}";
    let one = (
        "[a-z]{1,8}",
        prop::collection::vec(line, 1..4),
        prop::sample::select(vec!["\n", "\r\n", "\r"]),
        any::<bool>(),
    );
    prop::collection::vec(one, 0..8).prop_map(|parts| {
        let mut text = String::new();
        let mut messages = Vec::new();
        for (number, (event, lines, end, has_comment)) in parts.into_iter().enumerate() {
            if has_comment {
                text.push_str(&format!(": alive{end}{end}"));
            }
            text.push_str(&format!("id: {number}{end}event: {event}{end}"));
            for line in &lines {
                text.push_str(&format!("data: {line}{end}"));
            }
            text.push_str(end);
            messages.push(message(
                &event,
                &lines.join("\n"),
                Some(&number.to_string()),
            ));
        }
        (messages, text)
    })
}

proptest! {
    #[test]
    fn messages_arrive_whole_however_the_stream_is_cut(
        (expected, text) in messages(),
        sizes in prop::collection::vec(1_usize..40, 1..6),
    ) {
        let pieces = Pieces { rest: text.as_bytes(), sizes, next: 0 };
        prop_assert_eq!(all(BufReader::with_capacity(16, pieces)), expected);
    }

    #[test]
    fn a_stream_that_ends_early_loses_only_its_last_message(
        (expected, text) in messages(),
        share in 0.0..1.0_f64,
    ) {
        let end = (text.len() as f64 * share) as usize;
        let found = all(&text.as_bytes()[..end]);
        prop_assert!(found.len() <= expected.len());
        prop_assert_eq!(&found[..], &expected[..found.len()]);
    }

    #[test]
    fn any_bytes_are_read_to_the_end(
        bytes in prop::collection::vec(
            prop_oneof![any::<u8>(), prop::sample::select(b"data: event\r\n\n\nid:\0".to_vec())],
            0..400,
        ),
        sizes in prop::collection::vec(1_usize..40, 1..6),
    ) {
        let whole = all(&bytes[..]);
        let pieces = Pieces { rest: &bytes, sizes, next: 0 };
        prop_assert_eq!(all(BufReader::new(pieces)), whole);
    }
}
