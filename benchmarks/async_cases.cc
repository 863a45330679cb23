// Values that are not there yet, errors and cancellation, with everything on one thread.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench_host.h"
#include "case.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt::bench {
namespace {

using bef::FunctionSpec;
using bef::KernelSpec;

uint32_t AddConstant(FunctionSpec* f, int32_t value) {
  return f->AddKernel({.name = "tfrt.constant.i32",
                       .result_types = {"i32"},
                       .attributes = {{"value", bef::I32Attribute(value)}}});
}
uint32_t AddUnary(FunctionSpec* f, const char* kernel, uint32_t operand, uint32_t stream = 0) {
  return f->AddKernel(
      {.name = kernel, .operands = {operand}, .result_types = {"i32"}, .stream = stream});
}

bef::BefBuilder OneFunction(FunctionSpec f) {
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  return builder;
}

// Additions, with `middle` among them.
bef::BefBuilder ChainProgram(uint32_t length, const char* middle) {
  FunctionSpec f{.name = "main"};
  uint32_t last = AddConstant(&f, 1);
  for (uint32_t i = 0; i < length; ++i) {
    if (i == length / 2) {
      last = AddUnary(&f, middle, last);
    } else {
      last =
          f.AddKernel({.name = "tfrt.add.i32", .operands = {last, last}, .result_types = {"i32"}});
    }
  }
  f.returns = {last};
  return OneFunction(std::move(f));
}

// Selects, each with one operand that is there and one that comes later.
bef::BefBuilder NonStrictProgram(uint32_t count) {
  FunctionSpec f{.name = "main"};
  uint32_t one = AddConstant(&f, 1);
  uint32_t yes = f.AddKernel({.name = "tfrt.constant.i1",
                              .result_types = {"i1"},
                              .attributes = {{"value", bef::BoolAttribute(true)}}});
  std::vector<uint32_t> selected;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t later = AddUnary(&f, "bench.later", one);
    selected.push_back(f.AddKernel({.name = "tfrt_test.nonstrict_select",
                                    .operands = {yes, one, later},
                                    .result_types = {"i32"}}));
  }
  f.returns = {f.AddKernel({.name = "bench.sum", .operands = selected, .result_types = {"i32"}})};
  return OneFunction(std::move(f));
}

std::function<std::function<void()>()> Prepare(std::function<bef::BefBuilder()> make,
                                               int32_t expected) {
  return [=]() -> std::function<void()> {
    auto program = std::make_shared<Program>(make(), "main");
    program->Run();
    const int32_t* result = program->result();
    if (!result || *result != expected) {
      std::fprintf(stderr, "benchmarks: wrong result of an asynchronous program\n");
      std::exit(1);
    }
    return [program] {
      program->Run();
      program->host().Quiesce();
    };
  };
}

// Each run has a request of its own and ends with an error.
std::function<std::function<void()>()> PrepareFailing(std::function<bef::BefBuilder()> make) {
  return [=]() -> std::function<void()> {
    auto program = std::make_shared<Program>(make(), "main");
    auto run = [program] {
      program->Run(ExecutionContext(RequestContextBuilder(&program->host(), nullptr).Build()));
    };
    run();
    if (program->result()) {
      std::fprintf(stderr, "benchmarks: a failing program succeeds\n");
      std::exit(1);
    }
    return run;
  };
}

// The least that asynchronous kernels can be made of, by hand: per kernel a value, the task that
// sets it, and a waiter.
class ByHand {
 public:
  int32_t Chain(uint32_t length) {
    auto end = MakeUnconstructedAsyncValueRef<int32_t>();
    Extend(MakeAvailableAsyncValueRef<int32_t>(1), length, end);
    return Result(end);
  }
  int32_t Fan(uint32_t width) {
    std::vector<AsyncValueRef<int32_t>> values;
    std::vector<AsyncValue*> awaited;
    for (uint32_t i = 0; i < width; ++i) {
      values.push_back(Later(1));
      awaited.push_back(values.back().GetAsyncValue());
    }
    auto sum = MakeUnconstructedAsyncValueRef<int32_t>();
    RunWhenReady(awaited, [values = std::move(values), sum = sum.CopyRef()] {
      int32_t total = 0;
      for (const auto& value : values) total += value.get();
      sum.emplace(total);
    });
    return Result(sum);
  }

 private:
  AsyncValueRef<int32_t> Later(int32_t value) {
    auto result = MakeUnconstructedAsyncValueRef<int32_t>();
    EnqueueWork(exec_ctx_, [result = result.CopyRef(), value] { result.emplace(value); });
    return result;
  }
  void Extend(const AsyncValueRef<int32_t>& last, uint32_t length,
              const AsyncValueRef<int32_t>& end) {
    if (length == 0) return end.emplace(last.get());
    AsyncValueRef<int32_t> next = Later(last.get());
    AsyncValue* value = next.GetAsyncValue();
    value->AndThen([this, next = std::move(next), length, end = end.CopyRef()] {
      Extend(next, length - 1, end);
    });
  }
  int32_t Result(const AsyncValueRef<int32_t>& value) {
    AsyncValue* awaited = value.GetAsyncValue();
    host_.host().Await({&awaited, 1});
    return value.get();
  }

  BenchHost host_;
  ExecutionContext exec_ctx_ = host_.MakeContext();
};

}  // namespace

void AddAsyncCases(Cases* cases) {
  cases->push_back({.name = "floor/async/fan_1k", .unit = "kernel", .units = 1000, .prepare = [] {
                      return [by_hand = std::make_shared<ByHand>()] { Keep(by_hand->Fan(1000)); };
                    }});
  cases->push_back({.name = "floor/async/chain_1k", .unit = "kernel", .units = 1000, .prepare = [] {
                      return [by_hand = std::make_shared<ByHand>()] { Keep(by_hand->Chain(1000)); };
                    }});
  cases->push_back({.name = "async/fan_1k",
                    .unit = "kernel",
                    .units = 1000,
                    .floor = "floor/async/fan_1k",
                    .prepare = Prepare([] { return AsyncFanProgram(1000); }, 1000)});
  cases->push_back({.name = "async/chain_1k",
                    .unit = "kernel",
                    .units = 1000,
                    .floor = "floor/async/chain_1k",
                    .prepare = Prepare([] { return AsyncChainProgram(1000); }, 1)});
  cases->push_back({.name = "async/nonstrict_1k",
                    .unit = "select",
                    .units = 1000,
                    .prepare = Prepare([] { return NonStrictProgram(1000); }, 1000)});
  cases->push_back({.name = "async/error_in_chain_1k",
                    .unit = "kernel",
                    .units = 1000,
                    .prepare = PrepareFailing([] { return ChainProgram(1000, "bench.fail"); })});
  cases->push_back({.name = "async/cancel_in_chain_1k",
                    .unit = "kernel",
                    .units = 1000,
                    .prepare = PrepareFailing([] { return ChainProgram(1000, "bench.cancel"); })});
}

}  // namespace tfrt::bench
