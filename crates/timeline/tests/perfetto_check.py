"""Checks a Perfetto trace against the events that it was made of: `perfetto_check.py TRACE EVENTS`, where EVENTS is what
`pgastool events --format jsonl` prints. The trace is parsed with the published schema (PyPI package `perfetto`), which must
know every field; then each slice must have the thread, name, begin and duration of a region in the events, and none may be
left over on either side."""

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


def main():
    trace, events = sys.argv[1:]
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
