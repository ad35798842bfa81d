//! The page for a browser: scripts that are not its own do not run in it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A page, and what it may do.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) html: axum::body::Bytes,
    pub(crate) policy: String,
}

impl Page {
    /// The page with this HTML.
    pub(crate) fn new(html: String) -> Self {
        let policy = policy(&html);
        Page {
            html: html.into(),
            policy,
        }
    }
}

/// Content-Security-Policy that allows the page's own scripts, and requests to this server.
fn policy(html: &str) -> String {
    let scripts: Vec<String> = scripts(html)
        .map(|script| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script))))
        .collect();
    let scripts = match scripts.is_empty() {
        true => "'none'".to_owned(),
        false => scripts.join(" "),
    };
    format!(
        "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The texts of the script elements.
fn scripts(html: &str) -> impl Iterator<Item = &str> {
    html.split("<script").skip(1).filter_map(|rest| {
        let (_, rest) = rest.split_once('>')?;
        rest.split_once("</script>").map(|(script, _)| script)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scripts_of_the_page_are_allowed() {
        let page = Page::new("<p>x<script type=\"module\">1</script><script>2</script>".to_owned());
        // printf 1 | openssl dgst -sha256 -binary | base64
        let one = "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='";
        assert!(
            page.policy.contains(&format!("script-src {one} 'sha256-")),
            "{}",
            page.policy
        );
        assert!(
            Page::new(String::new())
                .policy
                .contains("script-src 'none'")
        );
    }
}
