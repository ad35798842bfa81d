"""Checks a Perfetto trace against the events that it was made of: `perfetto_check.py TRACE EVENTS REPORT TEXT`, where EVENTS is
what `pgastool events --format jsonl` prints, REPORT what `pgastool report --format json` does, and most samples are in the line
that has TEXT. The trace is parsed with the published schema (PyPI package `perfetto`), which must know every field; then each
slice must have the thread, name, begin and duration of a region in the events, and none may be left over on either side. All
samples must be there, with stacks whose parts are all defined."""

import collections
import gzip
import json
import sys

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

# Both sides are rounded to nanoseconds, a duration from two of them.
TOLERANCE = 2


def known(message):
    """Every field of a message and of those inside of it is in the schema."""
    assert len(UnknownFieldSet(message)) == 0, f"unknown fields: {message}"
    for field, value in message.ListFields():
        if field.message_type is not None:
            try:
                values = list(value)
            except TypeError:
                values = [value]
            for inner in values:
                known(inner)


def slices(path):
    """By thread: (name, begin, end) in the order of ends, and the number of arrows."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as file:
        trace = Trace()
        trace.ParseFromString(file.read())
    known(trace)
    threads, names, tracks, stacks, found = {}, {}, {}, {}, {}
    begins, ends = set(), set()
    for packet in trace.packet:
        sequence = packet.trusted_packet_sequence_id
        if packet.HasField("track_descriptor"):
            descriptor = packet.track_descriptor
            if descriptor.HasField("thread"):
                threads[descriptor.uuid] = int(descriptor.thread.thread_name.split()[-1])
            continue
        for name in packet.interned_data.event_names:
            names[sequence, name.iid] = name.name
        defaults = packet.trace_packet_defaults.track_event_defaults
        if defaults.HasField("track_uuid"):
            tracks[sequence] = defaults.track_uuid
        event = packet.track_event
        # States of tasks, on tracks of their own.
        if event.HasField("name"):
            continue
        begins.update(event.flow_ids)
        ends.update(event.terminating_flow_ids)
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            stack = stacks.setdefault(sequence, [])
            stack.append((names[sequence, event.name_iid], packet.timestamp))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            name, begin = stacks[sequence].pop()
            thread = threads[tracks[sequence]]
            found.setdefault(thread, []).append((name, begin, packet.timestamp))
    assert begins == ends, "arrows without begin or end"
    assert not any(stacks.values()), f"slices without end: {stacks}"
    return found, len(begins)


def regions(path):
    """The same of the events."""
    found = {}
    with open(path) as file:
        for line in file:
            event = json.loads(line)
            if event["type"] == "event" and "duration" in event:
                end = round(event["seconds"] * 1e9)
                begin = end - round(event["duration"] * 1e9)
                found.setdefault(event["thread"], []).append((event["region"], begin, end))
    return found


def samples(path):
    """Of each sample: its thread, and functions with lines, outermost first."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as file:
        trace = Trace()
        trace.ParseFromString(file.read())
    names, files, modules, frames, stacks, threads, counts, found = {}, {}, {}, {}, {}, {}, {}, []
    for packet in trace.packet:
        sequence = packet.trusted_packet_sequence_id
        if packet.HasField("track_descriptor") and packet.track_descriptor.HasField("thread"):
            thread = packet.track_descriptor.thread
            threads[thread.tid] = int(thread.thread_name.split()[-1])
        data = packet.interned_data
        names.update({(sequence, one.iid): one.str.decode() for one in data.function_names})
        files.update({(sequence, one.iid): one.str.decode() for one in data.source_paths})
        modules.update({(sequence, one.iid): one.path_string_ids for one in data.mappings})
        frames.update({(sequence, one.iid): one for one in data.frames})
        stacks.update({(sequence, one.iid): one.frame_ids for one in data.callstacks})
        if not packet.HasField("perf_sample"):
            continue
        sample = packet.perf_sample
        # The counter adds up, as that of a performance counter that is read with each sample.
        assert sample.timebase_count > counts.get(sample.tid, 0) and packet.timestamp > 0, sample
        counts[sample.tid] = sample.timebase_count
        stack = []
        for number in stacks[sequence, sample.callstack_iid]:
            frame = frames[sequence, number]
            # Recorded regions have no address, and so no module.
            assert frame.HasField("mapping_id") == frame.HasField("rel_pc"), frame
            assert not frame.mapping_id or (sequence, frame.mapping_id) in modules, frame
            file = files[sequence, frame.source_path_iid] if frame.source_path_iid else ""
            stack.append((names[sequence, frame.function_name_id], file, frame.line_number))
        found.append((threads[sample.tid], stack))
    return found


def check_samples(trace, report, text):
    with open(report) as file:
        sampling = json.load(file)["sampling"]
    found = samples(trace)
    assert len(found) == sampling["samples"], f"{len(found)} samples, not {sampling['samples']}"
    by_thread = collections.Counter(thread for thread, _ in found)
    seconds = collections.Counter()
    for part in (part for stack in sampling["stacks"] for part in stack["threads"]):
        seconds[part["thread"]] += part["seconds"]
    assert by_thread.keys() == seconds.keys() == {0, 1, 2}, f"samples of threads {by_thread}"
    for thread, number in by_thread.items():
        # The report scales samples to the computing time that was recorded.
        near = abs(number / len(found) - seconds[thread] / seconds.total())
        assert near < 0.05, f"thread {thread}: {number} samples, {seconds[thread]} s in the report"
    with open("waits.upc") as file:
        line = next(number for number, line in enumerate(file, 1) if text in line)
    there = [stack for _, stack in found if stack and stack[-1][1].endswith("waits.upc") and stack[-1][2] in (line - 1, line)]
    assert 2 * len(there) > len(found), f"{len(there)} of {len(found)} samples at line {line}"
    names = [[name for name, *_ in stack] for stack in there]
    assert all(stack[-2:] == ["main", "burn"] and stack.count("main") == 1 for stack in names), names[0]
    numbers = ", ".join(f"{number} of thread {thread}" for thread, number in sorted(by_thread.items()))
    print(f"{len(found)} samples are all there ({numbers}), {len(there)} of them at line {line}")


def main():
    trace, events, report, text = sys.argv[1:]
    check_samples(trace, report, text)
    (drawn, arrows), recorded = slices(trace), regions(events)
    assert drawn.keys() == recorded.keys(), f"threads {drawn.keys()} of {recorded.keys()}"
    count = 0
    for thread, expected in recorded.items():
        assert len(drawn[thread]) == len(expected), f"thread {thread}: {len(drawn[thread])} of {len(expected)}"
        for slice, region in zip(drawn[thread], expected):
            near = all(abs(a - b) <= TOLERANCE for a, b in zip(slice[1:], region[1:]))
            assert slice[0] == region[0] and near, f"thread {thread}: {slice}, not {region}"
            count += 1
    assert arrows > 0, "no arrows"
    print(f"{count} slices and {arrows} arrows are those of the events")


main()
