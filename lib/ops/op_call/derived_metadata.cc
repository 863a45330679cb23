#include "derived_metadata.h"

#include "known_shapes.h"
#include "lib/format/op_table/elementwise_rules.h"
#include "lib/format/op_table/image_window_rules.h"
#include "lib/format/op_table/layout_rules.h"
#include "lib/format/op_table/product_rules.h"
#include "lib/format/op_table/row_rules.h"

namespace tfrt {
namespace {

template <typename Rule>
Status MetadataOf(OpMetadataArguments arguments, const OpAttrsRef& attrs,
                  std::span<TensorMetadata> results) noexcept {
  const size_t given = arguments.size();
  if (given < Rule::kArguments || (!Rule::kTakesMore && given > Rule::kArguments)) [[unlikely]] {
    return internal::WrongArgumentCount("the op", Rule::kArguments, given, Rule::kTakesMore);
  }
  if (results.size() < Rule::kResults) [[unlikely]] {
    return internal::WrongResultCount("the op", Rule::kResults, results.size());
  }
  return Rule::Infer(KnownCall(arguments, attrs), results);
}

constexpr OpMetadataFunction kOfRules[] = {nullptr,
#define TFRT_METADATA(Rule) &MetadataOf<Rule>,
                                           TFRT_SHAPE_RULES(TFRT_METADATA)
#undef TFRT_METADATA
};

}  // namespace

OpMetadataFunction MetadataFunctionOf(ShapeRuleNumber rule) {
  return kOfRules[static_cast<size_t>(rule)];
}

}  // namespace tfrt
