#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/kernels/values.h"
#include "gpu/runtime/context.h"
#include "gpu/tensor/gpu_buffer.h"
#include "gpu_cases.h"
#include "tfrt/async/chain.h"
#include "tfrt/bef/bef_builder.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/gpu/kernels/gpu_kernels.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/request_context.h"

namespace tfrt::bench {
namespace {

constexpr uint32_t kCount = 1000;
constexpr size_t kBytes = 16 << 10;

constexpr char kImage[] =
    ".version 7.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry four(.param .u64 a, .param .u64 b, .param .f32 x, .param .u32 n) { ret; }\n";

using Value = RCReference<AsyncValue>;

template <typename T>
Value MakeValue(T value) {
  return MakeAvailableAsyncValueRef<T>(std::move(value)).ReleaseRCRef();
}

bef::AttributeValue Sizes(uint64_t x, uint64_t y, uint64_t z) {
  using bef::ScalarAttribute;
  using bef::TypeCode;
  return bef::ArrayAttribute({ScalarAttribute(TypeCode::kUI32, x),
                              ScalarAttribute(TypeCode::kUI32, y),
                              ScalarAttribute(TypeCode::kUI32, z)});
}

// A function of launches, one after the other, of a kernel with two buffers and two numbers, which
// are the function's arguments. The sizes are constants, as the compiler folds them, or arguments.
std::vector<uint8_t> LaunchProgram(bool has_constant_sizes) {
  bef::FunctionSpec function{.name = "launches"};
  function.argument_types = {
      "!tfrt_gpu.stream", "!tfrt_gpu.function", "ui64", "ui64", "ui32", "!tfrt.chain",
      "!tfrt_gpu.buffer", "!tfrt_gpu.buffer",   "f32",  "ui32"};
  enum : uint32_t { kStream, kFunction, kOne, kThreads, kSharedBytes, kChain, kA, kB, kX, kN };
  uint32_t chain = kChain;
  for (uint32_t i = 0; i < kCount; ++i) {
    if (has_constant_sizes) {
      chain = function.AddKernel(
          {.name = "tfrt_gpu.function.launch.static",
           .operands = {kStream, kFunction, chain, kA, kB, kX, kN},
           .result_types = {"!tfrt.chain"},
           .attributes = {{"blocks", Sizes(1, 1, 1)},
                          {"shared_bytes", bef::ScalarAttribute(bef::TypeCode::kUI32, 0)},
                          {"threads", Sizes(256, 1, 1)}}});
    } else {
      chain = function.AddKernel({.name = "tfrt_gpu.function.launch",
                                  .operands = {kStream, kFunction, kOne, kOne, kOne, kThreads, kOne,
                                               kOne, kSharedBytes, chain, kA, kB, kX, kN},
                                  .result_types = {"!tfrt.chain"}});
    }
  }
  function.returns = {chain};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(function));
  return builder.Build().value();
}

struct Program {
  Program(const gpu::cuda::DriverTable& driver, bool has_constant_sizes)
      : host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
             CreateSingleThreadedWorkQueue()),
        context(gpu::Context::RetainPrimary(driver, 0, {}).value()),
        stream(context->CreateStream().value()) {
    gpu::RegisterGpuKernels(&host.kernel_registry());
    file = BefFile::Open(BefImage::CopyOf(LaunchProgram(has_constant_sizes)), &host).value();
    function = file->FindFunction("launches").value();
    auto module = context->LoadModule({kImage, sizeof(kImage)}).value();
    const gpu::Function* four = module->GetFunction("four").value();
    auto buffer = [&] {
      return MakeValue(gpu::GpuBuffer(context->Allocate(*stream, kBytes).value()));
    };
    arguments = {MakeValue(stream),
                 MakeValue(gpu::FunctionValue{module, four}),
                 MakeValue<uint64_t>(1),
                 MakeValue<uint64_t>(256),
                 MakeValue<uint32_t>(0),
                 GetReadyChain().ReleaseRCRef(),
                 buffer(),
                 buffer(),
                 MakeValue<float>(1),
                 MakeValue<uint32_t>(7)};
    for (const Value& argument : arguments) borrowed.push_back(argument.get());
  }

  void Run() {
    ExecutionContext exec_ctx(RequestContextBuilder(&host, nullptr).Build());
    Value result;
    function->Execute(exec_ctx, borrowed, {&result, 1});
    AsyncValue* value = result.get();
    host.Await({&value, 1});
    Keep(value->IsError());
  }

  HostContext host;
  const RCReference<gpu::Context> context;
  const RCReference<gpu::Stream> stream;
  RCReference<BefFile> file;
  const Function* function = nullptr;
  std::vector<Value> arguments;
  std::vector<AsyncValue*> borrowed;  // the arguments
};

}  // namespace

void AddGpuProgramCases(const gpu::cuda::DriverTable& driver, Cases* cases) {
  auto add = [&](const char* name, bool has_constant_sizes) {
    cases->push_back({.name = name,
                      .unit = "launch",
                      .units = kCount,
                      .floor = "floor/gpu_launch_4",
                      .prepare = [&driver, has_constant_sizes] {
                        auto program = std::make_shared<Program>(driver, has_constant_sizes);
                        return [program] { program->Run(); };
                      }});
  };
  add("gpu/program_launch_4", true);
  add("gpu/program_launch_4_of_operands", false);
}

}  // namespace tfrt::bench
