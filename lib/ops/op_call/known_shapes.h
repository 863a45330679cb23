// Calls of shape rules (lib/format/op_table/shape_inference.h) on the metadata of tensors.
#ifndef TFRT_LIB_OPS_OP_CALL_KNOWN_SHAPES_H_
#define TFRT_LIB_OPS_OP_CALL_KNOWN_SHAPES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lib/runtime/tensor/known_sizes.h"
#include "op_attr_values.h"
#include "tfrt/core_runtime/op_call.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

class KnownCall : public KnownSizes {
 public:
  KnownCall(OpMetadataArguments arguments, const OpAttrsRef& attrs)
      : arguments_(arguments), attrs_(attrs) {}
  size_t num_arguments() const { return arguments_.size(); }
  const TensorMetadata& argument(size_t index) const { return *arguments_[index]; }

  template <typename T>
  std::optional<T> Attr(RuleAttr name) const {
    if constexpr (std::is_same_v<T, DType>) {
      return attrs_.GetType(name.spelled);
    } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
      return IntegersOf(attrs_, name.spelled);
    } else {
      return attrs_.Get<T>(name.spelled);
    }
  }
  std::optional<std::string_view> TextAttr(RuleAttr name, std::string_view if_absent) const {
    return attrs_.Find(name.spelled) ? attrs_.GetString(name.spelled) : if_absent;
  }
  size_t NumStrings(RuleAttr name) const {
    auto strings = attrs_.GetAggregate(name.spelled);
    return strings ? strings->size() : 0;
  }
  [[gnu::cold]] static Status Lacks(RuleAttr name, std::string_view op) {
    return InvalidArgumentError(
        StrCat("'", name.spelled, "' attribute is not specified for ", op, " op"));
  }

 private:
  OpMetadataArguments arguments_;
  const OpAttrsRef& attrs_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_KNOWN_SHAPES_H_
