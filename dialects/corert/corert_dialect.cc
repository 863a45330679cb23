#include "dialects/corert/corert_dialect.h"

#include "dialects/kernel_ops.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

#include "dialects/corert/corert_ops_dialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/corert/corert_ops_attributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/corert/corert_ops_types.cpp.inc"

namespace tfrt::compiler::corert {
namespace {

// Callees may have ops of this dialect; which calls are inlined at all, the tfrt dialect decides.
struct CorertInliner : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation*, mlir::Region* destination, bool,
                       mlir::IRMapping&) const final {
    return mlir::isa<mlir::func::FuncOp>(destination->getParentOp());
  }
};

// The element types and the shapes of programs.
struct CorertTensors final : TensorDialectInterface {
  using TensorDialectInterface::TensorDialectInterface;

  mlir::Type getElementType(DType dtype) const override {
    mlir::MLIRContext* context = getContext();
    switch (dtype) {
      case DType::kString:
        return StringType::get(context);
      case DType::kResource:
        return ResourceType::get(context);
      case DType::kVariant:
        return VariantType::get(context);
      case DType::kQUI8:
        return QUI8Type::get(context);
      case DType::kQUI16:
        return QUI16Type::get(context);
      case DType::kQI8:
        return QI8Type::get(context);
      case DType::kQI16:
        return QI16Type::get(context);
      case DType::kQI32:
        return QI32Type::get(context);
      default:
        return {};
    }
  }
  mlir::Attribute getShape(KnownShape shape) const override {
    return ShapeAttr::get(getContext(), shape.ranked, shape.dims);
  }
  std::optional<KnownShape> readShape(mlir::Attribute attribute) const override {
    auto shape = mlir::dyn_cast<ShapeAttr>(attribute);
    if (!shape) return std::nullopt;
    return KnownShape{shape.getRanked(), shape.getDims()};
  }
};

// Reads what is between the brackets: '*', or dimensions, whose separator may be missing where they
// stay apart without it. Null if it is no shape.
ShapeAttr parseShape(mlir::MLIRContext* context, llvm::StringRef text) {
  if (text == "*") return ShapeAttr::get(context, /*ranked=*/false, {});
  llvm::SmallVector<int64_t> dims;
  while (!text.empty()) {
    int64_t dim = -1;
    if (!text.consume_front("?") && (text.consumeInteger(10, dim) || dim < 0)) return {};
    dims.push_back(dim);
    text.consume_front("x");
  }
  return ShapeAttr::get(context, /*ranked=*/true, dims);
}

}  // namespace

void CorertDialect::initialize() {
  // Kernels without an op definition are used in generic form; types without one are opaque.
  allowUnknownTypes();
  allowUnknownOperations();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/corert/corert_ops_attributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/corert/corert_ops_types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/corert/corert_ops.cpp.inc"
      >();
#include "dialects/corert/corert_ops_kernels.inc"
  addInterfaces<CorertInliner, CorertTensors>();
}

mlir::Operation* CorertDialect::materializeConstant(mlir::OpBuilder& builder, mlir::Attribute value,
                                                    mlir::Type type, mlir::Location location) {
  auto elements = mlir::dyn_cast<mlir::DenseElementsAttr>(value);
  if (!elements || !mlir::isa<TensorHandleType>(type)) return nullptr;
  return ConstDenseTensorOp::create(builder, location, type, elements);
}

mlir::Type CorertDialect::parseType(mlir::DialectAsmParser& parser) const {
  llvm::StringRef mnemonic;
  mlir::Type type;
  mlir::OptionalParseResult known = generatedTypeParser(parser, &mnemonic, type);
  if (known.has_value()) return type;
  return mlir::OpaqueType::get(mlir::StringAttr::get(getContext(), getNamespace()), mnemonic);
}

void CorertDialect::printType(mlir::Type type, mlir::DialectAsmPrinter& printer) const {
  (void)generatedTypePrinter(type, printer);  // opaque types are printed by the framework
}

mlir::Attribute CorertDialect::parseAttribute(mlir::DialectAsmParser& parser, mlir::Type) const {
  llvm::StringRef text = parser.getFullSymbolSpec();
  llvm::StringRef body = text;
  llvm::SMLoc loc = parser.getNameLoc();
  if (!body.consume_front("shape") || !(body.empty() || body.starts_with("<"))) {
    parser.emitError(loc, "unknown corert attribute: ") << text;
    return {};
  }
  ShapeAttr shape;
  if (body.consume_front("<") && body.consume_back(">")) shape = parseShape(getContext(), body);
  if (!shape) parser.emitError(loc, "unknown corert shape attribute: ") << text;
  return shape;
}

void CorertDialect::printAttribute(mlir::Attribute attribute,
                                   mlir::DialectAsmPrinter& printer) const {
  auto shape = mlir::cast<ShapeAttr>(attribute);
  printer << "shape<";
  if (!shape.getRanked()) printer << '*';
  llvm::interleave(
      shape.getDims(), printer, [&](int64_t dim) { dim < 0 ? printer << '?' : printer << dim; },
      "x");
  printer << '>';
}

}  // namespace tfrt::compiler::corert
