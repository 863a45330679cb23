#include <cstdint>
#include <random>
#include <vector>

#include "function_tracer.h"
#include "gtest/gtest.h"
#include "lib/format/traced_graph/traced_graph.h"

namespace tfrt::function {
namespace {

// One of each construct.
TracedGraph EveryConstruct() {
  FunctionTracer r;
  r.graph.callbacks = {"log"};
  const uint32_t w = r.Variable("w", DType::kF32, {4});
  r.At(7);
  ValueId x = r.Input("x", DType::kF32, {-1, 4});
  ValueId flag = r.Input("flag", DType::kI1, {});
  r.function().argument_names.push_back("captured");
  ValueId captured = r.Value({DType::kF32, std::nullopt});
  r.function().body.arguments.push_back(captured);
  ValueId y = r.Call("tf.Mul", {x, r.Read(w)});
  y = r.If(
      flag, [&] { return FunctionTracer::Values{y}; },
      [&] { return FunctionTracer::Values{r.Call("tf.Relu", {y})}; })[0];
  ValueId large = r.Floats({200}, std::vector<float>(200, 0.5f));
  ValueId sum = r.For(r.Integer(3), {r.Number(0)}, {}, [&](FunctionTracer::Values v) {
    return FunctionTracer::Values{r.Call("tf.AddV2", {v[1], r.Number(1)})};
  })[0];
  ValueId n = r.While(
      {sum},
      [&](FunctionTracer::Values v) {
        return FunctionTracer::Values{r.Call("tf.Less", {v[0], r.Number(9)})};
      },
      [&](FunctionTracer::Values v) {
        return FunctionTracer::Values{r.Call("tf.Mul", {v[0], r.Number(2)})};
      })[0];
  r.Assign(w, r.Floats({4}, {1, 2, 3, 4}));
  ValueId back = r.HostCall(0, {y}, {{DType::kF32, std::vector<int64_t>{-1}}})[0];
  r.Call("tf.Sum", {y, r.Integers({-1})}, {{"keep_dims", true}});
  r.Return({y, n, back, large, captured});
  return std::move(r.graph);
}

TEST(EncodingTest, RoundTrip) {
  const TracedGraph graph = EveryConstruct();
  ASSERT_TRUE(Verify(graph).ok()) << Verify(graph).ToString();
  const EncodedGraph encoded = Encode(graph);
  ASSERT_EQ(encoded.blobs.size(), 1u);  // the large constant
  EXPECT_EQ(encoded.blobs[0].size(), 800u);
  auto decoded = Decode(encoded.bytes, encoded.blobs);
  ASSERT_TRUE(decoded.ok()) << decoded.status().ToString();
  EXPECT_EQ(ToString(*decoded), ToString(graph));
  EXPECT_TRUE(Verify(*decoded).ok());
  EXPECT_EQ(Encode(*decoded).bytes, encoded.bytes);
  EXPECT_EQ(decoded->options, graph.options);
  EXPECT_EQ(decoded->locations[0].line, 7u);
  EXPECT_EQ(decoded->constants[0].data.size(), graph.constants[0].data.size());
}

TEST(EncodingTest, OptionsAreKept) {
  TracedGraph graph = EveryConstruct();
  graph.options = {.exact = true, .fuse = false, .pack = true};
  const EncodedGraph encoded = Encode(graph);
  EXPECT_EQ(Decode(encoded.bytes, encoded.blobs)->options, graph.options);
}

TEST(EncodingTest, EachTruncationIsAnError) {
  const EncodedGraph encoded = Encode(EveryConstruct());
  for (size_t size = 0; size < encoded.bytes.size(); ++size) {
    auto decoded = Decode(std::span(encoded.bytes).first(size), encoded.blobs);
    ASSERT_FALSE(decoded.ok()) << size;
    ASSERT_EQ(decoded.status().code(), StatusCode::kInvalidArgument);
  }
}

// A changed byte gives an error, or another graph that Verify may look at.
TEST(EncodingTest, ChangedBytesDoNoHarm) {
  const EncodedGraph encoded = Encode(EveryConstruct());
  size_t decoded_well = 0, verified = 0;
  for (size_t at = 0; at < encoded.bytes.size(); ++at) {
    for (uint8_t change : {0x01, 0x02, 0x7f, 0x80, 0xff}) {
      std::vector<uint8_t> bytes = encoded.bytes;
      bytes[at] ^= change;
      auto decoded = Decode(bytes, encoded.blobs);
      if (!decoded.ok()) continue;
      ++decoded_well;
      verified += Verify(*decoded).ok();
    }
  }
  EXPECT_GT(decoded_well, 0u);
  EXPECT_LT(verified, decoded_well);
}

std::string ErrorOf(std::vector<uint8_t> bytes, std::vector<std::span<const uint8_t>> blobs = {}) {
  auto decoded = Decode(bytes, blobs);
  return decoded.ok() ? "" : std::string(decoded.status().message());
}

TEST(EncodingTest, Messages) {
  EXPECT_EQ(ErrorOf({}), "the bytes are no traced graph: at byte 0: they do not begin with 'TFRG'");
  EXPECT_EQ(ErrorOf({'T', 'F', 'R', 'G', 9}),
            "the bytes are no traced graph: at byte 5: version 9, expected 1");
  EXPECT_EQ(ErrorOf({'T', 'F', 'R', 'G', 1, 8}),
            "the bytes are no traced graph: at byte 6: unknown options");
  EXPECT_EQ(ErrorOf({'T', 'F', 'R', 'G', 1, 0, 100}),
            "the bytes are no traced graph: at byte 7: a list is longer than the bytes");
  EXPECT_EQ(ErrorOf({'T', 'F', 'R', 'G', 1, 0, 0, 0, 0, 0, 0, 0}),
            "the bytes are no traced graph: at byte 11: bytes behind its end");
  const uint8_t blob[] = {1};
  EXPECT_EQ(ErrorOf({'T', 'F', 'R', 'G', 1, 0, 0, 0, 0, 0, 0}, {blob}),
            "the bytes are no traced graph: at byte 11: more blobs than large constants");
}

TEST(EncodingTest, DeepBodiesAreAnError) {
  TracedGraph graph;
  TracedBody* body = &graph.functions.emplace_back().body;
  for (int i = 0; i < 70; ++i) {
    TracedOp& op = body->ops.emplace_back();
    op.kind = TracedOpKind::kIf;
    op.bodies.resize(1);
    body = &op.bodies[0];
  }
  const EncodedGraph encoded = Encode(graph);
  auto decoded = Decode(encoded.bytes, encoded.blobs);
  ASSERT_FALSE(decoded.ok());
  EXPECT_NE(decoded.status().message().find("bodies in more than 64 bodies"), std::string::npos);
}

}  // namespace
}  // namespace tfrt::function
