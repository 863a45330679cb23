#include "spelled_call.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "direct_call.h"
#include "op_attr_values.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// The integers of the attribute that stands for an argument, as a tensor.
StatusOr<DenseHostTensor> FoldedArgument(const OpCall& call, std::string_view name) {
  auto integers = IntegersOf(call.attrs(), name);
  if (!integers) {
    return InvalidArgumentError(StrCat(call.op_name(), " needs the attribute '", name, "'"));
  }
  const int64_t dims[] = {static_cast<int64_t>(integers->size())};
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                        DenseHostTensor::CreateUninitialized({DType::kI64, std::move(shape)},
                                                             call.exec_ctx().host()->allocator()));
  std::ranges::copy(*integers, static_cast<int64_t*>(const_cast<void*>(tensor.data())));
  return tensor;
}

size_t PlaceOf(std::string_view argument, const OpDescription& op) {
  auto at = std::ranges::find(op.arguments, argument, &OpArgumentSpec::name);
  return static_cast<size_t>(at - op.arguments.begin());
}

// Sets `attrs` to those of the row: the call's attributes by their names, and the defaults of the
// others. Attributes unknown to the row are left out: programs of TensorFlow have more than ops
// need.
Status ReadAttrs(const OpDefinition& op, const OpDefinition& row, const OpAttrsRef& given,
                 std::span<OpAttr> attrs) {
  const OpAttrsRef defaults = row.defaults();
  for (size_t i = 0; i < attrs.size(); ++i) {
    const OpAttrSpec& spec = row.attrs[i];
    const std::string_view name = op.spelling ? op.spelling->Spelled(spec.name) : spec.name;
    const OpAttr* attr = given.Find(name);
    if (attr && !IsOpAttrOfKind(given, *attr, spec.kind)) {
      return InvalidArgumentError(
          StrCat(op.name, ": the attribute '", name, "' is not ", OpAttrKindName(spec.kind)));
    }
    if (!attr) attr = defaults.Find(spec.name);
    if (!attr) {
      return InvalidArgumentError(StrCat(op.name, " needs the attribute '", name, "'"));
    }
    attrs[i] = *attr;
    attrs[i].name = spec.name;
  }
  return OkStatus();
}

// The bits from `at` on move up by one.
uint64_t WithGapAt(uint64_t bits, size_t at) {
  const uint64_t below = (uint64_t{1} << at) - 1;
  return (bits & below) | (bits & ~below) << 1;
}

}  // namespace

void CallSpelled(OpCall& call) noexcept {
  OpCall::Parts parts = call.parts();
  const auto& spelled = static_cast<const OpDefinition&>(*parts.op);
  const auto& row = *static_cast<const OpDefinition*>(call.op_state());
  const OpSpelling* spelling = spelled.spelling;

  SmallArray<OpAttr, 12> attrs(row.attrs.size());
  Status status = ReadAttrs(spelled, row, call.attrs(), attrs.span());
  if (!status.ok()) return call.ReportError(std::move(status));
  const OpAttrsRef canonical(std::span<const OpAttr>(attrs.span()));
  parts.attrs = &canonical;

  SmallArray<AsyncValue*, 8> arguments(parts.arguments.size() + 1);
  RCReference<AsyncValue> folded;
  if (spelling && !spelling->folded_argument.empty()) {
    StatusOr<DenseHostTensor> tensor = FoldedArgument(call, spelling->folded_argument);
    if (!tensor.ok()) return call.ReportError(tensor.status());
    folded = MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor)).ReleaseRCRef();
    const size_t at = PlaceOf(spelling->folded_argument, *row.description);
    assert(at <= parts.arguments.size());
    std::ranges::copy(parts.arguments.first(at), arguments.begin());
    arguments[at] = folded.get();
    std::ranges::copy(parts.arguments.subspan(at), arguments.begin() + at + 1);
    parts.arguments = arguments.span();
    parts.last_uses = WithGapAt(parts.last_uses, at);
  }
  OpCall inner(parts);
  row.function(inner);
  call.TakeOutcome(std::move(inner));
}

namespace {

DirectCall WithParsedAttrs(const OpDefinition& op, OpFunction function, OpAttrsRef frozen) {
  auto parsed = op.parser ? op.parser(frozen) : nullptr;
  return {function, std::move(frozen), std::move(parsed)};
}

}  // namespace

DirectCall DirectCallOf(const OpDefinition& op, const OpAttrsRef& attrs) {
  if (op.function != &CallSpelled) return WithParsedAttrs(op, op.function, attrs.Freeze());
  if (op.spelling && !op.spelling->folded_argument.empty())
    return {op.function, attrs.Freeze(), {}};
  const auto& row = *static_cast<const OpDefinition*>(op.state);
  std::vector<OpAttr> canonical(row.attrs.size());
  [[maybe_unused]] Status status = ReadAttrs(op, row, attrs, canonical);
  assert(status.ok() && "the attributes are those that the op says");
  return WithParsedAttrs(op, row.function, OpAttrsRef(std::span<const OpAttr>(canonical)).Freeze());
}

}  // namespace tfrt
