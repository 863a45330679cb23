#include "test/gpu/drop_one/scenarios.h"

#include <algorithm>

#include "test/gpu/support/test_kernels.h"

namespace tfrt::gpu::test {
namespace {

using namespace tfrt::gpu::cuda;  // NOLINT

constexpr size_t kBytes = Stage::kN * 4;

bool ProducerAndConsumer(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device();
  uint32_t* host = s.Pinned();
  s.Fill(s.a, x, 3);
  s.Order(s.a, s.event, s.b);
  s.Copy(s.b, y, x);
  s.ToHost(s.b, host, y);
  s.d.cuStreamSynchronize(s.b);
  return s.Read(host) == 3;
}

bool Tandem(Stage& s) {
  CUdeviceptr x = s.Device();
  uint32_t *in = s.Pinned(), *out = s.Pinned();
  s.Write(in, 6);
  s.ToDevice(s.a, x, in);
  s.Order(s.a, s.event, s.b);
  s.AddOne(s.b, x);
  s.Order(s.b, s.other_event, s.c);
  s.ToHost(s.c, out, x);
  s.d.cuEventRecord(s.third_event, s.c);
  s.d.cuEventSynchronize(s.third_event);
  return s.Read(out) == 7;
}

bool ForkAndJoin(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device(), z = s.Device();
  uint32_t *first = s.Pinned(), *second = s.Pinned();
  s.Fill(s.a, x, 1);
  s.d.cuEventRecord(s.event, s.a);
  s.d.cuStreamWaitEvent(s.b, s.event, 0);
  s.d.cuStreamWaitEvent(s.c, s.event, 0);
  s.Copy(s.b, y, x);
  s.Copy(s.c, z, x);
  s.Order(s.b, s.other_event, s.a);
  s.Order(s.c, s.third_event, s.a);
  s.ToHost(s.a, first, y);
  s.ToHost(s.a, second, z);
  s.d.cuStreamSynchronize(s.a);
  return s.Read(first) == 1 && s.Read(second) == 1;
}

bool PingPong(Stage& s) {
  CUdeviceptr x = s.Device();
  uint32_t* host = s.Pinned();
  s.Fill(s.a, x, 0);
  for (int i = 0; i < 3; ++i) {
    s.AddOne(s.a, x);
    s.Order(s.a, s.event, s.b);
    s.AddOne(s.b, x);
    s.Order(s.b, s.other_event, s.a);
  }
  s.ToHost(s.a, host, x);
  s.d.cuStreamSynchronize(s.a);
  return s.Read(host) == 6;
}

bool ReusedPinnedSource(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device();
  uint32_t *staging = s.Pinned(), *first = s.Pinned(), *second = s.Pinned();
  s.Write(staging, 4);
  s.ToDevice(s.a, x, staging);
  s.d.cuEventRecord(s.event, s.a);
  s.d.cuEventSynchronize(s.event);
  s.Write(staging, 5);
  s.ToDevice(s.a, y, staging);
  s.ToHost(s.a, first, x);
  s.ToHost(s.a, second, y);
  s.d.cuStreamSynchronize(s.a);
  return s.Read(first) == 4 && s.Read(second) == 5;
}

bool FreedBehindAUse(Stage& s) {
  CUdeviceptr x = 0, y = s.Device();
  uint32_t* host = s.Pinned();
  s.d.cuMemAllocAsync(&x, kBytes, s.a);
  s.Fill(s.a, x, 8);
  s.Order(s.a, s.event, s.b);
  s.Copy(s.b, y, x);
  s.Order(s.b, s.other_event, s.a);
  s.d.cuMemFreeAsync(x, s.a);
  s.ToHost(s.b, host, y);
  s.d.cuStreamSynchronize(s.b);
  return s.Read(host) == 8;
}

bool FreedByTheHost(Stage& s) {
  CUdeviceptr x = s.Device();
  uint32_t* host = s.Pinned();
  s.Fill(s.a, x, 2);
  s.d.cuStreamSynchronize(s.a);
  s.d.cuMemFree_v2(x);
  x = s.Device();
  s.Fill(s.a, x, 9);
  s.ToHost(s.a, host, x);
  s.d.cuCtxSynchronize();
  return s.Read(host) == 9;
}

bool AllocatedElsewhere(Stage& s) {
  CUdeviceptr x = 0;
  uint32_t* host = s.Pinned();
  s.d.cuMemAllocAsync(&x, kBytes, s.a);
  s.Order(s.a, s.event, s.b);
  s.Fill(s.b, x, 5);
  s.ToHost(s.b, host, x);
  s.d.cuMemFreeAsync(x, s.b);
  s.d.cuStreamSynchronize(s.b);
  return s.Read(host) == 5;
}

bool Chain(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device();
  uint32_t* host = s.Pinned();
  s.Fill(s.a, x, 1);
  s.Order(s.a, s.event, s.b);
  s.Fill(s.b, y, 2);
  s.Order(s.b, s.other_event, s.c);
  s.AddOne(s.c, x);
  s.Copy(s.c, x, y);
  s.ToHost(s.c, host, x);
  s.d.cuStreamSynchronize(s.c);
  return s.Read(host) == 2;
}

bool TwoResults(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device();
  uint32_t *first = s.Pinned(), *second = s.Pinned();
  s.Fill(s.a, x, 1);
  s.ToHost(s.a, first, x);
  s.d.cuEventRecord(s.event, s.a);
  s.Fill(s.b, y, 2);
  s.ToHost(s.b, second, y);
  s.d.cuEventRecord(s.other_event, s.b);
  s.d.cuEventSynchronize(s.event);
  bool good = s.Read(first) == 1;
  s.d.cuEventSynchronize(s.other_event);
  return good && s.Read(second) == 2;
}

bool OneEventAgainAndAgain(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device(), z = s.Device();
  uint32_t* host = s.Pinned();
  s.Fill(s.a, x, 1);
  s.Order(s.a, s.event, s.b);
  s.Copy(s.b, y, x);
  s.Order(s.b, s.event, s.c);
  s.Copy(s.c, z, y);
  s.ToHost(s.c, host, z);
  s.d.cuEventRecord(s.event, s.c);
  s.d.cuEventSynchronize(s.event);
  return s.Read(host) == 1;
}

bool HalvesOfABuffer(Stage& s) {
  constexpr uint32_t kHalf = Stage::kN / 2;
  CUdeviceptr x = s.Device();
  uint32_t* host = s.Pinned();
  s.Fill(s.a, x, 1, kHalf);
  s.Fill(s.b, x + kHalf * 4, 2, kHalf);
  s.Order(s.b, s.event, s.a);
  s.AddOne(s.a, x);
  s.ToHost(s.a, host, x);
  s.d.cuStreamSynchronize(s.a);
  return s.Read(host) == 3 && host[0] == 2;
}

bool SharedVariable(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device();
  uint32_t* host = s.Pinned();
  s.Fill(s.b, y, 0);
  s.Count(s.a, x);
  s.Order(s.a, s.event, s.b);
  s.Count(s.b, y + (Stage::kN - 1) * 4);
  s.ToHost(s.b, host, y);
  s.d.cuStreamSynchronize(s.b);
  return s.Read(host) == 8;
}

bool OverwrittenAfterReading(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device();
  uint32_t *first = s.Pinned(), *second = s.Pinned();
  s.Fill(s.a, x, 1);
  s.Copy(s.a, y, x);
  s.Order(s.a, s.event, s.b);
  s.Fill(s.b, x, 2);
  s.ToHost(s.b, second, x);
  s.ToHost(s.a, first, y);
  s.d.cuCtxSynchronize();
  return s.Read(first) == 1 && s.Read(second) == 2;
}

bool GraphBetweenStreams(Stage& s) {
  CUdeviceptr x = s.Device(), y = s.Device();
  uint32_t* host = s.Pinned();
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphNode node = nullptr;
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = x;
  copy.dstDevice = y;
  copy.WidthInBytes = kBytes;
  copy.Height = copy.Depth = 1;
  CUcontext context = nullptr;
  s.d.cuCtxGetCurrent(&context);
  s.d.cuGraphCreate(&graph, 0);
  s.d.cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, context);
  s.d.cuGraphInstantiateWithFlags(&exec, graph, 0);
  s.Fill(s.a, x, 4);
  s.Order(s.a, s.event, s.b);
  s.d.cuGraphLaunch(exec, s.b);
  s.Order(s.b, s.other_event, s.c);
  s.ToHost(s.c, host, y);
  s.d.cuStreamSynchronize(s.c);
  bool good = s.Read(host) == 4;
  s.d.cuGraphExecDestroy(exec);
  s.d.cuGraphDestroy(graph);
  return good;
}

}  // namespace

Stage::Stage(const RawDriver& driver) : d(driver) {
  for (CUstream* stream : {&a, &b, &c}) {
    d.cuStreamCreateWithPriority(stream, CU_STREAM_NON_BLOCKING, 0);
  }
  for (CUevent* made : {&event, &other_event, &third_event}) {
    d.cuEventCreate(made, CU_EVENT_DISABLE_TIMING);
  }
  d.cuModuleLoadDataEx(&module_, kTestKernels, 0, nullptr, nullptr);
}

CUdeviceptr Stage::Device() {
  CUdeviceptr address = 0;
  d.cuMemAlloc_v2(&address, kBytes);
  return address;
}

uint32_t* Stage::Pinned() {
  void* memory = nullptr;
  d.cuMemHostAlloc(&memory, kBytes, 0);
  return static_cast<uint32_t*>(memory);
}

void Stage::Launch(CUstream stream, const char* kernel, void** parameters) {
  CUfunction function = nullptr;
  d.cuModuleGetFunction(&function, module_, kernel);
  d.cuLaunchKernel(function, 1, 1, 1, kN, 1, 1, 0, stream, parameters, nullptr);
}

void Stage::Fill(CUstream stream, CUdeviceptr to, uint32_t value, uint32_t n) {
  void* parameters[] = {&to, &value, &n};
  Launch(stream, "fill", parameters);
}

void Stage::AddOne(CUstream stream, CUdeviceptr data, uint32_t n) {
  void* parameters[] = {&data, &n};
  Launch(stream, "add_one", parameters);
}

void Stage::Copy(CUstream stream, CUdeviceptr to, CUdeviceptr from) {
  uint32_t n = kN;
  void* parameters[] = {&to, &from, &n};
  Launch(stream, "copy", parameters);
}

void Stage::Count(CUstream stream, CUdeviceptr to) {
  CUfunction function = nullptr;
  void* parameters[] = {&to};
  d.cuModuleGetFunction(&function, module_, "count");
  d.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr);
}

void Stage::ToHost(CUstream stream, uint32_t* to, CUdeviceptr from) {
  d.cuMemcpyDtoHAsync_v2(to, from, kBytes, stream);
}

void Stage::ToDevice(CUstream stream, CUdeviceptr to, const uint32_t* from) {
  d.cuMemcpyHtoDAsync_v2(to, from, kBytes, stream);
}

void Stage::Order(CUstream stream, CUevent by, CUstream waiting) {
  d.cuEventRecord(by, stream);
  d.cuStreamWaitEvent(waiting, by, 0);
}

void Stage::Write(uint32_t* pinned, uint32_t value) {
  d.host_access(pinned, kBytes, 1);
  std::fill(pinned, pinned + kN, value);
}

uint32_t Stage::Read(const uint32_t* pinned) {
  d.host_access(pinned, kBytes, 0);
  return pinned[kN - 1];
}

const std::vector<Scenario>& AllScenarios() {
  static const std::vector<Scenario> scenarios = {
      {"ProducerAndConsumer", ProducerAndConsumer},
      {"Tandem", Tandem},
      {"ForkAndJoin", ForkAndJoin},
      {"PingPong", PingPong},
      {"ReusedPinnedSource", ReusedPinnedSource},
      {"FreedBehindAUse", FreedBehindAUse},
      {"FreedByTheHost", FreedByTheHost},
      {"AllocatedElsewhere", AllocatedElsewhere},
      {"Chain", Chain},
      {"TwoResults", TwoResults},
      {"OneEventAgainAndAgain", OneEventAgainAndAgain},
      {"HalvesOfABuffer", HalvesOfABuffer},
      {"SharedVariable", SharedVariable},
      {"OverwrittenAfterReading", OverwrittenAfterReading},
      {"GraphBetweenStreams", GraphBetweenStreams},
  };
  return scenarios;
}

}  // namespace tfrt::gpu::test
