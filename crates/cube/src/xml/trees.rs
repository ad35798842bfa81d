//! Writes what both versions of CUBE have: attributes, metrics, the program, topologies.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Plan, Step, element, line, line_number, paragraph};
use crate::model::{CallPath, Metric, Region, Unit};
use crate::roles;
use crate::topology::Dimension;

/// Fields of regions and call paths that CUBE 4 has beyond CUBE 3.
pub(crate) struct Program4<'a> {
    /// By region: its paradigm and role.
    pub roles: &'a dyn Fn(&Region) -> (&'static str, &'static str),
    /// A call path that is put above all others: the name, module, paradigm and role of its
    /// region. Both have id 0, and the ids of all other regions and call paths are one higher.
    pub root: Option<[&'a str; 4]>,
}

impl Plan<'_> {
    pub fn write_header(
        &self,
        attributes: &BTreeMap<String, String>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for (key, value) in attributes {
            let (key, value) = (line(key), line(value));
            writeln!(out, "<attr key=\"{key}\" value=\"{value}\"/>")?;
        }
        writeln!(out, "<doc>\n<mirrors>")?;
        for mirror in &self.cube.mirrors {
            writeln!(out, "<murl>{}</murl>", line(mirror))?;
        }
        writeln!(out, "</mirrors>\n</doc>")
    }

    /// `kind_and_type`: more attributes of a metric's tag, and its `dtype`.
    pub fn write_metrics(
        &self,
        kind_and_type: impl Fn(usize) -> (&'static str, &'static str),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "<metrics>")?;
        for step in &self.metric_steps {
            let Step::Open(id) = *step else {
                writeln!(out, "</metric>")?;
                continue;
            };
            let Metric {
                display_name,
                unique_name,
                unit,
                url,
                description,
                ..
            } = &self.cube.metrics[id];
            let (kind, data_type) = kind_and_type(id);
            let unit = match unit {
                Unit::Seconds => "sec",
                Unit::Occurrences => "occ",
                Unit::Bytes => "bytes",
            };
            writeln!(out, "<metric id=\"{id}\"{kind}>")?;
            element(out, "disp_name", &line(display_name))?;
            element(out, "uniq_name", &line(unique_name))?;
            element(out, "dtype", data_type)?;
            element(out, "uom", unit)?;
            element(out, "url", &line(url))?;
            element(out, "descr", &paragraph(description))?;
        }
        writeln!(out, "</metrics>")
    }

    /// As CUBE 3 has it, unless there is more to say.
    pub fn write_program(&self, more: Option<&Program4>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<program>")?;
        let root = more.and_then(|more| more.root);
        let shift = usize::from(root.is_some());
        if let Some([name, module, paradigm, role]) = root {
            open_region(out, 0, module, 0, 0, name)?;
            region_of_4(out, name, paradigm, role)?;
            close_region(out, "")?;
        }
        for (index, region) in self.cube.regions.iter().enumerate() {
            let Region {
                name,
                module,
                begin_line,
                end_line,
                description: _,
            } = region;
            open_region(out, index + shift, module, *begin_line, *end_line, name)?;
            if let Some(more) = more {
                let (paradigm, role) = (more.roles)(region);
                region_of_4(out, name, paradigm, role)?;
            }
            close_region(out, roles::described(region))?;
        }
        if root.is_some() {
            writeln!(out, "<cnode id=\"0\" line=\"-1\" mod=\"\" calleeId=\"0\">")?;
        }
        for step in &self.call_path_steps {
            let Step::Open(index) = *step else {
                writeln!(out, "</cnode>")?;
                continue;
            };
            let CallPath {
                region,
                file,
                line: number,
                ..
            } = &self.cube.call_paths[index];
            writeln!(
                out,
                "<cnode id=\"{}\" line=\"{}\" mod=\"{}\" calleeId=\"{}\">",
                index + shift,
                line_number(*number),
                line(file),
                region.0 + shift
            )?;
        }
        if root.is_some() {
            writeln!(out, "</cnode>")?;
        }
        writeln!(out, "</program>")
    }

    /// `owner`: the attribute that names the thread. CUBE 4 has names.
    pub fn write_topologies(
        &self,
        owner: &str,
        with_names: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let name_of = |name: &str| match with_names {
            true => format!(" name=\"{}\"", line(name)),
            false => String::new(),
        };
        writeln!(out, "<topologies>")?;
        for topology in &self.cube.topologies {
            let name = name_of(&topology.name);
            writeln!(out, "<cart{name} ndims=\"{}\">", topology.dimensions.len())?;
            for dimension in &topology.dimensions {
                let Dimension {
                    name,
                    size,
                    periodic,
                } = dimension;
                let name = name_of(name);
                writeln!(out, "<dim{name} size=\"{size}\" periodic=\"{periodic}\"/>")?;
            }
            for (thread, at) in &topology.coordinates {
                let at: Vec<_> = at.iter().map(ToString::to_string).collect();
                writeln!(out, "<coord {owner}=\"{thread}\">{}</coord>", at.join(" "))?;
            }
            writeln!(out, "</cart>")?;
        }
        writeln!(out, "</topologies>")
    }
}

fn open_region(
    out: &mut dyn Write,
    id: usize,
    module: &str,
    begin: u32,
    end: u32,
    name: &str,
) -> io::Result<()> {
    writeln!(
        out,
        "<region id=\"{id}\" mod=\"{}\" begin=\"{}\" end=\"{}\">",
        line(module),
        line_number(begin),
        line_number(end)
    )?;
    element(out, "name", &line(name))
}

fn region_of_4(out: &mut dyn Write, name: &str, paradigm: &str, role: &str) -> io::Result<()> {
    element(out, "mangled_name", &line(name))?;
    element(out, "paradigm", paradigm)?;
    element(out, "role", role)
}

fn close_region(out: &mut dyn Write, description: &str) -> io::Result<()> {
    element(out, "url", "")?;
    element(out, "descr", &paragraph(description))?;
    writeln!(out, "</region>")
}
