// The same programs on work queues with one and two threads. The caller waits in Await; threads
// have been started by a first run.
#include <memory>

#include "bench_host.h"
#include "case.h"
#include "graph.h"
#include "lib/runtime/host/parallel_for.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt::bench {
namespace {

using Make = std::function<bef::BefBuilder()>;

Make OfGraph(Graph (*make)(), const char* add) {
  return [=] {
    bef::BefBuilder builder;
    builder.AddFunction(ToFunction(make(), "main", add));
    return builder;
  };
}

// Runs in a task, as it would within a serving program's own tasks, and waits for it.
std::function<void()> Prepare(const Make& make, const std::string& queue) {
  auto program = std::make_shared<Program>(make(), "main", queue);
  auto run = [program] {
    RCReference<AsyncValue> result;
    program->function().ExecuteAsync(program->exec_ctx(), {}, {&result, 1});
    AsyncValue* value = result.get();
    program->host().Await({&value, 1});
    Keep(value);
  };
  run();
  return run;
}

constexpr int kForkJoinLoops = 200;

// Eight requests run one function at the same time.
std::function<void()> PrepareConcurrent(const std::string& queue) {
  auto program = std::make_shared<Program>(
      OfGraph([] { return ChainGraph(1000); }, "tfrt.add.i32")(), "main", queue);
  auto run = [program] {
    RCReference<AsyncValue> results[8];
    AsyncValue* values[8];
    for (int i = 0; i < 8; ++i) {
      program->function().ExecuteAsync(program->exec_ctx(), {}, {&results[i], 1});
      values[i] = results[i].get();
    }
    program->host().Await(values);
  };
  run();
  return run;
}

// A chain of loops with two blocks each, started by a worker as kernels are: the layers of a model
// that are split.
class ForkJoin {
 public:
  explicit ForkJoin(const std::string& queue) : host_(queue), exec_ctx_(host_.MakeContext()) {}

  void Run() {
    auto all = MakeUnconstructedAsyncValueRef<Chain>();
    EnqueueWork(exec_ctx_, [this, all = all.CopyRef()] { Loop(kForkJoinLoops, all.CopyRef()); });
    AsyncValue* values[] = {all.GetAsyncValue()};
    host_.host().Await(values);
  }

 private:
  void Loop(int left, AsyncValueRef<Chain> all) {
    if (left == 0) return all.emplace();
    ParallelFor(
        exec_ctx_, 2, 1, [](size_t, size_t) { BusyFor10Us(); },
        [this, left, all = std::move(all)]() mutable { Loop(left - 1, std::move(all)); });
  }

  BenchHost host_;
  ExecutionContext exec_ctx_;
};

std::function<void()> PrepareForkJoin(const std::string& queue) {
  auto program = std::make_shared<ForkJoin>(queue);
  program->Run();
  return [program] { program->Run(); };
}

}  // namespace

void AddThreadCases(Cases* cases) {
  auto add = [&](const std::string& name, double units, const Make& make) {
    for (const char* threads : {"1", "2"}) {
      std::string queue = std::string("mstd:") + threads;
      cases->push_back({.name = "threads/" + name + "/" + queue,
                        .unit = "kernel",
                        .units = units,
                        .floor = *threads == '2' ? "threads/" + name + "/mstd:1" : "",
                        .deterministic = false,
                        .prepare = [=] { return Prepare(make, queue); }});
    }
  };
  const char* kAdd = "tfrt.add.i32";
  add("chain_1k", 1001, OfGraph([] { return ChainGraph(1000); }, kAdd));
  add("wide_10k", 20000, OfGraph([] { return WideGraph(10000); }, kAdd));
  add("tree_4096", 8191, OfGraph([] { return TreeGraph(4096); }, kAdd));
  add("layers_100x100", 10099, OfGraph([] { return LayersGraph(100, 100); }, kAdd));
  add("diamond_10k", 10000, OfGraph([] { return DiamondGraph(10000); }, kAdd));
  add("random_256x256", 65791, OfGraph([] { return RandomGraph(256, 256); }, kAdd));
  add("wide_512_of_10us", 1024, OfGraph([] { return WideGraph(512); }, "bench.busy"));
  auto add_beside_single = [&](const std::string& name, double units, const Make& make) {
    for (const char* queue : {"s", "mstd:1", "mstd:2"}) {
      cases->push_back({.name = "threads/" + name + "/" + queue,
                        .unit = "kernel",
                        .units = units,
                        .floor = *queue == 'm' ? "threads/" + name + "/s" : "",
                        .deterministic = false,
                        .prepare = [=] { return Prepare(make, queue); }});
    }
  };
  add_beside_single("async_chain_1k", 1000, [] { return AsyncChainProgram(1000); });
  add_beside_single("async_fan_1k", 1000, [] { return AsyncFanProgram(1000); });
  for (const char* threads : {"1", "2"}) {
    std::string queue = std::string("mstd:") + threads;
    cases->push_back({.name = "threads/fork_join_10us/" + queue,
                      .unit = "block",
                      .units = 2 * kForkJoinLoops,
                      .floor = *threads == '2' ? "threads/fork_join_10us/mstd:1" : "",
                      .deterministic = false,
                      .prepare = [=] { return PrepareForkJoin(queue); }});
    cases->push_back({.name = "threads/concurrent_8_runs/" + queue,
                      .unit = "kernel",
                      .units = 8 * 1001,
                      .floor = *threads == '2' ? "threads/concurrent_8_runs/mstd:1" : "",
                      .deterministic = false,
                      .prepare = [=] { return PrepareConcurrent(queue); }});
  }
}

}  // namespace tfrt::bench
