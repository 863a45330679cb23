// Graphs of cuDNN as data: shapes that do not fit are refused, steps come in the good order, and
// the list of forms says what is built. Needs no library and no device.
#include "gpu/libraries/dnn/graphs.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gpu/libraries/dnn/forms.h"
#include "gpu/libraries/dnn/planner.h"
#include "gtest/gtest.h"

namespace tfrt::gpu::dnn {
namespace {

using cudnn::CUDNN_DATA_DOUBLE;
using cudnn::CUDNN_DATA_FLOAT;
using cudnn::CUDNN_DATA_HALF;
using testing::ElementsAre;

TensorForm Image(std::vector<int64_t> dims, cudnn::cudnnDataType_t type = CUDNN_DATA_FLOAT) {
  std::vector<int64_t> strides = ChannelsLastStrides(dims);
  return {type, std::move(dims), std::move(strides)};
}

TensorForm Rows(std::vector<int64_t> dims, cudnn::cudnnDataType_t type = CUDNN_DATA_HALF) {
  std::vector<int64_t> strides = RowStrides(dims);
  return {type, std::move(dims), std::move(strides)};
}

ConvolutionForm Convolution() {
  ConvolutionForm form;
  form.x = Image({2, 4, 7, 7});
  form.w = Image({8, 4, 3, 3});
  form.y = Image({2, 8, 4, 4});
  form.window = {{1, 1}, {1, 1}, {2, 2}, {1, 1}, {}};
  return form;
}

template <typename Form>
std::string ErrorOf(StatusOr<Graph> (*make)(const Form&), const Form& form) {
  StatusOr<Graph> graph = make(form);
  return graph.ok() ? "OK" : std::string(graph.status().message());
}

std::vector<uint32_t> Operations(const Graph& graph) {
  std::vector<uint32_t> operations;
  for (const GraphNode& node : graph.nodes) operations.push_back(node.operation);
  return operations;
}

TEST(DnnGraphs, StepsAreAddendBiasActivation) {
  ConvolutionForm form = Convolution();
  form.addend = form.y;
  form.bias = Image({1, 8, 1, 1});
  form.activation.kind = GraphActivation::kRelu;
  StatusOr<Graph> graph = MakeConvolutionGraph(form);
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  EXPECT_THAT(Operations(*graph), ElementsAre(10, 13, 13, 13));
  EXPECT_EQ(graph->nodes[1].tensors[1].id, kAddendId);
  EXPECT_EQ(graph->nodes[2].tensors[1].id, kBiasId);
  EXPECT_EQ(graph->nodes[3].tensors[1].id, kOutputId);
  // From node to node without memory.
  for (int i = 0; i < 3; ++i) {
    const int64_t id = graph->nodes[i].tensors[i == 0 ? 2 : 2].id;
    ASSERT_NE(graph->Find(id), nullptr);
    EXPECT_TRUE(graph->Find(id)->is_virtual);
    EXPECT_EQ(graph->nodes[i + 1].tensors[0].id, id);
  }
  EXPECT_FALSE(graph->Find(kOutputId)->is_virtual);
  EXPECT_EQ(graph->Find(77), nullptr);
}

TEST(DnnGraphs, FactorsBelongToTheAddend) {
  ConvolutionForm form = Convolution();
  form.alpha = 0.5;
  EXPECT_EQ(ErrorOf(MakeConvolutionGraph, form), "factors of a convolution without an addend");
  form.addend = form.y;
  form.alpha2 = 2;
  form.alignment_bytes = 32;
  StatusOr<Graph> graph = MakeConvolutionGraph(form);
  ASSERT_TRUE(graph.ok());
  ASSERT_EQ(graph->nodes[1].attributes.size(), 2u);
  EXPECT_EQ(graph->nodes[1].attributes[0].name, cudnn::CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1);
  EXPECT_THAT(graph->nodes[1].attributes[0].numbers, ElementsAre(0.5));
  EXPECT_THAT(graph->nodes[1].attributes[1].numbers, ElementsAre(2));
  for (const GraphTensor& tensor : graph->tensors) EXPECT_EQ(tensor.alignment_bytes, 32);
}

TEST(DnnGraphs, ShapesOfConvolutionsMustFit) {
  const ConvolutionForm good = Convolution();
  ASSERT_EQ(ErrorOf(MakeConvolutionGraph, good), "OK");
  auto error = [&](auto change) {
    ConvolutionForm form = good;
    change(form);
    return ErrorOf(MakeConvolutionGraph, form);
  };
  EXPECT_EQ(error([](auto& f) { f.y = Image({2, 8, 5, 4}); }),
            "the output has the shape [2,8,5,4] instead of [2,8,4,4]");
  EXPECT_EQ(error([](auto& f) { f.w = Image({8, 3, 3, 3}); }),
            "a filter [8,3,3,3] has no groups of 4 channels");
  EXPECT_EQ(error([](auto& f) { f.x.dims.pop_back(); }),
            "the input has 3 dimensions; 4 to 8 are possible");
  EXPECT_EQ(error([](auto& f) { f.w.strides.pop_back(); }),
            "the filter has 4 dimensions and 3 strides");
  EXPECT_EQ(error([](auto& f) { f.y.dims[0] = 0; }),
            "the output has dimension 0 and stride 128; both must be at least 1");
  EXPECT_EQ(error([](auto& f) { f.w = Image({8, 4, 3, 3, 1}); }),
            "input, filter and output have 4, 5 and 4 dimensions");
  EXPECT_EQ(error([](auto& f) { f.window.strides = {2}; }),
            "the stride has 1 entries for 2 spatial dimensions");
  EXPECT_EQ(error([](auto& f) { f.window.dilations = {0, 1}; }), "the dilation is 0, less than 1");
  EXPECT_EQ(error([](auto& f) { f.window.dilations = {9, 1}; }),
            "a window of 19 does not fit into 9 of the padded input");
  EXPECT_EQ(error([](auto& f) { f.addend = Image({2, 8, 4, 5}); }),
            "the addend has the shape [2,8,4,5] instead of [2,8,4,4]");
  EXPECT_EQ(error([](auto& f) { f.bias = Image({1, 7, 1, 1}); }),
            "the bias has the shape [1,7,1,1] instead of [1,8,1,1]");
  EXPECT_EQ(error([](auto& f) {
              f.operation = GraphOperation::kDataGradient;
              f.bias = Image({1, 8, 1, 1});
            }),
            "steps after the gradient of a convolution");
}

// Numbers of a program must not overflow in the checks themselves.
TEST(DnnGraphs, NumbersThatAreTooLarge) {
  constexpr int64_t kMost = INT32_MAX, kHuge = INT64_MAX;
  const ConvolutionForm good = Convolution();
  auto error = [&](auto change) {
    ConvolutionForm form = good;
    change(form);
    return ErrorOf(MakeConvolutionGraph, form);
  };
  EXPECT_EQ(error([](auto& f) { f.x.dims[2] = kMost + 1; }),
            "the input has dimension 2147483648, more than 2147483647");
  EXPECT_EQ(error([](auto& f) {
              f.x.dims[0] = 3;
              f.x.strides[0] = int64_t{1} << 61;
            }),
            "the input [3,4,7,7] with the strides [2305843009213693952,1,28,4] is too large");
  EXPECT_EQ(error([](auto& f) { f.w.strides[1] = kHuge; }),
            "the filter [8,4,3,3] with the strides [36,9223372036854775807,12,4] is too large");
  EXPECT_EQ(error([](auto& f) { f.window.padding_before = {0, kHuge}; }),
            "the padding before is 9223372036854775807, more than 2147483647");
  EXPECT_EQ(error([](auto& f) { f.window.padding_after = {kMost + 1, 0}; }),
            "the padding after is 2147483648, more than 2147483647");
  EXPECT_EQ(error([](auto& f) { f.window.dilations = {1, kHuge}; }),
            "the dilation is 9223372036854775807, more than 2147483647");
  EXPECT_EQ(error([](auto& f) { f.window.strides = {kHuge, 1}; }),
            "the stride is 9223372036854775807, more than 2147483647");
  // The largest that pass those checks.
  EXPECT_EQ(error([](auto& f) {
              f.w = Image({8, 4, kMost, 1});
              f.window.dilations = {kMost, 1};
            }),
            "a window of 4611686011984936963 does not fit into 9 of the padded input");
  EXPECT_EQ(error([](auto& f) {
              f.window.padding_before = f.window.padding_after = {kMost, kMost};
              f.window.strides = {kMost, kMost};
            }),
            "the output has the shape [2,8,4,4] instead of [2,8,3,3]");
  EXPECT_EQ(error([](auto& f) { f.x = Image({2, 4, kMost, kMost}); }).substr(0, 45),
            "the input [2,4,2147483647,2147483647] with th");
  PoolForm pool{GraphOperation::kMaxPool,
                Image({1, 4, 5, 5}),
                Image({1, 4, 3, 3}),
                {{0, 0}, {0, 0}, {1, 1}, {}, {kHuge, 3}}};
  EXPECT_EQ(ErrorOf(MakePoolGraph, pool),
            "the window is 9223372036854775807, more than 2147483647");
  EXPECT_THAT(RowStrides({kHuge, kHuge, 3, 2}), ElementsAre(kHuge, 6, 2, 1));
  EXPECT_THAT(ChannelsLastStrides({kHuge, kMost, kHuge, 1}), ElementsAre(kHuge, 1, kMost, kMost));
}

TEST(DnnGraphs, ShapesOfOthersMustFit) {
  PoolForm pool{GraphOperation::kMaxPool,
                Image({1, 4, 5, 5}),
                Image({1, 4, 3, 3}),
                {{0, 0}, {0, 0}, {1, 1}, {}, {3, 3}}};
  EXPECT_EQ(ErrorOf(MakePoolGraph, pool), "OK");
  pool.window.sizes = {6, 3};
  EXPECT_EQ(ErrorOf(MakePoolGraph, pool), "a window of 6 does not fit into 5 of the padded input");
  MatmulForm matmul{Rows({1, 4, 8}), Rows({1, 8, 6}), Rows({1, 4, 6})};
  EXPECT_EQ(ErrorOf(MakeMatmulGraph, matmul), "OK");
  matmul.b = Rows({1, 7, 6});
  EXPECT_EQ(ErrorOf(MakeMatmulGraph, matmul), "factors [1,4,8] and [1,7,6] do not fit together");
  matmul.a = matmul.b = Rows({1, 1, 8, 8});
  EXPECT_EQ(ErrorOf(MakeMatmulGraph, matmul), "products of more than three dimensions");
  AttentionForm attention{Rows({1, 4, 8, 64}), Rows({1, 2, 16, 64}), Rows({1, 2, 16, 64}),
                          Rows({1, 4, 8, 64})};
  EXPECT_EQ(ErrorOf(MakeAttentionGraph, attention), "OK");
  attention.k = Rows({1, 3, 16, 64});
  EXPECT_EQ(ErrorOf(MakeAttentionGraph, attention),
            "q [1,4,8,64], k [1,3,16,64] and v [1,2,16,64] do not fit together");
}

TEST(DnnGraphs, TextsTellGraphsApart) {
  const ConvolutionForm form = Convolution();
  std::vector<std::string> texts = {GraphText(*MakeConvolutionGraph(form))};
  auto add = [&](auto change) {
    ConvolutionForm changed = form;
    change(changed);
    texts.push_back(GraphText(*MakeConvolutionGraph(changed)));
  };
  add([](auto& f) { f.alignment_bytes = 32; });
  add([](auto& f) { f.x.type = CUDNN_DATA_HALF; });
  add([](auto& f) { f.x = Rows(f.x.dims, CUDNN_DATA_FLOAT); });
  add([](auto& f) { f.compute_type = CUDNN_DATA_DOUBLE; });
  add([](auto& f) { f.mode = cudnn::CUDNN_CONVOLUTION; });
  add([](auto& f) { f.operation = GraphOperation::kDataGradient; });
  add([](auto& f) { f.operation = GraphOperation::kFilterGradient; });
  add([](auto& f) { f.addend = f.y; });
  add([](auto& f) {
    f.addend = f.y;
    f.alpha = 0.1;
  });
  add([](auto& f) {
    f.addend = f.y;
    f.alpha = 0.1 + 1e-17 * 4;
  });
  for (auto kind : {GraphActivation::kRelu, GraphActivation::kElu, GraphActivation::kSwish}) {
    add([&](auto& f) { f.activation.kind = kind; });
  }
  for (double bound : {6.0, 5.0}) {
    add([&](auto& f) { f.activation = {GraphActivation::kClippedRelu, bound}; });
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(texts[i], texts[j]) << i << " and " << j;
  }
  EXPECT_EQ(GraphText(*MakeConvolutionGraph(form)), texts[0]);
}

TEST(DnnForms, TheListSaysWhatIsBuilt) {
  EXPECT_GE(AllForms().size(), 60u);
  ConvolutionForm form = Convolution();
  EXPECT_EQ(FormText(FormOf(form)), "conv f32 nhwc");
  EXPECT_TRUE(CheckListed(FormOf(form)).ok());
  form.activation.kind = GraphActivation::kGelu;
  form.bias = Image({1, 8, 1, 1});
  EXPECT_TRUE(CheckListed(FormOf(form)).ok());
  for (TensorForm* tensor : {&form.x, &form.w, &form.y}) *tensor = Rows(tensor->dims, tensor->type);
  EXPECT_EQ(CheckListed(FormOf(form)).ToString(),
            "UNIMPLEMENTED: conv+bias+gelu f32 nchw is not among the graphs that cuDNN is known to "
            "accept");
  form.x = Image(form.x.dims, CUDNN_DATA_HALF);
  EXPECT_EQ(FormText(FormOf(form)), "conv+bias+gelu of other types in other layouts");
  form = Convolution();
  form.w = Image({8, 1, 3, 3});
  EXPECT_EQ(FormText(FormOf(form)), "grouped_conv f32 nhwc");
  PoolForm pool{GraphOperation::kAveragePoolGradient, Image({1, 4, 5, 5}), Image({1, 4, 3, 3}), {}};
  EXPECT_EQ(FormText(FormOf(pool)), "average_pool_gradient f32 nhwc");
  EXPECT_FALSE(CheckListed(FormOf(pool)).ok());
  MatmulForm matmul{Rows({1, 4, 8}), Rows({1, 8, 6}), Rows({1, 4, 6})};
  EXPECT_EQ(FormText(FormOf(matmul)), "matmul f16");
  AttentionForm attention{Rows({1, 4, 8, 64}), Rows({1, 2, 16, 64}), Rows({1, 2, 16, 64}),
                          Rows({1, 4, 8, 64}), Rows({1, 4, 8, 1}, CUDNN_DATA_FLOAT)};
  EXPECT_EQ(FormText(FormOf(attention)), "attention_statistics f16");
  EXPECT_TRUE(CheckListed(FormOf(attention)).ok());
}

TEST(DnnPlans, ChoicesHaveTexts) {
  EXPECT_EQ(ChoiceText({}), "heuristics deterministic");
  EXPECT_EQ(ChoiceText({.deterministic = false, .allow_tf32 = true}), "heuristics tf32");
  EXPECT_EQ(ChoiceText({.engine = 3, .knobs = {{2, 5}}}), "engine 3 2=5");
}

}  // namespace
}  // namespace tfrt::gpu::dnn
