#include "dialects/tfrt_gpu/gpu_enum_syntax.h"

#include "dialects/element_type_interface.h"
#include "llvm/ADT/SmallString.h"
#include "mlir/IR/Builders.h"

namespace tfrt::compiler::gpu {
namespace {

using mlir::failure;
using mlir::IntegerType;
using mlir::ParseResult;
using mlir::success;

mlir::IntegerAttr attributeOf(mlir::MLIRContext* context, GpuEnum which, int64_t value) {
  const bool is_wide = InfoOf(which).encoding == GpuEnumEncoding::kTagged64;
  mlir::Type type = is_wide ? IntegerType::get(context, 64, IntegerType::Unsigned)
                            : IntegerType::get(context, 32, IntegerType::Signed);
  llvm::APInt bits(is_wide ? 64 : 32, static_cast<uint64_t>(value), /*isSigned=*/true);
  return mlir::IntegerAttr::get(type, bits);
}

// An algorithm of ROCm, which is a number; no value if there is no integer.
mlir::OptionalParseResult parseNumber(mlir::OpAsmParser& parser, GpuEnum which,
                                      mlir::IntegerAttr& attribute) {
  constexpr unsigned kNumberBits = 62;  // two are for the platform
  if (InfoOf(which).encoding != GpuEnumEncoding::kTagged64) return std::nullopt;
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::APInt number;
  mlir::OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (!parsed.has_value() || mlir::failed(*parsed)) return parsed;
  if (number.isNegative() || number.getActiveBits() > kNumberBits) {
    llvm::SmallString<32> text;
    number.toStringSigned(text);
    return ParseResult(number.isNegative() ? parser.emitError(loc, "Not an uint64_t: ") << text
                                           : parser.emitError(loc)
                                                 << "algorithm " << text
                                                 << " is above the limit of "
                                                 << ((uint64_t{1} << kNumberBits) - 1));
  }
  attribute = attributeOf(
      parser.getContext(), which,
      EncodeGpuEnum(which, GpuPlatform::kRocm, static_cast<int64_t>(number.getZExtValue())));
  return ParseResult(success());
}

// Right behind a keyword, which is of the source's text.
llvm::SMLoc behind(llvm::StringRef keyword) { return llvm::SMLoc::getFromPointer(keyword.end()); }

// The keyword that was read, or empty where a number was, is for messages.
ParseResult parseValue(mlir::OpAsmParser& parser, GpuEnum which, mlir::IntegerAttr& attribute,
                       llvm::StringRef& keyword) {
  mlir::OptionalParseResult number = parseNumber(parser, which, attribute);
  if (number.has_value()) return *number;
  if (parser.parseKeyword(&keyword)) return failure();
  std::optional<int64_t> value = ParseGpuEnum(which, keyword);
  if (!value) {
    return parser.emitError(behind(keyword), UnknownGpuEnum(which, keyword));
  }
  attribute = attributeOf(parser.getContext(), which, *value);
  return success();
}

}  // namespace

bool isIntegerAttr(mlir::Attribute attribute, llvm::function_ref<bool(mlir::Type)> holds) {
  auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute);
  return integer && holds(integer.getType());
}

int64_t valueOf(mlir::IntegerAttr attribute) {
  // All 64 bits of a wide value are in use; the sign of a narrow one counts.
  return attribute.getValue().getSExtValue();
}

ParseResult parseGpuEnum(mlir::OpAsmParser& parser, GpuEnum which, mlir::IntegerAttr& attribute) {
  llvm::StringRef keyword;
  return parseValue(parser, which, attribute, keyword);
}

void printGpuEnum(mlir::OpAsmPrinter& printer, GpuEnum which, mlir::IntegerAttr attribute) {
  printer << PrintGpuEnum(which, valueOf(attribute));
}

ParseResult parseGpuEnum(mlir::OpAsmParser& parser, GpuEnum which, mlir::IntegerAttr& attribute,
                         mlir::Type& scalar) {
  llvm::StringRef keyword;
  if (parseValue(parser, which, attribute, keyword)) {
    if (keyword.empty()) return failure();  // there was none
    // Programs' tests expect these words, whichever the enumeration.
    return parser.emitError(behind(keyword), "unknown cudaDataType or rocblas_datatype enum");
  }
  scalar = impliedType(which, attribute);
  if (scalar) return success();
  return parser.emitError(behind(keyword), "could not infer type from ") << keyword;
}

mlir::Type impliedType(GpuEnum which, mlir::IntegerAttr attribute) {
  mlir::MLIRContext* context = attribute.getContext();
  const DType dtype = ScalarOf(which, valueOf(attribute));
  return dtype == DType::kI32 ? IntegerType::get(context, 32, IntegerType::Signed)
                              : elementType(dtype, context);
}

bool isImplied(GpuEnum which, mlir::IntegerAttr attribute, mlir::Value first, mlir::Value second) {
  mlir::Type type = impliedType(which, attribute);
  return first.getType() == type && (!second || second.getType() == type);
}

}  // namespace tfrt::compiler::gpu
