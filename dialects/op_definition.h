// The base of ops for which no C++ is generated: what MLIR asks of an op, answered from data.
#ifndef TFRT_DIALECTS_OP_DEFINITION_H_
#define TFRT_DIALECTS_OP_DEFINITION_H_

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/OperationSupport.h"

namespace tfrt::compiler {

// One op. Its inherent attributes are one dictionary, its only property, so that two ops with the
// same attributes have equal properties, which CSE compares. Owned by the context once registered.
class OpDefinition : public mlir::OperationName::Impl {
 public:
  using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

  // Without effects: the op can be moved, merged and dropped. Other ops have unknown effects,
  // unless a subclass adds an interface.
  OpDefinition(llvm::StringRef name, mlir::Dialect& dialect, mlir::TypeID id, bool is_pure);

 protected:
  // Whether an attribute of this name is the op's own; all others are discardable.
  virtual bool isInherent(llvm::StringRef name) const = 0;
  // Whether those attributes that are the op's own are of its kinds. `error` begins the diagnostic
  // of the first that is not.
  virtual mlir::LogicalResult verifyKinds(const mlir::NamedAttrList& attributes,
                                          EmitError error) const = 0;
  virtual mlir::ParseResult parse(mlir::OpAsmParser& parser, mlir::OperationState& state) const = 0;
  // Prints the text after the name.
  virtual void print(mlir::Operation* op, mlir::OpAsmPrinter& printer) const = 0;

  // The op's own attributes; null if it has none.
  static mlir::DictionaryAttr attributesOf(mlir::Operation* op);
  // Gives an op that is being made its own attributes.
  static void setAttributes(mlir::OperationState& state, mlir::NamedAttrList& attributes);
  // attr-dict, with a check of the kinds.
  mlir::ParseResult parseAttributes(mlir::OpAsmParser& parser, mlir::OperationState& state) const;
  // Whether all of the op's own attributes belong to it, which text and bytecode do not promise,
  // and are of its kinds.
  mlir::LogicalResult verifyAttributes(mlir::Operation* op) const;

  bool hasTrait(mlir::TypeID trait) override;

 private:
  mlir::LogicalResult foldHook(mlir::Operation*, llvm::ArrayRef<mlir::Attribute>,
                               llvm::SmallVectorImpl<mlir::OpFoldResult>&) final {
    return mlir::failure();
  }
  void getCanonicalizationPatterns(mlir::RewritePatternSet&, mlir::MLIRContext*) final {}
  void populateDefaultAttrs(const mlir::OperationName&, mlir::NamedAttrList&) final {}
  mlir::OperationName::ParseAssemblyFn getParseAssemblyFn() final;
  void printAssembly(mlir::Operation* op, mlir::OpAsmPrinter& printer,
                     llvm::StringRef default_dialect) final;
  mlir::LogicalResult verifyRegionInvariants(mlir::Operation*) final { return mlir::success(); }

  std::optional<mlir::Attribute> getInherentAttr(mlir::Operation* op, llvm::StringRef name) final;
  void setInherentAttr(mlir::Operation* op, mlir::StringAttr name, mlir::Attribute value) final;
  void populateInherentAttrs(mlir::Operation* op, mlir::NamedAttrList& list) final;
  mlir::LogicalResult verifyInherentAttrs(mlir::OperationName, mlir::NamedAttrList& attributes,
                                          EmitError error) final {
    return verifyKinds(attributes, error);
  }
  int getOpPropertyByteSize() final { return sizeof(mlir::DictionaryAttr); }
  void initProperties(mlir::OperationName, mlir::OpaqueProperties storage,
                      mlir::OpaqueProperties from) final;
  void deleteProperties(mlir::OpaqueProperties) final {}
  void populateDefaultProperties(mlir::OperationName, mlir::OpaqueProperties) final {}
  mlir::LogicalResult setPropertiesFromAttr(mlir::OperationName, mlir::OpaqueProperties properties,
                                            mlir::Attribute attribute, EmitError error) final;
  mlir::Attribute getPropertiesAsAttr(mlir::Operation* op) final { return attributesOf(op); }
  void copyProperties(mlir::OpaqueProperties to, mlir::OpaqueProperties from) final;
  bool compareProperties(mlir::OpaqueProperties a, mlir::OpaqueProperties b) final;
  llvm::hash_code hashProperties(mlir::OpaqueProperties properties) final;
};

// Whether the op has so many results, and neither regions nor successors.
mlir::LogicalResult verifyResultsAlone(mlir::Operation* op, unsigned num_results);

}  // namespace tfrt::compiler

#endif  // TFRT_DIALECTS_OP_DEFINITION_H_
