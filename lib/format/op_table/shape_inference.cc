#include "shape_inference.h"

#include "shape_rules.h"

namespace tfrt {

bool Unite(Dim* a, Dim b) {
  auto both = Unify(*a, b);
  if (both) *a = *both;
  return both.has_value();
}

bool Unite(SymbolicShape* a, const SymbolicShape& b) {
  if (!b.has_rank()) return true;
  if (!a->has_rank()) {
    *a = b;
    return true;
  }
  if (a->rank() != b.rank()) return false;
  std::vector<Dim> dims(a->dims().begin(), a->dims().end());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!Unite(&dims[i], b.dim(i))) return false;
  }
  *a = SymbolicShape(std::move(dims));
  return true;
}

bool Unite(SymbolicShape* a, size_t index, Dim* b) {
  std::vector<Dim> dims(a->dims().begin(), a->dims().end());
  if (!Unite(&dims[index], *b)) return false;
  *b = dims[index];
  *a = SymbolicShape(std::move(dims));
  return true;
}

Status CheckIsInteger(std::string_view op, std::string_view argument, DType dtype) {
  if (dtype == DType::kI32 || dtype == DType::kI64 || dtype == DType::kUnsupported) {
    return OkStatus();
  }
  return InvalidArgumentError(
      StrCat(op, ": ", argument, " is a tensor of ", DTypeName(dtype), ", expected i32 or i64"));
}

Status SymbolicCall::Lacks(RuleAttr name, std::string_view) const {
  return call_.AttrError(name.canonical);
}

bool SymbolicCall::MayHaveOneElement(const ValueType& value) {
  return !NumElementsOf(value).Contradicts(1);
}

bool SymbolicCall::MayBeEmptyVector(const SymbolicShape& shape) {
  return !shape.has_rank() || (shape.rank() == 1 && !shape.dim(0).Contradicts(0));
}

Status internal::NameOp(const OpShapeCall& call, const Status& error) {
  if (error.message().starts_with(call.op_name())) return error;
  return ShapeError(call, error.message());
}

}  // namespace tfrt
