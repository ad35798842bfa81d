//! The pages as a whole: all are in the book, and their links lead somewhere.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The top directory of the clone.
pub fn clone() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    path.canonicalize().unwrap()
}

/// Pages beside those in `docs/`, which are part of the book, too; `scripts/book` knows them as
/// well.
const BESIDE: [&str; 6] = [
    "README.md",
    "accuracy/README.md",
    "conformance/README.md",
    "npb-fixtures/README.md",
    "studies/README.md",
    "crates/upc-runtime/LOWERING.md",
];

/// All pages with their text, by path from the top directory.
pub fn pages() -> BTreeMap<PathBuf, String> {
    let mut paths: Vec<PathBuf> = BESIDE.iter().map(PathBuf::from).collect();
    let mut directories = vec![PathBuf::from("docs")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(clone().join(&directory)).unwrap() {
            let entry = entry.unwrap();
            let path = directory.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                paths.push(path);
            }
        }
    }
    paths
        .into_iter()
        .map(|path| {
            (
                path.clone(),
                std::fs::read_to_string(clone().join(path)).unwrap(),
            )
        })
        .collect()
}

const SUMMARY: &str = "docs/SUMMARY.md";

fn options() -> Options {
    Options::ENABLE_TABLES
}

/// Where the links of a page lead, with the line that they stand in.
fn links(page: &str) -> Vec<(usize, String)> {
    Parser::new_ext(page, options())
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let line = 1 + page[..range.start].matches('\n').count();
                Some((line, dest_url.to_string()))
            }
            _ => None,
        })
        .collect()
}

/// The anchors of a page's headings, which repositories' viewers and mdBook make in the same way.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(page, options()) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let anchor: String = heading
                    .take()
                    .unwrap_or_default()
                    .to_lowercase()
                    .chars()
                    .filter_map(|c| match c {
                        ' ' => Some('-'),
                        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                        _ => None,
                    })
                    .collect();
                let mut name = anchor.clone();
                let mut number = 0;
                while !anchors.insert(name) {
                    number += 1;
                    name = format!("{anchor}-{number}");
                }
            }
            _ => {}
        }
    }
    anchors
}

/// The path without `..`, as the book and a repository's viewer see it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn every_page_is_in_the_book() {
    let pages = pages();
    let listed: Vec<PathBuf> = links(&pages[Path::new(SUMMARY)])
        .into_iter()
        .map(|(_, link)| plain(&Path::new("docs").join(link)))
        .collect();
    for (at, page) in listed.iter().enumerate() {
        assert!(
            !listed[..at].contains(page),
            "{SUMMARY} lists {} twice",
            page.display()
        );
    }
    for page in pages.keys().filter(|page| page.starts_with("docs")) {
        assert!(
            page == Path::new(SUMMARY) || listed.contains(page),
            "{} is missing in {SUMMARY}",
            page.display()
        );
    }
    let script = std::fs::read_to_string(clone().join("scripts/book")).unwrap();
    for page in BESIDE {
        assert!(script.contains(page), "{page} is missing in scripts/book");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let mut wrong = Vec::new();
    for (path, text) in &pages {
        for (line, link) in links(text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => path.clone(),
                file => plain(&path.parent().unwrap_or(Path::new("")).join(file)),
            };
            let mut complain = |what: &str| {
                wrong.push(format!("{}:{line}: {link}: {what}", path.display()));
            };
            match pages.get(&target) {
                Some(text) if !anchor.is_empty() && !anchors(text).contains(anchor) => {
                    complain("there is no such heading");
                }
                Some(_) => {}
                None if !clone().join(&target).exists() => complain("there is no such file"),
                None if clone().join(&target).is_dir() => {
                    complain("a directory is nothing that the book could show; link its README.md");
                }
                None if target.extension().is_some_and(|e| e == "md") => {
                    complain("that page is not part of the book");
                }
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
