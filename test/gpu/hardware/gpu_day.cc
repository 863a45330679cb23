// Asks a GPU's driver what a day with a GPU begins with. Each command prints one line of JSON.
//
// usage: gpu_day COMMAND [--short]
//   first      copies numbers there and back, and runs a kernel that the driver compiles
//   modules    loads each module of the device code: milliseconds
//   streams    times of calls, of overlapping copies, and of a graph
//   kernels    times of the library's kernels
// --short: fewer and smaller commands, for the test double. Ends with 1, and the reason on standard
// error, if a call fails or a number is wrong.
#include "test/gpu/hardware/gpu_day.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "gpu/device_code/device_code.h"
#include "test/gpu/support/test_kernels.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::day {
namespace {

// The functions below return the members of a JSON object.

std::string First(Session& s) {
  constexpr uint32_t kN = 1000;
  cuda::Stream stream = s.MakeStream();
  const CUdeviceptr data = s.Allocate(kN * 4);
  uint32_t *in = s.AllocatePinned(kN * 4), *out = s.AllocatePinned(kN * 4);
  if (!s.status.ok()) return "";
  auto round_trip = [&](CUfunction add_one) {
    for (uint32_t i = 0; i < kN; ++i) in[i] = i, out[i] = 0;
    s.Check(s.d.cuMemcpyHtoDAsync_v2(data, in, kN * 4, stream.get()), "cuMemcpyHtoDAsync_v2");
    if (add_one) s.AddOne(add_one, data, kN, stream.get());
    s.Check(s.d.cuMemcpyDtoHAsync_v2(out, data, kN * 4, stream.get()), "cuMemcpyDtoHAsync_v2");
    s.Wait(stream.get());
    for (uint32_t i = 0; i < kN && s.status.ok(); ++i) {
      if (out[i] == i + (add_one ? 1 : 0)) continue;
      s.status =
          InternalError(StrCat(add_one ? "a kernel" : "a copy", " made ", out[i], " of ", i));
    }
  };
  const double copy_ms = Milliseconds([&] { round_trip(nullptr); });
  cuda::Module module;
  const double compile_ms = Milliseconds([&] { module = s.Load(test::kTestKernels); });
  if (!s.status.ok()) return "";
  CUfunction add_one = s.Find(module, "add_one");
  const double kernel_ms = Milliseconds([&] { round_trip(add_one); });
  return StrCat("\"copy_ms\": ", Number(copy_ms), ", \"compile_ms\": ", Number(compile_ms),
                ", \"kernel_ms\": ", Number(kernel_ms));
}

std::string Modules(Session& s) {
  std::string modules;
  double total = 0;
  size_t count = 0;
  for (const DeviceModule& module : DeviceModules()) {
    cuda::Module loaded;
    const double ms = Milliseconds([&] { loaded = s.Load(module.ptx.data()); });
    if (!s.status.ok()) return "";
    total += ms;
    ++count;
    modules += StrCat(modules.empty() ? "" : ", ", "\"", module.family, "\": ", Number(ms));
    if (s.is_short && count == 3) break;
  }
  return StrCat("\"num_modules\": ", count, ", \"total_ms\": ", Number(total),
                ", \"modules_ms\": {", modules, "}");
}

std::string Calls(Session& s, CUfunction add_one, CUdeviceptr data, int calls) {
  cuda::Stream stream = s.MakeStream(), other = s.MakeStream();
  cuda::Event event = s.MakeEvent();
  if (!s.status.ok()) return "";
  std::string members;
  // Microseconds of one of many calls of the host, whose work is waited for outside.
  auto measure = [&](const char* name, const std::function<void()>& call) {
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
      best = std::min(best, Milliseconds([&] {
                        for (int i = 0; i < calls; ++i) call();
                      }));
      s.Wait(stream.get());
      s.Wait(other.get());
    }
    members += StrCat("\"", name, "_us\": ", Number(best / calls * 1e3), ", ");
  };
  measure("launch", [&] { s.AddOne(add_one, data, 128, stream.get()); });
  measure("record", [&] { s.Check(s.d.cuEventRecord(event.get(), stream.get()), "record"); });
  measure("query", [&] { (void)s.d.cuEventQuery(event.get()); });
  measure("wait", [&] {
    s.Check(s.d.cuStreamWaitEvent(other.get(), event.get(), CU_EVENT_WAIT_DEFAULT), "wait");
  });
  measure("launch_and_synchronize", [&] {
    s.AddOne(add_one, data, 128, stream.get());
    s.Wait(stream.get());
  });
  measure("allocate_and_free_1_MiB", [&] {
    CUdeviceptr address = 0;
    s.Check(s.d.cuMemAlloc_v2(&address, 1 << 20), "cuMemAlloc_v2");
    s.Check(s.d.cuMemFree_v2(address), "cuMemFree_v2");
  });
  return members;
}

// Copies in both directions at once, beside one after the other: 2 is perfect.
std::string Overlap(Session& s) {
  const size_t bytes = s.is_short ? 1 << 20 : size_t{256} << 20;
  cuda::Stream up = s.MakeStream(), down = s.MakeStream();
  const CUdeviceptr to = s.Allocate(bytes), from = s.Allocate(bytes);
  uint32_t *in = s.AllocatePinned(bytes), *out = s.AllocatePinned(bytes);
  if (!s.status.ok()) return "";
  std::memset(in, 1, bytes);
  s.Check(s.d.cuMemsetD8Async(from, 2, bytes, down.get()), "cuMemsetD8Async");
  s.Wait(down.get());
  auto upload = [&] {
    s.Check(s.d.cuMemcpyHtoDAsync_v2(to, in, bytes, up.get()), "cuMemcpyHtoDAsync_v2");
  };
  auto download = [&] {
    s.Check(s.d.cuMemcpyDtoHAsync_v2(out, from, bytes, down.get()), "cuMemcpyDtoHAsync_v2");
  };
  auto wait = [&] {
    s.Wait(up.get());
    s.Wait(down.get());
  };
  const double up_ms = Median([&] { upload(), wait(); });
  const double down_ms = Median([&] { download(), wait(); });
  const double both_ms = Median([&] { upload(), download(), wait(); });
  auto rate = [&](double ms) { return Number(static_cast<double>(bytes) / ms / 1e6); };
  return StrCat("\"h2d_gb_per_s\": ", rate(up_ms), ", \"d2h_gb_per_s\": ", rate(down_ms),
                ", \"overlap_ratio\": ", Number((up_ms + down_ms) / both_ms), ", ");
}

// A thousand launches as a graph, and one by one.
std::string Graph(Session& s, CUfunction add_one, CUdeviceptr data) {
  const int nodes = s.is_short ? 20 : 1000;
  cuda::Stream stream = s.MakeStream();
  if (!s.status.ok()) return "";
  auto launches = [&] {
    for (int i = 0; i < nodes; ++i) s.AddOne(add_one, data, 128, stream.get());
  };
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  s.Check(s.d.cuStreamBeginCapture_v2(stream.get(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
          "cuStreamBeginCapture_v2");
  launches();
  s.Check(s.d.cuStreamEndCapture(stream.get(), &graph), "cuStreamEndCapture");
  if (!s.status.ok()) return "";
  const double instantiate_ms = Milliseconds([&] {
    s.Check(s.d.cuGraphInstantiateWithFlags(&exec, graph, 0), "cuGraphInstantiateWithFlags");
  });
  std::string members;
  if (s.status.ok()) {
    double call_ms = 0;
    const double graph_ms = Median([&] {
      call_ms =
          Milliseconds([&] { s.Check(s.d.cuGraphLaunch(exec, stream.get()), "cuGraphLaunch"); });
      s.Wait(stream.get());
    });
    const double stream_ms = Median([&] {
      launches();
      s.Wait(stream.get());
    });
    members =
        StrCat("\"graph_nodes\": ", nodes, ", \"instantiate_ms\": ", Number(instantiate_ms),
               ", \"graph_launch_us\": ", Number(call_ms * 1e3),
               ", \"graph_ms\": ", Number(graph_ms), ", \"launches_ms\": ", Number(stream_ms));
  }
  if (exec) s.d.cuGraphExecDestroy(exec);
  s.d.cuGraphDestroy(graph);
  return members;
}

std::string Streams(Session& s) {
  cuda::Module module = s.Load(test::kTestKernels);
  const CUdeviceptr data = s.Allocate(128 * 4);
  if (!s.status.ok()) return "";
  CUfunction add_one = s.Find(module, "add_one");
  cuda::Stream stream = s.MakeStream();
  s.Check(s.d.cuMemsetD8Async(data, 0, 128 * 4, stream.get()), "cuMemsetD8Async");
  s.Wait(stream.get());
  std::string members = Calls(s, add_one, data, s.is_short ? 20 : 1000);
  members += Overlap(s);
  return members + Graph(s, add_one, data);
}

int Run(std::string_view command, bool is_short) {
  auto fail = [](const Status& status) {
    std::fprintf(stderr, "gpu_day: %s\n", status.ToString().c_str());
    return 1;
  };
  auto session = Session::Open(is_short);
  if (!session.ok()) return fail(session.status());
  const std::string members = command == "first"     ? First(**session)
                              : command == "modules" ? Modules(**session)
                              : command == "kernels" ? Kernels(**session)
                                                     : Streams(**session);
  if (!(*session)->status.ok()) return fail((*session)->status);
  std::printf("{%s}\n", members.c_str());
  return 0;
}

}  // namespace
}  // namespace tfrt::gpu::day

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  const bool is_short = argc == 3 && std::string_view(argv[2]) == "--short";
  const bool is_known =
      command == "first" || command == "modules" || command == "streams" || command == "kernels";
  if (!is_known || argc > 3 || (argc == 3 && !is_short)) {
    std::fprintf(stderr, "usage: gpu_day first|modules|streams|kernels [--short]\n");
    return 2;
  }
  return tfrt::gpu::day::Run(command, is_short);
}
