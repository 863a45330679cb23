// Metadata functions of the ops tfrt_test.*.

#include "test_metadata.h"
#include "tfrt/host_context/attribute_views.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Dtypes of the tensors that tfrt_test.create_* make: of numbers.
bool IsNumber(DType dtype) {
  return dtype >= DType::kUI8 && dtype <= DType::kBF16 && dtype != DType::kI1;
}

}  // namespace

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

StatusOr<TensorMetadata> TestAddOpMetadata(const TensorMetadata& a, const TensorMetadata& b) {
  if (a.dtype != b.dtype) return InvalidArgumentError("incompatible dtypes for test.add");
  if (a.shape != b.shape) {
    return InvalidArgumentError("arguments of test.add must have same shape");
  }
  return a;
}

StatusOr<TensorMetadata> TestElementwiseOpMetadata(const TensorMetadata& a,
                                                   const TensorMetadata& b) {
  if (a.dtype != b.dtype) return InvalidArgumentError("incompatible dtypes for element-wise op");
  if (a.shape != b.shape) {
    return InvalidArgumentError("arguments to element-wise op must have identical shapes");
  }
  return a;
}

StatusOr<TensorMetadata> TestCastOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto type = attrs.GetString("type");
  if (!type) return InvalidArgumentError("missing 'type' attribute");
  if (*type == "f32") return TensorMetadata{DType::kF32, in.shape};
  if (*type == "f16") return TensorMetadata{DType::kF16, in.shape};
  return InvalidArgumentError("only casting to f32/f16 is supported");
}

StatusOr<TensorMetadata> TestBroadcastOpMetadata(const TensorMetadata& in,
                                                 const OpAttrsRef& attrs) {
  auto dims = attrs.GetArray<int64_t>("shape");
  if (!dims) return InvalidArgumentError("missing 'shape' attribute");
  if (dims->size() != 2) {
    return InvalidArgumentError("result shape must be 2 dimensional (for now)");
  }
  if (in.shape.rank() != 1 || in.shape.dim(0) != (*dims)[1]) {
    return InvalidArgumentError("input dimension and target shape mismatch");
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(*dims));
  return TensorMetadata{in.dtype, std::move(shape)};
}

namespace {

// The shape without the dimension that the attribute `axis` names.
StatusOr<TensorShape> WithoutAxis(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto axis = attrs.Get<int32_t>("axis");
  if (!axis) return InvalidArgumentError("missing 'axis' attribute");
  if (*axis < 0 || static_cast<size_t>(*axis) >= in.shape.rank()) {
    return InvalidArgumentError("axis must less than input rank");
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < in.shape.rank(); ++i) {
    if (i != static_cast<size_t>(*axis)) dims.push_back(in.shape.dim(i));
  }
  return TensorShape::Create(dims);
}

}  // namespace

StatusOr<TensorMetadata> TestArgmaxOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, WithoutAxis(in, attrs));
  return TensorMetadata{DType::kI32, std::move(shape)};
}

StatusOr<TensorMetadata> TestReduceMeanOpMetadata(const TensorMetadata& in,
                                                  const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, WithoutAxis(in, attrs));
  return TensorMetadata{in.dtype, std::move(shape)};
}

TensorMetadata TestOptionalArgOpMetadata(const TensorMetadata& in, OptionalOpMetadata other) {
  return other ? *other : in;
}

StatusOr<TensorMetadata> TestVariadicArgOpMetadata(VariadicOpMetadata in) {
  if (in.size() == 0) return InvalidArgumentError("tfrt_test.test_variadic_arg takes an argument");
  return in[0];
}

}  // namespace tfrt
