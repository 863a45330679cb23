#include "lib/format/traced_graph/compiler_service.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer.h"
#include "dialects/graph/graph_dialect.h"
#include "lib/compiler/import_onnx/import_onnx.h"
#include "lib/compiler/import_traced/import_traced.h"
#include "lib/compiler/onnx/model.h"
#include "lib/compiler/passes/graph/pipeline.h"
#include "lib/compiler/translation/dialects.h"
#include "lib/format/traced_graph/traced_graph.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "tfrt/compiler/mlir_to_bef.h"
#include "tfrt/compiler/translate.h"

namespace tfrt::compiler {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kAllFlags = TFRT_COMPILE_EXACT | TFRT_COMPILE_NO_FUSE | TFRT_COMPILE_NO_PACK |
                               TFRT_COMPILE_ELIDE | TFRT_COMPILE_FOLLOW_CACHE_LINKS;

uint64_t countOps(mlir::ModuleOp module) {
  uint64_t count = 0;
  module.walk([&](mlir::Operation* op) {
    if (mlir::isa<mlir::ModuleOp, mlir::func::FuncOp>(op)) return;
    if (!op->hasTrait<mlir::OpTrait::IsTerminator>()) ++count;
  });
  return count;
}

bool isGraph(mlir::ModuleOp module) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || main.isExternal()) return false;
  mlir::Block& body = main.getBody().front();
  return !body.empty() && mlir::isa<graph::ReturnOp>(body.back());
}

// One request, from its bytes to the answer.
class Compilation {
 public:
  Compilation(const TfrtCompileRequest& request, Answer& answer)
      : request_(request),
        answer_(answer),
        options_{.exact = hasFlag(TFRT_COMPILE_EXACT),
                 .fuse = !hasFlag(TFRT_COMPILE_NO_FUSE),
                 .pack = !hasFlag(TFRT_COMPILE_NO_PACK)},
        context_(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context_.getDiagEngine().registerHandler([this](mlir::Diagnostic& diagnostic) {
      answer_.addDiagnostic(diagnostic);
      return mlir::success();
    });
  }

  void run() {
    if (!readInput()) return;
    if (request_.output_kind == TFRT_OUTPUT_GRAPH) return print();
    if (isGraph(*module_) && !compile()) return;
    if (request_.output_kind == TFRT_OUTPUT_KERNELS) return print();
    auto bytes = convertMlirToBef(*module_, {.consume_module = true});
    if (mlir::failed(bytes)) return fail("the program cannot be written as BEF");
    answer_.setOutput(*bytes);
  }

 private:
  static const mlir::DialectRegistry& registry() {
    static const mlir::DialectRegistry* const registry = [] {
      auto* made = new mlir::DialectRegistry();
      registerModelDialects(*made);
      return made;
    }();
    return *registry;
  }
  bool hasFlag(uint32_t flag) const { return (request_.flags & flag) != 0; }
  llvm::StringRef input() const {
    return {static_cast<const char*>(request_.input.data), request_.input.size};
  }
  void fail(llvm::StringRef message, StatusCode code = StatusCode::kInvalidArgument) {
    answer_.fail(code, message);
  }
  bool fail(const Status& status) {
    std::string_view message = status.message();
    fail(llvm::StringRef(message.data(), message.size()), status.code());
    return false;
  }

  bool readInput() {
    switch (request_.input_kind) {
      case TFRT_INPUT_TRACED_GRAPH:
        return importGraph();
      case TFRT_INPUT_MLIR:
        prepareContext(&context_);
        module_ = mlir::parseSourceString<mlir::ModuleOp>(input(), &context_, "program");
        break;
      case TFRT_INPUT_ONNX_PATH: {
        auto model = onnx::Model::FromFile(input().str());
        if (!model.ok()) return fail(model.status());
        onnx_.emplace(*std::move(model));
        OnnxImportOptions options;
        options.follow_cache_links = hasFlag(TFRT_COMPILE_FOLLOW_CACHE_LINKS);
        module_ = importOnnx(*onnx_, options, &context_);
        break;
      }
    }
    if (!module_) fail("the program cannot be read");
    return static_cast<bool>(module_);
  }
  bool importGraph() {
    std::vector<std::span<const uint8_t>> blobs;
    for (size_t i = 0; i < request_.num_blobs; ++i) {
      const TfrtBytes& blob = request_.blobs[i];
      blobs.emplace_back(static_cast<const uint8_t*>(blob.data), blob.size);
    }
    auto decoded = function::Decode(
        {static_cast<const uint8_t*>(request_.input.data), request_.input.size}, blobs);
    if (!decoded.ok()) return fail(decoded.status());
    traced_.emplace(*std::move(decoded));
    options_.exact |= traced_->options.exact;
    options_.fuse &= traced_->options.fuse;
    options_.pack &= traced_->options.pack;
    module_ = importTraced(*traced_, &context_);
    if (!module_) fail("the traced graph cannot be compiled");
    return static_cast<bool>(module_);
  }

  bool compile() {
    uint64_t ops = countOps(*module_);
    Clock::time_point start = Clock::now();
    auto note = [&](llvm::StringRef pass) {
      const uint64_t now = countOps(*module_);
      const auto took = std::chrono::nanoseconds(Clock::now() - start).count();
      answer_.addPass(pass, ops, now, static_cast<uint64_t>(took));
      ops = now;
      start = Clock::now();
    };
    auto after = [&](llvm::StringRef pass, mlir::ModuleOp) {
      note(pass);
      return mlir::success();
    };
    if (mlir::failed(compileGraph(*module_, options_, after))) {
      fail("the program cannot be compiled");
      return false;
    }
    note("lower-graph");
    return true;
  }

  void print() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    mlir::OpPrintingFlags flags;
    if (hasFlag(TFRT_COMPILE_ELIDE)) flags.elideLargeResourceString(64);
    module_->print(stream, flags);
    stream << "\n";
    answer_.setOutput({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }

  const TfrtCompileRequest& request_;
  Answer& answer_;
  GraphPassOptions options_;
  std::optional<onnx::Model> onnx_;
  std::optional<function::TracedGraph> traced_;
  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

// Empty if there is nothing against the request itself.
std::string whyWrong(const TfrtCompileRequest* request) {
  if (!request) return "there is no request";
  if (request->struct_size < sizeof(TfrtCompileRequest)) {
    return "the request has " + std::to_string(request->struct_size) + " bytes, expected " +
           std::to_string(sizeof(TfrtCompileRequest));
  }
  if (request->input_kind > TFRT_INPUT_ONNX_PATH) {
    return "there is no input of kind " + std::to_string(request->input_kind);
  }
  if (request->output_kind > TFRT_OUTPUT_KERNELS) {
    return "there is no output of kind " + std::to_string(request->output_kind);
  }
  if ((request->flags & ~kAllFlags) != 0) {
    return "there are no flags " + std::to_string(request->flags & ~kAllFlags);
  }
  if ((!request->input.data && request->input.size > 0) ||
      (!request->blobs && request->num_blobs > 0)) {
    return "there is no input where the request says";
  }
  for (size_t i = 0; i < request->num_blobs; ++i) {
    if (!request->blobs[i].data && request->blobs[i].size > 0) {
      return "there is no blob " + std::to_string(i) + " where the request says";
    }
  }
  return "";
}

TfrtCompileAnswer* compileRequest(const TfrtCompileRequest* request) {
  auto answer = std::make_unique<Answer>();
  if (std::string why = whyWrong(request); !why.empty()) {
    answer->fail(StatusCode::kInvalidArgument, why);
  } else {
    Compilation(*request, *answer).run();
  }
  return answer.release()->finish();
}

void releaseAnswer(TfrtCompileAnswer* answer) { delete static_cast<Answer*>(answer); }

constexpr TfrtCompilerService kService = {
    .struct_size = sizeof(TfrtCompilerService),
    .version = TFRT_COMPILER_SERVICE_VERSION,
    .build = "tfrt traced graph 1, MLIR " LLVM_VERSION_STRING,
    .compile = &compileRequest,
    .release = &releaseAnswer,
};

}  // namespace
}  // namespace tfrt::compiler

const TfrtCompilerService* tfrt_compiler_service(uint32_t version) {
  return version == TFRT_COMPILER_SERVICE_VERSION ? &tfrt::compiler::kService : nullptr;
}
