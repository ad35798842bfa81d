//! Page for a browser with what a running program does now: efficiency, waits, bottlenecks, the
//! current activity of each thread. [`page`] is one HTML file with its style and its program; it
//! gets its data from the server that delivers it, by `GET`, with the query `token=T` of its own
//! address:
//!
//! | path | answer |
//! |---|---|
//! | `/api/1/picture` | the last period as JSON (`docs/schema/watch-1.json`), or status 204 |
//! | `/api/1/history` | `{"schema": 1, "points": [...]}`: times of each period, oldest first |
//! | `/api/1/changes` | server-sent events `picture`, `found`, `gone`, `end` |
//!
//! A content security policy restricts the page to this server, and to one script and one style, by
//! their hashes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

const FRAME: &str = include_str!("../web/frame.html");

/// Style sheets; all but the last are those of the HTML report.
const STYLES: [&str; 4] = [
    include_str!("../../report/web/css/base.css"),
    include_str!("../../report/web/css/frame.css"),
    include_str!("../../report/web/css/parts.css"),
    include_str!("../web/css/watch.css"),
];

/// Modules of `web/js` and their imports, bundled by the build script.
const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));

/// The page, in UTF-8.
pub fn page() -> String {
    let mut parts = FRAME.split("<!-- part -->");
    let mut part = || parts.next().unwrap_or_default();
    [
        part(),
        "<meta http-equiv=\"Content-Security-Policy\" content=\"",
        &policy(),
        "\">\n<style>",
        &style(),
        "</style>",
        part(),
        "<script>",
        &script(),
        "</script>",
        part(),
    ]
    .concat()
}

/// Content security policy of the page. It is in the page, too; as a header, a server can add
/// `frame-ancestors 'none'`, which browsers do not accept in a page.
pub fn policy() -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'",
        hash(&script()),
        hash(&style())
    )
}

fn style() -> String {
    format!("\n{}", STYLES.concat())
}

/// Declares no global names.
fn script() -> String {
    format!("(() => {{\n\"use strict\";\n{SCRIPT}}})();\n")
}

/// In the form of a content security policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_and_script_do_not_end_their_elements() {
        assert_eq!(FRAME.matches("<!-- part -->").count(), 2);
        assert!(!script().to_lowercase().contains("</script"));
        assert!(!script().contains("<!--"));
        assert!(!style().to_lowercase().contains("</style"));
        assert_eq!(page().matches("</script>").count(), 1);
        assert_eq!(page().matches("</style>").count(), 1);
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for word in ["@import", "url(", "http:", "https:", "//"] {
            assert!(!style().contains(word), "{word} in the style");
        }
        for word in [
            " src=", "http://", "https://", "<base", "<iframe", "<object",
        ] {
            assert!(!page_without_script().contains(word), "{word} in the page");
        }
        let links: Vec<&str> = FRAME.split("<link ").skip(1).collect();
        assert!(links.iter().all(|link| link.contains("href=\"data:,\"")));
    }

    #[test]
    fn the_script_asks_only_its_own_server() {
        let script = script();
        // The name space of SVG is an identifier, not an address that is opened.
        let addresses = script.replace("http://www.w3.org/2000/svg", "");
        assert!(!addresses.contains("http:") && !addresses.contains("https:"));
        assert_eq!(script.matches("fetch(").count(), 1);
        assert_eq!(script.matches("new EventSource(").count(), 1);
        for word in ["XMLHttpRequest", "WebSocket", "sendBeacon", "import("] {
            assert!(!script.contains(word), "{word}");
        }
    }

    #[test]
    fn text_of_the_program_never_becomes_markup() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
        ] {
            assert!(!script().contains(word), "{word}");
        }
    }

    #[test]
    fn the_policy_allows_this_script_and_this_style_only() {
        let page = page();
        let between = |begin: &str, end: &str| {
            let rest = page.split_once(begin).map(|(_, rest)| rest);
            let inner = rest.and_then(|rest| rest.split_once(end));
            inner.map(|(inner, _)| hash(inner)).unwrap_or_default()
        };
        let policy = policy();
        assert!(page.contains(&format!("content=\"{policy}\"")));
        assert!(policy.contains(&format!("script-src {};", between("<script>", "</script>"))));
        assert!(policy.contains(&format!("style-src {};", between("<style>", "</style>"))));
        assert!(!policy.contains("unsafe"));
        assert!(!page.contains(" style=\"") && !page.contains(" onclick="));
    }

    fn page_without_script() -> String {
        page().replace(&script(), "")
    }
}
