// tfrt_test.create_*: tensors of attributes.

#include <cstring>

#include "lib/runtime/tensor/coo_host_tensor.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "op_groups.h"
#include "op_output.h"
#include "test_result.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/attribute_views.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

// Dtypes of the tensors that tfrt_test.create_* make: of numbers.
bool IsNumber(DType dtype) {
  return dtype >= DType::kUI8 && dtype <= DType::kBF16 && dtype != DType::kI1;
}

StatusOr<TensorMetadata> CreateDenseTensorOpMetadata(const OpAttrsRef& attrs) {
  auto dims = attrs.GetArray<int64_t>("shape");
  if (!dims) return InvalidArgumentError("missing 'shape' attribute");
  const OpAttr* values = attrs.Find("values");
  if (!values) return InvalidArgumentError("missing 'values' attribute");
  if ((values->code & bef::kArrayFlag) == 0) {
    return InvalidArgumentError("'values' attribute should be an array of values");
  }
  const DType dtype = DTypeFromCode(values->code & ~bef::kArrayFlag);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(*dims));
  const int64_t count = bef::CountedBytes::Count(values->data);
  if (count != 1 && count != shape.num_elements()) {
    return InvalidArgumentError("size of 'values' must either be 1 or match num of elements.");
  }
  if (!IsNumber(dtype)) {
    return InvalidArgumentError("tfrt_test.create_dense_tensor unsupported dtype");
  }
  return TensorMetadata{dtype, std::move(shape)};
}

StatusOr<TensorMetadata> CreateFromScalarOpMetadata(const OpAttrsRef& attrs) {
  auto dims = attrs.GetArray<int64_t>("shape");
  if (!dims) {
    return InvalidArgumentError("tfrt_test.create_from_scalar must have 'shape' attribute");
  }
  const OpAttr* value = attrs.Find("value");
  if (!value) {
    return InvalidArgumentError("tfrt_test.create_from_scalar must have 'value' attribute");
  }
  const DType dtype = DTypeFromCode(value->code);
  if (!IsNumber(dtype)) {
    return InvalidArgumentError("tfrt_test.create_from_scalar unsupported dtype");
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(*dims));
  return TensorMetadata{dtype, std::move(shape)};
}

StatusOr<TensorMetadata> CreateCooTensorOpMetadata(const TensorMetadata& indices,
                                                   const TensorMetadata& values,
                                                   const OpAttrsRef& attrs) {
  if (indices.shape.rank() != 2) {
    return InvalidArgumentError("tfrt_test.create_coo_tensor indices input must be rank 2");
  }
  if (values.shape.rank() != 1) {
    return InvalidArgumentError("tfrt_test.create_coo_tensor values input must be rank 1");
  }
  auto dims = attrs.GetArray<int64_t>("shape");
  if (!dims) {
    return InvalidArgumentError("tfrt_test.create_coo_tensor must have 'shape' attribute");
  }
  if (indices.shape.dim(1) != static_cast<int64_t>(dims->size())) {
    return InvalidArgumentError(
        "each test.create_coo_tensor index must have the same size as shape attribute");
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(*dims));
  return TensorMetadata{values.dtype, std::move(shape)};
}

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
