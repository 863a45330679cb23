#include "bench_host.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::bench {
namespace {

void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "benchmarks: %s\n", status.ToString().c_str());
  std::exit(1);
}

AsyncValueRef<int32_t> Later(int32_t value, const ExecutionContext& exec_ctx) {
  auto result = MakeUnconstructedAsyncValueRef<int32_t>();
  EnqueueWork(exec_ctx, [result = result.CopyRef(), value] { result.emplace(value); });
  return result;
}

int32_t Sum(RepeatedArguments<int32_t> values) {
  int32_t sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += values[i];
  return sum;
}

int32_t Busy(int32_t a, int32_t b) {
  BusyFor10Us();
  return a + b;
}

StatusOr<int32_t> Fail(int32_t) { return InternalError("failed"); }

int32_t Cancel(int32_t value, const ExecutionContext& exec_ctx) {
  exec_ctx.request_ctx()->Cancel();
  return value;
}

}  // namespace

void BusyFor10Us() {
  // Work in the processor, not a clock: on a shared machine a kernel that is not scheduled takes
  // longer.
  static const int64_t kRounds = [] {
    auto spin = [](int64_t rounds) {
      for (int64_t i = 0; i < rounds; ++i) asm volatile("");
    };
    auto begin = std::chrono::steady_clock::now();
    spin(10'000'000);
    double ns =
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    return static_cast<int64_t>(10'000 / (ns / 10'000'000));
  }();
  for (int64_t i = 0; i < kRounds; ++i) asm volatile("");
}

BenchHost::BenchHost(const std::string& queue) {
  auto work_queue = CreateWorkQueue(queue);
  Require(work_queue.status());
  host_ = std::make_unique<HostContext>([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                                        *std::move(work_queue));
  KernelRegistry& registry = host_->kernel_registry();
  RegisterAllKernels(&registry);
  registry.AddKernel("bench.later", TFRT_KERNEL(Later));
  registry.AddKernel("bench.sum", TFRT_KERNEL(Sum), KernelFlags::kOrderFree);
  registry.AddKernel("bench.busy", TFRT_KERNEL(Busy), KernelFlags::kOrderFree);
  registry.AddKernel("bench.fail", TFRT_KERNEL(Fail));
  registry.AddKernel("bench.cancel", TFRT_KERNEL(Cancel));
}

ExecutionContext BenchHost::MakeContext() {
  return ExecutionContext(RequestContextBuilder(host_.get(), nullptr).Build());
}

RCReference<BefFile> BenchHost::Load(const bef::BefBuilder& builder) {
  auto bytes = builder.Build();
  Require(bytes.status());
  auto file = BefFile::Open(BefImage::CopyOf(*bytes), host_.get());
  Require(file.status());
  return *std::move(file);
}

Program::Program(const bef::BefBuilder& builder, const std::string& function,
                 const std::string& queue)
    : host_(queue), file_(host_.Load(builder)), exec_ctx_(host_.MakeContext()) {
  auto found = file_->FindFunction(function);
  Require(found.status());
  function_ = *found;
  results_.resize(function_->num_results());
}

void Program::Run(const ExecutionContext& exec_ctx) {
  for (RCReference<AsyncValue>& result : results_) result.reset();
  function_->Execute(exec_ctx, {}, results_);
  for (RCReference<AsyncValue>& result : results_) {
    if (result->IsAvailable()) continue;
    AsyncValue* value = result.get();
    host().Await({&value, 1});
  }
}

const int32_t* Program::result() const {
  const AsyncValue& value = *results_[0];
  return value.IsError() ? nullptr : &value.get<int32_t>();
}

namespace {

uint32_t AddOne(bef::FunctionSpec* f) {
  return f->AddKernel({.name = "tfrt.constant.i32",
                       .result_types = {"i32"},
                       .attributes = {{"value", bef::I32Attribute(1)}}});
}
uint32_t AddLater(bef::FunctionSpec* f, uint32_t operand) {
  return f->AddKernel({.name = "bench.later", .operands = {operand}, .result_types = {"i32"}});
}
bef::BefBuilder OneFunction(bef::FunctionSpec f) {
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  return builder;
}

}  // namespace

bef::BefBuilder AsyncChainProgram(uint32_t length) {
  bef::FunctionSpec f{.name = "main"};
  uint32_t last = AddOne(&f);
  for (uint32_t i = 0; i < length; ++i) last = AddLater(&f, last);
  f.returns = {last};
  return OneFunction(std::move(f));
}

bef::BefBuilder AsyncFanProgram(uint32_t width) {
  bef::FunctionSpec f{.name = "main"};
  uint32_t one = AddOne(&f);
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < width; ++i) values.push_back(AddLater(&f, one));
  f.returns = {f.AddKernel({.name = "bench.sum", .operands = values, .result_types = {"i32"}})};
  return OneFunction(std::move(f));
}

}  // namespace tfrt::bench
