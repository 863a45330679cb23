// The names of other namespaces that programs of eager ops use, so that `using namespace
// tfrt::eager` is enough.
#ifndef TFRT_EAGER_NAMES_H_
#define TFRT_EAGER_NAMES_H_

#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/location.h"
#include "tfrt/support/location_table.h"
#include "tfrt/support/status.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/tensor/dtype.h"
#include "tfrt/tensor/foreign_stream.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::eager {

// Elements, shapes, tensors in host memory.
using tfrt::Bf16;
using tfrt::DenseHostTensor;
using tfrt::DenseView;
using tfrt::DType;
using tfrt::DTypeName;
using tfrt::ForeignStream;
using tfrt::Fp16;
using tfrt::MutableDenseView;
using tfrt::TensorMetadata;
using tfrt::TensorShape;

// Errors and places.
using tfrt::DecodedDiagnostic;
using tfrt::FailedPreconditionError;
using tfrt::Here;
using tfrt::InternalError;
using tfrt::InvalidArgumentError;
using tfrt::Location;
using tfrt::LocationTable;
using tfrt::NotFoundError;
using tfrt::OkStatus;
using tfrt::Status;
using tfrt::StatusCode;
using tfrt::StatusOr;
using tfrt::StrCat;
using tfrt::UnimplementedError;

// Calls by name, and ops of a program's own.
using tfrt::CustomOp;
using tfrt::MakeOpClosure;
using tfrt::OpArgument;
using tfrt::OpArgumentSpec;
using tfrt::OpAttrs;
using tfrt::OpAttrSpec;
using tfrt::OpAttrsRef;
using tfrt::OpCall;
using tfrt::OpDefinition;
using tfrt::OpFlags;
using tfrt::OptionalOpArgument;
using tfrt::OptionalOpMetadata;
using tfrt::VariadicOpArguments;
using tfrt::VariadicOpMetadata;

using tfrt::HostContext;

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_NAMES_H_
