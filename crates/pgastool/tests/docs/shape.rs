//! Compares the output of a command with the one that its page shows, apart from numbers with their
//! units, bars, dates, and names of machines.

/// The first line of `shown` that `printed` does not have after those before it. `...` stands for
/// any lines; others may be missing in the shown text, and so may the end of one, since pages leave
/// out details that they don't discuss. Lines of tables and findings that stand for less than 1 %
/// need not be printed: such small values are not there every time.
pub fn missing(shown: &str, printed: &str) -> Option<String> {
    let printed = lines(printed);
    let mut rest = printed.iter();
    let demanded: Vec<&str> = shown.lines().filter(|line| !is_small(line)).collect();
    lines(&demanded.join("\n"))
        .into_iter()
        .filter(|line| line != "..." && line != "…")
        .find(|line| !rest.any(|other| other.starts_with(line.as_str())))
}

/// A line with one share, which is below 1 %.
fn is_small(line: &str) -> bool {
    let shares: Vec<&str> = line
        .split_whitespace()
        .zip(line.split_whitespace().skip(1))
        .filter(|(_, unit)| *unit == "%")
        .map(|(number, _)| number)
        .collect();
    matches!(shares[..], [share] if share.starts_with("<0.") || share.starts_with("0."))
}

/// Masked lines; what is indented as the text of a finding continues the line before it, wherever
/// it is wrapped.
fn lines(text: &str) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        match whole.last_mut() {
            Some(last) if indent >= 14 => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => whole.push(line.to_string()),
        }
    }
    whole.iter().map(|line| masked(line)).collect()
}

fn masked(line: &str) -> String {
    let mut text = String::new();
    // Digits become one #, and characters that bars are drawn with vanish.
    for c in line.chars() {
        match c {
            '0'..='9' => text.push('#'),
            '▀'..='▟' | '<' | '±' => text.push(' '),
            '─' | '━' => text.push(' '),
            c => text.push(c),
        }
    }
    while let Some(at) = text
        .find("#.#")
        .or_else(|| text.find("#,#"))
        .or_else(|| text.find("##"))
    {
        let end = at + if text[at..].starts_with("##") { 2 } else { 3 };
        text.replace_range(at..end, "#");
    }
    const UNITS: [&str; 12] = [
        "s", "ms", "µs", "ns", "%", "pt", "B", "KiB", "MiB", "GiB", "min", "h",
    ];
    let mut words: Vec<&str> = Vec::new();
    let mut after_on = false;
    for word in text.split_whitespace() {
        let number = |word: &str| word.trim_matches(|c: char| "(),;:+-→".contains(c)) == "#";
        let unit = word.trim_matches(|c: char| "(),;:.".contains(c));
        if UNITS.contains(&unit) && words.last().is_some_and(|last| number(last)) {
            continue;
        }
        // The machine, in the heading of a report.
        if after_on && line.contains('·') {
            after_on = false;
            words.push("HOST");
            continue;
        }
        after_on = word == "on";
        words.push(if number(word) { "#" } else { word });
    }
    words.dedup();
    let mut masked = words.join(" ");
    // One of something is as good as several.
    for singular in ["event", "finding", "thread", "call"] {
        for end in [" ", ";", ",", ":", "."] {
            masked = masked.replace(
                &format!("# {singular}{end}"),
                &format!("# {singular}s{end}"),
            );
        }
    }
    masked
}

#[test]
fn numbers_bars_and_wrapping_do_not_matter_but_words_do() {
    let shown = "\
pgastool: recorded 139512 events; next: pgastool analyze pgas_a_2_20261121-145612
    Load balance        67 %  █████████████▍        785 ms of computation in 2 x 587 ms
...
    why         Thread 1 came last in the only instance and accounts for 100 %
                of the waiting.
";
    let printed = "\
pgastool: recorded 9 events; next: pgastool analyze pgas_a_2_20270101-000000
    Load balance       100 %  ████████████████████  1.2 s of computation in 2 x 1.50 s
  Something else
    why         Thread 1 came last in the only
                instance and accounts for 98.5 % of the waiting.
";
    assert_eq!(missing(shown, printed), None);
    assert_eq!(missing("2 findings\n", "3 findings\n"), None);
    assert_eq!(missing("2 findings; see", "1 finding; see"), None);
    assert_eq!(
        missing("first\nsecond\n", "second\nfirst\n").as_deref(),
        Some("second")
    );
    assert!(missing("Wait at barrier  1 ms", "Wait at lock  1 ms").is_some());
    assert_eq!(
        missing("Lock  1 ms  0.9 %\nBarrier  1 s  9 %", "Barrier  1 s  9 %"),
        None
    );
    let bars = "  thread 0  ███         418 ms         0 s          28.2 µs\n";
    assert_eq!(
        missing(
            bars,
            "  thread 0  █▒▄         1.04 s      502 ms           865 ms\n"
        ),
        None
    );
}
