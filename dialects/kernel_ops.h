// Ops that stand for one kernel each and nothing else: fixed operands and results, whose types the
// op's name implies, and a few attributes. Their records are TableGen's, as those of other ops, but
// no class is generated for them: make_kernel_ops.py makes rows of data of the records.
#ifndef TFRT_DIALECTS_KERNEL_OPS_H_
#define TFRT_DIALECTS_KERNEL_OPS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Types.h"

namespace tfrt::compiler {

struct KernelAttr {
  enum class Kind : uint8_t {
    kAny,
    kArray,
    kBF16,
    kF16,
    kF32,
    kF64,
    kI1,
    kI32,
    kI32Array,
    kI64,
    kI64Array,
    kString,
    kStringArray,
    kUI32,
    kUI64,
  };

  std::string_view name;
  Kind kind;
  std::string_view keyword;  // stands in front of it; empty for none
  bool is_in_dictionary;     // written in the attr-dict, not in front of it
};

// Syntax: operands, attributes in the order of the row, attr-dict.
struct KernelOp {
  std::string_view name;  // with the dialect's
  // One letter each: 'a' is the first of the dialect's list of types.
  std::string_view operands;
  std::string_view results;
  std::span<const KernelAttr> attrs;
  bool is_pure;
};

// Registers the ops with a dialect that is being loaded. `ops` is static: the address of a row is
// the TypeID of its op.
void registerKernelOps(mlir::Dialect& dialect, std::span<const KernelOp> ops,
                       llvm::ArrayRef<mlir::Type> types);

}  // namespace tfrt::compiler

#endif  // TFRT_DIALECTS_KERNEL_OPS_H_
