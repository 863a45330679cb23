#include "test/gpu/support/runtime_scenarios.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/runtime/launch.h"
#include "gpu/runtime/staging.h"
#include "gpu/runtime/stream.h"
#include "gpu/wrapper/cuda_status.h"
#include "test/gpu/support/test_kernels.h"

namespace tfrt::gpu::test {
namespace {

constexpr uint32_t kN = 512;

template <typename T>
Status Awaited(const RuntimeStage& stage, const AsyncValueRef<T>& chain) {
  AsyncValue* value = chain.GetAsyncValue();
  stage.queue->Await({&value, 1});
  return chain.IsError() ? chain.GetError() : OkStatus();
}

StatusOr<RCReference<Module>> TestModule(Context& context) {
  return context.LoadModule(std::string_view(kTestKernels, sizeof(kTestKernels)));
}

Status Launch(Stream& stream, const char* kernel, const LaunchShape& shape, Memory& memory) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Module> module, TestModule(stream.context()));
  TFRT_ASSIGN_OR_RETURN(const Function* function, module->GetFunction(kernel));
  MemoryRange bytes = memory.bytes();
  uint32_t n = kN;
  LaunchArgument arguments[] = {LaunchArgument::OfAddress(bytes), LaunchArgument::Of(n)};
  return stream.Launch(*function, shape, arguments).status();
}

Status AddOne(Stream& stream, Memory& memory) {
  return Launch(stream, "add_one", {.grid = {kN / 128, 1, 1}, .block = {128, 1, 1}}, memory);
}

Status Expect(const std::vector<uint32_t>& got, uint32_t wanted) {
  for (uint32_t number : got) {
    if (number != wanted) return InternalError("the numbers are wrong");
  }
  return OkStatus();
}

Status ToDevice(const RuntimeStage& stage, const RCReference<Stream>& stream,
                const RCReference<Memory>& memory, const std::vector<uint32_t>& from) {
  return Awaited(stage, stream->context().staging().CopyToDevice(
                            stream, memory->Bytes(0, 4 * from.size()), from.data(), [] {}));
}

Status ToHost(const RuntimeStage& stage, const RCReference<Stream>& stream,
              const RCReference<Memory>& memory, std::vector<uint32_t>* to) {
  return Awaited(stage, stream->context().staging().CopyToHost(
                            stream, to->data(), memory->Bytes(0, 4 * to->size()), [] {}));
}

Context& Owner(const RuntimeStage& stage) {
  return stage.results == Results::kOfOther ? *stage.other : *stage.context;
}

// Who reads what the stream has written: the stream, or one of the other context behind it.
StatusOr<RCReference<Stream>> Reader(const RuntimeStage& stage, const RCReference<Stream>& stream) {
  if (stage.results == Results::kOwn) return stream;
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> reader, stage.other->CreateStream());
  TFRT_RETURN_IF_ERROR(reader->WaitFor(stream->tail()));
  return reader;
}

// The numbers that the stream has written, by way of memory of the owner.
Status Read(const RuntimeStage& stage, const RCReference<Stream>& stream,
            const RCReference<Memory>& memory, std::vector<uint32_t>* to) {
  if (stage.results == Results::kOwn) return ToHost(stage, stream, memory, to);
  const size_t bytes = 4 * to->size();
  RCReference<Memory> result;
  if (stage.results == Results::kReadByOther) {
    TFRT_ASSIGN_OR_RETURN(result, stage.context->Allocate(*stream, bytes));
  }
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> reader, Reader(stage, stream));
  if (!result) {
    TFRT_ASSIGN_OR_RETURN(result, stage.other->Allocate(*reader, bytes));
  }
  TFRT_RETURN_IF_ERROR(reader->Copy(result->Bytes(0, bytes), memory->Bytes(0, bytes)).status());
  return ToHost(stage, reader, result, to);
}

Status TwoStreams(const RuntimeStage& stage) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> a, stage.context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> b, stage.context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, stage.context->Allocate(*a, kN * 4));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> host, Owner(stage).AllocatePinned(kN * 4));
  TFRT_RETURN_IF_ERROR(a->Fill(memory->Bytes(0, kN * 4), 3).status());
  TFRT_RETURN_IF_ERROR(AddOne(*a, *memory));
  TFRT_RETURN_IF_ERROR(b->WaitFor(a->tail()));
  TFRT_RETURN_IF_ERROR(AddOne(*b, *memory));
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> reader, Reader(stage, b));
  TFRT_RETURN_IF_ERROR(reader->Copy(host->Bytes(0, kN * 4), memory->Bytes(0, kN * 4)).status());
  TFRT_RETURN_IF_ERROR(Awaited(stage, reader->Synchronize()));
  auto* numbers = static_cast<const uint32_t*>(host->host_address());
  return Expect({numbers, numbers + kN}, 5);
}

Status ThereAndBack(const RuntimeStage& stage) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, stage.context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, stage.context->Allocate(*stream, kN * 4));
  std::vector<uint32_t> from(kN, 6), to(kN, 0);
  TFRT_RETURN_IF_ERROR(ToDevice(stage, stream, memory, from));
  TFRT_RETURN_IF_ERROR(AddOne(*stream, *memory));
  TFRT_RETURN_IF_ERROR(Read(stage, stream, memory, &to));
  return Expect(to, 7);
}

Status LongCopies(const RuntimeStage& stage) {
  const size_t count = 3 * Staging::kBlockBytes / 4 + 1;
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, stage.context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, stage.context->Allocate(*stream, 4 * count));
  std::vector<uint32_t> from(count), to(count, 0);
  for (uint32_t i = 0; i < count; ++i) from[i] = i;  // each piece is another
  TFRT_RETURN_IF_ERROR(ToDevice(stage, stream, memory, from));
  TFRT_RETURN_IF_ERROR(Read(stage, stream, memory, &to));
  return from == to ? OkStatus() : InternalError("the numbers are wrong");
}

// It is the host's when its owner hears that nobody uses it any more.
Status MemoryOfSomebodyElse(const RuntimeStage& stage) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, stage.context->CreateStream());
  auto numbers = std::make_shared<std::vector<uint32_t>>(kN, 8);
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> host,
                        Owner(stage).Register(numbers->data(), kN * 4, [numbers] {}));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, stage.context->Allocate(*stream, kN * 4));
  TFRT_RETURN_IF_ERROR(stream->Copy(memory->Bytes(0, kN * 4), host->Bytes(0, kN * 4)).status());
  TFRT_RETURN_IF_ERROR(AddOne(*stream, *memory));
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> reader, Reader(stage, stream));
  TFRT_RETURN_IF_ERROR(reader->Copy(host->Bytes(0, kN * 4), memory->Bytes(0, kN * 4)).status());
  TFRT_RETURN_IF_ERROR(Awaited(stage, reader->Synchronize()));
  return Expect(*numbers, 9);
}

// Each request needs most of the memory that the device has left, so that what is cached must go
// back or be waited for.
Status ShortMemory(const RuntimeStage& stage) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> a, stage.context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> b, stage.context->CreateStream());
  for (size_t bytes : {size_t{34} << 20, size_t{36} << 20, size_t{38} << 20}) {
    for (Stream* stream : {a.get(), b.get()}) {
      TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, stage.context->Allocate(*stream, bytes));
      TFRT_RETURN_IF_ERROR(stream->Fill(memory->Bytes(0, kN * 4), 1).status());
      TFRT_RETURN_IF_ERROR(AddOne(*stream, *memory));
    }
  }
  // The message says how much there is.
  Status too_much = stage.context->Allocate(*a, size_t{1} << 40).status();
  if (too_much.ok()) return InternalError("there is a terabyte");
  if (too_much.code() != StatusCode::kResourceExhausted) return too_much;
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> reader, Reader(stage, b));
  TFRT_RETURN_IF_ERROR(Awaited(stage, reader->Synchronize()));
  return stage.context->Synchronize();
}

// A kernel that asks for more shared memory than each may have, and its result on another device.
Status BetweenDevices(const RuntimeStage& stage) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> a, stage.context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> b, stage.other->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> from, stage.context->Allocate(*a, kN * 4));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> to, stage.other->Allocate(*b, kN * 4));
  std::vector<uint32_t> numbers(kN, 0);
  TFRT_RETURN_IF_ERROR(a->Fill(from->Bytes(0, kN * 4), 1).status());
  TFRT_RETURN_IF_ERROR(
      Launch(*a, "dynamic_shared", {.block = {kN, 1, 1}, .shared_bytes = 64 << 10}, *from));
  TFRT_RETURN_IF_ERROR(stage.other->EnableCopiesFrom(*stage.context));
  TFRT_RETURN_IF_ERROR(b->WaitFor(a->tail()));
  TFRT_RETURN_IF_ERROR(b->Copy(to->Bytes(0, kN * 4), from->Bytes(0, kN * 4)).status());
  from.reset();  // while the other device reads it
  TFRT_ASSIGN_OR_RETURN(from, stage.context->Allocate(*a, kN * 4));
  TFRT_RETURN_IF_ERROR(a->Fill(from->Bytes(0, kN * 4), 9).status());
  TFRT_RETURN_IF_ERROR(AddOne(*b, *to));
  if (stage.results == Results::kReadByOther) {
    // And back, behind what the second device has done with it.
    TFRT_RETURN_IF_ERROR(b->WaitFor(a->tail()));
    TFRT_RETURN_IF_ERROR(b->Copy(from->Bytes(0, kN * 4), to->Bytes(0, kN * 4)).status());
    TFRT_RETURN_IF_ERROR(a->WaitFor(b->tail()));
    TFRT_RETURN_IF_ERROR(ToHost(stage, a, from, &numbers));
  } else {
    TFRT_RETURN_IF_ERROR(ToHost(stage, b, to, &numbers));
  }
  return Expect(numbers, 3);
}

// Fills of all widths, a variable of a module, copies on the device and between pages of the host.
Status SmallThings(const RuntimeStage& stage) {
  // The variable is there once, and an earlier run may have left its copies behind.
  TFRT_RETURN_IF_ERROR(stage.context->Synchronize());
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, stage.context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Module> module, TestModule(*stage.context));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> counter, module->GetGlobal("counter"));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, stage.context->Allocate(*stream, 8));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> first, stage.context->AllocatePinned(8));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> second, Owner(stage).AllocatePinned(8));
  // The double does not see what a copy within the host touches; the numbers tell, if pages do not
  // hold those of an earlier run.
  std::memset(first->host_address(), 0, 8);
  std::memset(second->host_address(), 0, 8);
  // So many that an order in which a copy that does not wait comes after them all is rare.
  for (int i = 0; i < 16; ++i) {
    TFRT_RETURN_IF_ERROR(stream->Fill(memory->Bytes(0, 7), 0x04030201).status());
  }
  TFRT_RETURN_IF_ERROR(stream->Copy(counter->Bytes(0, 4), memory->Bytes(0, 4)).status());
  TFRT_RETURN_IF_ERROR(stream->Copy(memory->Bytes(4, 4), counter->Bytes(0, 4)).status());
  TFRT_RETURN_IF_ERROR(stream->Copy(first->Bytes(0, 8), memory->Bytes(0, 8)).status());
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> reader, Reader(stage, stream));
  TFRT_RETURN_IF_ERROR(reader->Copy(second->Bytes(0, 8), first->Bytes(0, 8)).status());
  TFRT_RETURN_IF_ERROR(reader->Wait());
  reader.reset();
  const auto* copied = static_cast<const uint32_t*>(second->host_address());
  const std::vector<uint32_t> numbers(copied, copied + 2);
  // The second stream of a program that gave one back while it was at work.
  TFRT_RETURN_IF_ERROR(stream->Fill(memory->Bytes(0, 8), 5).status());
  stream.reset();
  TFRT_ASSIGN_OR_RETURN(stream, stage.context->CreateStream());
  TFRT_RETURN_IF_ERROR(stream->WaitForUses(*memory));  // it may be the same, or another
  // Nobody waits for the last command but the end of the context.
  TFRT_RETURN_IF_ERROR(stream->Fill(memory->Bytes(0, 8), 6).status());
  return Expect(numbers, 0x04030201);
}

// Rows of a matrix, by way of every other row of another one, and those of the host's memory.
Status RowsOfMatrices(const RuntimeStage& stage) {
  constexpr size_t kRow = 64, kRows = kN * 4 / kRow;
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, stage.context->CreateStream());
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, stage.context->Allocate(*stream, kN * 4));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> wide, stage.context->Allocate(*stream, kN * 8));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> host, Owner(stage).AllocatePinned(kN * 8));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> copied, Owner(stage).AllocatePinned(kN * 4));
  std::memset(host->host_address(), 0, kN * 8);
  std::memset(copied->host_address(), 0, kN * 4);
  TFRT_RETURN_IF_ERROR(stream->Fill(memory->bytes(), 4).status());
  TFRT_RETURN_IF_ERROR(AddOne(*stream, *memory));
  TFRT_RETURN_IF_ERROR(
      stream->Copy2D(wide->bytes(), memory->bytes(), {kRows, kRow, 2 * kRow, kRow}).status());
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> reader, Reader(stage, stream));
  TFRT_RETURN_IF_ERROR(
      reader->Copy2D(host->bytes(), wide->bytes(), {kRows, kRow, 2 * kRow, 2 * kRow}).status());
  TFRT_RETURN_IF_ERROR(
      reader->Copy2D(copied->bytes(), host->bytes(), {kRows, kRow, kRow, 2 * kRow}).status());
  TFRT_RETURN_IF_ERROR(Awaited(stage, reader->Synchronize()));
  auto* numbers = static_cast<const uint32_t*>(copied->host_address());
  return Expect({numbers, numbers + kN}, 5);
}

constexpr RuntimeScenario kScenarios[] = {
    {"TwoStreams", false, true, TwoStreams},
    {"ThereAndBack", false, true, ThereAndBack},
    {"LongCopies", true, true, LongCopies},
    {"MemoryOfSomebodyElse", false, true, MemoryOfSomebodyElse},
    {"ShortMemory", true, false, ShortMemory},
    {"BetweenDevices", false, true, BetweenDevices},
    {"SmallThings", false, true, SmallThings},
    {"RowsOfMatrices", false, true, RowsOfMatrices},
};

}  // namespace

StatusOr<RuntimeStage> RuntimeStage::Create(const cuda::DriverTable& driver,
                                            ConcurrentWorkQueue& queue, Results results) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Context> context,
                        Context::Create(driver, 0, {.queue = &queue}));
  int num_devices = 0;
  TFRT_RETURN_IF_ERROR(
      cuda::StatusOf(driver, driver.cuDeviceGetCount(&num_devices), "cuDeviceGetCount"));
  TFRT_ASSIGN_OR_RETURN(
      RCReference<Context> other,
      Context::Create(driver, num_devices > 1 ? 1 : 0, {.name = "gpu:1", .queue = &queue}));
  return RuntimeStage{&queue, std::move(context), std::move(other), results};
}

std::span<const RuntimeScenario> AllRuntimeScenarios() { return kScenarios; }

std::vector<RuntimeRun> AllRuntimeRuns() {
  std::vector<RuntimeRun> runs;
  for (const RuntimeScenario& scenario : kScenarios) {
    for (Results results : {Results::kOwn, Results::kOfOther, Results::kReadByOther}) {
      if (results == Results::kOfOther || !scenario.is_long) runs.push_back({&scenario, results});
    }
  }
  return runs;
}

std::string NameOf(const RuntimeRun& run) {
  constexpr const char* kResults[] = {"", "OfOther", "ReadByOther"};
  return std::string(run.scenario->name) + kResults[static_cast<int>(run.results)];
}

}  // namespace tfrt::gpu::test
