#include "spelled_call.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "canonical_call.h"
#include "direct_call.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/small_array.h"

namespace tfrt {
namespace {

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
  Status status = ReadCanonicalAttrs(spelled, row.defaults(), call.attrs(), attrs.span());
  if (!status.ok()) return call.ReportError(std::move(status));
  const OpAttrsRef canonical(std::span<const OpAttr>(attrs.span()));
  parts.attrs = &canonical;

  SmallArray<AsyncValue*, 8> arguments(parts.arguments.size() + 1);
  AsyncValueRef<DenseHostTensor> folded;
  if (spelling && !spelling->folded_argument.empty()) {
    auto made = FoldedArgument(spelled, call.attrs(), call.exec_ctx().host()->allocator());
    if (!made.ok()) return call.ReportError(made.status());
    folded = *std::move(made);
    const size_t at = FoldedPlace(spelled);
    assert(at <= parts.arguments.size());
    std::ranges::copy(parts.arguments.first(at), arguments.begin());
    arguments[at] = folded.GetAsyncValue();
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
  [[maybe_unused]] Status status = ReadCanonicalAttrs(op, row.defaults(), attrs, canonical);
  assert(status.ok() && "the attributes are those that the op says");
  return WithParsedAttrs(op, row.function, OpAttrsRef(std::span<const OpAttr>(canonical)).Freeze());
}

}  // namespace tfrt
