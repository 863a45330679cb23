#include "derived_metadata.h"

#include <algorithm>
#include <iterator>

#include "known_shapes.h"
#include "tfrt/opinfo/elementwise_rules.h"
#include "tfrt/opinfo/image_window_rules.h"
#include "tfrt/opinfo/layout_rules.h"
#include "tfrt/opinfo/product_rules.h"
#include "tfrt/opinfo/row_rules.h"

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

struct Derived {
  OpShapeFunction shape;
  OpMetadataFunction metadata;
};
template <typename Rule>
constexpr Derived kDerived = {&ShapeOf<Rule>, &MetadataOf<Rule>};

// The rules whose results do not depend on elements. Variants that follow elements differ only
// where these are known, so that they share a function.
constexpr Derived kAll[] = {
    kDerived<SameRule>,
    {&ShapeOf<IdentityRule>, &MetadataOf<SameRule>},
    kDerived<PassOnFirstRule>,
    kDerived<BroadcastRule>,
    {&ShapeOf<AddRule>, &MetadataOf<BroadcastRule>},
    {&ShapeOf<SubRule>, &MetadataOf<BroadcastRule>},
    {&ShapeOf<MulRule>, &MetadataOf<BroadcastRule>},
    {&ShapeOf<DivRule>, &MetadataOf<BroadcastRule>},
    kDerived<ComparisonRule>,
    {&ShapeOf<EqualRule>, &MetadataOf<ComparisonRule>},
    kDerived<CastRule>,
    kDerived<BiasAddRule>,
    kDerived<BiasAddGradRule>,
    kDerived<MatMulRule>,
    kDerived<FusedMatMulRule>,
    kDerived<MatMulBiasRule>,
    kDerived<BatchMatMulRule>,
    kDerived<SoftmaxRule>,
    kDerived<LayerNormRule>,
    kDerived<BatchNormRule>,
    kDerived<BatchNormGradRule>,
    kDerived<ActivationGradRule>,
    kDerived<SoftmaxGradRule>,
    kDerived<LayerNormGradRule>,
    kDerived<CrossEntropyRule>,
    kDerived<SgdUpdateRule>,
    kDerived<ZerosLikeRule>,
    kDerived<ShapeOfRule>,
    kDerived<SqueezeRule>,
    kDerived<GatherNdRule>,
    kDerived<GlobalAveragePoolRule>,
    kDerived<Conv2DRule>,
    kDerived<Conv2DBiasRule>,
    kDerived<Conv2DBiasAddRule>,
    kDerived<Pool2DRule>,
    kDerived<Pool2DGradRule>,
};

}  // namespace

OpMetadataFunction MetadataFunctionOf(OpShapeFunction shape) {
  auto found = std::ranges::find(kAll, shape, &Derived::shape);
  return found == std::end(kAll) ? nullptr : found->metadata;
}

}  // namespace tfrt
