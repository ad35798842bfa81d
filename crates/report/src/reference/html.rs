//! The pages as HTML: each as a fragment for a larger page, and all together as one document, with
//! the ids of metrics as anchors, to which CUBE's viewers link.

use std::fmt::Write;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Tag, TagEnd};

use super::drawing::Drawing;
use super::{markdown, pages, svg};
use crate::escape::escape;

/// Style rules for what a page of the reference contains; colours of activities are variables,
/// which a document may set.
pub const STYLE: &str = include_str!("style.css");

/// The body of a page; `name` makes the ids in it unique.
pub(super) fn body(name: &str, text: &str) -> String {
    let mut events = Vec::new();
    let mut drawing: Option<(String, String)> = None;
    // Whether a link that is not followed is open: its text stays.
    let mut links = Vec::new();
    for event in markdown::body(text) {
        let event = match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language)))
                if language.starts_with("timeline") =>
            {
                drawing = Some((language.into_string(), String::new()));
                continue;
            }
            Event::Text(line) if drawing.is_some() => {
                drawing
                    .iter_mut()
                    .for_each(|(_, text)| text.push_str(&line));
                continue;
            }
            Event::End(TagEnd::CodeBlock) if drawing.is_some() => {
                let (language, text) = drawing.take().unwrap_or_default();
                let number = events
                    .iter()
                    .filter(|e| matches!(e, Event::Html(_)))
                    .count();
                let figure = Drawing::parse(&language, &text).map(|drawing| {
                    let picture = svg::svg(&drawing, &format!("drawing-{name}-{number}"));
                    let caption = escape(&drawing.description);
                    format!("<figure>{picture}<figcaption>{caption}</figcaption></figure>\n")
                });
                Event::Html(figure.unwrap_or_default().into())
            }
            Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
                level: lower(level),
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            }),
            Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lower(level))),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let target = target(&dest_url);
                links.push(target.is_some());
                match target {
                    Some(dest_url) => Event::Start(Tag::Link {
                        link_type,
                        dest_url: CowStr::from(dest_url),
                        title,
                        id,
                    }),
                    None => continue,
                }
            }
            Event::End(TagEnd::Link) => match links.pop() {
                Some(true) => Event::End(TagEnd::Link),
                _ => continue,
            },
            // Pages have none; what came from elsewhere would be text.
            Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
            other => other,
        };
        events.push(event);
    }
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events.into_iter());
    out
}

/// A heading one level below where it stands in its file: above it come the titles of the pages.
fn lower(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(markdown::level(level) + 1).unwrap_or(HeadingLevel::H6)
}

/// Where a link leads inside of a document; links into other parts of the documentation are not
/// there.
fn target(link: &str) -> Option<String> {
    if link.starts_with("https://") {
        return Some(link.to_owned());
    }
    markdown::linked_page(link).map(|page| format!("#{page}"))
}

/// All pages as one document that needs nothing else.
pub fn document() -> String {
    let mut out = String::from(concat!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
        "<meta name=\"color-scheme\" content=\"light dark\">\n",
        "<title>pgastool: what the metrics mean</title>\n<style>\n"
    ));
    out.push_str(include_str!("document.css"));
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n<h1>What the metrics mean</h1>\n<nav>\n<ul>\n");
    for page in pages() {
        let title = escape(&page.title);
        let _ = writeln!(out, "<li><a href=\"#{}\">{title}</a></li>", page.name);
    }
    out.push_str("</ul>\n</nav>\n<main>\n");
    for page in pages() {
        let name = page.name;
        let _ = writeln!(out, "<article class=\"reference\" id=\"{name}\">");
        for id in page.ids.iter().filter(|id| *id != name) {
            let _ = writeln!(out, "<a id=\"{}\"></a>", escape(id));
        }
        let _ = write!(out, "<h2>{}</h2>\n<p class=\"ids\">", escape(&page.title));
        for id in &page.ids {
            let _ = write!(out, "<code>{}</code> ", escape(id));
        }
        let _ = writeln!(out, "</p>\n{}</article>", page.html);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}
