// A small model in memory, with kernels of its own.
#ifndef TFRT_TEST_UNIT_MODEL_TEST_MODEL_H_
#define TFRT_TEST_UNIT_MODEL_TEST_MODEL_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/ops/op_call/run_resources.h"
#include "tfrt/bef/bef_builder.h"
#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/model/model.h"

namespace tfrt {

inline std::atomic<int> num_loads{0};           // runs of the kernel t.load
inline std::atomic<AsyncValue*> gate{nullptr};  // what t.wait waits for; null: it fails

inline HostAllocator* AllocatorOf(const ExecutionContext& exec_ctx) {
  auto* resources = exec_ctx.request_ctx()->GetDataIfExists<RunResources>();
  return resources && resources->allocator ? resources->allocator : exec_ctx.host()->allocator();
}

// a + b, whose elements are repeated.
inline StatusOr<DenseHostTensor> TestAdd(const DenseHostTensor& a, const DenseHostTensor& b,
                                         const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor sum,
                        DenseHostTensor::CreateUninitialized(a.metadata(), AllocatorOf(exec_ctx)));
  auto* out = static_cast<float*>(sum.buffer()->data());
  auto* left = static_cast<const float*>(a.data());
  auto* right = static_cast<const float*>(b.data());
  for (int64_t i = 0; i < a.num_elements(); ++i) out[i] = left[i] + right[i % b.num_elements()];
  return sum;
}

inline DenseHostTensor TestSame(const DenseHostTensor& a) { return a.ShareBuffer(); }

inline DenseHostTensor TestLoad(const DenseHostTensor& a) {
  ++num_loads;
  return a.ShareBuffer();
}

inline Status TestFail(const DenseHostTensor&, Result<DenseHostTensor>) {
  return InternalError("t.fail has failed");
}

// Gives its argument when the gate is available.
inline void TestWait(Argument<DenseHostTensor> a, Result<DenseHostTensor> result) {
  AsyncValueRef<DenseHostTensor> later = result.Allocate();
  gate.load()->AndThen(
      [later = later.CopyRef(), a = a.get().ShareBuffer().buffer(), metadata = a.get().metadata()] {
        later.emplace(DenseHostTensor::CreateFromBuffer(metadata, a));
      });
}

// Gives its argument in a task of its own.
inline void TestLater(Argument<DenseHostTensor> a, Result<DenseHostTensor> result,
                      const ExecutionContext& exec_ctx) {
  EnqueueWork(exec_ctx, [later = result.Allocate(), a = a.ValueRef()] {
    later.emplace(a->get<DenseHostTensor>().ShareBuffer());
  });
}

inline void RegisterTestKernels(KernelRegistry* registry) {
  RegisterCoreRuntimeKernels(registry);
  registry->AddKernel("t.add", TFRT_KERNEL(TestAdd));
  registry->AddKernel("t.same", TFRT_KERNEL(TestSame));
  registry->AddKernel("t.load", TFRT_KERNEL(TestLoad));
  registry->AddKernel("t.fail", TFRT_KERNEL(TestFail));
  registry->AddKernel("t.wait", TFRT_KERNEL(TestWait));
  registry->AddKernel("t.later", TFRT_KERNEL(TestLater));
}

inline constexpr float kTestWeights[] = {10, 20, 30};

// @load gives w = [10, 20, 30]. @main(x: f32 [batch,3], z: f32 [batch,?], w):
// "y" = op(x + w) + x, "same" = op(x + w), where `op` is one of the kernels.
class TestModelBuilder {
 public:
  explicit TestModelBuilder(std::string op = "t.same") {
    bef::FunctionSpec load{.name = "load"};
    uint32_t w = load.AddKernel({.name = "graph.weight",
                                 .result_types = {"t"},
                                 .attributes = {{"value", bef::I64Attribute(0)}}});
    load.returns = {load.AddKernel({.name = "t.load", .operands = {w}, .result_types = {"t"}})};
    functions.push_back(std::move(load));
    bef::FunctionSpec main{.name = "main", .argument_types = {"t", "t", "t"}};
    uint32_t sum = main.AddKernel({.name = "t.add", .operands = {0, 2}, .result_types = {"t"}});
    uint32_t same =
        main.AddKernel({.name = std::move(op), .operands = {sum}, .result_types = {"t"}});
    uint32_t y = main.AddKernel({.name = "t.add", .operands = {same, 0}, .result_types = {"t"}});
    main.returns = {y, same};
    std::vector<bef::SignatureDim> batch_3 = {{.symbol = "batch"}, {.size = 3}};
    main.signature = bef::FunctionSignature{
        .inputs = {{"x", DType::kF32, batch_3},
                   {"z", DType::kF32, std::vector<bef::SignatureDim>{{.symbol = "batch"}, {}}}},
        .results = {{"y", DType::kF32, batch_3}, {"same", DType::kF32, batch_3}}};
    functions.push_back(std::move(main));
  }
  bef::FunctionSpec& load() { return functions.front(); }
  bef::FunctionSpec& main() { return functions.back(); }

  FileBytes Build() const {
    bef::BefBuilder builder;
    builder.set_producer("test 1.0");
    builder.AddMetadata("labels", "cat,dog");
    for (const bef::FunctionSpec& function : functions) builder.AddFunction(function);
    builder.AddWeight({"w",
                       DType::kF32,
                       {3},
                       {reinterpret_cast<const uint8_t*>(kTestWeights), sizeof(kTestWeights)}});
    StatusOr<std::vector<uint8_t>> bytes = builder.Build();
    EXPECT_TRUE(bytes.ok()) << bytes.status().ToString();
    return FileBytes::CopyOf(bytes.ok() ? *bytes : std::vector<uint8_t>());
  }

  std::vector<bef::FunctionSpec> functions;
};

inline std::unique_ptr<HostContext> MakeTestHost(
    const char* queue = "s", std::unique_ptr<HostAllocator> allocator = CreateMallocAllocator()) {
  auto host = std::make_unique<HostContext>([](const DecodedDiagnostic&) {}, std::move(allocator),
                                            *CreateWorkQueue(queue));
  RegisterTestKernels(&host->kernel_registry());
  return host;
}

inline DenseHostTensor MakeFloats(HostContext& host, const TensorShape& shape,
                                  const std::vector<float>& values) {
  StatusOr<DenseHostTensor> tensor =
      DenseHostTensor::CreateUninitialized({DType::kF32, shape}, host.allocator());
  EXPECT_EQ(static_cast<size_t>(shape.num_elements()), values.size());
  if (!values.empty()) {
    std::memcpy(tensor->buffer()->data(), values.data(), tensor->size_bytes());
  }
  return *std::move(tensor);
}

inline std::vector<float> FloatsOf(const DenseHostTensor& tensor) {
  auto* data = static_cast<const float*>(tensor.data());
  return {data, data + tensor.num_elements()};
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_MODEL_TEST_MODEL_H_
