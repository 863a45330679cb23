"""Decodes a Perfetto file with Perfetto's own descriptors, and plays what its viewer does with it.

check_perfetto.py WRITER PROTO    WRITER FILE writes the trace (write_perfetto.cc), PROTO is tfrt_trace.proto
"""

import collections
import os
import re
import subprocess
import sys
import tempfile
import unittest

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto

PROTO = sys.argv.pop()
WRITER = sys.argv.pop()
EVENT = perfetto.TrackEvent
Slice = collections.namedtuple("Slice", "name category begin end depth event")


def wire_fields(data):
    """The fields of a message: (number, value), where nothing is known of their types."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 2:
            size = varint()
            yield tag >> 3, data[at:at + size]
            at += size
        else:
            size = {1: 8, 5: 4}[tag & 7]
            yield tag >> 3, data[at:at + size]
            at += size


class Trace:
    """What the viewer shows: packets by time, a stack of slices for each track."""

    def __init__(self, data):
        self.trace = perfetto.Trace.FromString(data)
        self.tracks, self.names, self.categories = {}, {}, {}
        self.argument_names, self.values, self.gpu_specs = {}, {}, {}
        self.extension = None
        timed = []
        for packet in self.trace.packet:
            assert packet.trusted_packet_sequence_id == 1
            if packet.HasField("track_descriptor"):
                self.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
            for entry in packet.interned_data.event_names:
                self.names[entry.iid] = entry.name
            for entry in packet.interned_data.event_categories:
                self.categories[entry.iid] = entry.name
            for entry in packet.interned_data.debug_annotation_names:
                self.argument_names[entry.iid] = entry.name
            for entry in packet.interned_data.debug_annotation_string_values:
                self.values[entry.iid] = entry.str.decode()
            for entry in packet.interned_data.gpu_specifications:
                self.gpu_specs[entry.iid] = entry
            for descriptor_set in [packet.extension_descriptor] if packet.HasField("extension_descriptor") else []:
                self.extension = descriptor_set.extension_set
            if packet.HasField("track_event"):
                timed.append(packet)
        # Perfetto's sort is stable, too.
        timed.sort(key=lambda packet: packet.timestamp)
        self.slices, self.instants, self.counters = [], [], []
        self.play(timed)

    def play(self, packets):
        stacks = collections.defaultdict(list)
        for packet in packets:
            event, time = packet.track_event, packet.timestamp
            assert event.track_uuid in self.tracks
            stack = stacks[event.track_uuid]
            for uuid, value in zip(event.extra_counter_track_uuids, event.extra_counter_values):
                self.counters.append((self.tracks[uuid].name, time, value))
            if event.type == EVENT.TYPE_SLICE_BEGIN:
                stack.append((time, event))
            elif event.type == EVENT.TYPE_SLICE_END:
                begin, first = stack.pop()
                self.slices.append(Slice(self.names[first.name_iid], self.categories[first.category_iids[0]], begin,
                                         time, len(stack), first))
            elif event.type == EVENT.TYPE_INSTANT:
                self.instants.append((self.names[event.name_iid], time, event))
        assert not any(stacks.values()), "slices without an end"

    def track(self, event):
        return self.tracks[event.track_uuid]

    def arguments(self, event):
        out = {}
        for annotation in event.debug_annotations:
            kind = annotation.WhichOneof("value")
            value = getattr(annotation, kind)
            out[self.argument_names[annotation.name_iid]] = (
                self.values[value] if kind == "string_value_iid" else value)
        return out


class CheckPerfetto(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.pftrace")
            subprocess.run([WRITER, path], check=True)
            with open(path, "rb") as file:
                cls.data = file.read()
        cls.trace = Trace(cls.data)
        # The extension, as Perfetto's tools learn of it: from the file.
        pool = descriptor_pool.DescriptorPool()
        for file in cls.trace.extension.file:
            alone = descriptor_pb2.FileDescriptorProto.FromString(file.SerializeToString())
            del alone.extension[:], alone.dependency[:]
            pool.Add(alone)
        cls.event_class = message_factory.GetMessageClass(pool.FindMessageTypeByName("tfrt.profiler.TfrtEvent"))

    def extension(self, event):
        number = self.trace.extension.file[0].extension[0].number
        for field, value in wire_fields(event.SerializeToString()):
            if field == number:
                return self.event_class.FromString(value)
        return None

    def find(self, category):
        return [s for s in self.trace.slices if s.category == category]

    def test_names_times_and_nesting(self):
        layers = [(s.name, s.begin, s.end, s.depth) for s in self.find("layer")]
        self.assertEqual(sorted(layers, key=lambda s: s[1:]), [
            ("outer", 1000, 1030, 0), ("inner", 1010, 1020, 1), ("inner", 1020, 1020, 1), ("outer", 1025, 1040, 0),
            ("outer", 1049, 1070, 0), ("inner", 1050, 1060, 1)])

    def test_tracks(self):
        by_id = {self.extension(s.event).id: self.trace.track(s.event) for s in self.trace.slices}
        main = by_id[101]
        self.assertEqual((main.thread.pid, main.thread.tid, main.thread.thread_name), (4711, 4711, "main"))
        process = self.trace.tracks[main.parent_uuid].process
        self.assertEqual((process.pid, process.process_name), (4711, "program --flag"))
        crossing = by_id[104]
        self.assertEqual((crossing.name, crossing.parent_uuid), ("overlapping", main.uuid))
        stream = by_id[110]
        self.assertEqual((stream.name, self.trace.tracks[stream.parent_uuid].name), ("stream 7", "device 1"))
        worker = next(self.trace.track(e) for n, _, e in self.trace.instants if self.extension(e).id == 108)
        self.assertEqual((worker.thread.tid, worker.thread.thread_name), (4712, "thread 4712"))

    def test_arguments(self):
        first = next(s.event for s in self.trace.slices if s.begin == 1010)
        self.assertEqual(self.trace.arguments(first), {"number": -3, "flops": 2.5, "result": "f32"})

    def test_flows_and_counters(self):
        flows = [(n, t, list(e.flow_ids), list(e.terminating_flow_ids)) for n, t, e in self.trace.instants
                 if e.flow_ids or e.terminating_flow_ids]
        self.assertEqual(flows, [("queue", 1100, [55], []), ("queue", 1110, [], [55])])
        self.assertEqual(self.trace.counters, [("queue depth", 1100, 1), ("queue depth", 1110, 0)])
        counter = next(t for t in self.trace.tracks.values() if t.name == "queue depth")
        self.assertTrue(counter.HasField("counter"))

    def test_extension(self):
        values = {self.extension(s.event).id: self.extension(s.event) for s in self.trace.slices}
        inner = values[102]
        self.assertEqual((inner.parent_distance, inner.op_id, inner.ready_after_end_ns), (1, 17, 5))
        self.assertFalse(inner.HasField("begin_ns"))
        self.assertEqual(values[106].begin_ns, 1050)  # shown 1 ns before
        self.assertEqual((values[112].begin_ns, values[112].end_ns), (-20, -10))  # shown at 0

    def test_devices(self):
        stages = [(p.timestamp, p.gpu_render_stage_event) for p in self.trace.trace.packet
                  if p.HasField("gpu_render_stage_event")]
        self.assertEqual([(t, s.duration, s.gpu_id) for t, s in stages], [(1220, 70, 1), (1300, 10, 1)])
        specs = [self.trace.gpu_specs[s.stage_iid] for _, s in stages]
        self.assertEqual([(s.name, s.category) for s in specs], [("gemm", 2), ("copy in", 0)])
        self.assertEqual([self.trace.gpu_specs[s.hw_queue_iid].name for _, s in stages], ["queue 2"] * 2)
        launch = stages[0][1].launch
        self.assertEqual((launch.grid_size.x, launch.grid_size.y, launch.workgroup_size.x), (8, 4, 128))
        self.assertEqual(stages[0][1].event_id, 77)
        call = next(s.event for s in self.find("device.launch") if s.begin == 1200)
        correlation = dict(wire_fields(call.SerializeToString()))[3000]
        self.assertEqual(list(wire_fields(correlation)), [(1, 77)])

    def test_time_of_day(self):
        clocks = next(p.clock_snapshot.clocks for p in self.trace.trace.packet if p.HasField("clock_snapshot"))
        times = {c.clock_id: c.timestamp for c in clocks}
        self.assertEqual(times[1] - times[6], 1700000000000000000)

    def test_extension_is_what_the_proto_file_says(self):
        with open(PROTO) as file:
            text = re.sub(r"//.*", "", file.read())
        message = re.search(r"message TfrtEvent \{(.*?)\}", text, re.S).group(1)
        said = [(name, int(number), kind) for kind, name, number in
                re.findall(r"optional (\w+) (\w+) = (\d+);", message)]
        kinds = {4: "uint64", 8: "bool", 18: "sint64"}
        [written] = self.trace.extension.file[0].message_type
        self.assertEqual(said, [(f.name, f.number, kinds[f.type]) for f in written.field])
        [extension] = self.trace.extension.file[0].extension
        self.assertIn(f"optional TfrtEvent {extension.name} = {extension.number};", text)
        for extendee, number in re.findall(r"extend perfetto\.protos\.(\w+) \{\s*optional \w+ \w+ = (\d+);", text):
            descriptor = descriptor_pb2.DescriptorProto()
            getattr(perfetto, extendee).DESCRIPTOR.CopyToProto(descriptor)
            self.assertTrue(any(r.start <= int(number) < r.end for r in descriptor.extension_range), extendee)
            self.assertNotIn(int(number), [f.number for f in descriptor.field])


if __name__ == "__main__":
    unittest.main()
