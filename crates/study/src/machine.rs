//! The machine that figures were measured on, without names of hosts or directories.

use crate::Error;
use crate::tool::Tool;
use std::fs;

/// Properties of the machine and the tools, in the order of the page: what, and how it is here.
pub fn description(tool: &Tool) -> Result<Vec<(String, String)>, Error> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let row = |what: &str, value: String| (what.to_string(), value);
    let compilers = tool.compilers().into_iter();
    let mut rows = vec![
        row("Processor", processor()),
        row("Cores", cores.to_string()),
        row("Memory", memory()),
        row("Operating system", system()),
        row("pgastool", tool.version()?),
    ];
    rows.extend(compilers.map(|(name, version)| row(name, version)));
    rows.push(row("C compiler", tool.c_compiler()));
    let date = jiff::Timestamp::now().strftime("%F").to_string();
    rows.push(row("Date", date));
    Ok(rows)
}

fn unknown() -> String {
    "not known".to_string()
}

/// The value of a line `key : value` or `key=value` of a file.
fn value_in(path: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let (name, value) = line.split_once([':', '='])?;
        (name.trim() == key).then(|| value.trim().trim_matches('"').to_string())
    })
}

fn processor() -> String {
    let name = value_in("/proc/cpuinfo", "model name").unwrap_or_else(unknown);
    let virtual_machine = fs::read_to_string("/proc/cpuinfo")
        .is_ok_and(|text| text.split_whitespace().any(|word| word == "hypervisor"));
    if virtual_machine {
        format!("{name}, in a virtual machine")
    } else {
        name
    }
}

fn memory() -> String {
    value_in("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok())
        .map_or_else(unknown, |kilobytes| {
            format!("{:.0} GiB", kilobytes / 1048576.0)
        })
}

fn system() -> String {
    let name = value_in("/etc/os-release", "PRETTY_NAME").unwrap_or_else(unknown);
    // The text after the number is specific to a site.
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let number: String = kernel
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    format!("{name}, Linux {number}")
}
