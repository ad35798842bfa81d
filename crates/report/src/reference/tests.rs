//! The pages are complete, their drawings mean something, and their links lead somewhere.

use pgas_result::summary::FindingKind;
use pgas_result::vocabulary::{FACTORS, KINDS_OF_FINDINGS, KindOfFinding};

use super::*;
use crate::names::width;

/// Links of a page as they stand in its Markdown.
fn links(page: &ReferencePage) -> Vec<String> {
    let events = pulldown_cmark::Parser::new(page.markdown);
    let link = |event| match event {
        pulldown_cmark::Event::Start(pulldown_cmark::Tag::Link { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    };
    events.filter_map(link).collect()
}

fn drawings(page: &ReferencePage) -> Vec<drawing::Drawing> {
    let blocks = page.markdown.split("```").skip(1).step_by(2);
    blocks
        .filter_map(|block| {
            let (language, text) = block.split_once('\n')?;
            drawing::Drawing::parse(language, text)
        })
        .collect()
}

#[test]
fn every_page_is_in_the_overview_and_has_its_name_as_id() {
    assert!(pages().len() > 20, "{}", pages().len());
    for page in pages() {
        assert!(
            OVERVIEW.contains(&format!("(patterns/{}.md)", page.name)),
            "{}",
            page.name
        );
        assert!(
            page.ids.iter().any(|id| id == page.name),
            "{}: {:?}",
            page.name,
            page.ids
        );
        assert!(!page.title.is_empty(), "{}", page.name);
    }
    assert_eq!(pages()[0].name, "time");
}

#[test]
fn an_id_belongs_to_one_page() {
    let mut ids: Vec<_> = pages().iter().flat_map(|page| &page.ids).collect();
    ids.sort();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all);
    assert_eq!(page_of("delay_long_term").unwrap().name, "delay");
    assert!(page_of("no_such_thing").is_none());
}

#[test]
fn every_metric_and_every_kind_of_finding_is_explained() {
    let kinds = documented_kinds().map(|kind| kind.id);
    let advice = [
        "weaker_entry",
        "weaker_exit",
        "repeated_barrier",
        "own_data_barrier",
        "unrelated_barrier",
    ];
    let factors = FACTORS.map(|factor| factor.id);
    for kind in kinds.chain(advice).chain(factors) {
        assert!(page_of(kind).is_some(), "{kind}");
    }
}

/// All but that of findings of other versions.
fn documented_kinds() -> impl Iterator<Item = &'static KindOfFinding> {
    let known = |kind: &&KindOfFinding| kind.kind != FindingKind::Other;
    KINDS_OF_FINDINGS.iter().filter(known)
}

#[test]
fn the_documentation_calls_kinds_of_findings_as_reports_do() {
    let section = OVERVIEW.split("\n## Kinds of findings\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows: Vec<&str> = section.lines().filter(|l| l.starts_with("| `")).collect();
    let expected: Vec<String> = documented_kinds()
        .map(|kind| {
            let KindOfFinding {
                id,
                name,
                explanation,
                ..
            } = kind;
            format!("| `{id}` | [{name}](patterns/{id}.md) | {explanation} |")
        })
        .collect();
    assert_eq!(rows, expected);
    for kind in documented_kinds() {
        let page = page_of(kind.id).unwrap();
        assert_eq!((page.name, page.title.as_str()), (kind.id, kind.name));
    }
    let json = include_str!("../../../../docs/json.md");
    let listed = json.split("[kinds of findings]").nth(1).unwrap();
    let listed = listed.split("There may be more").next().unwrap();
    let listed: Vec<&str> = listed.split('`').skip(1).step_by(2).collect();
    let ids: Vec<&str> = documented_kinds().map(|kind| kind.id).collect();
    assert_eq!(listed, ids);
}

#[test]
fn every_page_has_a_drawing_and_says_what_to_do() {
    for page in pages() {
        let drawings = drawings(page);
        assert_eq!(drawings.len(), 1, "{}", page.name);
        assert!(!drawings[0].description.is_empty(), "{}", page.name);
        for row in &drawings[0].rows {
            let remark = row.remark.as_ref().map_or("", |(_, remark)| remark);
            let read = !row.name.is_empty() && !remark.contains(['─', '━', '▒', '═']);
            assert!(read, "{}: {row:?}", page.name);
        }
        let advises = ["## Remedy", "## What to look for", "## Instances"];
        assert!(
            advises.iter().any(|a| page.markdown.contains(a)),
            "{}",
            page.name
        );
    }
}

#[test]
fn what_ends_a_wait_in_a_drawing_stands_where_the_wait_ends() {
    for page in pages() {
        for drawing in drawings(page) {
            let bars = || drawing.rows.iter().flat_map(|row| &row.bars);
            for end in drawing.rows.iter().flat_map(|row| &row.ends) {
                let ended = bars().any(|b| b.kind == drawing::Kind::Waiting && b.end == *end);
                assert!(ended, "{}: column {end} of {drawing:?}", page.name);
            }
        }
    }
}

#[test]
fn links_lead_to_pages_or_files() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/patterns");
    for page in pages() {
        for link in links(page) {
            let file = link.split('#').next().unwrap_or_default();
            let there = link.starts_with("https://") || docs.join(file).is_file();
            assert!(there, "{}: {link}", page.name);
        }
    }
}

#[test]
fn a_page_is_html_without_script_and_with_its_drawing() {
    for page in pages() {
        assert!(
            page.html.contains("<svg class=\"drawing\""),
            "{}",
            page.name
        );
        assert!(page.html.contains("<title id="), "{}", page.name);
        for foreign in ["<script", "style=", " on", "<h1", "<h2", ".md\"", "@@"] {
            let tags = page
                .html
                .split('<')
                .filter_map(|part| part.split('>').next());
            let found = tags
                .into_iter()
                .any(|tag| format!("<{tag}\"").contains(foreign));
            assert!(!found, "{}: {foreign}", page.name);
        }
    }
}

#[test]
fn what_looks_like_html_in_a_page_is_text() {
    let body = html::body("x", "# T\n\n`x`\n\n<script>alert(1)</script> a <b>c\n");
    assert!(!body.contains("<script"), "{body}");
    assert!(body.contains("&lt;b&gt;"), "{body}");
}

#[test]
fn all_pages_are_one_document_in_which_every_link_arrives() {
    let document = document();
    let targets = document.split("href=\"#").skip(1);
    let mut count = 0;
    for target in targets {
        let id = target.split('"').next().unwrap_or_default();
        assert_eq!(
            document.matches(&format!(" id=\"{id}\"")).count(),
            1,
            "{id}"
        );
        count += 1;
    }
    assert!(count > 40, "{count}");
    for page in pages() {
        for id in &page.ids {
            assert_eq!(
                document.matches(&format!(" id=\"{id}\"")).count(),
                1,
                "{id}"
            );
        }
    }
}

#[test]
fn in_a_terminal_prose_fits_and_drawings_keep_their_columns() {
    for page in pages() {
        let text = page.text(72, false);
        assert!(text.starts_with(&page.title), "{text}");
        for line in text.lines().filter(|line| !line.starts_with("    ")) {
            assert!(width(line) <= 72, "{}: {line}", page.name);
        }
        let ascii = page.text(72, true);
        assert!(ascii.is_ascii(), "{}", page.name);
        let unknown = ascii.matches('?').count();
        assert_eq!(
            unknown,
            page.markdown.matches('?').count(),
            "{}: {ascii}",
            page.name
        );
    }
    let barrier = page_of("wait_at_barrier").unwrap().text(80, false);
    assert!(
        barrier.contains("    thread 1  ─── work ─────────▒▒▒▒▒▒▒▒▒▒── work ──\n"),
        "{barrier}"
    );
    assert!(barrier.contains("\nREMEDY\n"), "{barrier}");
    assert!(barrier.contains("ends the waiting"), "{barrier}");
}
