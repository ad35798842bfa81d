//! Data inside of an HTML file: as text where it is small, compressed where it is large. Nothing in
//! it can end the element that it is in.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

/// From this size on, data is compressed.
const COMPRESSED_FROM: usize = 256 << 10;

/// A `<script>` element that no browser executes, with `json` in it.
pub(super) fn element(json: &str) -> String {
    if json.len() >= COMPRESSED_FROM {
        if let Some(packed) = gzip(json.as_bytes()) {
            return format!(
                "<script type=\"application/octet-stream\" id=\"data\">{}</script>\n",
                STANDARD.encode(packed)
            );
        }
    }
    format!(
        "<script type=\"application/json\" id=\"data\">{}</script>\n",
        escape(json)
    )
}

/// JSON without any character that means something to HTML. Outside of strings, JSON has none of
/// them.
fn escape(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

/// `None` cannot happen when writing to memory; then the data goes in as text.
fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_end_the_element() {
        let json = serde_json::to_string("</script><!--<script>]]>&amp;\u{2028}").unwrap();
        let element = element(&json);
        let inner = element
            .strip_prefix("<script type=\"application/json\" id=\"data\">")
            .and_then(|rest| rest.strip_suffix("</script>\n"))
            .unwrap();
        assert!(!inner.contains(['<', '>', '&', '\u{2028}']), "{inner}");
        let back: String = serde_json::from_str(inner).unwrap();
        assert_eq!(back, "</script><!--<script>]]>&amp;\u{2028}");
    }

    #[test]
    fn large_data_is_compressed() {
        let json = format!("\"{}\"", "<".repeat(COMPRESSED_FROM));
        let element = element(&json);
        assert!(element.len() < 10_000);
        assert_eq!(element.matches('<').count(), 2);
    }
}
