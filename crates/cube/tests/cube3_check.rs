//! The checker finds every kind of violation: each case is one edit of a file that is right.

mod common;

use pgas_cube::cube3::{check, to_string};

#[test]
fn one_edit_one_violation() {
    let right = to_string(&common::small()).unwrap();
    check(right.as_bytes()).unwrap();
    let cases = [
        ("<?xml", "\u{feff}<?xml", "must be here"),
        ("UTF-8", "utf-8", "must be here"),
        (
            "\"UTF-8\"?>",
            "\"UTF-8\" standalone=\"yes\"?>",
            "must be here",
        ),
        (" encoding=\"UTF-8\"", "", "must be here"),
        (
            "<cube version=\"3.0\">",
            "<cube version='3.0'>",
            "must be here",
        ),
        (
            "<cube version=\"3.0\">",
            "<cube version=\"3.0\" x=\"\">",
            "must be here",
        ),
        ("<doc>", "<!-- hello -->\n<doc>", "must be here"),
        ("\n<doc>", "\r\n<doc>", "CR"),
        ("key=\"program\"", "key = \"program\"", "must be here"),
        ("key=\"program\"", "key='program'", "must be here"),
        (
            "</doc>",
            "</doc>\n<attr key=\"a\" value=\"b\"/>",
            "must be here",
        ),
        ("<url></url>", "<url/>", "must be here"),
        ("<metrics>", "<title></title>\n<metrics>", "must be here"),
        ("<descr>", "<extra></extra>\n<descr>", "must be here"),
        (
            "<thread Id=\"1\"",
            "<thread Id=\"1\" x=\"\"",
            "must be here",
        ),
        ("<rank>1<", "<rank>-1<", "natural number"),
        ("periodic=\"false\"", "periodic=\"no\"", "true or false"),
        ("<dim size", "<dim name=\"x\" size", "must be here"),
        ("<machine Id", "<machine id", "Id=\" must be here"),
        ("<thread Id=\"1\"", "<thread Id=\"2\"", "without gaps"),
        ("<thread Id=\"1\"", "<thread Id=\"0\"", "twice"),
        ("<region id=\"0\"", "<region id=\"2\"", "without gaps"),
        ("<cnode id=\"1\"", "<cnode id=\"7\"", "without gaps"),
        ("calleeId=\"1\"", "calleeId=\"2\"", "id of a region"),
        ("calleeId=\"1\"", "calleeId=\"-1\"", "natural number"),
        ("<metric id=\"4\"", "<metric id=\"5\"", "without gaps"),
        ("<uniq_name>pgas<", "<uniq_name>time<", "its own"),
        ("<dtype>INTEGER<", "<dtype>DOUBLE<", "FLOAT or INTEGER"),
        ("<uom>occ<", "<uom>count<", "sec, occ or bytes"),
        ("<name>main<", "<name>ma\"in<", "named entity"),
        ("<name>main<", "<name>ma&#65;in<", "named entity"),
        ("<name>main<", "<name>ma>in<", "named entity"),
        ("<name>main<", "<name>ma\x01in<", "control"),
        ("<descr></descr>\n</region>", "</region>", "must be here"),
        ("begin=\"10\"", "begin=\"x\"", "natural number"),
        ("ndims=\"1\"", "ndims=\"2\"", "ndims"),
        ("<coord thrdId=\"1\">1<", "<coord thrdId=\"1\">2<", "inside"),
        (
            "<coord thrdId=\"1\">1<",
            "<coord thrdId=\"9\">1<",
            "Id of a thread",
        ),
        (
            "<matrix metricId=\"4\"",
            "<matrix metricId=\"9\"",
            "id of a metric",
        ),
        ("<matrix metricId=\"4\"", "<matrix metricId=\"0\"", "twice"),
        ("<row cnodeId=\"1\"", "<row cnodeId=\"0\"", "twice"),
        ("<row cnodeId=\"1\"", "<row cnodeId=\"3\"", "id of a cnode"),
        ("1.5\n1\n", "1.5\n1\n1\n", "3 values"),
        ("1.5\n1\n", "1.5\n", "1 values"),
        ("1.5\n1\n", "1.5 1\n", "not a value"),
        ("1.5\n1\n", "nan\n1\n", "not a value"),
        ("1.5\n1\n", "1e999\n1\n", "not a value"),
        ("8\n8\n", "8.5\n8\n", "not a value"),
        ("</cube>\n", "</cube>\n<cube>", "nothing may follow"),
        ("</cube>\n", "", "</cube>"),
    ];
    for (old, new, words) in cases {
        let wrong = right.replacen(old, new, 1);
        assert_ne!(right, wrong, "{old:?} is not in the file");
        let violation = check(wrong.as_bytes()).expect_err(new);
        assert!(violation.rule.contains(words), "{new:?}: {violation}");
    }
    let mut bytes = right.into_bytes();
    bytes[60] = 0xff;
    assert_eq!(check(&bytes).unwrap_err().offset, 60);
}
