//! The front end from `web/`, in the order in which a browser needs it, and the frame around it. A
//! content security policy forbids the page every use of a network, and every program but the two
//! whose hashes it names.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::embed;
use crate::escape::escape;
use crate::reference;

const FRAME: &str = include_str!("../../web/frame.html");
const D3: &str = include_str!("../../web/vendor/d3.min.js");
const D3_LICENSE: &str = include_str!("../../web/vendor/d3.LICENSE");

const STYLES: &[&str] = &[
    include_str!("../../web/css/base.css"),
    include_str!("../../web/css/frame.css"),
    include_str!("../../web/css/parts.css"),
    include_str!("../../web/css/overview.css"),
    include_str!("../../web/css/explore.css"),
    include_str!("../../web/css/views.css"),
    include_str!("../../web/css/print.css"),
];

/// The modules of `web/js`, bundled by the build script.
const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));

/// The whole file. `json` is the data; `title` is escaped here.
pub(super) fn assemble(title: &str, json: &str) -> String {
    let program = program();
    let policy = format!(
        "default-src 'none'; script-src {} {}; style-src 'unsafe-inline'; img-src data:; base-uri \
         'none'; form-action 'none'",
        hash(D3),
        hash(&program)
    );
    let mut parts = FRAME.split("<!-- part -->");
    let mut part = || parts.next().unwrap_or_default();
    let mut out = String::new();
    out.push_str(part());
    let _ = write!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{policy}\">\n<title>{}</title>\n<style>\n",
        escape(title)
    );
    out.push_str(reference::STYLE);
    STYLES.iter().for_each(|style| out.push_str(style));
    out.push_str("</style>");
    out.push_str(part());
    out.push_str(&embed::element(json));
    for page in reference::pages() {
        let _ = writeln!(
            out,
            "<template class=\"reference\" data-ids=\"{}\" data-title=\"{}\">{}</template>",
            escape(&page.ids.join(" ")),
            escape(&page.title),
            page.html
        );
    }
    // A comment cannot be ended by a licence, which has no two hyphens in a row.
    let _ = write!(out, "<!--\nd3 (https://d3js.org):\n{D3_LICENSE}-->\n");
    let _ = write!(out, "<script>{D3}</script>\n<script>{program}</script>");
    out.push_str(part());
    out
}

/// The page's own program, with no names that others see.
fn program() -> String {
    format!("(() => {{\n\"use strict\";\n{SCRIPT}}})();\n")
}

/// As a content security policy spells it.
fn hash(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_ends_its_element() {
        for text in [D3, &program()] {
            let lower = text.to_lowercase();
            assert!(!lower.contains("</script") && !lower.contains("<!--"));
        }
        assert!(!D3_LICENSE.contains("--"));
        assert_eq!(FRAME.matches("<!-- part -->").count(), 2);
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let styles = STYLES.concat();
        for word in ["@import", "url(", "http:", "https:"] {
            assert!(!styles.contains(word), "{word}");
        }
        for word in [
            "fetch(",
            "XMLHttpRequest",
            "import(",
            "innerHTML",
            "outerHTML",
            "document.write",
        ] {
            assert!(!program().contains(word), "{word}");
        }
    }

    #[test]
    fn a_title_is_text() {
        let page = assemble("</title><script>\"&", "{}");
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;&quot;&amp;</title>"));
    }
}
