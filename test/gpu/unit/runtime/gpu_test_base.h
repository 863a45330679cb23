// What the tests of the runtime begin with.
#ifndef TFRT_TEST_GPU_UNIT_RUNTIME_GPU_TEST_BASE_H_
#define TFRT_TEST_GPU_UNIT_RUNTIME_GPU_TEST_BASE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/runtime/context.h"
#include "gpu/runtime/stream.h"
#include "test/gpu/unit/runtime/fake_gpu.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {

// A context on a fake device, and a queue. What a test leaves of the driver's things, or of values,
// is its failure.
class GpuTest : public testing::Test {
 protected:
  explicit GpuTest(FakeGpu::Mode mode = FakeGpu::Mode::kWhenAsked, ContextOptions options = {},
                   std::string_view queue = "mstd:1")
      : num_values_before_((GetReadyChain(), NumLiveAsyncValues())),
        num_objects_before_(NumLiveRefCounted()),
        gpu_(mode),
        queue_(CreateWorkQueue(queue).value()) {
    // Adds one to the number at the address that it is given.
    gpu_.AddKernel("increment", {.parameter_sizes = {8}, .run = [](const auto& parameters) {
                                   float* number;
                                   std::memcpy(&number, parameters[0], sizeof(number));
                                   *number += 1;
                                 }});
    gpu_.AddKernel("idle", {});
    options.queue = queue_.get();
    context_ = Context::Create(gpu_.table(), 0, std::move(options)).value();
    module_ = context_->LoadModule(std::string_view(".version 7.0\0", 13)).value();
    increment_ = module_->GetFunction("increment").value();
    idle_ = module_->GetFunction("idle").value();
  }
  ~GpuTest() override {
    EndQueue();
    module_.reset();
    context_.reset();
    queue_.reset();
    EXPECT_EQ(NumLiveAsyncValues(), num_values_before_) << "values are left";
    EXPECT_EQ(NumLiveRefCounted(), num_objects_before_) << "objects are left";
  }

  // Waits for all that the queue has to do.
  void EndQueue() {
    if (queue_) queue_->Quiesce();
  }
  RCReference<Stream> MakeStream() { return context_->CreateStream().value(); }
  RCReference<Memory> Allocate(Stream& stream, size_t size_bytes) {
    return context_->Allocate(stream, size_bytes).value();
  }
  Status Increment(Stream& stream, Memory& memory) {
    MemoryRange bytes = memory.bytes();
    LaunchArgument arguments[] = {LaunchArgument::OfAddress(bytes)};
    return stream.Launch(*increment_, {}, arguments).status();
  }
  Status Idle(Stream& stream) { return stream.Launch(*idle_, {}, {}).status(); }
  template <typename T>
  void Await(const AsyncValueRef<T>& chain) {
    AsyncValue* value = chain.GetAsyncValue();
    queue_->Await({&value, 1});
  }

  const int64_t num_values_before_, num_objects_before_;
  FakeGpu gpu_;
  std::unique_ptr<ConcurrentWorkQueue> queue_;
  RCReference<Context> context_;
  RCReference<Module> module_;
  const Function* increment_;
  const Function* idle_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_RUNTIME_GPU_TEST_BASE_H_
