//! The pattern reference: a page for each wait state, other metric and kind of finding, with a
//! drawing, the formula, what causes it and what to do. Its one source is `docs/patterns/`, a
//! Markdown file a page; from it come the pages of the HTML report, those that CUBE's viewers open,
//! and what `pgastool explain` prints.

mod closest;
mod drawing;
mod html;
mod markdown;
mod svg;
mod text;

use std::sync::LazyLock;

pub use closest::close_ids;
pub use html::{STYLE, document};

/// Every Markdown file of `docs/patterns`, by name without extension.
static SOURCES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/reference_pages.rs"));

/// The overview, which links the pages in the order in which they are to be read.
static OVERVIEW: &str = include_str!("../../../../docs/patterns.md");

/// A page of the reference.
#[derive(Debug)]
pub struct ReferencePage {
    /// Name of its file, which is one of the ids.
    pub name: &'static str,
    /// Ids of the metrics, kinds of findings and factors that it explains; anchors in HTML.
    pub ids: Vec<String>,
    /// Heading of the page.
    pub title: String,
    /// The file as it is.
    pub markdown: &'static str,
    /// Everything below the title: safe, complete in itself, drawings as inline SVG. Headings
    /// begin with `h3`; links to other pages are `#id`. Looks as [`STYLE`] says.
    pub html: String,
}

impl ReferencePage {
    /// The page for a terminal of `width` columns; `ascii` where nothing else can be shown. Ends
    /// with a newline.
    pub fn text(&self, width: usize, ascii: bool) -> String {
        text::text(self, width, ascii)
    }
}

/// All pages, in the order of the overview.
pub fn pages() -> &'static [ReferencePage] {
    static PAGES: LazyLock<Vec<ReferencePage>> = LazyLock::new(|| {
        let mut pages: Vec<_> = SOURCES
            .iter()
            .map(|(name, text)| page(name, text))
            .collect();
        let place = |page: &ReferencePage| OVERVIEW.find(&format!("(patterns/{}.md", page.name));
        pages.sort_by_key(|page| place(page).unwrap_or(usize::MAX));
        pages
    });
    &PAGES
}

/// The page that explains a metric, a kind of finding, or a factor.
pub fn page_of(id: &str) -> Option<&'static ReferencePage> {
    pages().iter().find(|page| page.ids.iter().any(|i| i == id))
}

fn page(name: &'static str, markdown: &'static str) -> ReferencePage {
    let head = markdown::head(markdown);
    ReferencePage {
        name,
        html: html::body(name, markdown),
        ids: head.ids,
        title: head.title,
        markdown,
    }
}

#[cfg(test)]
mod tests;
