"""Compares a CUBE 4 file, as pycubexr reads it, with what the writer was given (a JSON file): every attribute, metric,
region, call path, thread and value. Ends with status 1 and a line for each difference."""

import json
import struct
import sys

from pycubexr import CubexParser
from xml.etree import ElementTree

differences = []
compared = 0


def same(what, found, expected):
    global compared
    compared += 1
    if found != expected:
        differences.append(f"{what}: found {found!r}, expected {expected!r}")


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def walk(metrics, parent=None):
    for metric in metrics:
        yield metric, parent
        yield from walk(metric.childs, metric.name)


def compare(path, expected):
    with CubexParser(path) as cubex:
        anchor = ElementTree.parse(cubex._cubex_file.extractfile("anchor.xml")).getroot()
        same("attributes", cubex._anchor_result.attrs, expected["attributes"])

        found = {metric.id: (metric, parent) for metric, parent in walk(cubex.get_metrics())}
        same("metric ids", sorted(found), [metric["id"] for metric in expected["metrics"]])
        for wanted in expected["metrics"]:
            metric, parent = found[wanted["id"]]
            what = f"metric {wanted['id']}"
            same(f"{what}, name", metric.name, wanted["name"])
            same(f"{what}, display name", metric.display_name, wanted["display_name"])
            same(f"{what}, description", metric.description, wanted["description"])
            same(f"{what}, unit", metric.units, wanted["unit"])
            same(f"{what}, address", metric.url, wanted["url"])
            same(f"{what}, type", metric.data_type, wanted["type"])
            same(f"{what}, kind", metric.metric_type, wanted["kind"])
            same(f"{what}, parent", parent, wanted["parent"])

        regions = cubex._anchor_result.regions_by_id
        same("regions", sorted(regions), sorted(region["id"] for region in expected["regions"]))
        for wanted in expected["regions"]:
            region = regions[wanted["id"]]
            what = f"region {wanted['id']}"
            same(f"{what}, name", region.name, wanted["name"])
            same(f"{what}, module", region.mod, wanted["module"])
            same(f"{what}, lines", [region.begin, region.end], wanted["lines"])
            same(f"{what}, description", region.description, wanted["description"])

        cnodes = {cnode.id: cnode for cnode in cubex.all_cnodes()}
        same("call paths", sorted(cnodes), sorted(cnode["id"] for cnode in expected["call_paths"]))
        # pycubexr does not tell where a call stands.
        places = {int(e.get("id")): (e.get("mod"), int(e.get("line"))) for e in anchor.iter("cnode")}
        for wanted in expected["call_paths"]:
            cnode = cnodes[wanted["id"]]
            what = f"call path {wanted['id']}"
            same(f"{what}, region", cubex.get_region(cnode).id, wanted["region"])
            same(f"{what}, parent", cnode.parent.id if cnode.parent else None, wanted["parent"])
            same(f"{what}, place", list(places[wanted["id"]]), wanted["place"])

        groups = {}
        for group in cubex._anchor_result.system_tree_nodes[0].all_location_groups():
            for location in group.all_locations():
                groups[location.id] = group
        locations = {location.id: location for location in cubex.get_locations()}
        same("threads", sorted(locations), [thread["id"] for thread in expected["threads"]])
        for wanted in expected["threads"]:
            what = f"thread {wanted['id']}"
            same(f"{what}, name", locations[wanted["id"]].name, wanted["name"])
            same(f"{what}, process", int(groups[wanted["id"]].rank), wanted["process"])

        for wanted in expected["metrics"]:
            metric = found[wanted["id"]][0]
            values = cubex.get_metric_values(metric)
            for cnode in cnodes.values():
                row = wanted["rows"].get(str(cnode.id))
                what = f"metric {wanted['id']}, call path {cnode.id}"
                if cnode.id not in values.cnode_indices:
                    same(f"{what}, row", None, row)
                    continue
                numbers = values.cnode_values(cnode)
                numbers = getattr(numbers, "_values", numbers)
                # 0 and -0 are one.
                read = [bits(float(number)) if number else 0 for number in numbers]
                zeros = [0] * len(locations)
                same(what, read, [int(number) for number in row] if row else zeros)


def main():
    for path in sys.argv[1:]:
        with open(path + ".json", encoding="utf-8") as file:
            compare(path, json.load(file))
    for difference in differences[:20]:
        print(difference)
    print(f"{compared} things compared, {len(differences)} differ")
    sys.exit(1 if differences else 0)


main()
