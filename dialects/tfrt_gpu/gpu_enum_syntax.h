// The syntax of enumerations in tfrt_gpu ops: bare keywords in the vendors' spelling
// (lib/format/op_table/gpu_enums.h), and the types of scalars that follow from them.
#ifndef TFRT_DIALECTS_TFRT_GPU_GPU_ENUM_SYNTAX_H_
#define TFRT_DIALECTS_TFRT_GPU_GPU_ENUM_SYNTAX_H_

#include "lib/format/op_table/gpu_enums.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace tfrt::compiler::gpu {

// Whether it is an integer of a type that `holds`.
bool isIntegerAttr(mlir::Attribute attribute, llvm::function_ref<bool(mlir::Type)> holds);

// Returns the value that the table's functions take for an attribute that verifies.
int64_t valueOf(mlir::IntegerAttr attribute);

// Parses a spelling or, of algorithms, ROCm's number. An unknown keyword is reported behind it.
mlir::ParseResult parseGpuEnum(mlir::OpAsmParser& parser, GpuEnum which,
                               mlir::IntegerAttr& attribute);
void printGpuEnum(mlir::OpAsmPrinter& printer, GpuEnum which, mlir::IntegerAttr attribute);

// The same, and the type of the scalars that belong to the value.
mlir::ParseResult parseGpuEnum(mlir::OpAsmParser& parser, GpuEnum which,
                               mlir::IntegerAttr& attribute, mlir::Type& scalar);

// The type of the scalars that belong to a value; null if none do.
mlir::Type impliedType(GpuEnum which, mlir::IntegerAttr attribute);
// Whether all values, of which the second may be null, are of that type.
bool isImplied(GpuEnum which, mlir::IntegerAttr attribute, mlir::Value first,
               mlir::Value second = {});

// parseBlasOperation and so on, which custom<BlasOperation>($transA) in a definition calls.
#define TFRT_GPU_ENUM_SYNTAX(name)                                                                \
  inline mlir::ParseResult parse##name(mlir::OpAsmParser& parser, mlir::IntegerAttr& attribute) { \
    return parseGpuEnum(parser, GpuEnum::k##name, attribute);                                     \
  }                                                                                               \
  inline void print##name(mlir::OpAsmPrinter& printer, mlir::Operation*,                          \
                          mlir::IntegerAttr attribute) {                                          \
    printGpuEnum(printer, GpuEnum::k##name, attribute);                                           \
  }
TFRT_GPU_ENUMS(TFRT_GPU_ENUM_SYNTAX)
#undef TFRT_GPU_ENUM_SYNTAX

// parseBlasDataTypeOf and so on, of custom<BlasDataTypeOf>($typeAlpha, type($alpha)): the type of
// one scalar, or of two, follows.
#define TFRT_GPU_TYPING_ENUM_SYNTAX(name)                                                          \
  inline mlir::ParseResult parse##name##Of(mlir::OpAsmParser& parser,                              \
                                           mlir::IntegerAttr& attribute, mlir::Type& scalar) {     \
    return parseGpuEnum(parser, GpuEnum::k##name, attribute, scalar);                              \
  }                                                                                                \
  inline mlir::ParseResult parse##name##Of(mlir::OpAsmParser& parser,                              \
                                           mlir::IntegerAttr& attribute, mlir::Type& first,        \
                                           mlir::Type& second) {                                   \
    mlir::ParseResult result = parseGpuEnum(parser, GpuEnum::k##name, attribute, first);           \
    second = first;                                                                                \
    return result;                                                                                 \
  }                                                                                                \
  template <typename... Types>                                                                     \
  void print##name##Of(mlir::OpAsmPrinter& printer, mlir::Operation*, mlir::IntegerAttr attribute, \
                       Types...) {                                                                 \
    printGpuEnum(printer, GpuEnum::k##name, attribute);                                            \
  }
TFRT_GPU_TYPING_ENUM_SYNTAX(BlasDataType)
TFRT_GPU_TYPING_ENUM_SYNTAX(BlasComputeType)
TFRT_GPU_TYPING_ENUM_SYNTAX(DnnDataType)
#undef TFRT_GPU_TYPING_ENUM_SYNTAX

}  // namespace tfrt::compiler::gpu

#endif  // TFRT_DIALECTS_TFRT_GPU_GPU_ENUM_SYNTAX_H_
