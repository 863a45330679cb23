#include "gpu_cases.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/runtime/context.h"
#include "gpu/runtime/launch_scope.h"

namespace tfrt::bench {
namespace {

using gpu::Context;
using gpu::LaunchArgument;
using gpu::Memory;
using gpu::MemoryRange;
using gpu::Stream;

constexpr int kCount = 1000;
constexpr size_t kBytes = 16 << 10;
// A context with what the cases use. It waits now and then, as programs do: a device that is never
// waited for keeps what it was given.
struct Setting {
  explicit Setting(const gpu::cuda::DriverTable& driver)
      : context(Context::RetainPrimary(driver, 0, {}).value()),
        stream(context->CreateStream().value()),
        other(context->CreateStream().value()),
        four(context->LoadModule(Image()).value()->GetFunction("four").value()),
        a(context->Allocate(*stream, kBytes).value()),
        b(context->Allocate(*stream, kBytes).value()),
        a_bytes(a->bytes()),
        b_bytes(b->bytes()) {}

  static std::string_view Image() {
    static const std::string image(
        std::string(".version 7.0\n.target sm_50\n.address_size 64\n"
                    ".visible .entry four(.param .u64 a, .param .u64 b, .param .f32 x, "
                    ".param .u32 n) { ret; }\n") +
        '\0');
    return image;
  }

  const RCReference<Context> context;
  const RCReference<Stream> stream, other;
  const gpu::Function* const four;
  const RCReference<Memory> a, b;
  MemoryRange a_bytes, b_bytes;
  float x = 1;
  uint32_t n = 7;
};

// A kernel with two addresses and two numbers, through the table as it is.
std::function<void()> PrepareLaunchFloor(const gpu::cuda::DriverTable& driver) {
  auto setting = std::make_shared<Setting>(driver);
  return [setting, &driver] {
    void* parameters[] = {&setting->a_bytes.address, &setting->b_bytes.address, &setting->x,
                          &setting->n};
    for (int i = 0; i < kCount; ++i) {
      Keep(driver.cuLaunchKernel(setting->four->handle(), 4, 1, 1, 256, 1, 1, 0,
                                 setting->stream->handle(), parameters, nullptr));
    }
  };
}

// The same as an op does it.
std::function<void()> PrepareLaunch(const gpu::cuda::DriverTable& driver) {
  auto setting = std::make_shared<Setting>(driver);
  return [setting] {
    for (int i = 0; i < kCount; ++i) {
      gpu::LaunchScope scope("tf.Relu", Location());
      LaunchArgument arguments[] = {LaunchArgument::OfAddress(setting->a_bytes),
                                    LaunchArgument::OfAddress(setting->b_bytes),
                                    LaunchArgument::Of(setting->x), LaunchArgument::Of(setting->n)};
      Keep(setting->stream
               ->Launch(*setting->four, {.grid = {4, 1, 1}, .block = {256, 1, 1}}, arguments)
               .ok());
    }
  };
}

std::function<void()> PrepareMalloc() {
  return [] {
    for (int i = 0; i < kCount; ++i) {
      void* memory = std::malloc(kBytes);
      Keep(memory);
      std::free(memory);
    }
  };
}

// A block that the stream has just given back.
std::function<void()> PrepareAllocate(const gpu::cuda::DriverTable& driver) {
  auto setting = std::make_shared<Setting>(driver);
  return [setting] {
    for (int i = 0; i < kCount; ++i) {
      auto memory = setting->context->Allocate(*setting->stream, kBytes);
      Keep(memory->get());
    }
  };
}

// A block that goes to and fro between two streams, each of which has used it: what they did is
// known to be done.
std::function<void()> PrepareAllocateAcross(const gpu::cuda::DriverTable& driver) {
  auto setting = std::make_shared<Setting>(driver);
  Stream &first = *setting->stream, &second = *setting->other;
  LaunchArgument arguments[] = {LaunchArgument::OfAddress(setting->a_bytes),
                                LaunchArgument::OfAddress(setting->b_bytes),
                                LaunchArgument::Of(setting->x), LaunchArgument::Of(setting->n)};
  const std::array<gpu::Point, 2> uses = {first.Launch(*setting->four, {}, arguments).value(),
                                          second.Launch(*setting->four, {}, arguments).value()};
  Keep(setting->context->Synchronize().ok());
  gpu::cuda::CUdeviceptr address = 0;
  for (int i = 0; i < 4; ++i) {
    auto memory = setting->context->Allocate(i % 2 ? second : first, kBytes).value();
    memory->NoteUse(uses[i % 2]);
    if (i > 0 && memory->address() != address) {
      std::fputs("gpu/allocate_free_across: the block stays where it is\n", stderr);
      std::abort();
    }
    address = memory->address();
  }
  return [setting, uses] {
    Stream* streams[] = {setting->stream.get(), setting->other.get()};
    for (int i = 0; i < kCount; ++i) {
      auto memory = setting->context->Allocate(*streams[i % 2], kBytes);
      Keep(memory->get());
      (*memory)->NoteUse(uses[i % 2]);
    }
  };
}

std::function<void()> PrepareCopyFloor(const gpu::cuda::DriverTable& driver) {
  auto setting = std::make_shared<Setting>(driver);
  auto event = std::make_shared<gpu::cuda::CUevent>();
  Keep(driver.cuEventCreate(event.get(), gpu::cuda::CU_EVENT_DISABLE_TIMING));
  return [setting, event, &driver] {
    for (int i = 0; i < kCount; ++i) {
      Keep(driver.cuMemcpyDtoDAsync_v2(setting->a_bytes.address, setting->b_bytes.address, kBytes,
                                       setting->stream->handle()));
      Keep(driver.cuEventRecord(*event, setting->stream->handle()));
    }
  };
}

// With the record that follows.
std::function<void()> PrepareCopy(const gpu::cuda::DriverTable& driver) {
  auto setting = std::make_shared<Setting>(driver);
  return [setting] {
    for (int i = 0; i < kCount; ++i) {
      Keep(setting->stream->Copy(setting->a_bytes, setting->b_bytes).ok());
    }
  };
}

// Waits that are none.
std::function<void()> PrepareSeen(const gpu::cuda::DriverTable& driver) {
  auto setting = std::make_shared<Setting>(driver);
  const gpu::Point point = setting->stream->Copy(setting->a_bytes, setting->b_bytes).value();
  Keep(setting->other->WaitFor(point).ok());
  return [setting, point] {
    for (int i = 0; i < kCount; ++i) Keep(setting->other->WaitFor(point).ok());
  };
}

}  // namespace

Cases GpuCases(const gpu::cuda::DriverTable& driver) {
  auto add = [&](Cases* cases, std::string name, std::string unit, std::string floor,
                 std::function<void()> (*prepare)(const gpu::cuda::DriverTable&)) {
    cases->push_back({.name = std::move(name),
                      .unit = std::move(unit),
                      .units = kCount,
                      .floor = std::move(floor),
                      .prepare = [prepare, &driver] { return prepare(driver); }});
  };
  Cases cases;
  add(&cases, "floor/gpu_launch_4", "launch", "", PrepareLaunchFloor);
  add(&cases, "gpu/launch_4", "launch", "floor/gpu_launch_4", PrepareLaunch);
  cases.push_back({.name = "floor/gpu_malloc_free", .unit = "pair", .units = kCount, .prepare = [] {
                     return PrepareMalloc();
                   }});
  add(&cases, "gpu/allocate_free", "pair", "floor/gpu_malloc_free", PrepareAllocate);
  add(&cases, "gpu/allocate_free_across", "pair", "floor/gpu_malloc_free", PrepareAllocateAcross);
  add(&cases, "floor/gpu_copy_and_record", "copy", "", PrepareCopyFloor);
  add(&cases, "gpu/copy", "copy", "floor/gpu_copy_and_record", PrepareCopy);
  add(&cases, "gpu/wait_that_is_none", "wait", "", PrepareSeen);
  AddGpuEagerCases(driver, &cases);
  AddGpuProgramCases(driver, &cases);
  return cases;
}

}  // namespace tfrt::bench
