// tfrt_test.create_*: tensors of attributes.

#include <cstring>

#include "op_groups.h"
#include "test_metadata.h"
#include "test_result.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/tensor/coo_host_tensor.h"
#include "tfrt/tensor/dtype_dispatch.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

StatusOr<DenseHostTensor> CreateDenseTensor(const OpAttrsRef& attrs, const TensorMetadata& result,
                                            OpCall& call) {
  const uint8_t* values = attrs.Find("values")->data;
  const uint8_t* elements = bef::CountedBytes::Elements(values);
  const size_t size = DTypeSize(result.dtype);
  const bool repeats = bef::CountedBytes::Count(values) == 1;
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, AllocateTestResult(call, result));
  auto* to = WritableData<char>(out);
  for (int64_t i = 0; i < out.num_elements(); ++i) {
    std::memcpy(to + i * size, elements + (repeats ? 0 : i * size), size);
  }
  return out;
}

RCReference<AsyncValue> CreateFromScalar(const OpAttrsRef& attrs, const TensorMetadata& result) {
  const uint8_t* data = attrs.Find("value")->data;
  RCReference<AsyncValue> scalar;
  DispatchDType(result.dtype, [&]<typename T>(std::type_identity<T>) {
    scalar = MakeAvailableAsyncValueRef<ScalarHostTensor<T>>(result.shape, bef::LoadNumber<T>(data))
                 .ReleaseRCRef();
  });
  return scalar;
}

StatusOr<CooHostTensor> CreateCooTensor(const DenseHostTensor& indices,
                                        const DenseHostTensor& values,
                                        const TensorMetadata& result) {
  return CooHostTensor::Create(result.shape, indices.ShareBuffer(), values.ShareBuffer());
}

}  // namespace

void RegisterTestCreationOps(OpRegistry* registry) {
  using AttrKind = OpAttrSpec::Kind;
  registry->Add({.name = "tfrt_test.create_dense_tensor",
                 .summary = "A dense tensor of `values`, of which one alone is repeated.",
                 .attrs = {{"shape", AttrKind::kI64Array}, {"values", AttrKind::kAny}},
                 .results = {"tensor"},
                 .metadata = TFRT_OP_METADATA(CreateDenseTensorOpMetadata),
                 .function = TFRT_OP(CreateDenseTensor)});
  registry->Add({.name = "tfrt_test.create_from_scalar",
                 .summary = "A scalar tensor.",
                 .attrs = {{"shape", AttrKind::kI64Array}, {"value", AttrKind::kAny}},
                 .results = {"tensor"},
                 .metadata = TFRT_OP_METADATA(CreateFromScalarOpMetadata),
                 .function = TFRT_OP(CreateFromScalar)});
  registry->Add({.name = "tfrt_test.create_coo_tensor",
                 .summary = "A sparse tensor of values [n] at the indices [n,rank].",
                 .arguments = {{"indices"}, {"values"}},
                 .attrs = {{"shape", AttrKind::kI64Array}},
                 .results = {"tensor"},
                 .metadata = TFRT_OP_METADATA(CreateCooTensorOpMetadata),
                 .function = TFRT_OP(CreateCooTensor)});
}

}  // namespace tfrt
