#include "canonical_call.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "op_attr_values.h"
#include "op_defaults.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

StatusOr<AsyncValueRef<DenseHostTensor>> FoldedArgument(const OpDefinition& op,
                                                        const OpAttrsRef& attrs,
                                                        HostAllocator* allocator) {
  const std::string_view name = op.spelling->folded_argument;
  auto integers = IntegersOf(attrs, name);
  if (!integers) {
    return InvalidArgumentError(StrCat(op.name, " needs the attribute '", name, "'"));
  }
  const int64_t dims[] = {static_cast<int64_t>(integers->size())};
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, DenseHostTensor::CreateUninitialized(
                                                    {DType::kI64, std::move(shape)}, allocator));
  std::ranges::copy(*integers, static_cast<int64_t*>(const_cast<void*>(tensor.data())));
  return MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(tensor));
}

size_t FoldedPlace(const OpDefinition& op) {
  const std::span<const OpArgumentSpec> arguments = op.description->arguments;
  auto at = std::ranges::find(arguments, op.spelling->folded_argument, &OpArgumentSpec::name);
  return static_cast<size_t>(at - arguments.begin());
}

Status ReadCanonicalAttrs(const OpDefinition& op, const OpAttrsRef& defaults,
                          const OpAttrsRef& given, std::span<OpAttr> attrs) {
  for (size_t i = 0; i < attrs.size(); ++i) {
    const OpAttrSpec& spec = op.description->attrs[i];
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

StatusOr<CanonicalCall> CanonicalCall::Of(const OpDefinition& op, const OpAttrsRef& attrs,
                                          HostAllocator* allocator) {
  CanonicalCall call;
  OpAttrs defaults;
  for (const OpAttrSpec& spec : op.description->attrs) {
    [[maybe_unused]] Status status = SetDefault(spec, defaults);
    assert(status.ok() && "a default of the op table is no value of its kind");
  }
  std::vector<OpAttr> canonical(op.description->attrs.size());
  TFRT_RETURN_IF_ERROR(ReadCanonicalAttrs(op, defaults, attrs, canonical));
  call.attrs_ = OpAttrsRef(std::span<const OpAttr>(canonical)).Freeze();
  if (!op.spelling || op.spelling->folded_argument.empty()) return call;
  TFRT_ASSIGN_OR_RETURN(call.folded_, FoldedArgument(op, attrs, allocator));
  call.folded_at_ = FoldedPlace(op);
  return call;
}

}  // namespace tfrt
