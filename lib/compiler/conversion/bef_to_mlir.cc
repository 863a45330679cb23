// Reads a BEF file through bef::BefView, which checks its structure, and builds the module. The
// structure leaves three checks for this file: that each region has one owner, that texts parse,
// and that the module verifies.

#include "bef_to_mlir.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "attribute_conversion.h"
#include "attribute_decoder.h"
#include "lib/format/bef/bef_reader.h"
#include "lib/format/op_table/op_cost.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "model_signature.h"

namespace tfrt::compiler {
namespace {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using mlir::func::FuncOp;

// Limits on what is handed to recursive code of MLIR.
constexpr int kMaxRegionDepth = 128;
constexpr int kMaxTextDepth = 128;
// The value of attributes whose type the file does not tell.
constexpr uint32_t kUnknownAttributeValue = 0xdeadbeef;
// How section 65 begins to say that the number of a weight was a resource.
constexpr llvm::StringLiteral kResourcePrefix = "dense_resource<";

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

// Texts nested so deeply could exhaust the stack of a recursive parser.
bool isNestedTooDeeply(llvm::StringRef text) {
  int depth = 0;
  for (char c : text) {
    if (llvm::StringRef("<([{").contains(c)) {
      if (++depth > kMaxTextDepth) return true;
    } else if (llvm::StringRef(">)]}").contains(c)) {
      --depth;
    }
  }
  return false;
}

class Importer {
 public:
  // `file` are the view's bytes as they lie where they outlive the module.
  Importer(const bef::BefView& view, llvm::StringRef file, mlir::MLIRContext* context)
      : view_(view),
        file_(file),
        context_(context),
        builder_(context),
        unknown_(mlir::UnknownLoc::get(context)),
        attributes_(view.attributes(), context),
        has_optional_sections_(view.has_attribute_types() && view.has_attribute_names() &&
                               view.has_register_types()) {}

  mlir::OwningOpRef<mlir::ModuleOp> Run() {
    if (!has_optional_sections_) {
      mlir::emitWarning(unknown_)
          << "Missing AttributeTypes, AttributeNames or RegisterTypes sections.";
    }
    module_ = mlir::ModuleOp::create(unknown_);
    if (failed(ReadTypes()) || failed(ReadExtras()) || failed(ReadCompiledModules())) return {};
    for (uint32_t id = 0; id < view_.functions().size(); ++id) {
      if (IsRegion(id)) continue;
      if (failed(ImportFunction(id))) return {};
    }
    for (uint32_t id = 0; id < view_.functions().size(); ++id) {
      if (!IsRegion(id) || imported_regions_.contains(id)) continue;
      Error() << "region " << id << " of the BEF file belongs to no kernel";
      return {};
    }
    // Placeholders are not what most ops take and give.
    if (has_optional_sections_ && failed(mlir::verify(*module_))) return {};
    return std::move(module_);
  }

 private:
  mlir::InFlightDiagnostic Error() { return mlir::emitError(unknown_); }

  bool IsRegion(uint32_t id) const {
    const bef::FunctionInfo& info = view_.functions()[id];
    return info.name.empty() && info.kind != bef::FunctionKind::kNative;
  }

  LogicalResult ReadTypes() {
    for (std::string_view name : view_.type_names()) {
      llvm::StringRef text = ref(name);
      if (isNestedTooDeeply(text)) {
        return Error() << "a type of the BEF file is nested deeper than " << kMaxTextDepth;
      }
      mlir::Type type = mlir::parseType(text, context_);
      if (!type) return failure();
      types_.push_back(type);
    }
    return success();
  }

  mlir::FailureOr<mlir::NamedAttribute> ParseAttribute(const bef::TextAttribute& attribute) {
    if (attribute.name.empty()) return Error() << "an extra attribute has no name";
    if (isNestedTooDeeply(attribute.text)) {
      return Error() << "the attribute '" << attribute.name << "' is nested deeper than "
                     << kMaxTextDepth;
    }
    mlir::Attribute value = mlir::parseAttribute(attribute.text, context_);
    if (!value) return failure();
    return builder_.getNamedAttr(attribute.name, value);
  }

  LogicalResult ReadExtras() {
    all_extras_ = view_.ReadExtras();
    for (const bef::TextAttribute& attribute : all_extras_.module_attributes) {
      auto parsed = ParseAttribute(attribute);
      if (failed(parsed)) return failure();
      module_->getOperation()->setAttr(parsed->getName(), parsed->getValue());
    }
    setModelAttributes(view_.ReadSignatures(), *module_);
    for (const bef::FunctionExtras& extras : all_extras_.functions) {
      extras_[extras.function] = &extras;
    }
    for (const bef::NonStrictFunction& marks : view_.nonstrict()) {
      nonstrict_[marks.function].insert(marks.kernels.begin(), marks.kernels.end());
    }
    return success();
  }

  // References into compiled modules carry the module's text; each module is inserted once.
  LogicalResult ReadCompiledModules() {
    std::set<std::string_view> seen;
    builder_.setInsertionPointToStart(module_->getBody());
    for (const bef::BefView::AttributeType& attribute : view_.attribute_types()) {
      if (attribute.code != bef::TypeCode::kSymbolRef) continue;
      auto symbol = bef::ReadSymbolRef(view_.attributes(), attribute.offset);
      if (!symbol.ok()) return Error() << std::string(symbol.status().message());
      if (!seen.insert(symbol->module_text).second) continue;
      if (isNestedTooDeeply(ref(symbol->module_text))) {
        return Error() << "a compiled module is nested deeper than " << kMaxTextDepth;
      }
      mlir::ParserConfig config(context_);
      auto parsed = mlir::parseSourceString<mlir::ModuleOp>(ref(symbol->module_text), config);
      if (!parsed) return failure();
      builder_.insert(parsed.release());
    }
    builder_.setInsertionPointToEnd(module_->getBody());
    return success();
  }

  mlir::FailureOr<llvm::SmallVector<mlir::Type>> Types(std::span<const uint32_t> ids) {
    llvm::SmallVector<mlir::Type> types;
    for (uint32_t id : ids) types.push_back(types_[id]);
    return types;
  }

  LogicalResult ImportFunction(uint32_t id) {
    const bef::FunctionInfo& info = view_.functions()[id];
    llvm::SmallVector<mlir::Type> arguments = *Types(info.argument_types);
    llvm::SmallVector<mlir::Type> results = *Types(info.result_types);
    bool native = info.kind == bef::FunctionKind::kNative;
    mlir::Location location = unknown_;
    StatusOr<bef::DecodedFunction> body = bef::DecodedFunction();
    if (!native) {
      body = view_.DecodeFunction(id);
      if (!body.ok()) return Error() << std::string(body.status().message());
      location = ImportLocation(view_.ReadLocation(body->location()));
    }
    auto function =
        FuncOp::create(location, ref(info.name), builder_.getFunctionType(arguments, results));
    builder_.insert(function);
    if (native) {
      function->setAttr("tfrt.native", builder_.getUnitAttr());
      function.setPrivate();
    }
    if (info.kind == bef::FunctionKind::kSync) {
      function->setAttr("tfrt.sync", builder_.getUnitAttr());
    }
    if (failed(AddFunctionExtras(id, function))) return failure();
    if (native) return success();
    return ImportBody(id, *body, location, function.getBody(), 0);
  }

  LogicalResult AddFunctionExtras(uint32_t id, FuncOp function) {
    auto found = extras_.find(id);
    if (found == extras_.end()) return success();
    if (found->second->visibility == 1) function.setPrivate();
    if (found->second->visibility == 2) function.setNested();
    for (const bef::TextAttribute& attribute : found->second->attributes) {
      auto parsed = ParseAttribute(attribute);
      if (failed(parsed)) return failure();
      function->setAttr(parsed->getName(), parsed->getValue());
    }
    return success();
  }

  LogicalResult ImportBody(uint32_t id, const bef::DecodedFunction& body, mlir::Location location,
                           mlir::Region& region, int depth) {
    mlir::OpBuilder::InsertionGuard guard(builder_);
    mlir::Block* block = builder_.createBlock(&region);
    llvm::SmallVector<mlir::Value> registers(body.num_registers());
    for (uint32_t i = 0; i < body.num_arguments(); ++i) {
      mlir::Type type = types_[view_.functions()[id].argument_types[i]];
      registers[i] = block->addArgument(type, location);
    }
    std::vector<uint32_t> register_types = view_.RegisterTypes(id);
    std::vector<std::string_view> names = view_.AttributeNames(id);
    BodyContext context{id, registers, register_types, names, 0, depth};
    for (uint32_t k = 0; k < body.kernels().size(); ++k) {
      if (failed(ImportKernel(body.kernels()[k], k, context))) return failure();
    }
    mlir::OperationState state(location, "tfrt.return");
    for (uint32_t result : body.returns()) state.operands.push_back(registers[result]);
    builder_.create(state);
    return success();
  }

  struct BodyContext {
    uint32_t function;
    llvm::SmallVector<mlir::Value>& registers;
    const std::vector<uint32_t>& register_types;  // empty without the section
    const std::vector<std::string_view>& names;   // of the attributes of all kernels
    size_t next_name;
    int depth;
  };

  LogicalResult ImportKernel(const bef::DecodedKernel& kernel, uint32_t number,
                             BodyContext& context) {
    llvm::StringRef name = ref(view_.kernel_names()[kernel.kernel_id()]);
    if (name.empty()) return Error() << "a kernel of the BEF file has no name";
    mlir::Location location = ImportLocation(view_.ReadLocation(kernel.location()));
    mlir::OperationState state(location, name);
    for (uint32_t operand : kernel.operands()) state.operands.push_back(context.registers[operand]);
    for (uint32_t result : kernel.results()) {
      state.types.push_back(has_optional_sections_ ? types_[context.register_types[result]]
                                                   : builder_.getNoneType());
    }
    mlir::NamedAttrList attributes;
    if (failed(ImportAttributes(kernel, context, attributes)) ||
        failed(ImportFunctions(kernel, number, context, state, attributes)) ||
        failed(AddKernelExtras(number, context, attributes))) {
      return failure();
    }
    if (auto info = state.name.getRegisteredInfo()) {
      auto emit_error = [&] { return mlir::emitError(location) << "'" << name << "' op "; };
      if (failed(info->verifyInherentAttrs(attributes, emit_error))) return failure();
    }
    state.addAttributes(attributes.getAttrs());
    mlir::Operation* op = builder_.create(state);
    for (size_t i = 0; i < kernel.results().size(); ++i) {
      context.registers[kernel.results()[i]] = op->getResult(i);
    }
    return success();
  }

  LogicalResult ImportAttributes(const bef::DecodedKernel& kernel, BodyContext& context,
                                 mlir::NamedAttrList& attributes) {
    for (size_t i = 0; i < kernel.attributes().size(); ++i) {
      uint32_t offset = kernel.attributes()[i];
      if (!has_optional_sections_) {
        attributes.set("attr" + std::to_string(i),
                       builder_.getI32IntegerAttr(static_cast<int32_t>(kUnknownAttributeValue)));
        continue;
      }
      llvm::StringRef name = ref(context.names[context.next_name++]);
      if (name.empty()) return Error() << "an attribute of the BEF file has no name";
      std::optional<bef::TypeCode> code = view_.FindAttributeType(offset);
      if (!code) return Error() << "the attribute '" << name << "' has no type";
      auto value = attributes_.Decode(offset, *code);
      if (!value.ok()) return Error() << std::string(value.status().message());
      attributes.set(name, *value);
    }
    return success();
  }

  // Named functions become symbol attributes, regions are imported here.
  LogicalResult ImportFunctions(const bef::DecodedKernel& kernel, uint32_t number,
                                const BodyContext& context, mlir::OperationState& state,
                                mlir::NamedAttrList& attributes) {
    llvm::SmallVector<mlir::Attribute> symbols;
    for (uint32_t id : kernel.functions()) {
      if (!IsRegion(id)) {
        symbols.push_back(mlir::FlatSymbolRefAttr::get(context_, ref(view_.functions()[id].name)));
        continue;
      }
      if (!imported_regions_.insert(id).second) {
        return Error() << "region " << id << " of the BEF file belongs to several kernels";
      }
      if (context.depth >= kMaxRegionDepth) {
        return Error() << "regions of the BEF file are nested deeper than " << kMaxRegionDepth;
      }
      auto body = view_.DecodeFunction(id);
      if (!body.ok()) return Error() << std::string(body.status().message());
      mlir::Region* region = state.addRegion();
      if (failed(ImportBody(id, *body, state.location, *region, context.depth + 1))) {
        return failure();
      }
    }
    const bef::KernelExtras* extras = KernelExtrasOf(context.function, number);
    if (!extras || extras->symbols.empty()) {
      if (symbols.size() == 1) attributes.set("callee", symbols[0]);
      // One attribute each would be duplicates of a name, which MLIR cannot read.
      if (symbols.size() > 1) attributes.set("callee", builder_.getArrayAttr(symbols));
      return success();
    }
    llvm::ArrayRef<mlir::Attribute> rest = symbols;
    for (const bef::SymbolGroup& group : extras->symbols) {
      size_t count = group.is_array ? group.count : 1;
      if (count > rest.size() || group.name.empty()) {
        return Error() << "extras name more functions than the kernel has (" << symbols.size()
                       << ")";
      }
      attributes.set(group.name,
                     group.is_array ? builder_.getArrayAttr(rest.take_front(count)) : rest[0]);
      rest = rest.drop_front(count);
    }
    if (rest.empty()) return success();
    return Error() << "extras do not name " << rest.size() << " of the " << symbols.size()
                   << " functions of a kernel";
  }

  const bef::KernelExtras* KernelExtrasOf(uint32_t function, uint32_t kernel) const {
    auto found = extras_.find(function);
    if (found == extras_.end()) return nullptr;
    const std::vector<bef::KernelExtras>& kernels = found->second->kernels;
    auto it = std::lower_bound(kernels.begin(), kernels.end(), kernel,
                               [](const auto& k, uint32_t n) { return k.kernel < n; });
    return it == kernels.end() || it->kernel != kernel ? nullptr : &*it;
  }

  LogicalResult AddKernelExtras(uint32_t number, const BodyContext& context,
                                mlir::NamedAttrList& attributes) {
    auto marks = nonstrict_.find(context.function);
    if (marks != nonstrict_.end() && marks->second.contains(number)) {
      attributes.set("bef.nonstrict", builder_.getUnitAttr());
    }
    const bef::KernelExtras* extras = KernelExtrasOf(context.function, number);
    if (!extras) return success();
    if (extras->cost) {
      attributes.set(ref(kCostAttribute), builder_.getI64IntegerAttr(*extras->cost));
    }
    for (const bef::TextAttribute& attribute : extras->attributes) {
      if (llvm::StringRef(attribute.text).starts_with(kResourcePrefix)) {
        mlir::Attribute number = attributes.get(attribute.name);
        mlir::Attribute weight =
            WeightAttribute(mlir::dyn_cast_if_present<mlir::IntegerAttr>(number));
        if (!weight) return Error() << "the attribute '" << attribute.name << "' names no weight";
        attributes.set(attribute.name, weight);
        continue;
      }
      auto parsed = ParseAttribute(attribute);
      if (failed(parsed)) return failure();
      attributes.set(parsed->getName(), parsed->getValue());
    }
    return success();
  }

  // The weight that an attribute is the number of; null if there is none.
  mlir::Attribute WeightAttribute(mlir::IntegerAttr number) {
    const size_t count = view_.weights().size();
    if (!number || !number.getType().isInteger(64) || number.getValue().uge(count)) return {};
    const auto index = static_cast<size_t>(number.getInt());
    if (weights_.empty()) weights_.resize(count);
    mlir::Attribute& attribute = weights_[index];
    if (attribute) return attribute;
    const bef::Weight& weight = view_.weights()[index];
    mlir::Type element = fromTypeCode(static_cast<bef::TypeCode>(weight.dtype), context_);
    if (!element || !mlir::RankedTensorType::isValidElementType(element)) return {};
    auto type = mlir::RankedTensorType::get({weight.dims.data(), weight.dims.size()}, element);
    const auto position = static_cast<size_t>(weight.bytes.data() - view_.file().data());
    mlir::AsmResourceBlob blob({file_.data() + position, weight.bytes.size()},
                               std::min<size_t>(DTypeSize(weight.dtype), sizeof(uint64_t)),
                               /*deleter=*/{},
                               /*dataIsMutable=*/false);
    llvm::StringRef name = weight.name.empty() ? "weight" : ref(weight.name);
    return attribute = mlir::DenseResourceElementsAttr::get(type, name, std::move(blob));
  }

  mlir::Location ImportLocation(const bef::BefView::LocationNode& node) {
    llvm::SmallVector<mlir::Location> children;
    for (const auto& child : node.children) children.push_back(ImportLocation(child));
    switch (node.kind) {
      case bef::LocationKind::kFileLineColumn:
        return mlir::FileLineColLoc::get(context_, ref(node.text), node.line, node.column);
      case bef::LocationKind::kName: {
        auto name = builder_.getStringAttr(ref(node.text));
        return children.empty() ? mlir::NameLoc::get(name) : mlir::NameLoc::get(name, children[0]);
      }
      case bef::LocationKind::kCallSite:
        if (children.size() == 2) return mlir::CallSiteLoc::get(children[0], children[1]);
        break;
      case bef::LocationKind::kFused:
        return mlir::FusedLoc::get(context_, children);
      default:
        break;
    }
    // An opaque location is one that version 0 does not write, as this one was not.
    if (node.unsupported) {
      return mlir::OpaqueLoc::get(0, mlir::TypeID::get<Importer>(), unknown_);
    }
    return unknown_;
  }

  const bef::BefView& view_;
  const llvm::StringRef file_;
  std::vector<mlir::Attribute> weights_;  // those that are made so far
  mlir::MLIRContext* const context_;
  mlir::OpBuilder builder_;
  const mlir::Location unknown_;
  AttributeDecoder attributes_;
  const bool has_optional_sections_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::vector<mlir::Type> types_;
  bef::Extras all_extras_;
  std::map<uint32_t, const bef::FunctionExtras*> extras_;  // by function
  std::map<uint32_t, std::set<uint32_t>> nonstrict_;
  std::set<uint32_t> imported_regions_;
};

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> convertBefToMlir(llvm::StringRef bytes,
                                                   mlir::MLIRContext* context) {
  context->loadDialect<mlir::func::FuncDialect>();
  // Ops of dialects that nobody loaded would be taken for unregistered ones.
  context->loadAllAvailableDialects();
  auto unknown = mlir::UnknownLoc::get(context);
  if (bytes.empty()) {
    mlir::emitError(unknown) << "BEF file is empty.";
    return {};
  }
  if (bytes.size() < 3 || static_cast<uint8_t>(bytes[0]) != bef::kMagic0 ||
      static_cast<uint8_t>(bytes[1]) != bef::kMagic1 ||
      static_cast<uint8_t>(bytes[2]) != bef::kVersion0) {
    mlir::emitError(unknown) << "Invalid BEF file header detected";
    mlir::emitError(unknown) << "Invalid BEF file header.";
    return {};
  }
  // A view wants its bytes aligned.
  std::vector<uint64_t> memory;
  auto* start = reinterpret_cast<const uint8_t*>(bytes.data());
  if (reinterpret_cast<uintptr_t>(start) % bef::kFileAlignment != 0) {
    memory.resize((bytes.size() + 7) / 8);
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    start = reinterpret_cast<const uint8_t*>(memory.data());
  }
  std::string detail;
  auto view = bef::BefView::Open({start, bytes.size()}, &detail);
  if (!view.ok()) {
    mlir::InFlightDiagnostic error = mlir::emitError(unknown);
    error << std::string(view.status().message());
    if (!detail.empty()) error << ": " << detail;
    return {};
  }
  return Importer(*view, bytes, context).Run();
}

}  // namespace tfrt::compiler
