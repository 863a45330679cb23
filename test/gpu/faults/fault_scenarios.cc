#include "test/gpu/faults/fault_scenarios.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "test/gpu/support/test_kernels.h"
#include "tfrt/gpu/runtime/launch.h"
#include "tfrt/gpu/runtime/staging.h"
#include "tfrt/gpu/runtime/stream.h"

namespace tfrt::gpu::test {
namespace {

constexpr uint32_t kN = 512;

Status Awaited(ConcurrentWorkQueue& queue, const AsyncValueRef<Chain>& chain) {
  AsyncValue* value = chain.GetAsyncValue();
  queue.Await({&value, 1});
  return chain.IsError() ? chain.GetError() : OkStatus();
}

Status AddOne(Context& context, Stream& stream, const Memory& memory) {
  TFRT_ASSIGN_OR_RETURN(Module * module,
                        context.LoadModule(std::string_view(kTestKernels, sizeof(kTestKernels))));
  TFRT_ASSIGN_OR_RETURN(const Function* add_one, module->GetFunction("add_one"));
  cuda::CUdeviceptr address = memory.address();
  uint32_t n = kN;
  LaunchArgument arguments[] = {LaunchArgument::OfAddress(address, &memory), LaunchArgument::Of(n)};
  return stream.Launch(*add_one, {.grid = {kN / 128, 1, 1}, .block = {128, 1, 1}}, arguments);
}

Status Expect(const std::vector<uint32_t>& got, uint32_t wanted) {
  for (uint32_t number : got) {
    if (number != wanted) return InternalError("the numbers are wrong");
  }
  return OkStatus();
}

Status TwoStreams(Context& context, ConcurrentWorkQueue& queue) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> a, context.CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> b, context.CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*a, kN * 4));
  TFRT_RETURN_IF_ERROR(a->Fill(*memory, memory->address(), 3, kN * 4));
  TFRT_RETURN_IF_ERROR(AddOne(context, *a, *memory));
  TFRT_RETURN_IF_ERROR(b->WaitFor(a->tail()));
  TFRT_RETURN_IF_ERROR(AddOne(context, *b, *memory));
  return Awaited(queue, b->Synchronize());
}

Status ThereAndBack(Context& context, ConcurrentWorkQueue& queue) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, context.CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*stream, kN * 4));
  std::vector<uint32_t> from(kN, 6), to(kN, 0);
  TFRT_RETURN_IF_ERROR(
      Awaited(queue, context.staging().CopyToDevice(stream, memory, memory->address(), from.data(),
                                                    kN * 4, [] {})));
  TFRT_RETURN_IF_ERROR(AddOne(context, *stream, *memory));
  TFRT_RETURN_IF_ERROR(Awaited(
      queue,
      context.staging().CopyToHost(stream, to.data(), memory, memory->address(), kN * 4, [] {})));
  return Expect(to, 7);
}

Status LongCopies(Context& context, ConcurrentWorkQueue& queue) {
  const size_t bytes = 3 * Staging::kBlockBytes + 4;
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, context.CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*stream, bytes));
  std::vector<uint32_t> from(bytes / 4, 6), to(bytes / 4, 0);
  TFRT_RETURN_IF_ERROR(
      Awaited(queue, context.staging().CopyToDevice(stream, memory, memory->address(), from.data(),
                                                    bytes, [] {})));
  TFRT_RETURN_IF_ERROR(Awaited(
      queue,
      context.staging().CopyToHost(stream, to.data(), memory, memory->address(), bytes, [] {})));
  return Expect(to, 6);
}

Status MemoryOfSomebodyElse(Context& context, ConcurrentWorkQueue& queue) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, context.CreateStream());
  auto numbers = std::make_shared<std::vector<uint32_t>>(kN, 8);
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> host,
                        context.Register(numbers->data(), kN * 4, [numbers] {}));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*stream, kN * 4));
  TFRT_RETURN_IF_ERROR(stream->Copy(*memory, memory->address(), *host, host->address(), kN * 4));
  TFRT_RETURN_IF_ERROR(AddOne(context, *stream, *memory));
  TFRT_RETURN_IF_ERROR(stream->Copy(*host, host->address(), *memory, memory->address(), kN * 4));
  TFRT_RETURN_IF_ERROR(Awaited(queue, stream->Synchronize()));
  return Expect(*numbers, 9);
}

// Each request needs most of the memory that the device has left, so that what is cached must go
// back or be waited for.
Status ShortMemory(Context& context, ConcurrentWorkQueue& queue) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> a, context.CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> b, context.CreateStream());
  for (size_t bytes : {size_t{34} << 20, size_t{36} << 20, size_t{38} << 20}) {
    for (Stream* stream : {a.get(), b.get()}) {
      TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*stream, bytes));
      TFRT_RETURN_IF_ERROR(stream->Fill(*memory, memory->address(), 1, kN * 4));
      TFRT_RETURN_IF_ERROR(AddOne(context, *stream, *memory));
    }
  }
  return context.Synchronize();
}

constexpr FaultScenario kScenarios[] = {
    {"TwoStreams", false, TwoStreams},  {"ThereAndBack", false, ThereAndBack},
    {"LongCopies", true, LongCopies},   {"MemoryOfSomebodyElse", false, MemoryOfSomebodyElse},
    {"ShortMemory", true, ShortMemory},
};

}  // namespace

std::span<const FaultScenario> AllFaultScenarios() { return kScenarios; }

}  // namespace tfrt::gpu::test
