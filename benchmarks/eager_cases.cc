// Eager ops: what one call costs beside its arithmetic.
#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bench_host.h"
#include "case.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"
#include "tfrt/executor/bef_file.h"

namespace tfrt::bench {
namespace {

constexpr int kCount = 1000;

// A context, and the scope in which this thread calls ops. Scopes nest, and cases are prepared and run one
// after the other: each run opens its own.
struct Eager {
  explicit Eager(eager::ContextOptions options = {.work_queue = "s"})
      : context(*eager::Context::Create(std::move(options))) {
    eager::Scope scope(*context);
    one = eager::Tensor::FromArray(eager::HostArray({1}, {1.0f}));
  }
  std::unique_ptr<eager::Context> context;
  eager::Tensor one;
};

std::function<void()> PrepareAdd() {
  auto e = std::make_shared<Eager>();
  return [e] {
    eager::Scope scope(*e->context);
    for (int i = 0; i < kCount; ++i) Keep(eager::AddV2(e->one, e->one).state());
  };
}

// Each op's result is the next one's input: 1,000 small ops one after the other.
std::function<void()> PrepareChain(eager::ExecutionMode mode) {
  auto e = std::make_shared<Eager>();
  return [e, mode] {
    eager::Scope scope(*e->context, {.mode = mode});
    eager::Tensor sum = e->one;
    for (int i = 0; i < kCount; ++i) sum = eager::AddV2(std::move(sum), e->one);
    Keep(sum.status().ok());
  };
}

// The caller's part of an ASYNC op. The ops run afterwards.
std::function<double()> PrepareEnqueue(eager::ExecutionOrder order) {
  auto e = std::make_shared<Eager>(
      eager::ContextOptions{.work_queue = "s", .order = order});
  auto results = std::make_shared<std::vector<eager::Tensor>>(kCount);
  return [e, results] {
    double seconds = 0;
    {
      eager::Scope scope(*e->context, {.mode = eager::ExecutionMode::kAsync});
      auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kCount; ++i) (*results)[i] = eager::AddV2(e->one, e->one);
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    e->context->Wait();
    for (eager::Tensor& result : *results) result = {};
    return seconds;
  };
}

// Enqueued and run on the same thread, so that it can be counted.
std::function<void()> PrepareAsync() {
  auto e = std::make_shared<Eager>();
  return [e] {
    eager::Scope scope(*e->context, {.mode = eager::ExecutionMode::kAsync});
    for (int i = 0; i < kCount; ++i) Keep(eager::AddV2(e->one, e->one).state());
    e->context->Wait();
  };
}

}  // namespace

void AddEagerCases(Cases* cases) {
  auto add = [&](const char* name, std::function<std::function<void()>()> prepare) {
    cases->push_back({.name = name, .unit = "op", .units = kCount, .floor = "floor/malloc_free",
                      .prepare = std::move(prepare)});
  };
  add("eager/add", PrepareAdd);
  add("eager/chain_1k", [] { return PrepareChain(eager::ExecutionMode::kSync); });
  add("eager/async_chain_1k", [] { return PrepareChain(eager::ExecutionMode::kAsync); });
  add("eager/async_add", PrepareAsync);
  auto add_enqueue = [&](const char* name, eager::ExecutionOrder order) {
    cases->push_back({.name = name, .unit = "op", .units = kCount, .floor = "floor/malloc_free",
                      .deterministic = false, .prepare = {},
                      .prepare_timed = [order] { return PrepareEnqueue(order); }});
  };
  add_enqueue("eager/enqueue/dataflow", eager::ExecutionOrder::kDataflow);
  add_enqueue("eager/enqueue/fifo", eager::ExecutionOrder::kFifo);
}

}  // namespace tfrt::bench
