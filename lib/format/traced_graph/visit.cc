#include "visit.h"

#include <cstring>
#include <utility>

#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {

void Uses::Add(const Uses& other) {
  for (size_t i = 0; i < read.size(); ++i) {
    read[i] = read[i] || other.read[i];
    assigned[i] = assigned[i] || other.assigned[i];
  }
  for (size_t i = 0; i < callbacks.size(); ++i) callbacks[i] = callbacks[i] || other.callbacks[i];
  has_effects |= other.has_effects;
  if (first_callback_location == kNoLocation) {
    first_callback_location = other.first_callback_location;
  }
}

UseFinder::UseFinder(const TracedGraph& graph)
    : graph_(graph), functions_(graph.functions.size(), Uses(graph)) {
  // Those that are called come later.
  for (size_t i = graph.functions.size(); i-- > 0;) {
    AddBody(graph.functions[i].body, &functions_[i]);
  }
}

Uses UseFinder::OfBody(const TracedBody& body) const {
  Uses uses(graph_);
  AddBody(body, &uses);
  return uses;
}

Uses UseFinder::OfOp(const TracedOp& op) const {
  Uses uses(graph_);
  AddOp(op, &uses);
  return uses;
}

void UseFinder::AddBody(const TracedBody& body, Uses* uses) const {
  for (const TracedOp& op : body.ops) AddOp(op, uses);
}

void UseFinder::AddOp(const TracedOp& op, Uses* uses) const {
  switch (op.kind) {
    case TracedOpKind::kTable: {
      const OpSpelling* spelling = FindOpSpelling(op.op);
      const OpDescription* row = spelling ? FindOpDescription(spelling->op) : nullptr;
      uses->has_effects |= row && row->has_side_effects();
      break;
    }
    case TracedOpKind::kRead:
      uses->read[op.index] = true;
      break;
    case TracedOpKind::kAssign:
      uses->assigned[op.index] = true;
      break;
    case TracedOpKind::kHostCall:
      uses->callbacks[op.index] = true;
      uses->has_effects = true;
      if (uses->first_callback_location == kNoLocation) {
        uses->first_callback_location = op.location;
      }
      break;
    case TracedOpKind::kCall:
      uses->Add(functions_[op.index]);
      break;
    default:
      break;
  }
  for (const TracedBody& body : op.bodies) AddBody(body, uses);
}

std::string PlaceOf(const TracedGraph& graph, uint32_t location) {
  if (location >= graph.locations.size()) return "";
  return StrCat(graph.locations[location].ToString(), ": ");
}

ValueType ToValueType(const TracedType& type) {
  ValueType value{type.dtype};
  if (!type.dims) return value;
  std::vector<Dim> dims;
  for (int64_t size : *type.dims) dims.push_back(size < 0 ? Dim() : Dim(size));
  value.shape = SymbolicShape(std::move(dims));
  return value;
}

TracedType TracedTypeOf(const ValueType& type) {
  TracedType traced{type.dtype};
  if (!type.shape.has_rank()) return traced;
  traced.dims.emplace();
  for (Dim dim : type.shape.dims()) traced.dims->push_back(dim.is_known() ? dim.value() : -1);
  return traced;
}

ValueType TypeOfConstant(const TracedConstant& constant) {
  ValueType type = ToValueType(constant.type);
  const size_t size = DTypeSize(type.dtype);
  const bool is_integer =
      type.dtype == DType::kI32 || type.dtype == DType::kI64 || type.dtype == DType::kI1;
  if (!is_integer || constant.data.size() > size * ValueType::kMaxElements) return type;
  type.elements.emplace();
  for (size_t at = 0; at + size <= constant.data.size(); at += size) {
    int64_t element = constant.data[at] != 0;
    if (size == 4) {
      int32_t small = 0;
      std::memcpy(&small, &constant.data[at], size);
      element = small;
    } else if (size == 8) {
      std::memcpy(&element, &constant.data[at], size);
    }
    type.elements->push_back(element);
  }
  return type;
}

std::optional<OpAttrValue> TracedAttrReader::Get(std::string_view name) const {
  for (const TracedAttr& attr : attrs_) {
    if (attr.name == name) return attr.value;
  }
  return std::nullopt;
}

}  // namespace tfrt::function
