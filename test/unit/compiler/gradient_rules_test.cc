// The rules that gradient_programs_test.cc has not: of activations, norms, pools, places, and of
// ops that are gradients.

#include <cstdint>
#include <string>
#include <vector>

#include "gradient_cases.h"

namespace tfrt::function {
namespace {

using Attrs = std::vector<TracedAttr>;
using Sizes = std::vector<int64_t>;

// With elements on both sides of 0, none of them near.
GradientCase Activation(const char* name, const char* op, Attrs attrs = {}) {
  return {name,
          {{4}},
          [op, attrs](FunctionTracer& r, const Values& v) {
            ValueId shifted = r.Call("tf.AddV2", {v[0], r.Floats({4}, {1.5f, -1.5f, 5, -5})});
            return r.Call(op, {shifted}, attrs);
          },
          -0.9f,
          0.9f};
}
GradientCase Unary(const char* name, const char* op, float low, float high) {
  return {name,
          {{3}},
          [op](FunctionTracer& r, const Values& v) { return r.Call(op, {v[0]}); },
          low,
          high};
}
GradientCase Call(const char* name, const char* op, std::vector<Sizes> shapes, Attrs attrs = {}) {
  return {name, std::move(shapes),
          [op, attrs](FunctionTracer& r, const Values& v) { return r.Call(op, v, attrs); }};
}
// Of elements that are no zeros.
GradientCase Reduction(const char* name, const char* op, bool keep) {
  return {name,
          {{2, 3, 2}},
          [op, keep](FunctionTracer& r, const Values& v) {
            return r.Call(op, {v[0], r.Integers({2, 0})}, {{"keep_dims", keep}});
          },
          0.5f,
          1.5f};
}
GradientCase AvgPool(const char* name, Sizes ksize, Sizes strides, const char* padding) {
  return Call(name, "tf.AvgPool", {{2, 5, 4, 2}},
              {{"ksize", std::move(ksize)},
               {"padding", std::string(padding)},
               {"strides", std::move(strides)}});
}
GradientCase StridedSlice(const char* name, Sizes begin, Sizes end, Sizes strides, Attrs masks) {
  return {name, {{4, 3, 5}}, [=](FunctionTracer& r, const Values& v) {
            return r.Call("tf.StridedSlice",
                          {v[0], r.Integers(begin), r.Integers(end), r.Integers(strides)}, masks);
          }};
}
GradientCase Gather(const char* name, Sizes index_shape, std::vector<int32_t> indices, int64_t axis,
                    int64_t batch) {
  return {name, {{2, 3, 2}}, [=](FunctionTracer& r, const Values& v) {
            ValueId at = r.Constant<int32_t>(DType::kI32, index_shape, indices);
            return r.Call("tf.GatherV2", {v[0], at, r.Integer(axis)}, {{"batch_dims", batch}});
          }};
}
// What is read and written at [1,0], [0,1] and [1,0] again.
template <typename Make>
GradientCase Places(const char* name, std::vector<Sizes> shapes, Make make) {
  return {name, std::move(shapes), [make](FunctionTracer& r, const Values& v) {
            return make(r, v, r.Constant<int64_t>(DType::kI64, {3, 2}, {1, 0, 0, 1, 1, 0}));
          }};
}
const TracedAttr kAdd = {"reduction", std::string("add")};
const TracedAttr kSame = {"padding", std::string("SAME")};
const TracedAttr kLast = {"channels_last", true};
const TracedAttr kGelu = {"activation", std::string("gelu")};

const GradientCase kActivations[] = {
    Activation("LeakyRelu", "graph.leaky_relu", {{"alpha", 0.3f}}),
    Activation("Elu", "graph.elu", {{"alpha", 0.5f}}),
    Activation("Selu", "graph.selu"),
    Activation("Mish", "graph.mish"),
    Activation("Swish", "graph.swish", {{"alpha", 1.5f}}),
    Activation("HardSigmoid", "graph.hard_sigmoid"),
    Activation("HardSwish", "graph.hard_swish"),
    Unary("Tan", "graph.tan", -1, 1),
    Unary("Asin", "graph.asin", -0.8f, 0.8f),
    Unary("Acos", "graph.acos", -0.8f, 0.8f),
    Unary("Atan", "graph.atan", -1, 1),
    Unary("Sinh", "graph.sinh", -1, 1),
    Unary("Cosh", "graph.cosh", -1, 1),
    Unary("Asinh", "graph.asinh", -1, 1),
    Unary("Acosh", "graph.acosh", 1.5f, 2),
    Unary("Atanh", "graph.atanh", -0.8f, 0.8f),
    {"Prelu",
     {{2, 4}, {4}},
     [](FunctionTracer& r, const Values& v) {
       ValueId shift = r.Floats({2, 4}, {2, -2, 2, -2, -2, 2, -2, 2});
       return r.Call("graph.prelu", {r.Call("tf.AddV2", {v[0], shift}), v[1]});
     }},
    {"Clip",
     {{4}, {}, {}},
     [](FunctionTracer& r, const Values& v) {
       ValueId x = r.Call("tf.AddV2", {v[0], r.Floats({4}, {-9, -3, 3, 9})});
       return r.Call("graph.clip", {x, r.Call("tf.Sub", {v[1], r.Number(6)}),
                                    r.Call("tf.AddV2", {v[2], r.Number(6)})});
     }},
    {"ClipCrossed",
     {{2}, {}, {}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("graph.clip", {v[0], r.Call("tf.AddV2", {v[1], r.Number(6)}),
                                    r.Call("tf.Sub", {v[2], r.Number(6)})});
     }},
    {"ClipBelow",
     {{2}, {}},
     [](FunctionTracer& r, const Values& v) {
       ValueId x = r.Call("tf.AddV2", {v[0], r.Floats({2}, {-9, 9})});
       return r.Call("graph.clip", {x, v[1]});
     }},
    {"Mod",
     {{3}, {3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId x = r.Floats({3}, {7.3f, -4.4f, 11.2f});
       return r.Call("graph.mod", {r.Call("tf.AddV2", {x, v[0]}), v[1]}, {{"truncate", false}});
     },
     2.1f,
     2.2f},
    Call("GeluGrad", "tfrt.GeluGrad", {{4}, {4}}),
    Call("GeluGradApproximate", "tfrt.GeluGrad", {{4}, {4}}, {{"approximate", true}}),
};
const GradientCase kNetworks[] = {
    AvgPool("AvgPoolSame", {1, 2, 2, 1}, {1, 2, 2, 1}, "SAME"),
    AvgPool("AvgPoolOverlapping", {1, 3, 2, 1}, {1, 1, 2, 1}, "SAME"),
    AvgPool("AvgPoolWithRest", {1, 2, 2, 1}, {1, 2, 2, 1}, "VALID"),
    Call("GlobalAveragePool", "tfrt.GlobalAveragePool", {{2, 3, 2, 2}}),
    Call("Conv2DBiasAddGelu", "tfrt.Conv2DBiasAdd", {{1, 3, 3, 2}, {2, 2, 2, 3}, {3}, {1, 3, 3, 3}},
         {kSame, kGelu}),
    Call("MatMulBiasGelu", "tfrt.MatMulBias", {{3, 2}, {3, 4}, {4}},
         {kGelu, {"transpose_a", true}}),
    {"ConvInputGrad",
     {{2, 2, 2, 3}, {1, 4, 4, 3}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.Conv2DBackpropInput", {r.Integers({1, 4, 4, 2}), v[0], v[1]}, {kSame});
     }},
    {"ConvFilterGrad",
     {{1, 4, 4, 2}, {1, 4, 4, 3}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.Conv2DBackpropFilter", {v[0], r.Integers({2, 2, 2, 3}), v[1]}, {kSame});
     }},
    Call("BiasAddGrad", "tf.BiasAddGrad", {{2, 3}}),
    Call("SgdUpdate", "tfrt.SgdUpdate", {{3}, {3}, {}}),
    Call("SoftmaxGrad", "tfrt.SoftmaxGrad", {{2, 3}, {2, 3}}),
    Call("LogSoftmaxGrad", "tfrt.LogSoftmaxGrad", {{2, 3}, {2, 3}}),
    {"SoftmaxCrossEntropyTwice",
     {{2, 3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId labels = r.Constant<int32_t>(DType::kI32, {2}, {2, 0});
       Values made = r.CallAll("tf.SparseSoftmaxCrossEntropyWithLogits", {v[0], labels});
       return r.Call("tf.Mul", {made[1], r.Call("graph.expand_dims", {made[0], r.Integers({1})})});
     }},
    {"LayerNormGrad",
     {{2, 4}, {2, 4}, {4}},
     [](FunctionTracer& r, const Values& v) {
       Values made = r.CallAll("tfrt.LayerNormGrad", v);
       return r.Call("tf.AddV2", {made[0], r.Call("tf.Mul", {made[1], made[2]})});
     }},
    {"BatchNorm",
     {{2, 1, 2, 2}, {2}, {2}, {2}, {2}},
     [](FunctionTracer& r, const Values& v) {
       return r.CallAll("tf.FusedBatchNormV3", v, {{"is_training", false}})[0];
     },
     0.5f,
     1.5f},
    {"BatchNormGrad",
     {{2, 1, 2, 2}, {2, 1, 2, 2}, {2}},
     [](FunctionTracer& r, const Values& v) {
       ValueId zeros = r.Floats({2}, {0, 0});
       ValueId none = r.Floats({0}, {});
       Values norm = r.CallAll("tf.FusedBatchNormV3", {v[1], v[2], zeros, none, none},
                               {{"is_training", true}, {"epsilon", 0.1f}});
       Values made = r.CallAll("tf.FusedBatchNormGradV3",
                               {v[0], v[1], v[2], norm[3], norm[4], norm[5]}, {{"epsilon", 0.1f}});
       return r.Call("tf.AddV2", {made[0], r.Call("tf.Mul", {made[1], made[2]})});
     }},
    {"MaxPoolGrad",
     {{1, 3, 3, 2}, {1, 1, 1, 2}},
     [](FunctionTracer& r, const Values& v) {
       const Attrs attrs = {{"ksize", Sizes{1, 2, 2, 1}},
                            {"padding", std::string("VALID")},
                            {"strides", Sizes{1, 2, 2, 1}}};
       return r.Call("tf.MaxPoolGrad", {v[0], r.Call("tf.MaxPool", {v[0]}, attrs), v[1]}, attrs);
     }},
    // Each head of k is for two of q; the mask is one for all heads.
    Call("Attention", "graph.attention", {{2, 4, 2, 3}, {2, 2, 3, 3}, {2, 2, 3, 2}, {2, 1, 1, 3}},
         {{"scale", 0.7f}}),
    {"AttentionCausal",
     {{1, 2, 2, 3}, {1, 3, 2, 3}, {1, 3, 2, 3}},
     [](FunctionTracer& r, const Values& v) {
       // In the second head the first query sees no key.
       ValueId seen = r.Call("tf.Greater", {r.Floats({2, 1, 3}, {1, 1, 1, 0, 0, 1}), r.Number(0)});
       return r.Call("graph.attention", {v[0], v[1], v[2], seen},
                     {{"causal", true},
                      {"causal_at_end", true},
                      {"layout", std::string("bshd")},
                      {"masked_rows_are_zero", true}});
     }},
    Call("PackedAttention", "graph.packed_attention", {{2, 3, 16}, {2, 1, 3, 3}},
         {{"heads", int64_t{4}}, {"kv_heads", int64_t{2}}, {"causal", true}}),
    Call("RmsNorm", "graph.rms_norm", {{2, 4}, {4}}),
    Call("InstanceNorm", "graph.instance_norm", {{2, 2, 3, 2}, {2}, {2}}),
    Call("GroupNorm", "graph.group_norm", {{2, 3, 4}, {4}, {4}}, {{"groups", int64_t{2}}, kLast}),
};
const GradientCase kReductions[] = {
    Reduction("Product", "graph.reduce_prod", false),
    Reduction("L1", "graph.reduce_l1", true),
    Reduction("L2", "graph.reduce_l2", false),
    Reduction("LogSum", "graph.reduce_log_sum", false),
    {"ProductWithZeros",
     {{3, 3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId mask = r.Floats({3, 3}, {1, 0, 1, 0, 1, 0, 1, 1, 1});
       return r.Call("graph.reduce_prod", {r.Call("tf.Mul", {v[0], mask}), r.Integers({1})});
     }},
};
const GradientCase kPlaces[] = {
    StridedSlice("StridedSliceSteps", {0, 2, 4}, {4, 0, -6}, {2, -1, -3}, {}),
    StridedSlice("StridedSliceEllipsis", {0, 0, 1}, {0, 0, 5}, {1, 1, 2},
                 {{"new_axis_mask", int64_t{1}}, {"ellipsis_mask", int64_t{2}}}),
    StridedSlice(
        "StridedSliceOpen", {1, -1, 0}, {0, 0, 0}, {3, 1, -2},
        {{"begin_mask", int64_t{4}}, {"end_mask", int64_t{5}}, {"shrink_axis_mask", int64_t{2}}}),
    StridedSlice("StridedSliceFarSteps", {1, INT64_MIN, INT64_MAX}, {INT64_MAX, 3, INT64_MIN},
                 {INT64_MAX, 2, INT64_MIN}, {}),
    Gather("GatherAxis1", {4}, {2, 0, 2, 1}, 1, 0),
    Gather("GatherLastAxis", {2, 2}, {1, 0, 1, 1}, -1, 0),
    Gather("GatherInBatches", {2, 2}, {2, 0, 1, 1}, 1, 1),
    Gather("GatherBehindBatches", {2, 3}, {1, 0, 1, 1, 1, 0}, 2, 1),
    Places("GatherNd", {{2, 2, 2}},
           [](FunctionTracer& r, const Values& v, ValueId at) {
             return r.Call("tf.GatherNd", {v[0], at});
           }),
    Places("ScatterNdAdd", {{2, 2}, {3}},
           [](FunctionTracer& r, const Values& v, ValueId at) {
             return r.Call("graph.scatter_nd", {v[0], at, v[1]}, {kAdd});
           }),
    {"ScatterNd",
     {{3}, {2}},
     [](FunctionTracer& r, const Values& v) {
       ValueId at = r.Constant<int64_t>(DType::kI64, {2, 1}, {2, 0});
       return r.Call("graph.scatter_nd", {v[0], at, v[1]});
     }},
    Places("GatherElements", {{2, 2}},
           [](FunctionTracer& r, const Values& v, ValueId at) {
             return r.Call("graph.gather_elements", {v[0], at}, {{"axis", int64_t{0}}});
           }),
    Places("ScatterElementsAdd", {{3, 2}, {3, 2}},
           [](FunctionTracer& r, const Values& v, ValueId at) {
             return r.Call("graph.scatter_elements", {v[0], at, v[1]},
                           {{"axis", int64_t{1}}, kAdd});
           }),
    {"OneHot",
     {{}, {}},
     [](FunctionTracer& r, const Values& v) {
       ValueId indices = r.Constant<int32_t>(DType::kI32, {3}, {2, 0, 5});
       return r.Call("tf.OneHot", {indices, r.Integer(3), v[0], v[1]});
     }},
    {"TopK",
     {{2, 3}},
     [](FunctionTracer& r, const Values& v) {
       ValueId apart = r.Call("tf.AddV2", {v[0], r.Floats({3}, {3, 9, 6})});
       return r.CallAll("graph.top_k", {apart, r.Integers({2})})[0];
     }},
    {"Tile",
     {{2, 3}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("tf.Tile", {v[0], r.Integers({3, 2})});
     }},
    {"PadWith",
     {{2, 2}, {}},
     [](FunctionTracer& r, const Values& v) {
       ValueId paddings = r.Constant<int64_t>(DType::kI64, {2, 2}, {1, 0, 0, 2});
       return r.Call("tf.PadV2", {v[0], paddings, v[1]});
     }},
    {"PadCuts",
     {{3, 2}, {}},
     [](FunctionTracer& r, const Values& v) {
       ValueId paddings = r.Constant<int64_t>(DType::kI64, {2, 2}, {-1, 2, 0, -1});
       return r.Call("tf.PadV2", {v[0], paddings, v[1]});
     }},
    Call("DepthToSpace", "graph.depth_to_space", {{1, 2, 2, 8}}, {{"block", int64_t{2}}, kLast}),
    Call("SpaceToDepth", "graph.space_to_depth", {{1, 4, 2, 2}}, {{"block", int64_t{2}}, kLast}),
    {"Triangle",
     {{2, 3, 3}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("graph.triangle", {v[0], r.Integer(1)}, {{"upper", false}});
     }},
    {"ReverseSequence",
     {{3, 2}},
     [](FunctionTracer& r, const Values& v) {
       return r.Call("graph.reverse_sequence", {v[0], r.Integers({2, 3})},
                     {{"batch_axis", int64_t{1}}, {"time_axis", int64_t{0}}});
     }},
};

class GradientRulesTest : public GradientTest {};
TEST_P(GradientRulesTest, AsFiniteDifferences) { ExpectFiniteDifferences(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Activations, GradientRulesTest, testing::ValuesIn(kActivations), NameOf);
INSTANTIATE_TEST_SUITE_P(Networks, GradientRulesTest, testing::ValuesIn(kNetworks), NameOf);
INSTANTIATE_TEST_SUITE_P(Reductions, GradientRulesTest, testing::ValuesIn(kReductions), NameOf);
INSTANTIATE_TEST_SUITE_P(Places, GradientRulesTest, testing::ValuesIn(kPlaces), NameOf);

}  // namespace
}  // namespace tfrt::function
