// Random programs of streams, events and host waits, against the transitive closure of their edges:
// the double must report a program exactly if two of its uses of the same bytes are not ordered,
// whatever the mode and the seed with which it runs.
#include <gtest/gtest.h>

#include <bitset>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "test/gpu/support/raw_driver.h"
#include "test/gpu/support/test_kernels.h"

#ifndef __has_feature  // g++
#define __has_feature(x) 0
#endif

namespace tfrt::gpu::test {
namespace {

using namespace tfrt::gpu::cuda;  // NOLINT

constexpr int kMaxNodes = 128;
using Nodes = std::bitset<kMaxNodes>;

// What comes before each command, from the rules of streams and events alone.
class Model {
 public:
  Model(int num_streams, int num_events) : streams_(num_streams), events_(num_events) {}

  // A command that uses [begin, end) of a buffer.
  void Use(int stream, int buffer, int begin, int end, bool writes) {
    Nodes before = streams_[stream] | host_;
    for (const Node& other : nodes_) {
      bool overlaps = other.buffer == buffer && other.begin < end && begin < other.end;
      if (overlaps && (writes || other.writes) && !before[other.number]) has_race_ = true;
    }
    int number = static_cast<int>(nodes_.size());
    nodes_.push_back({number, buffer, begin, end, writes});
    streams_[stream] = before;
    streams_[stream].set(number);
  }
  void Record(int event, int stream) { events_[event] = streams_[stream] | host_; }
  void Wait(int stream, int event) { streams_[stream] |= events_[event]; }
  void HostWait(int stream) { host_ |= streams_[stream]; }
  void HostWaitEvent(int event) { host_ |= events_[event]; }

  bool has_race() const { return has_race_; }
  size_t num_uses() const { return nodes_.size(); }

 private:
  struct Node {
    int number, buffer, begin, end;
    bool writes;
  };
  std::vector<Node> nodes_;
  std::vector<Nodes> streams_, events_;
  Nodes host_;
  bool has_race_ = false;
};

// Runs one program; returns whether the double agrees with the model.
bool RunProgram(const RawDriver& d, uint32_t seed, bool* has_race) {
  constexpr int kStreams = 3, kEvents = 3, kBuffers = 2, kWords = 16;
  CUcontext context = nullptr;
  CUstream streams[kStreams];
  CUevent events[kEvents];
  CUdeviceptr buffers[kBuffers];
  CUmodule module = nullptr;
  CUfunction fill = nullptr, copy = nullptr;
  d.cuCtxCreate_v2(&context, 0, 0);
  for (CUstream& stream : streams) d.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0);
  for (CUevent& event : events) d.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
  for (CUdeviceptr& buffer : buffers) {
    d.cuMemAlloc_v2(&buffer, kWords * 4);
    d.cuMemsetD32Async(buffer, 0, kWords, streams[0]);
  }
  CUdeviceptr sink = 0;  // each reader has its own words of it
  d.cuMemAlloc_v2(&sink, kMaxNodes * kWords * 4);
  d.cuStreamSynchronize(streams[0]);
  d.cuModuleLoadDataEx(&module, kTestKernels, 0, nullptr, nullptr);
  d.cuModuleGetFunction(&fill, module, "fill");
  d.cuModuleGetFunction(&copy, module, "copy");

  Model model(kStreams, kEvents);
  std::mt19937 random(seed);
  auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int length = 4 + below(30), waits = 1 + below(8);  // programs with few edges and with many
  for (int i = 0; i < length; ++i) {
    int stream = below(kStreams), event = below(kEvents), buffer = below(kBuffers);
    if (below(10) < waits) {
      switch (below(5)) {
        case 0:
        case 1:
          d.cuEventRecord(events[event], streams[stream]);
          model.Record(event, stream);
          break;
        case 2:
        case 3:
          d.cuStreamWaitEvent(streams[stream], events[event], 0);
          model.Wait(stream, event);
          break;
        default:
          if (below(2) == 0) {
            d.cuStreamSynchronize(streams[stream]);
            model.HostWait(stream);
          } else {
            d.cuEventSynchronize(events[event]);
            model.HostWaitEvent(event);
          }
      }
      continue;
    }
    int begin = below(kWords), end = begin + 1 + below(kWords - begin);
    CUdeviceptr at = buffers[buffer] + static_cast<unsigned>(begin) * 4;
    uint32_t n = static_cast<uint32_t>(end - begin), value = 1;
    CUdeviceptr own = sink + model.num_uses() * kWords * 4;
    void* to_fill[] = {&at, &value, &n};
    void* to_copy[] = {&own, &at, &n};
    int kind = below(4);
    switch (kind) {
      case 0:
        d.cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, streams[stream], to_fill, nullptr);
        break;
      case 1:
        d.cuMemsetD32Async(at, value, n, streams[stream]);
        break;
      case 2:
        d.cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, streams[stream], to_copy, nullptr);
        break;
      default:
        d.cuMemcpyDtoDAsync_v2(own, at, n * 4, streams[stream]);
    }
    model.Use(stream, buffer, begin, end, /*writes=*/kind < 2);
  }
  d.cuCtxSynchronize();
  bool reported = !TakeReports(d).empty();
  d.cuCtxDestroy_v2(context);
  *has_race = model.has_race();
  return reported == model.has_race();
}

// Ends the process: 0 if all programs were judged rightly.
[[noreturn]] void RunPrograms(const char* settings) {
  setenv("TFRT_GPU_DOUBLE", settings, 1);
  std::string why;
  const RawDriver* driver = OpenRawDriver(&why);
  if (!driver || !driver->is_double()) std::_Exit(2);
  int num_wrong = 0, num_races = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    bool has_race = false;
    if (!RunProgram(*driver, seed, &has_race)) {
      std::fprintf(stderr, "program %u: %s\n", seed,
                   has_race ? "a race that was not reported" : "a report without a race");
      ++num_wrong;
    }
    num_races += has_race;
  }
  std::fprintf(stderr, "%d of 400 programs have a race\n", num_races);
  // Both kinds of programs must be common.
  std::_Exit(num_wrong == 0 && num_races > 50 && num_races < 350 ? 0 : 1);
}

constexpr const char* kSettings[] = {"memory=16M,seed=1", "memory=16M,seed=2",
                                     "memory=16M,mode=inline",
#if !__has_feature(thread_sanitizer)  // which would find the programs' races in memory, too
                                     "memory=16M,mode=threads"
#endif
};

TEST(RandomOrderTest, ReportsAreThoseOfTheClosure) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char* settings : kSettings) {
    EXPECT_EXIT(RunPrograms(settings), testing::ExitedWithCode(0), "programs have a race");
  }
}

}  // namespace
}  // namespace tfrt::gpu::test
