// Models whose values are single integers, for tests of control flow.
#ifndef TFRT_TEST_UNIT_MODEL_NUMBER_PROGRAMS_H_
#define TFRT_TEST_UNIT_MODEL_NUMBER_PROGRAMS_H_

#include <functional>
#include <span>

#include "test/unit/model/test_model.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

inline std::atomic<bool> numbers_come_late{false};  // what n.plus and n.less give: in tasks
inline std::atomic<int> num_sums{0};                // runs of n.plus

inline DenseHostTensor MakeNumber(int64_t value, HostAllocator* allocator) {
  auto tensor = DenseHostTensor::CreateUninitialized({DType::kI64, TensorShape{}}, allocator);
  EXPECT_TRUE(tensor.ok());
  std::memcpy(tensor->buffer()->data(), &value, sizeof(value));
  return *std::move(tensor);
}
inline int64_t NumberOf(const DenseHostTensor& tensor) {
  return *static_cast<const int64_t*>(tensor.data());
}
inline std::vector<int64_t> NumbersOf(const DenseHostTensor& tensor) {
  auto* data = static_cast<const int64_t*>(tensor.data());
  return {data, data + tensor.num_elements()};
}

inline RCReference<AsyncValue> GiveNumber(const ExecutionContext& exec_ctx,
                                          std::function<DenseHostTensor()> make) {
  if (numbers_come_late) return EnqueueWork(exec_ctx, std::move(make)).ReleaseRCRef();
  return MakeAvailableAsyncValueRef<DenseHostTensor>(make()).ReleaseRCRef();
}

// n.plus, n.less: of an i64, or of both.
inline RCReference<AsyncValue> NumberPlus(const DenseHostTensor& a, const DenseHostTensor& b,
                                          const ExecutionContext& exec_ctx) {
  ++num_sums;
  return GiveNumber(exec_ctx, [a = a.buffer(), b = b.buffer(), exec_ctx] {
    auto value = [](const auto& buffer) { return *static_cast<const int64_t*>(buffer->data()); };
    return MakeNumber(value(a) + value(b), AllocatorOf(exec_ctx));
  });
}
inline RCReference<AsyncValue> NumberLess(const DenseHostTensor& a, const DenseHostTensor& b,
                                          const ExecutionContext& exec_ctx) {
  return GiveNumber(exec_ctx, [is_less = NumberOf(a) < NumberOf(b), exec_ctx] {
    auto tensor =
        DenseHostTensor::CreateUninitialized({DType::kI1, TensorShape{}}, AllocatorOf(exec_ctx));
    *static_cast<bool*>(tensor->buffer()->data()) = is_less;
    return *std::move(tensor);
  });
}
// n.fail_at, n.cancel_at: give `a` unless a == b.
inline StatusOr<DenseHostTensor> NumberFailAt(const DenseHostTensor& a, const DenseHostTensor& b) {
  if (NumberOf(a) == NumberOf(b)) return InternalError(StrCat("failed at ", NumberOf(a)));
  return a.ShareBuffer();
}
inline DenseHostTensor NumberCancelAt(const DenseHostTensor& a, const DenseHostTensor& b,
                                      const ExecutionContext& exec_ctx) {
  if (NumberOf(a) == NumberOf(b)) exec_ctx.request_ctx()->Cancel();
  return a.ShareBuffer();
}
inline DenseHostTensor NumberZero(const DenseHostTensor&, const ExecutionContext& exec_ctx) {
  return MakeNumber(0, AllocatorOf(exec_ctx));
}
// n.plain, n.error: what is no tensor, and one that never came to be.
inline int32_t NumberPlain() { return 1; }
inline AsyncValueRef<DenseHostTensor> NumberError() {
  auto number = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  number.SetError(InternalError("no number"));
  return number;
}

inline void RegisterNumberKernels(KernelRegistry* registry) {
  registry->AddKernel("n.plus", TFRT_KERNEL(NumberPlus));
  registry->AddKernel("n.less", TFRT_KERNEL(NumberLess));
  registry->AddKernel("n.fail_at", TFRT_KERNEL(NumberFailAt));
  registry->AddKernel("n.cancel_at", TFRT_KERNEL(NumberCancelAt));
  registry->AddKernel("n.zero", TFRT_KERNEL(NumberZero));
  registry->AddKernel("n.plain", TFRT_KERNEL(NumberPlain));
  registry->AddKernel("n.error", TFRT_KERNEL(NumberError));
}

inline bef::FunctionSpec MakeFunction(std::string name, size_t num_arguments) {
  bef::FunctionSpec function{.name = std::move(name)};
  function.argument_types.assign(num_arguments, "t");
  return function;
}
// The register of the first result.
inline uint32_t AddCall(bef::FunctionSpec& function, std::string kernel,
                        std::vector<uint32_t> operands, size_t num_results = 1) {
  return function.AddKernel({.name = std::move(kernel),
                             .operands = std::move(operands),
                             .result_types = std::vector<std::string>(num_results, "t")});
}

struct LoopSpec {
  std::string body;
  std::vector<uint32_t> operands;
  int64_t num_carried = 1;
  bool has_condition = false;
  bool has_count = true;
  size_t num_stacked = 0;  // each of one i64
};
inline uint32_t AddLoop(bef::FunctionSpec& function, LoopSpec loop) {
  std::vector<bef::AttributeValue> stacked;
  for (size_t i = 0; i < loop.num_stacked; ++i) {
    stacked.push_back(bef::I64Attribute(static_cast<int64_t>(DType::kI64)));
    stacked.push_back(bef::I64Attribute(0));
  }
  const auto num_results = static_cast<size_t>(loop.num_carried) + loop.num_stacked;
  return function.AddKernel(
      {.name = "graph.loop_call",
       .operands = std::move(loop.operands),
       .result_types = std::vector<std::string>(num_results, "t"),
       .attributes = {{"carried", bef::I64Attribute(loop.num_carried)},
                      {"has_condition", bef::BoolAttribute(loop.has_condition)},
                      {"has_count", bef::BoolAttribute(loop.has_count)},
                      {"stacked", bef::ArrayAttribute(std::move(stacked))}},
       .callees = {std::move(loop.body)}});
}

// The model whose function `main` has the inputs "0", "1", ... and the results that it returns,
// with the other functions.
inline FileBytes BuildModel(bef::FunctionSpec main, std::span<const bef::FunctionSpec> others) {
  bef::BefBuilder builder;
  bef::FunctionSignature signature;
  for (size_t i = 0; i < main.argument_types.size(); ++i) {
    signature.inputs.push_back({std::to_string(i), DType::kI64, {}});
  }
  for (size_t i = 0; i < main.returns.size(); ++i) {
    signature.results.push_back({std::to_string(i), DType::kI64, {}});
  }
  main.signature = std::move(signature);
  builder.AddFunction(std::move(main));
  for (const bef::FunctionSpec& function : others) builder.AddFunction(function);
  StatusOr<std::vector<uint8_t>> bytes = builder.Build();
  EXPECT_TRUE(bytes.ok()) << bytes.status().ToString();
  return FileBytes::CopyOf(bytes.ok() ? *bytes : std::vector<uint8_t>());
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_MODEL_NUMBER_PROGRAMS_H_
