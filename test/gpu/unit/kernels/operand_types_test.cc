// What kernels answer to operands and attributes that the verifier of programs refuses, but a file
// can have.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "gpu/kernels/values.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/gpu_contexts.h"
#include "gpu/runtime/stream.h"
#include "gpu/tensor/gpu_buffer.h"
#include "test/gpu/unit/runtime/fake_gpu.h"
#include "test/unit/kernels/kernel_runner.h"
#include "tfrt/gpu/kernels/gpu_kernels.h"
#include "tfrt/opinfo/element_type.h"

namespace tfrt::gpu {
namespace {

class OperandTypesTest : public testing::Test {
 protected:
  OperandTypesTest() : driver_(gpu_.table(), 12040, "fake") {
    EXPECT_TRUE(RegisterGpu(runner_.host(), {.driver = &driver_}).ok());
    context_ = runner_.host().GetOrCreateSharedContext<GpuContexts>().GetPrimary(0).value();
    stream_ = context_->CreateStream().value();
  }

  RCReference<AsyncValue> Stream() { return MakeValue(stream_.CopyRef()); }
  RCReference<AsyncValue> Buffer(size_t size_bytes) {
    return MakeValue(GpuBuffer(context_->AllocatePinned(size_bytes).value()));
  }

  FakeGpu gpu_;
  const cuda::Driver driver_;
  KernelRunner runner_;
  RCReference<Context> context_;
  RCReference<gpu::Stream> stream_;
};

TEST_F(OperandTypesTest, ACopyIsBetweenBuffers) {
  const uint64_t before = gpu_.NumCalls();
  for (bool is_source : {false, true}) {
    Values arguments = {Buffer(4), Buffer(4), Stream(), ReadyChain()};
    arguments[is_source] = I32(7);
    const uint64_t calls = gpu_.NumCalls();
    EXPECT_EQ(runner_.Error("tfrt_gpu.mem.copy", {.arguments = arguments}),
              "a 'int' is no buffer to copy");
    EXPECT_EQ(gpu_.NumCalls(), calls);
  }
  EXPECT_GT(gpu_.NumCalls(), before);
}

TEST_F(OperandTypesTest, AFillIsWithFourBytes) {
  EXPECT_EQ(runner_.Error("tfrt_gpu.mem.set", {.arguments = {Buffer(8), MakeValue<int64_t>(7),
                                                             Stream(), ReadyChain()}}),
            "Expected 32 bit value.");
}

TEST_F(OperandTypesTest, OnlyTruthValuesAndNumbersOf32BitsAreLoaded) {
  RCReference<AsyncValue> buffer = Buffer(8);
  auto call = [&](uint8_t type) {
    return KernelCall{.arguments = {buffer, ReadyChain()}, .attributes = {Bytes{type}}};
  };
  auto& memory = buffer->get<GpuBuffer>();
  {
    GpuBuffer::Use use(memory);
    const int32_t number = 258;
    std::memcpy(const_cast<void*>(static_cast<const void*>(use->host_address())), &number,
                sizeof(number));
  }
  EXPECT_EQ(runner_.Get<int32_t>("tfrt_gpu.mem.load", call(static_cast<uint8_t>(DType::kI32))),
            258);
  EXPECT_TRUE(runner_.Get<bool>("tfrt_gpu.mem.load", call(static_cast<uint8_t>(DType::kI1))));
  int num_refused = 0;
  for (int type = 0; type < 256; ++type) {
    if (type == static_cast<int>(DType::kI32) || type == static_cast<int>(DType::kI1)) continue;
    EXPECT_EQ(runner_.Error("tfrt_gpu.mem.load", call(static_cast<uint8_t>(type))),
              "unsupported type")
        << type;
    ++num_refused;
  }
  EXPECT_EQ(num_refused, 254);
}

TEST_F(OperandTypesTest, AnArgumentOfALaunchIsABufferOrANumber) {
  gpu_.AddKernel("one", {.parameter_sizes = {4}});
  RCReference<Module> module = context_->LoadModule(std::string_view(".version 7.0\0", 13)).value();
  auto call = [&](RCReference<AsyncValue> argument) {
    Values arguments = {Stream(),
                        MakeValue(FunctionValue{module, module->GetFunction("one").value()})};
    for (int i = 0; i < 6; ++i) arguments.push_back(MakeValue<uint64_t>(1));
    arguments.push_back(MakeValue<uint32_t>(0));
    arguments.push_back(ReadyChain());
    arguments.push_back(std::move(argument));
    return KernelCall{.arguments = arguments};
  };
  EXPECT_TRUE(runner_.Run("tfrt_gpu.function.launch", call(I32(1)))[0]->IsConcrete());
  EXPECT_EQ(gpu_.NumCalls("cuLaunchKernel"), 1u);
  EXPECT_EQ(runner_.Error("tfrt_gpu.function.launch", call(MakeValue(std::string("x")))),
            "Unsupported argument type");
  EXPECT_EQ(gpu_.NumCalls("cuLaunchKernel"), 1u);
}

// Files need not be the compiler's.
TEST_F(OperandTypesTest, ALaunchHasThreeSizesOfEachSort) {
  gpu_.AddKernel("idle", {});
  RCReference<Module> module = context_->LoadModule(std::string_view(".version 7.0\0", 13)).value();
  auto call = [&](std::vector<uint32_t> blocks, std::vector<uint32_t> threads) {
    return KernelCall{
        .arguments = {Stream(),
                      MakeValue(FunctionValue{module, module->GetFunction("idle").value()}),
                      ReadyChain()},
        .attributes = {ArrayBytes(blocks), ScalarBytes<uint32_t>(0), ArrayBytes(threads)}};
  };
  constexpr char kLaunch[] = "tfrt_gpu.function.launch.static";
  EXPECT_TRUE(runner_.Run(kLaunch, call({1, 2, 3}, {4, 5, 6}))[0]->IsConcrete());
  EXPECT_EQ(gpu_.NumCalls("cuLaunchKernel"), 1u);
  for (size_t count : {0, 2, 4}) {
    const std::vector<uint32_t> sizes(count, 1);
    EXPECT_EQ(runner_.Error(kLaunch, call(sizes, {1, 1, 1})),
              "blocks and threads have three sizes each");
    EXPECT_EQ(runner_.Error(kLaunch, call({1, 1, 1}, sizes)),
              "blocks and threads have three sizes each");
  }
  EXPECT_EQ(gpu_.NumCalls("cuLaunchKernel"), 1u);
}

}  // namespace
}  // namespace tfrt::gpu
