//! The pages' Markdown: a title, and a first paragraph of which every code span is an id. Raw HTML
//! has no place in it.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Title and ids of a page, which precede the explanation itself.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub title: String,
    pub ids: Vec<String>,
}

fn events(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES)
}

/// Title and ids of a page.
pub(super) fn head(markdown: &str) -> Head {
    let mut head = Head::default();
    let mut in_title = false;
    for event in events(markdown) {
        match event {
            Event::Start(Tag::Heading { .. }) => in_title = true,
            Event::End(TagEnd::Heading(_)) => in_title = false,
            Event::Text(text) | Event::Code(text) if in_title => head.title.push_str(&text),
            Event::Code(id) => head.ids.push(id.into_string()),
            Event::End(TagEnd::Paragraph) => break,
            _ => {}
        }
    }
    head
}

/// Everything behind the title and the ids.
pub(super) fn body(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    let mut at_head = true;
    events(markdown).filter(move |event| {
        let keep = !at_head;
        at_head &= *event != Event::End(TagEnd::Paragraph);
        keep
    })
}

/// The level of a heading as a number, from 1.
pub(super) fn level(level: HeadingLevel) -> usize {
    level as usize
}

/// The page that a link of a page leads to, if it is one of the reference: `late_broadcast` for
/// `late_broadcast.md`.
pub(super) fn linked_page(target: &str) -> Option<&str> {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let name = file
        .strip_suffix(".md")
        .filter(|name| !name.contains('/'))?;
    Some(if anchor.is_empty() { name } else { anchor })
}
