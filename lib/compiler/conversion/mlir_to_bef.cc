// Walks a module and describes it to bef::BefBuilder, which writes the bytes.

#include "tfrt/compiler/mlir_to_bef.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "attribute_conversion.h"
#include "block_streams.h"
#include "lib/format/op_table/op_cost.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/SymbolTable.h"
#include "model_signature.h"
#include "tfrt/bef/bef_builder.h"

namespace tfrt::compiler {
namespace {

using bef::FunctionSpec;
using bef::KernelSpec;
using mlir::func::FuncOp;

constexpr llvm::StringRef kNonStrict = "bef.nonstrict";

template <typename T>
std::string printed(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

bool isReturn(mlir::Operation& op) { return op.getName().getStringRef() == "tfrt.return"; }

bool isCompiled(mlir::Operation* op) { return op && op->hasAttr("tfrt.compiled"); }

// The outermost module is never taken for a compiled one.
bool isInCompiledModule(mlir::Operation* op) {
  for (; op && op->getParentOp(); op = op->getParentOp()) {
    if (mlir::isa<mlir::ModuleOp>(op) && isCompiled(op)) return true;
  }
  return false;
}

// Whether version 0 restores another attribute: it drops the sign of a type, and what is dense is
// taken for a tensor.
bool isForgotten(const bef::AttributeValue& value) {
  llvm::StringRef type = value.type;
  switch (value.kind) {
    case bef::AttributeKind::kScalar:
    case bef::AttributeKind::kType:
      return type.starts_with("si");
    case bef::AttributeKind::kDense:
      return type.contains("xsi") || type.contains("<si") || !type.starts_with("tensor<") ||
             type.contains(", ");
    case bef::AttributeKind::kArray:
      return llvm::any_of(value.elements, isForgotten);
    default:
      return false;
  }
}

bef::LocationValue toBefLocation(mlir::Location location) {
  if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(location)) {
    return bef::FileLocation(file.getFilename().str(), file.getLine(), file.getColumn());
  }
  if (auto name = mlir::dyn_cast<mlir::NameLoc>(location)) {
    return bef::NameLocation(name.getName().str(), toBefLocation(name.getChildLoc()));
  }
  if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    return bef::CallSiteLocation(toBefLocation(call.getCallee()), toBefLocation(call.getCaller()));
  }
  if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(location)) {
    std::vector<bef::LocationValue> parts;
    for (mlir::Location part : fused.getLocations()) parts.push_back(toBefLocation(part));
    return bef::FusedLocation(std::move(parts));
  }
  return mlir::isa<mlir::UnknownLoc>(location) ? bef::UnknownLocation()
                                               : bef::UnsupportedLocation();
}

class Converter {
 public:
  Converter(mlir::ModuleOp module, const MlirToBefOptions& options)
      : module_(module), options_(options) {}

  // Hands the program to `write`, which takes the builder and gives a Status.
  template <typename Write>
  llvm::LogicalResult Run(const Write& write) {
    std::vector<bef::TextAttribute> attributes = ModuleAttributes();
    if (KeepsExtras()) builder_.set_module_attributes(std::move(attributes));
    for (mlir::Operation& op : *module_.getBody()) {
      if (auto function = mlir::dyn_cast<FuncOp>(op)) {
        builder_.AddFunction(ConvertFunction(function));
        if (options_.consume_module) {
          function.getBody().dropAllReferences();
          function.getBody().getBlocks().clear();
        }
      } else if (!mlir::isa<mlir::ModuleOp>(op) || !isCompiled(&op)) {
        Error(&op) << "BEF files cannot encode '" << op.getName() << "' outside of functions";
      }
    }
    if (!failed_) WarnOfLostModules();
    if (failed_) return mlir::failure();
    Status status =
        write(builder_, bef::BuildOptions{options_.optional_sections, options_.v0_exact});
    if (status.ok()) return mlir::success();
    return module_.emitError() << std::string(status.message());
  }

 private:
  mlir::InFlightDiagnostic Error(mlir::Operation* op) {
    failed_ = true;
    return op->emitError();
  }

  // Section 65 serves BEF -> MLIR, as the optional sections do.
  bool KeepsExtras() const { return options_.optional_sections && !options_.v0_exact; }

  // Warns about facts that only sections 64 and 65 can keep: a version 0 file loses them.
  void Lost(mlir::Operation* op, const llvm::Twine& what) {
    if (options_.v0_exact) op->emitWarning() << "BEF version 0 cannot keep " << what;
  }

  // A compiled module is stored only with a reference into it.
  void WarnOfLostModules() {
    for (mlir::ModuleOp compiled : module_.getOps<mlir::ModuleOp>()) {
      if (stored_modules_.contains(compiled)) continue;
      compiled.emitWarning()
          << "nothing refers to this compiled module: the BEF file leaves it out";
    }
  }

  std::vector<bef::TextAttribute> ModuleAttributes() {
    std::vector<bef::TextAttribute> attributes;
    for (mlir::NamedAttribute attribute : module_->getAttrDictionary()) {
      if (addModelAttribute(attribute, &builder_)) continue;  // section 66
      Lost(module_, "the module attribute '" + attribute.getName().getValue() + "'");
      attributes.push_back({attribute.getName().str(), printed(attribute.getValue())});
    }
    return attributes;
  }

  FunctionSpec ConvertFunction(FuncOp function) {
    FunctionSpec spec;
    spec.name = function.getName().str();
    spec.location = toBefLocation(function.getLoc());
    bool is_native = function->hasAttr("tfrt.native");
    AddFunctionExtras(function, is_native, &spec);
    if (mlir::failed(readSignature(function, &spec.signature))) failed_ = true;
    if (function.isExternal()) {
      for (mlir::Type type : function.getArgumentTypes()) {
        spec.argument_types.push_back(printed(type));
      }
      for (mlir::Type type : function.getResultTypes()) {
        spec.result_types.push_back(printed(type));
      }
      spec.kind = bef::FunctionKind::kNative;
      if (!is_native) Error(function) << "external functions are not allowed";
      return spec;
    }
    if (function->hasAttr("tfrt.sync")) spec.kind = bef::FunctionKind::kSync;
    ConvertRegion(function, function.getBody(), &spec);
    return spec;
  }

  void AddFunctionExtras(FuncOp function, bool is_native, FunctionSpec* spec) {
    bef::FunctionExtras extras;
    // Natives are private by nature and come back so; other functions are public unless it is said.
    if (!is_native && function.getVisibility() != mlir::SymbolTable::Visibility::Public) {
      extras.visibility =
          function.getVisibility() == mlir::SymbolTable::Visibility::Private ? 1 : 2;
      Lost(function, "the visibility of '" + function.getName() + "'");
    }
    for (mlir::NamedAttribute attribute : function->getAttrDictionary()) {
      llvm::StringRef name = attribute.getName();
      if (name == "tfrt.native" || name == "tfrt.sync" || name == "sym_name" ||
          name == "function_type" || name == "sym_visibility") {
        continue;
      }
      Lost(function, "the function attribute '" + name + "'");
      extras.attributes.push_back({name.str(), printed(attribute.getValue())});
    }
    if (!KeepsExtras()) return;
    if (extras.visibility != 0 || !extras.attributes.empty()) spec->extras = std::move(extras);
  }

  void ConvertRegion(mlir::Operation* owner, mlir::Region& region, FunctionSpec* spec) {
    spec->location = toBefLocation(owner->getLoc());
    if (!llvm::hasSingleElement(region)) {
      Error(owner) << "multi-block regions cannot be emitted to BEF files";
      return;
    }
    mlir::Block& block = region.front();
    if (block.empty() || !isReturn(block.back())) {
      Error(block.empty() ? owner : &block.back()) << "all functions need to have a tfrt.return";
      return;
    }
    StreamAssignment streams = analyzeBlock(block);
    if (options_.log_streams) logStreams(block, streams);
    spec->root_stream = streams.root_stream();

    llvm::DenseMap<mlir::Value, uint32_t> registers;
    auto define = [&](mlir::Value value) {
      uint32_t next = static_cast<uint32_t>(registers.size());
      registers[value] = next;
    };
    for (mlir::BlockArgument argument : block.getArguments()) {
      spec->argument_types.push_back(printed(argument.getType()));
      define(argument);
    }
    size_t node = 0;
    for (mlir::Operation& op : block) {
      uint32_t stream = streams.node_streams[++node];
      if (isReturn(op)) {
        if (&op != &block.back()) Error(&op) << "return op must be at the end of its block";
        ConvertReturn(op, registers, spec);
        continue;
      }
      KernelSpec kernel = ConvertKernel(op, registers);
      kernel.stream = stream;
      for (mlir::Value result : op.getResults()) define(result);
      spec->kernels.push_back(std::move(kernel));
    }
  }

  bool Operands(mlir::Operation& op, const llvm::DenseMap<mlir::Value, uint32_t>& registers,
                std::vector<uint32_t>* operands) {
    for (mlir::Value operand : op.getOperands()) {
      auto found = registers.find(operand);
      if (found == registers.end()) {
        Error(&op) << "BEF executor only supports references to kernels within the current region";
        return false;
      }
      operands->push_back(found->second);
    }
    return true;
  }

  void ConvertReturn(mlir::Operation& op, const llvm::DenseMap<mlir::Value, uint32_t>& registers,
                     FunctionSpec* spec) {
    if (!Operands(op, registers, &spec->returns)) return;
    for (mlir::Type type : op.getOperandTypes()) spec->result_types.push_back(printed(type));
    if (spec->kind != bef::FunctionKind::kSync) return;
    llvm::SmallVector<mlir::Value> seen;
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      if (mlir::isa<mlir::BlockArgument>(operand)) {
        Error(&op) << "return value " << i << " is an argument in a sync function";
      } else if (llvm::is_contained(seen, operand)) {
        Error(&op) << "return value " << i << " is duplicated in a sync function";
      }
      seen.push_back(operand);
    }
  }

  KernelSpec ConvertKernel(mlir::Operation& op,
                           const llvm::DenseMap<mlir::Value, uint32_t>& registers) {
    KernelSpec kernel;
    kernel.name = op.getName().getStringRef().str();
    kernel.location = toBefLocation(op.getLoc());
    Operands(op, registers, &kernel.operands);
    for (mlir::Type type : op.getResultTypes()) kernel.result_types.push_back(printed(type));
    // Regions first: references into compiled modules are numbered in post-order.
    for (mlir::Region& region : op.getRegions()) {
      FunctionSpec& body = kernel.regions.emplace_back();
      ConvertRegion(&op, region, &body);
    }
    ConvertAttributes(op, &kernel);
    return kernel;
  }

  void ConvertAttributes(mlir::Operation& op, KernelSpec* kernel) {
    bef::KernelExtras extras;
    bool only_callee = true;
    llvm::SmallVector<mlir::NamedAttribute> attributes(op.getAttrs());
    llvm::sort(attributes, [](const mlir::NamedAttribute& a, const mlir::NamedAttribute& b) {
      return a.getName().getValue() < b.getName().getValue();
    });
    for (mlir::NamedAttribute attribute : attributes) {
      llvm::StringRef name = attribute.getName();
      if (name == llvm::StringRef(kCostAttribute)) {
        Lost(&op, "the attribute '_tfrt_cost'");
        auto cost = mlir::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
        if (cost && cost.getType().isSignlessInteger(64)) {
          extras.cost = cost.getInt();
        } else {
          extras.attributes.push_back({name.str(), printed(attribute.getValue())});
        }
        continue;
      }
      if (name == kNonStrict) {
        kernel->nonstrict = true;
        Lost(&op, "'bef.nonstrict'");
        continue;
      }
      if (auto symbol = mlir::dyn_cast<mlir::SymbolRefAttr>(attribute.getValue())) {
        if (AddCompiledReference(op, name, symbol, kernel)) continue;
        AddCallee(op, symbol, kernel);
        extras.symbols.push_back({name.str(), false, 1});
        only_callee &= name == "callee";
        continue;
      }
      auto array = mlir::dyn_cast<mlir::ArrayAttr>(attribute.getValue());
      if (array && !array.empty() && mlir::isa<mlir::SymbolRefAttr>(array[0])) {
        if (!AddSymbolArray(op, name, array, kernel)) continue;
        extras.symbols.push_back({name.str(), true, static_cast<uint32_t>(array.size())});
        only_callee = false;
        continue;
      }
      auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(attribute.getValue());
      auto value = resource ? AddWeight(op, resource) : toBefAttribute(attribute.getValue());
      if (!value) {
        if (!resource) CannotEncode(op, name);
        break;
      }
      if (resource || isForgotten(*value) ||
          mlir::isa<mlir::DenseArrayAttr>(attribute.getValue())) {
        Lost(&op, "the type of the attribute '" + name + "'");
        extras.attributes.push_back({name.str(), printed(attribute.getValue())});
      }
      kernel->attributes.push_back({name.str(), *std::move(value)});
    }
    if (only_callee && extras.symbols.size() <= 1) extras.symbols.clear();
    if (!extras.symbols.empty()) Lost(&op, "the names of function references");
    if (!KeepsExtras()) return;
    if (extras.cost || !extras.symbols.empty() || !extras.attributes.empty()) {
      kernel->extras = std::move(extras);
    }
  }

  // A resource is stored once, however many attributes name it; the attribute is its number.
  std::optional<bef::AttributeValue> AddWeight(mlir::Operation& op,
                                               mlir::DenseResourceElementsAttr resource) {
    auto [found, is_new] = weights_.try_emplace(resource, 0);
    if (!is_new) return bef::I64Attribute(found->second);
    mlir::ShapedType type = resource.getType();
    mlir::AsmResourceBlob* blob = resource.getRawHandle().getBlob();
    llvm::StringRef name = resource.getRawHandle().getKey();
    if (!blob) {
      Error(&op) << "the resource '" << name << "' has no elements";
      return std::nullopt;
    }
    const auto dtype = static_cast<DType>(toTypeCode(type.getElementType()));
    const size_t expected = static_cast<size_t>(type.getNumElements()) * DTypeSize(dtype);
    llvm::ArrayRef<char> data = blob->getData();
    if (DTypeSize(dtype) == 0 || data.size() != expected) {
      Error(&op) << "the resource '" << name << "' has " << data.size() << " bytes, but " << type
                 << " needs " << expected;
      return std::nullopt;
    }
    found->second =
        builder_.AddWeight({name.str(),
                            dtype,
                            {type.getShape().begin(), type.getShape().end()},
                            {reinterpret_cast<const uint8_t*>(data.data()), data.size()}});
    return bef::I64Attribute(found->second);
  }

  // Only the first such attribute of a module is reported.
  void CannotEncode(mlir::Operation& op, llvm::StringRef name) {
    failed_ = true;
    if (std::exchange(reported_attribute_, true)) return;
    Error(&op) << "BEF files cannot encode the '" << name << "' attribute";
  }

  void AddCallee(mlir::Operation& op, mlir::SymbolRefAttr symbol, KernelSpec* kernel) {
    auto function = mlir::SymbolTable::lookupNearestSymbolFrom<FuncOp>(op.getParentOp(), symbol);
    if (!function) {
      Error(&op) << "function @" << symbol.getLeafReference().getValue() << " not defined";
      return;
    }
    kernel->callees.push_back(function.getName().str());
  }

  bool AddSymbolArray(mlir::Operation& op, llvm::StringRef name, mlir::ArrayAttr array,
                      KernelSpec* kernel) {
    for (mlir::Attribute element : array) {
      auto symbol = mlir::dyn_cast<mlir::SymbolRefAttr>(element);
      if (!symbol) {
        CannotEncode(op, name);
        return false;
      }
      AddCallee(op, symbol, kernel);
    }
    kernel->symbol_array_names.push_back(name.str());
    return true;
  }

  // A reference into a module marked tfrt.compiled is stored with that module's text.
  bool AddCompiledReference(mlir::Operation& op, llvm::StringRef name, mlir::SymbolRefAttr symbol,
                            KernelSpec* kernel) {
    mlir::Operation* target = mlir::SymbolTable::lookupNearestSymbolFrom(op.getParentOp(), symbol);
    if (!target || !isInCompiledModule(target)) return false;
    mlir::Operation* compiled = target;
    while (!isCompiled(compiled)) compiled = compiled->getParentOp();
    mlir::Operation* outermost = compiled;
    while (outermost->getParentOp() != module_) outermost = outermost->getParentOp();
    stored_modules_.insert(outermost);
    std::string text;
    llvm::raw_string_ostream stream(text);
    compiled->print(stream, mlir::OpPrintingFlags().printGenericOpForm().enableDebugInfo(false));
    std::vector<std::string> nested;
    for (mlir::FlatSymbolRefAttr part : symbol.getNestedReferences()) {
      nested.push_back(part.getValue().str());
    }
    auto number = compiled_references_.try_emplace(symbol, compiled_references_.size());
    kernel->attributes.push_back(
        {name.str(), bef::SymbolRefAttribute(number.first->second, symbol.getRootReference().str(),
                                             std::move(nested), stream.str())});
    return true;
  }

  mlir::ModuleOp module_;
  const MlirToBefOptions options_;
  bef::BefBuilder builder_;
  llvm::DenseMap<mlir::Attribute, uint32_t> weights_;
  bool failed_ = false;
  bool reported_attribute_ = false;
  llvm::DenseSet<mlir::Operation*> stored_modules_;
  llvm::DenseMap<mlir::Attribute, uint64_t> compiled_references_;
};

}  // namespace

mlir::FailureOr<std::vector<uint8_t>> convertMlirToBef(mlir::ModuleOp module,
                                                       const MlirToBefOptions& options) {
  std::vector<uint8_t> bytes;
  auto build = [&](const bef::BefBuilder& builder, const bef::BuildOptions& build_options) {
    TFRT_ASSIGN_OR_RETURN(bytes, builder.Build(build_options));
    return OkStatus();
  };
  if (mlir::failed(Converter(module, options).Run(build))) return mlir::failure();
  return bytes;
}

llvm::LogicalResult writeBefFile(mlir::ModuleOp module, llvm::StringRef path,
                                 const MlirToBefOptions& options) {
  auto write = [&](const bef::BefBuilder& builder, const bef::BuildOptions& build_options) {
    return WriteFile(path.str(), [&](const ByteSink& sink) {
      auto write_pieces = [&](const void* data, size_t size_bytes) {
        constexpr size_t kPiece = size_t{16} << 20;
        std::span<const uint8_t> left(static_cast<const uint8_t*>(data), size_bytes);
        while (!left.empty()) {
          const auto piece = left.first(std::min(left.size(), kPiece));
          if (!sink(piece.data(), piece.size())) return false;
          if (options.written) options.written(piece);
          left = left.subspan(piece.size());
        }
        return true;
      };
      return builder.Write(write_pieces, build_options);
    });
  };
  return Converter(module, options).Run(write);
}

}  // namespace tfrt::compiler
