// -tfrt-set-entry-point: the function from which tfrt_gpu_executor learns what to run.

#include "gpu_passes.h"
#include "lib/format/op_table/gpu_enums.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::gpu {

#define GEN_PASS_DEF_SETENTRYPOINTPASS
#include "lib/compiler/gpu_passes.h.inc"

namespace {

using mlir::func::FuncOp;

struct SetEntryPointPass : impl::SetEntryPointPassBase<SetEntryPointPass> {
  using SetEntryPointPassBase::SetEntryPointPassBase;

  void runOnOperation() override {
    const std::optional<int64_t> number = ParseGpuEnum(GpuEnum::kPlatform, platform);
    if (platform.empty()) return fail("Unspecified 'platform' option");
    if (!number || *number == static_cast<int64_t>(GpuPlatform::kNone)) {
      return fail("Invalid platform: " + platform);
    }
    auto functions = llvm::to_vector(getOperation().getOps<FuncOp>());
    std::string name = functionName;
    if (name.empty()) {
      if (functions.size() != 1) return fail("Expected exactly one function");
      name = functions.front().getName();
    }
    if (llvm::none_of(functions, [&](FuncOp op) { return op.getName() == name; })) {
      return fail("Function '" + name + "' not found");
    }
    addFunction(*number, name);
  }

 private:
  void fail(const llvm::Twine& message) {
    getOperation().emitError(message);
    signalPassFailure();
  }

  void addFunction(int64_t number, llvm::StringRef name) {
    KernelBuilder builder(mlir::OpBuilder::atBlockBegin(getOperation().getBody()),
                          getOperation().getLoc());
    mlir::Type type = mlir::OpaqueType::get(
        builder.getStringAttr(TfrtGpuDialect::getDialectNamespace()), "entry_point");
    auto function = FuncOp::create(builder, builder.location, "get_tfrt_gpu_entry_point",
                                   builder.getFunctionType({}, type));
    builder.setInsertionPointToStart(function.addEntryBlock());
    mlir::Operation* entry_point = builder.make(
        "tfrt_gpu.get_entry_point", {}, type,
        {builder.getNamedAttr("buffer_sizes", builder.getI64ArrayAttr(*bufferSizes)),
         builder.getNamedAttr("function_name", builder.getStringAttr(name)),
         builder.getNamedAttr("platform", builder.getSI32IntegerAttr(static_cast<int32_t>(number))),
         builder.getNamedAttr("version", builder.getI64IntegerAttr(kGpuEntryPointVersion))});
    ReturnOp::create(builder, builder.location, entry_point->getResults());
  }
};

}  // namespace
}  // namespace tfrt::compiler::gpu
