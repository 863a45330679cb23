#include "run_onnx.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "lib/compiler/import_onnx/import_onnx.h"
#include "lib/compiler/onnx/model.h"
#include "lib/compiler/passes/graph/pipeline.h"
#include "lib/compiler/translation/dialects.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "limited_allocator.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "tfrt/compiler/mlir_to_bef.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/maths/compute_backend.h"
#include "tfrt/model/model.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using Stage = OnnxOutcome::Stage;

// No such folder: nothing is read beside the model.
constexpr const char* kPath = "no/such/folder/model.onnx";
constexpr size_t kMaxBytes = size_t{1} << 20;
// What a context knows of attributes and types it keeps: another one after so many models.
constexpr int kModelsPerContext = 64;

OnnxOutcome Failed(Stage stage, std::string_view error) { return {stage, std::string(error)}; }
OnnxOutcome Failed(Stage stage, const Status& status) { return Failed(stage, status.message()); }

// Bytes of 0 and 1 in turns: small integers, truth values and floats near zero, and now and then
// 1.5.
void Fill(DenseHostTensor& tensor) {
  auto* bytes = static_cast<uint8_t*>(tensor.buffer()->data());
  const size_t size = DTypeSize(tensor.dtype());
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    std::memset(bytes + i * size, 0, size);
    if (tensor.dtype() == DType::kF32) {
      const float number = static_cast<float>(i % 5) - 1.5f;
      std::memcpy(bytes + i * size, &number, size);
    } else {
      bytes[i * size] = static_cast<uint8_t>(i % 2);
    }
  }
}

StatusOr<DenseHostTensor> MakeInput(const ModelValue& input, HostContext& host) {
  std::vector<int64_t> dims{2, 2};
  if (input.dims) {
    dims.clear();
    for (const ModelDim& dim : *input.dims) dims.push_back(dim.size >= 0 ? dim.size : 2);
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  TFRT_ASSIGN_OR_RETURN(
      DenseHostTensor tensor,
      DenseHostTensor::CreateUninitialized({input.dtype, std::move(shape)}, host.allocator()));
  Fill(tensor);
  return tensor;
}

Status RunSession(Session& session, HostContext& host) {
  std::vector<DenseHostTensor> inputs;
  for (const ModelValue& input : session.model().inputs()) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, MakeInput(input, host));
    inputs.push_back(std::move(tensor));
  }
  std::vector<const DenseHostTensor*> pointers;
  for (const DenseHostTensor& input : inputs) pointers.push_back(&input);
  // Twice: a session remembers what it has seen.
  for (int i = 0; i < 2; ++i) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    TFRT_RETURN_IF_ERROR(session.RunInOrder(pointers, {.deadline = deadline}).status());
  }
  return OkStatus();
}

}  // namespace

struct OnnxRunner::Impl {
  mlir::MLIRContext& Context() {
    if (num_models++ % kModelsPerContext == 0) {
      mlir::DialectRegistry registry;
      compiler::registerModelDialects(registry);
      context =
          std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
      context->getDiagEngine().registerHandler([this](mlir::Diagnostic& diagnostic) {
        if (message.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
          message = diagnostic.str();
        }
        return mlir::success();
      });
    }
    message.clear();
    return *context;
  }

  std::unique_ptr<HostContext> host;
  std::unique_ptr<mlir::MLIRContext> context = nullptr;
  std::string message = {};  // the first of the context's errors
  int num_models = 0;
};

OnnxRunner::OnnxRunner() : impl_(new Impl) {
  impl_->host = std::make_unique<HostContext>([](const DecodedDiagnostic&) {},
                                              std::make_unique<LimitedAllocator>(kMaxBytes),
                                              CreateSingleThreadedWorkQueue());
  RegisterGraphKernels(&impl_->host->kernel_registry());
  // Whose code is instrumented.
  if (!SetComputeBackend(impl_->host.get(), ComputeBackend::kEigen).ok()) std::abort();
}
OnnxRunner::~OnnxRunner() = default;

OnnxOutcome OnnxRunner::Import(std::span<const uint8_t> bytes) {
  auto onnx = onnx::Model::FromBytes(FileBytes::CopyOf(bytes), kPath);
  if (!onnx.ok()) return Failed(Stage::kRead, onnx.status());
  mlir::MLIRContext& context = impl_->Context();
  auto module = compiler::importOnnx(*onnx, {}, &context);
  return module ? OnnxOutcome() : Failed(Stage::kImport, impl_->message);
}

OnnxOutcome OnnxRunner::Run(std::span<const uint8_t> bytes) {
  auto onnx = onnx::Model::FromBytes(FileBytes::CopyOf(bytes), kPath);
  if (!onnx.ok()) return Failed(Stage::kRead, onnx.status());
  mlir::MLIRContext& context = impl_->Context();
  auto module = compiler::importOnnx(*onnx, {}, &context);
  if (!module) return Failed(Stage::kImport, impl_->message);
  if (mlir::failed(compiler::compileGraph(*module, {}))) {
    return Failed(Stage::kCompile, impl_->message);
  }
  auto bef = compiler::convertMlirToBef(*module);
  if (mlir::failed(bef)) return Failed(Stage::kCompile, impl_->message);
  module = {};
  auto model = Model::FromBytes(FileBytes::CopyOf(*bef), impl_->host.get());
  if (!model.ok()) return Failed(Stage::kOpen, model.status());
  auto session = Session::Create(*model);
  if (!session.ok()) return Failed(Stage::kLoad, session.status());
  Status status = RunSession(*session, *impl_->host);
  if (!status.ok()) return Failed(Stage::kRun, status);
  return {};
}

std::vector<std::string> OnnxOpNames() {
  std::vector<std::string> names;
  for (const compiler::OnnxOpSupport& op : compiler::supportedOnnxOps()) {
    if (op.domain.empty()) names.push_back(op.name.str());
  }
  return names;
}

}  // namespace tfrt
