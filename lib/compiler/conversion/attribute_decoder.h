// Attributes of a BEF file as MLIR attributes.
#ifndef TFRT_LIB_COMPILER_CONVERSION_ATTRIBUTE_DECODER_H_
#define TFRT_LIB_COMPILER_CONVERSION_ATTRIBUTE_DECODER_H_

#include <cstdint>
#include <map>
#include <utility>

#include "lib/format/bef/attribute_reader.h"
#include "mlir/IR/Attributes.h"
#include "tfrt/support/status.h"

namespace tfrt::compiler {

class AttributeDecoder {
 public:
  AttributeDecoder(bef::AttributeBytes bytes, mlir::MLIRContext* context)
      : bytes_(bytes), context_(context) {}

  // InvalidArgument: the bytes at `offset` are no attribute of kind `code`.
  StatusOr<mlir::Attribute> Decode(uint32_t offset, bef::TypeCode code);

 private:
  StatusOr<mlir::Attribute> DecodeNew(uint32_t offset, bef::TypeCode code);
  StatusOr<mlir::Attribute> DecodeDense(uint32_t offset);
  StatusOr<mlir::Attribute> DecodeShape(uint32_t offset);
  StatusOr<mlir::Attribute> DecodeArray(uint32_t offset, bef::TypeCode code);
  StatusOr<mlir::Attribute> DecodeAggregate(uint32_t offset);
  StatusOr<mlir::Attribute> DecodeSymbolRef(uint32_t offset);
  StatusOr<mlir::Attribute> Scalar(bef::TypeCode code, uint64_t bits);
  StatusOr<mlir::Attribute> TypeNamed(bef::TypeCode code);

  const bef::AttributeBytes bytes_;
  mlir::MLIRContext* const context_;
  // Each attribute is decoded once, however often a file names it.
  std::map<std::pair<uint32_t, bef::TypeCode>, mlir::Attribute> decoded_;
};

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_CONVERSION_ATTRIBUTE_DECODER_H_
