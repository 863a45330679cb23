// Writes the profile that check_perfetto.py knows.
//   write_perfetto FILE
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>

#include "lib/profiler/perfetto/perfetto_writer.h"
#include "tfrt/profiler/profile_properties.h"

int main(int argc, char** argv) {
  using namespace tfrt::profiler;
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_perfetto FILE\n");
    return 2;
  }
  auto writer = PerfettoWriter::Create(argv[1]);
  if (!writer.ok()) {
    std::fprintf(stderr, "%s\n", writer.status().ToString().c_str());
    return 1;
  }
  PerfettoWriter& out = **writer;
  out.AddProperty(property::kCommand, "program --flag");
  out.AddProperty(property::kWallClockOffsetNs, "1700000000000000000");
  for (const char* text :
       {"outer", "inner", "queue", "gemm", "f32", "8x4x1", "128", "copy in", "cuLaunchKernel"}) {
    out.AddString(text);
  }
  out.AddType({.name = "layer",
               .level = StackLevel::kOp,
               .is_op = true,
               .arguments = {{"number", ArgumentType::kInteger},
                             {"flops", ArgumentType::kReal},
                             {"result", ArgumentType::kName}}});
  out.AddType({.name = "queue.enqueue", .kind = RecordKind::kQueue, .arguments = {{"depth"}}});
  out.AddType({.name = "queue.dequeue", .kind = RecordKind::kQueue, .arguments = {{"depth"}}});
  out.AddType(
      {.name = "device.kernel",
       .level = StackLevel::kDevice,
       .arguments = {{"device"}, {"grid", ArgumentType::kName}, {"block", ArgumentType::kName}}});
  out.AddType({.name = "device.copy", .level = StackLevel::kDevice, .kind = RecordKind::kCopy});
  out.AddType({.name = "device.launch", .level = StackLevel::kLibrary});
  out.AddTrack({.name = "main", .process_id = 4711, .number = 4711});
  out.AddTrack({.process_id = 4711, .number = 4712});
  out.AddTrack({.kind = Track::Kind::kStream, .process_id = 1, .number = 7});
  auto layer = [&](StringId name, uint64_t id, uint64_t parent, int64_t begin, int64_t end,
                   int64_t number) {
    const std::array<uint64_t, 3> arguments = {static_cast<uint64_t>(number),
                                               std::bit_cast<uint64_t>(2.5), 4};
    out.AddEvent({.name = name,
                  .id = id,
                  .parent_id = parent,
                  .op_id = 17,
                  .begin_ns = begin,
                  .end_ns = end,
                  .ready = EventFields::Ready::kAt,
                  .ready_ns = end + 5,
                  .arguments = arguments});
  };
  layer(1, 102, 101, 1010, 1020, -3);
  layer(1, 103, 101, 1020, 1020, 1);  // of no length
  layer(0, 101, 0, 1000, 1030, 2);    // around both
  layer(0, 104, 0, 1025, 1040, 4);    // crosses it
  layer(1, 105, 106, 1050, 1060, 5);
  layer(0, 106, 0, 1050, 1070, 6);  // begins together with what is inside
  const std::array<uint64_t, 1> depths[] = {{1}, {0}};
  out.AddEvent({.type = 1,
                .name = 2,
                .id = 107,
                .correlation_id = 55,
                .begin_ns = 1100,
                .end_ns = 1100,
                .arguments = depths[0]});
  out.AddEvent({.type = 2,
                .name = 2,
                .track = 1,
                .id = 108,
                .correlation_id = 55,
                .begin_ns = 1110,
                .end_ns = 1110,
                .arguments = depths[1]});
  out.AddEvent(
      {.type = 5, .name = 8, .id = 109, .correlation_id = 77, .begin_ns = 1200, .end_ns = 1210});
  const std::array<uint64_t, 3> dimensions = {1, 5, 6};
  out.AddEvent({.type = 3,
                .name = 3,
                .track = 2,
                .id = 110,
                .correlation_id = 77,
                .begin_ns = 1220,
                .end_ns = 1290,
                .arguments = dimensions});
  out.AddEvent({.type = 4, .name = 7, .track = 2, .id = 111, .begin_ns = 1300, .end_ns = 1310});
  out.AddEvent({.type = 5, .name = 8, .id = 112, .begin_ns = -20, .end_ns = -10});
  out.AddReady(112, 99);
  const tfrt::Status status = out.Finish();
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
