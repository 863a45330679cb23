// tfrt_test.*: ops for tests of the eager runtime.

#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "elementwise_ops.h"
#include "lib/ops/maths/cpu/element_functions.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "op_groups.h"
#include "op_output.h"
#include "test_result.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

StatusOr<TensorMetadata> TestAddOpMetadata(const TensorMetadata& a, const TensorMetadata& b) {
  if (a.dtype != b.dtype) return InvalidArgumentError("incompatible dtypes for test.add");
  if (a.shape != b.shape) {
    return InvalidArgumentError("arguments of test.add must have same shape");
  }
  return a;
}

// The result is like the argument.
TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }

// Dense or scalar tensors of one shape.
Status Add(const Tensor&, const Tensor&, const TensorMetadata& result, OpCall& call) {
  if (!cpu::FindElementFunction(ElementwiseOp::kAdd, result.dtype)) {
    return InvalidArgumentError(
        StrCat("unsupported dtype for test.add: ", DTypeName(result.dtype)));
  }
  RunElementwise(ElementwiseOp::kAdd, call);
  return OkStatus();
}

// How many are known when the elements are.
StatusOr<DenseHostTensor> OddCollector(const DenseHostTensor& in, OpCall& call) {
  if (in.shape().rank() != 1) return InvalidArgumentError("expected a 1D tensor input");
  if (in.dtype() != DType::kI32) return InvalidArgumentError("expected a i32 element type");
  auto* elements = static_cast<const int32_t*>(in.data());
  const int64_t size = in.num_elements();
  int64_t count = 0;
  for (int64_t i = 0; i < size; ++i) count += elements[i] % 2 != 0;
  TFRT_ASSIGN_OR_RETURN(
      DenseHostTensor out,
      AllocateTestResult(call, {DType::kI32, TensorShape{count}}, "cannot allocate tensor"));
  auto* to = WritableData<int32_t>(out);
  for (int64_t i = 0; i < size; ++i) {
    if (elements[i] % 2 != 0) *to++ = elements[i];
  }
  return out;
}

DenseHostTensor ShareBuffer(const DenseHostTensor& in) { return in.ShareBuffer(); }

// A copy, made in a task.
StatusOr<RCReference<AsyncValue>> AsyncNoOp(const Tensor& in, OpCall& call) {
  if (in.tensor_type() == kScalarHostTensorType) {
    RCReference<AsyncValue> copy;
    DispatchDType(in.dtype(), [&]<typename T>(std::type_identity<T>) {
      copy =
          EnqueueWork(call.exec_ctx(), [shape = in.shape(),
                                        value =
                                            static_cast<const ScalarHostTensor<T>&>(in).value()] {
            return ScalarHostTensor<T>(shape, value);
          }).ReleaseRCRef();
    });
    return copy;
  }
  const auto& dense = static_cast<const DenseHostTensor&>(in);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, AllocateTestResult(call, in.metadata()));
  return EnqueueWork(call.exec_ctx(),
                     [in = dense.ShareBuffer(), out = std::move(out)]() mutable {
                       if (in.size_bytes() > 0) {
                         std::memcpy(WritableData<char>(out), in.data(), in.size_bytes());
                       }
                       return std::move(out);
                     })
      .ReleaseRCRef();
}

Status ErrorTensor(const Tensor&, const TensorMetadata&) {
  return InternalError("error from test.error.tensor implementation");
}

void PrintTensor(const Tensor& in) {
  std::printf("%s\n", in.ToString().c_str());
  std::fflush(stdout);
}

void PrintAddress(const Tensor& in) {
  if (in.tensor_type() == kDenseHostTensorType) {
    std::printf("DenseHostTensor: buffer=0x%" PRIxPTR "\n",
                reinterpret_cast<uintptr_t>(static_cast<const DenseHostTensor&>(in).data()));
  } else {
    std::printf("Unsupported tensor type\n");
  }
  std::fflush(stdout);
}

constexpr OpFlags kAnyTensor =
    OpFlags::kAllowsScalar | OpFlags::kAllowsString | OpFlags::kAllowsCoo;

void RegisterTestAdd(OpRegistry* registry, std::string_view name, std::string_view summary,
                     OpFlags flags) {
  registry->Add({.name = name,
                 .summary = summary,
                 .arguments = {{"a"}, {"b"}},
                 .results = {"sum"},
                 .flags = flags,
                 .metadata = TFRT_OP_METADATA(TestAddOpMetadata),
                 .function = TFRT_OP(Add)});
}

}  // namespace

void RegisterTestOps(OpRegistry* registry) {
  RegisterTestAdd(registry, "tfrt_test.add", "The sum of tensors of one shape, dense or scalar.",
                  OpFlags::kAllowsScalar);
  constexpr std::string_view kDenseOnly = "The sum of dense tensors of one shape.";
  for (std::string_view name :
       {"tfrt_test.add.denseonly", "tfrt_test.add.denseonly2", "tfrt_test.add.denseonly3"}) {
    RegisterTestAdd(registry, name, kDenseOnly, OpFlags::kNone);
  }
  registry->Add({.name = "tfrt_test.odd_collector",
                 .summary = "The odd elements of a vector of i32.",
                 .arguments = {{"vector"}},
                 .results = {"odd"},
                 .function = TFRT_OP(OddCollector)});
  for (std::string_view name : {"tfrt_test.identity", "tfrt_test.identity_dense_only"}) {
    registry->Add({.name = name,
                   .summary = "A second tensor over the argument's memory.",
                   .arguments = {{"tensor"}},
                   .results = {"same"},
                   .function = TFRT_OP(ShareBuffer)});
  }
  registry->Add({.name = "tfrt_test.async.noop",
                 .summary = "A copy, made in a task.",
                 .arguments = {{"tensor"}},
                 .results = {"copy"},
                 .flags = OpFlags::kAllowsScalar,
                 .metadata = TFRT_OP_METADATA(SameMetadata),
                 .function = TFRT_OP(AsyncNoOp)});
  registry->Add({.name = "tfrt_test.async.noop_no_md",
                 .summary = "A copy, made in a task, without a metadata function.",
                 .arguments = {{"tensor"}},
                 .results = {"copy"},
                 .flags = OpFlags::kAllowsScalar,
                 .function = TFRT_OP(AsyncNoOp)});
  registry->Add({.name = "tfrt_test.error.tensor",
                 .summary = "An error in place of a tensor with the argument's metadata.",
                 .arguments = {{"tensor"}},
                 .results = {"error"},
                 .flags = OpFlags::kAllowsScalar,
                 .metadata = TFRT_OP_METADATA(SameMetadata),
                 .function = TFRT_OP(ErrorTensor)});
  registry->Add({.name = "tfrt_test.print",
                 .summary = "Prints the tensor.",
                 .arguments = {{"tensor"}},
                 .flags = OpFlags::kSideEffects | kAnyTensor,
                 .function = TFRT_OP(PrintTensor)});
  registry->Add({.name = "tfrt_test.print_address",
                 .summary = "Prints where the elements of a dense tensor are.",
                 .arguments = {{"tensor"}},
                 .flags = OpFlags::kSideEffects | kAnyTensor,
                 .function = TFRT_OP(PrintAddress)});
}

}  // namespace tfrt
