// Eager ops: what one call costs beside its arithmetic.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
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
// So many elements that an op has no quick function for them, and little else to do.
constexpr int64_t kQueuedElements = 16;

// A context, and the scope in which this thread calls ops. Scopes nest, and cases are prepared and
// run one after the other: each run opens its own.
struct Eager {
  explicit Eager(eager::ContextOptions options = {.work_queue = "s"})
      : context(*eager::Context::Create(std::move(options))) {
    eager::Scope scope(*context);
    one = eager::Tensor::FromArray(eager::HostArray({1}, {1.0f}));
    queued = eager::Tensor::FromArray(
        eager::HostArray({kQueuedElements}, std::vector<float>(kQueuedElements, 1)));
  }
  const eager::Tensor& OfSize(int64_t elements) const { return elements == 1 ? one : queued; }
  std::unique_ptr<eager::Context> context;
  eager::Tensor one, queued;
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

// The same as a program: a BEF function of as many kernels, each with memory for its sum.
std::function<void()> PrepareProgram() {
  const std::string tensor = "!tfrt_tensor.tensor", chain_type = "!tfrt.chain";
  bef::FunctionSpec f{.name = "main"};
  auto add_tensor = [&] {
    return f.AddKernel({.name = "tfrt_dht.create_uninitialized_tensor.f32.1",
                        .result_types = {tensor},
                        .attributes = {{"shape", bef::ArrayAttribute({bef::I64Attribute(1)})}}});
  };
  uint32_t chain = f.AddKernel({.name = "tfrt.new.chain", .result_types = {chain_type}});
  uint32_t one = add_tensor();
  chain = f.AddKernel({.name = "tfrt_dht.fill_tensor_with_constant.f32",
                       .operands = {one, chain},
                       .result_types = {chain_type},
                       .attributes = {{"value", bef::F32Attribute(1)}}});
  uint32_t sum = one;
  for (int i = 0; i < kCount; ++i) {
    uint32_t next = add_tensor();
    chain = f.AddKernel({.name = "tfrt_cpu.add.f32",
                         .operands = {sum, one, next, chain},
                         .result_types = {chain_type}});
    sum = next;
  }
  f.returns = {sum, chain};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  auto program = std::make_shared<Program>(builder, "main");
  program->Run();
  const auto* total =
      static_cast<const float*>(program->result_value(0).get<DenseHostTensor>().data());
  if (*total != 1 + kCount) {
    std::fprintf(stderr, "benchmarks: the program of adds gives %f\n", *total);
    std::exit(1);
  }
  return [program] { program->Run(); };
}

// The caller's part of an ASYNC op. The ops run afterwards.
std::function<double()> PrepareEnqueue(eager::ExecutionOrder order, int64_t elements) {
  auto e = std::make_shared<Eager>(eager::ContextOptions{.work_queue = "s", .order = order});
  auto results = std::make_shared<std::vector<eager::Tensor>>(kCount);
  return [e, results, &x = e->OfSize(elements)] {
    double seconds = 0;
    {
      eager::Scope scope(*e->context, {.mode = eager::ExecutionMode::kAsync});
      auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kCount; ++i) (*results)[i] = eager::AddV2(x, x);
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    e->context->Wait();
    for (eager::Tensor& result : *results) result = {};
    return seconds;
  };
}

// Enqueued and run on the same thread, so that it can be counted.
std::function<void()> PrepareAsync(int64_t elements) {
  auto e = std::make_shared<Eager>();
  return [e, &x = e->OfSize(elements)] {
    eager::Scope scope(*e->context, {.mode = eager::ExecutionMode::kAsync});
    for (int i = 0; i < kCount; ++i) Keep(eager::AddV2(x, x).state());
    e->context->Wait();
  };
}

}  // namespace

void AddEagerCases(Cases* cases) {
  auto add = [&](const char* name, std::function<std::function<void()>()> prepare,
                 const char* floor = "floor/malloc_free") {
    cases->push_back({.name = name,
                      .unit = "op",
                      .units = kCount,
                      .floor = floor,
                      .prepare = std::move(prepare)});
  };
  add("eager/add", PrepareAdd);
  add("eager/chain_1k_as_program", PrepareProgram);
  // Most of it is malloc's, and that depends on what has been freed before.
  cases->back().deterministic = false;
  add(
      "eager/chain_1k", [] { return PrepareChain(eager::ExecutionMode::kSync); },
      "eager/chain_1k_as_program");
  add("eager/async_chain_1k", [] { return PrepareChain(eager::ExecutionMode::kAsync); });
  add("eager/async_add", [] { return PrepareAsync(1); });
  add("eager/async_add_queued", [] { return PrepareAsync(kQueuedElements); });
  auto add_enqueue = [&](const char* name, eager::ExecutionOrder order, int64_t elements) {
    cases->push_back({.name = name,
                      .unit = "op",
                      .units = kCount,
                      .floor = "floor/malloc_free",
                      .deterministic = false,
                      .prepare = {},
                      .prepare_timed = [=] { return PrepareEnqueue(order, elements); }});
  };
  add_enqueue("eager/enqueue/dataflow", eager::ExecutionOrder::kDataflow, 1);
  add_enqueue("eager/enqueue/dataflow_queued", eager::ExecutionOrder::kDataflow, kQueuedElements);
  add_enqueue("eager/enqueue/fifo", eager::ExecutionOrder::kFifo, 1);
}

}  // namespace tfrt::bench
