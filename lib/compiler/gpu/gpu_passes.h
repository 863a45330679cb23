// The passes of gpu_passes.td, and what several of them need.
//
// They are glued together by builtin.unrealized_conversion_cast. A token of the gpu dialect is a
// cast of a chain and a stream, or of a chain and an event. A memref is a cast of a buffer. An op
// that a pass must replace and cannot is an error.
#ifndef TFRT_LIB_COMPILER_GPU_GPU_PASSES_H_
#define TFRT_LIB_COMPILER_GPU_GPU_PASSES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dialects/tfrt_gpu/tfrt_gpu_dialect.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class Pass;
}  // namespace mlir

namespace tfrt::compiler::gpu {

// create...Pass, with the options of the pass.
#define GEN_PASS_DECL
#include "lib/compiler/gpu_passes.h.inc"

// Makes ops in place of others, at one location. Few ops of kernels have a class of their own.
class KernelBuilder : public mlir::OpBuilder {
 public:
  // Inserts before the op.
  explicit KernelBuilder(mlir::Operation* op) : OpBuilder(op), location(op->getLoc()) {}
  KernelBuilder(mlir::OpBuilder builder, mlir::Location location)
      : OpBuilder(builder), location(location) {}

  mlir::Operation* make(llvm::StringRef name, mlir::ValueRange operands, mlir::TypeRange results,
                        llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  // Makes a kernel of one result, of type `Type`.
  template <typename Type>
  mlir::Value makeOne(llvm::StringRef name, mlir::ValueRange operands,
                      llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return make(name, operands, Type::get(getContext()), attributes)->getResult(0);
  }
  // A kernel whose result is a chain.
  mlir::Value makeChain(llvm::StringRef name, mlir::ValueRange operands) {
    return makeOne<ChainType>(name, operands);
  }
  // A call of a function that runs once, with a context as its argument.
  mlir::Value makeOnce(llvm::StringRef function, mlir::Value context, mlir::Type result);
  // tfrt.constant.i32, .i64, .ui32 or .ui64.
  mlir::Value makeConstant(mlir::Type type, int64_t value);
  // All of the chains, of which there is at least one, as one.
  mlir::Value mergeChains(mlir::ValueRange chains);
  mlir::UnrealizedConversionCastOp cast(mlir::ValueRange values, mlir::TypeRange types) {
    return mlir::UnrealizedConversionCastOp::create(*this, location, types, values);
  }
  // The token that stands for both: a chain, and a stream or an event.
  mlir::Value makeToken(mlir::Value chain, mlir::Value second);

  mlir::Location location;
};

// The values that a token was cast from.
struct TokenParts {
  mlir::Value chain;
  mlir::Value second;  // a stream or an event

  bool isOfStream() const { return mlir::isa<StreamType>(second.getType()); }
};
// Empty if the value is not a cast of a chain, and a stream or an event.
std::optional<TokenParts> partsOf(mlir::Value token);

// Returns the context of the function around the op. It is the result of the function's first
// tfrt_gpu.stream.get_context if that is before the op, or else of a new one for argument 1. Null
// if that argument is no stream, or if the op cannot use the function's values.
mlir::Value contextFor(mlir::Operation* op);

// The body of a tfrt_gpu.streamify returns a chain. The first function gives the chain that work in
// place of an op of that body follows. The second makes the body return the chain of that work.
mlir::Value chainBefore(mlir::Operation* op);
void returnChain(mlir::Operation* op, mlir::Value chain);

// Whether an op between the function and the op keeps the function's values out.
bool isIsolatedWithin(mlir::Operation* op, mlir::Operation* function);

// The value of an integer constant of arith, or of tfrt.
std::optional<int64_t> constantOf(mlir::Value value);

// Erases the constant of arith if nothing uses it: programs that run do not know that dialect.
void eraseUnusedConstant(mlir::Value value);

// Reports an op that a pass must replace and cannot, in the words of MLIR's conversions.
mlir::LogicalResult reportIllegal(mlir::Operation* op);

}  // namespace tfrt::compiler::gpu

#endif  // TFRT_LIB_COMPILER_GPU_GPU_PASSES_H_
