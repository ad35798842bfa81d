//! Sentences about threads, in the words of another model.

use super::words::{THREADS, Words, capital};

impl Words {
    /// A text that speaks of threads, in these words: "Thread 0 waits for a thread" is "Image 1
    /// waits for an image". Numbers of threads are indices in it.
    pub fn say(&self, text: &str) -> String {
        match *self == THREADS {
            true => text.to_owned(),
            false => say(self, text),
        }
    }
}

fn say(words: &Words, text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, word, after)) = next_word(&said, rest) {
        said.push_str(before);
        correct_article(&mut said, words, word);
        let plural = word.ends_with('s');
        let own = if plural { words.many } else { words.one };
        match word.starts_with('T') {
            true => said.push_str(&capital(own)),
            false => said.push_str(own),
        }
        rest = numbers(&mut said, words, after, plural);
    }
    said.push_str(rest);
    said
}

/// The text before the next "thread", that word, and the text after it. `said` is what was before.
fn next_word<'a>(said: &str, text: &'a str) -> Option<(&'a str, &'a str, &'a str)> {
    let mut from = 0;
    while let Some(found) = text[from..].find("hread") {
        let middle = from + found;
        from = middle + "hread".len();
        let begin = match text[..middle].chars().next_back() {
            Some('t' | 'T') => middle - 1,
            _ => continue,
        };
        let end = match text[from..].starts_with('s') {
            true => from + 1,
            false => from,
        };
        let previous = text[..begin].chars().next_back();
        let previous = previous.or(if begin == 0 {
            said.chars().next_back()
        } else {
            None
        });
        if is_end(previous) && is_begin(&text[end..]) {
            return Some((&text[..begin], &text[begin..end], &text[end..]));
        }
    }
    None
}

/// Whether a word may begin after this. Names of files, functions and options have other
/// characters before "thread".
fn is_end(previous: Option<char>) -> bool {
    !previous.is_some_and(|c| c.is_alphanumeric() || "_-./`\\$".contains(c))
}

/// Whether a word may end before this text.
fn is_begin(rest: &str) -> bool {
    let mut letters = rest.chars();
    match letters.next() {
        Some('.') => !letters.next().is_some_and(char::is_alphanumeric),
        Some(c) => !(c.is_alphanumeric() || "_/`(\\".contains(c)),
        None => true,
    }
}

/// Makes "a" before the word "an" where the model's own word needs it.
fn correct_article(said: &mut String, words: &Words, word: &str) {
    let is_article = said
        .strip_suffix("a ")
        .or_else(|| said.strip_suffix("A "))
        .is_some_and(|before| before.is_empty() || before.ends_with([' ', '(', '"', '\n']));
    if is_article && !word.ends_with('s') && words.article == "an" {
        said.insert(said.len() - 1, 'n');
    }
}

/// Copies the numbers that `text` begins with, as those that people know, and returns the rest.
/// After the plural there may be several: " 0-2, 5 and 7-9", and at the end " and 12 more".
fn numbers<'a>(said: &mut String, words: &Words, text: &'a str, plural: bool) -> &'a str {
    let Some(mut rest) = text
        .strip_prefix(' ')
        .and_then(|text| Some((text, range(text)?)))
    else {
        return text;
    };
    said.push(' ');
    let mut list = vec![(rest.1, "")];
    rest.0 = &rest.0[rest.1.length..];
    while let Some((next, separator)) = plural.then(|| another(rest.0)).flatten() {
        rest.0 = &rest.0[separator.len() + next.length..];
        list.push((next, separator));
        if separator == AND {
            break;
        }
    }
    // Without an "and" it was one number, and what follows is something else.
    if list.len() > 1 && list.last().is_some_and(|(_, separator)| *separator != AND) {
        list.truncate(1);
        rest.0 = &text[1 + list[0].0.length..];
    }
    let is_count = rest.0.starts_with(" more");
    let last = list.len() - 1;
    for (index, (numbers, separator)) in list.iter().enumerate() {
        said.push_str(separator);
        match index == last && index > 0 && is_count {
            true => said.push_str(&numbers.first.to_string()),
            false => numbers.write(said, words),
        }
    }
    rest.0
}

const AND: &str = " and ";

/// The next number of a list.
fn another(text: &str) -> Option<(Range, &'static str)> {
    let separator = [", ", AND].into_iter().find(|s| text.starts_with(s))?;
    Some((range(&text[separator.len()..])?, separator))
}

/// "5" or "7-9".
#[derive(Clone, Copy)]
struct Range {
    first: u32,
    last: Option<(char, u32)>,
    /// Bytes that it takes.
    length: usize,
}

impl Range {
    fn write(&self, said: &mut String, words: &Words) {
        said.push_str(&words.number(self.first).to_string());
        if let Some((dash, last)) = self.last {
            said.push(dash);
            said.push_str(&words.number(last).to_string());
        }
    }
}

fn range(text: &str) -> Option<Range> {
    let (first, digits) = number(text)?;
    let rest = &text[digits..];
    let dash = rest.chars().next().filter(|c| "-–".contains(*c));
    let last = dash.and_then(|dash| Some((dash, number(&rest[dash.len_utf8()..])?)));
    Some(Range {
        first,
        last: last.map(|(dash, (last, _))| (dash, last)),
        length: digits + last.map_or(0, |(dash, (_, more))| dash.len_utf8() + more),
    })
}

/// The number that a text begins with, and the length of its digits.
fn number(text: &str) -> Option<(u32, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, digits))
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    fn said(model: Model, text: &str) -> String {
        Words::of(&[model]).say(text)
    }

    #[test]
    fn words_and_their_articles_are_those_of_the_model() {
        let text = "Thread work: a thread waits for each thread's data, threads wait.";
        assert_eq!(said(Model::Upc, text), text);
        assert_eq!(
            said(Model::OpenShmem, text),
            "PE work: a PE waits for each PE's data, PEs wait."
        );
        assert_eq!(
            said(Model::Coarrays, text),
            "Image work: an image waits for each image's data, images wait."
        );
        assert_eq!(
            said(Model::Coarrays, "A thread. a thread"),
            "An image. an image"
        );
        assert_eq!(said(Model::Mpi, "Threads, (a thread)"), "Ranks, (a rank)");
    }

    #[test]
    fn numbers_are_those_that_people_know() {
        for (text, expected) in [
            ("thread 0", "image 1"),
            ("Thread 3, 12 ms", "Image 4, 12 ms"),
            ("thread 3 and 45 others", "image 4 and 45 others"),
            ("threads 0 and 1, 4 of them", "images 1 and 2, 4 of them"),
            ("threads 0-2, 5 and 7-9", "images 1-3, 6 and 8-10"),
            ("threads 1, 3 and 507 more", "images 2, 4 and 507 more"),
            ("threads 0–7", "images 1–8"),
            ("threads 2, 7 ms", "images 3, 7 ms"),
            ("2 threads", "2 images"),
        ] {
            assert_eq!(said(Model::Coarrays, text), expected, "{text}");
        }
    }

    #[test]
    fn names_of_files_and_functions_stay() {
        for text in [
            "thread.c:12",
            "src/thread",
            "pthread_create",
            "work_thread",
            "thread_work (a.c:1)",
            "--thread 3",
            "`thread`",
            "thread()",
            "multithreaded",
        ] {
            assert_eq!(said(Model::OpenShmem, text), text);
        }
    }
}
