// Metadata functions of ops for tests.
#ifndef TFRT_CORE_RUNTIME_OPS_TEST_METADATA_H_
#define TFRT_CORE_RUNTIME_OPS_TEST_METADATA_H_

#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// The result is like the argument.
inline TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }

StatusOr<TensorMetadata> CreateDenseTensorOpMetadata(const OpAttrsRef& attrs);
StatusOr<TensorMetadata> CreateFromScalarOpMetadata(const OpAttrsRef& attrs);
StatusOr<TensorMetadata> CreateCooTensorOpMetadata(const TensorMetadata& indices,
                                                   const TensorMetadata& values,
                                                   const OpAttrsRef& attrs);
StatusOr<TensorMetadata> TestAddOpMetadata(const TensorMetadata& a, const TensorMetadata& b);
StatusOr<TensorMetadata> TestElementwiseOpMetadata(const TensorMetadata& a,
                                                   const TensorMetadata& b);
StatusOr<TensorMetadata> TestCastOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> TestBroadcastOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> TestArgmaxOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs);
StatusOr<TensorMetadata> TestReduceMeanOpMetadata(const TensorMetadata& in,
                                                  const OpAttrsRef& attrs);
TensorMetadata TestOptionalArgOpMetadata(const TensorMetadata& in, OptionalOpMetadata other);
StatusOr<TensorMetadata> TestVariadicArgOpMetadata(VariadicOpMetadata in);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_TEST_METADATA_H_
