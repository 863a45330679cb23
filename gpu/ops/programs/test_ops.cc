// tfrt_test.*: ops for tests of programs.

#include <cstdio>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "gpu/ops/gpu_ops.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/stream.h"
#include "program_ops.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt::gpu {
namespace {

constexpr OpFlags kAnyTensor =
    OpFlags::kAnyPlace | OpFlags::kAllowsScalar | OpFlags::kAllowsString | OpFlags::kAllowsCoo;

TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }

// The result is the last argument that is given.
OpOutcome PassLast(const OpRun& run) {
  for (AsyncValue* argument : run.arguments) {
    if (argument) run.results[0] = FormRef(argument);
  }
  return {};
}

TensorMetadata SecondOrFirst(const TensorMetadata& first, OptionalOpMetadata second) {
  return second ? *second : first;
}

TensorMetadata LastMetadata(const TensorMetadata& first, VariadicOpMetadata others) {
  return others.size() == 0 ? first : others[others.size() - 1];
}

StatusOr<TensorMetadata> AddMetadata(const TensorMetadata& a, const TensorMetadata& b) {
  if (a == b) return a;
  return InvalidArgumentError(
      StrCat("tfrt_test.add: a is ", a.ToString(), ", and b is ", b.ToString()));
}

MadeOp MakeAdd(GpuOpSetup& setup) { return FindGpuOp(*FindOpDescription("add"))(setup); }

// The argument, once the device has run all that its compute stream has, whatever the argument
// depends on: a benchmark of ops measures the device.
OpOutcome Synchronize(const OpRun& run) {
  AsyncValue* argument = run.arguments[0];
  Stream& compute = static_cast<GpuDevice&>(run.device).compute();
  Status status = OkStatus();
  const auto& tensor = argument->get<Tensor>();
  if (tensor.tensor_type() == kDenseGpuTensorType) {
    status = static_cast<const DenseGpuTensor&>(tensor).OrderReads(compute);
  }
  if (!status.ok()) return FailedCall(run.exec_ctx, std::move(status), run.results);
  AsyncValueRef<Chain> done =
      compute.context().WhenDone(compute.tail(), &run.exec_ctx.work_queue());
  RCReference<IndirectAsyncValue> result = MakeIndirectAsyncValue();
  run.results[0] = result;
  done.AndThen([result, argument = FormRef(argument), done = done.AsPtr(),
                exec_ctx = run.exec_ctx]() mutable {
    result->ForwardTo(done.IsError() ? MakeErrorAsyncValue(EmitError(exec_ctx, done.GetError()))
                                     : std::move(argument));
  });
  return {};
}

// --- Printing.

// As many digits as tell all numbers of a type apart.
std::string NumberText(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*g", digits, number);
  return text;
}

std::string ElementText(DType dtype, const void* element) {
  constexpr int kF32Digits = 9, kF64Digits = 17;
  if (dtype == DType::kF32) return NumberText(*static_cast<const float*>(element), kF32Digits);
  if (dtype == DType::kF64) return NumberText(*static_cast<const double*>(element), kF64Digits);
  std::string text;
  AppendElement(dtype, element, &text);
  return text;
}

std::string TensorText(const Tensor& tensor) {
  constexpr int64_t kMaxElements = 32;
  if (tensor.tensor_type() != kDenseHostTensorType) return tensor.ToString();
  const auto* data = static_cast<const char*>(static_cast<const DenseHostTensor&>(tensor).data());
  const size_t size = DTypeSize(tensor.dtype());
  std::string text = StrCat("DenseHostTensor dtype = ", DTypeName(tensor.dtype()),
                            ", shape = ", tensor.shape().ToString(), ", values = [");
  const int64_t count = tensor.num_elements();
  for (int64_t i = 0; i < count && i < kMaxElements; ++i) {
    if (i != 0) text += ", ";
    text += ElementText(tensor.dtype(), data + static_cast<size_t>(i) * size);
  }
  text += count > kMaxElements ? ", ... ]" : "]";
  return text;
}

Status OneArgument(const TensorMetadata&) { return OkStatus(); }

OpOutcome Print(const OpRun& run) {
  const std::string text = TensorText(run.arguments[0]->get<Tensor>()) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return {};
}

// --- Several results.

std::tuple<TensorMetadata, TensorMetadata> TwoResultsMetadata() {
  return {{DType::kF32, TensorShape{2}}, {DType::kI32, TensorShape{1}}};
}

class Zeros final : public GpuOp {
 public:
  static constexpr size_t kNumResults = 2;
  static MadeOp Make(GpuOpSetup&) { return std::make_unique<Zeros>(); }
  Status Run(GpuOpCall& call) const override {
    for (size_t i = 0; i < kNumResults; ++i) {
      TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(i));
      TFRT_RETURN_IF_ERROR(call.Clear(out));
    }
    return OkStatus();
  }
};

OpOutcome FailAll(const OpRun& run) {
  return FailedCall(run.exec_ctx, InternalError("error from ReturnMultipleResultsWithError op"),
                    run.results);
}

// --- Registration.

void RegisterTransfers(OpRegistry* registry) {
  using Argument = OpArgumentSpec;
  registry->Add({.name = "tfrt_test.gpu_tensor_to_host_tensor",
                 .summary = "A copy in host memory.",
                 .arguments = {{"tensor", Argument::Kind::kRequired, Argument::HostValue::kYes}},
                 .results = {"copy"},
                 .flags = OpFlags::kHostResults,
                 .metadata = TFRT_OP_METADATA(SameMetadata),
                 .composite = &PassLast});
  registry->Add({.name = "tfrt_test.dht_to_gpu_tensor",
                 .summary = "A copy in the device's memory.",
                 .arguments = {{"tensor"}},
                 .results = {"copy"},
                 .metadata = TFRT_OP_METADATA(SameMetadata),
                 .composite = &PassLast});
}

void RegisterPassing(OpRegistry* registry) {
  using Argument = OpArgumentSpec;
  registry->Add({.name = "tfrt_test.test_optional_arg",
                 .summary = "The second tensor, or, without it, the first.",
                 .arguments = {{"first"}, {"second", Argument::Kind::kOptional}},
                 .results = {"last"},
                 .metadata = TFRT_OP_METADATA(SecondOrFirst),
                 .composite = &PassLast});
  registry->Add({.name = "tfrt_test.test_variadic_arg",
                 .summary = "The last one of the tensors.",
                 .arguments = {{"first"}, {"others", Argument::Kind::kVariadic}},
                 .results = {"last"},
                 .metadata = TFRT_OP_METADATA(LastMetadata),
                 .composite = &PassLast});
  registry->Add({.name = "tfrt_test.return_multiple_results",
                 .summary = "Two tensors of zeros.",
                 .results = {"floats", "integers"},
                 .metadata = TFRT_OP_METADATA(TwoResultsMetadata),
                 .composite = &RunMade<&Zeros::Make>});
  registry->Add({.name = "tfrt_test.return_multiple_results_with_error",
                 .summary = "An error in place of two tensors.",
                 .results = {"floats", "integers"},
                 .metadata = TFRT_OP_METADATA(TwoResultsMetadata),
                 .composite = &FailAll});
}

}  // namespace

void RegisterTestProgramOps(OpRegistry* registry) {
  RegisterTransfers(registry);
  RegisterPassing(registry);
  registry->Add({.name = "tfrt_test.add",
                 .summary = "The sum of tensors of one shape.",
                 .arguments = {{"a"}, {"b"}},
                 .results = {"sum"},
                 .metadata = TFRT_OP_METADATA(AddMetadata),
                 .composite = &RunMade<&MakeAdd>});
  registry->Add({.name = "tfrt_test.synchronize",
                 .summary = "The tensor, when the device has written it.",
                 .arguments = {{"tensor"}},
                 .results = {"same"},
                 .metadata = TFRT_OP_METADATA(SameMetadata),
                 .composite = &Synchronize});
  registry->Add({.name = "tfrt_test.print",
                 .summary = "Prints the tensor, of which the first 32 elements are told in full.",
                 .arguments = {{"tensor"}},
                 .flags = OpFlags::kSideEffects | kAnyTensor,
                 .metadata = TFRT_OP_METADATA(OneArgument),
                 .composite = &Print});
}

}  // namespace tfrt::gpu
