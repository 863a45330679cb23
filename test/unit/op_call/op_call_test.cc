// How ops are made of C++ functions.

#include "tfrt/core_runtime/op_call.h"

#include "test/unit/handles/eager_test.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

class OpCallTest : public EagerTest {
 protected:
  std::string Error(const OpDefinition& op, std::vector<TensorHandle> arguments,
                    size_t num_results = 1) {
    auto results = Run(op, std::move(arguments), num_results);
    return ErrorOf(results.back());
  }
  static float ValueOf(const TensorHandle& handle) {
    auto values = ValuesOf(handle);
    return values.size() == 1 ? values[0] : -1;
  }
};

// The sum of all first elements; -100 for the optional argument that is left out.
StatusOr<DenseHostTensor> OptionalSum(const DenseHostTensor& a,
                                      OptionalOpArgument<DenseHostTensor> b, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({DType::kF32, TensorShape{1}}));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  auto first = [](const DenseHostTensor& tensor) {
    return *static_cast<const float*>(tensor.data());
  };
  *static_cast<float*>(data) = first(a) + (b ? first(*b) : -100);
  return out;
}
const OpDefinition kOptional =
    CustomOp{.name = "test.Optional",
             .arguments = {{"a"}, {"b", OpArgumentSpec::Kind::kOptional}},
             .results = {"sum"},
             .function = TFRT_OP(OptionalSum)};

TEST_F(OpCallTest, OptionalArguments) {
  EXPECT_EQ(ValueOf(Run(kOptional, {Handle({1}), Handle({2})})[0]), 3);
  EXPECT_EQ(ValueOf(Run(kOptional, {Handle({1})})[0]), -99);
  // Left out by an empty handle, too.
  EXPECT_EQ(ValueOf(Run(kOptional, {Handle({1}), TensorHandle()})[0]), -99);
  EXPECT_EQ(Error(kOptional, {}), "test.Optional takes at least 1 arguments, but there are 0");
  EXPECT_EQ(Error(kOptional, {Handle({1}), Handle({1}), Handle({1})}),
            "test.Optional takes at least 1 arguments, but there are 3");
  EXPECT_EQ(Error(kOptional, {TensorHandle()}),
            "test.Optional: argument 0 is a handle without a tensor; it may have been moved from");
}

StatusOr<DenseHostTensor> VariadicSum(const DenseHostTensor& a,
                                      VariadicOpArguments<DenseHostTensor> rest, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({DType::kF32, TensorShape{1}}));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  float sum = *static_cast<const float*>(a.data());
  for (size_t i = 0; i < rest.size(); ++i) sum += *static_cast<const float*>(rest[i].data());
  *static_cast<float*>(data) = sum;
  return out;
}
StatusOr<TensorMetadata> VariadicMetadata(const TensorMetadata& a, VariadicOpMetadata rest) {
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] != a) return InvalidArgumentError("different tensors");
  }
  return a;
}
const OpDefinition kVariadic =
    CustomOp{.name = "test.Variadic",
             .arguments = {{"a"}, {"rest", OpArgumentSpec::Kind::kVariadic}},
             .flags = OpFlags::kAllowsString,
             .metadata = TFRT_OP_METADATA(VariadicMetadata),
             .function = TFRT_OP(VariadicSum)};

TEST_F(OpCallTest, VariadicArguments) {
  EXPECT_EQ(ValueOf(Run(kVariadic, {Handle({1})})[0]), 1);
  EXPECT_EQ(ValueOf(Run(kVariadic, {Handle({1}), Handle({2}), Handle({3})})[0]), 6);
  EXPECT_EQ(Error(kVariadic, {}), "the op takes at least 1 arguments, but there are 0");
  EXPECT_EQ(Error(kVariadic, {Handle({1}), Handle({1, 2})}), "different tensors");
}

TEST_F(OpCallTest, KindsOfTensorsAreChecked) {
  OpDefinition no_metadata = kVariadic;
  no_metadata.metadata = nullptr;
  no_metadata.has_early_metadata = false;
  EXPECT_EQ(Error(no_metadata, {StringHandle("s")}),
            "test.Variadic: argument 0 is a StringHost tensor, which the op does not take");
  EXPECT_EQ(Error(no_metadata, {Handle({1}), Handle({1}), StringHandle("s")}),
            "test.Variadic: argument 2 is a StringHost tensor, which the op does not take");
}

int num_parsed = 0;
StatusOr<int64_t> ParseFactor(const OpAttrsRef& attrs) {
  ++num_parsed;
  if (auto factor = attrs.Get<int64_t>("factor")) return *factor;
  return InvalidArgumentError("no factor");
}
StatusOr<int64_t> ParseNegative(const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(int64_t factor, ParseFactor(attrs));
  return -factor;
}

TEST_F(OpCallTest, AttributesAreParsedOnce) {
  OpAttrs attrs;
  attrs.Set("factor", int64_t{3});
  const OpAttrsRef given = attrs, none;
  num_parsed = 0;
  const auto parsed = TFRT_OP_ATTRS(ParseFactor)(given);
  ASSERT_NE(parsed, nullptr);
  const OpCall::Parts prepared_parts{.attrs = &given, .parsed_attrs = parsed.get()};
  const OpCall prepared(prepared_parts);
  EXPECT_EQ(*ParsedAttrs<&ParseFactor>(prepared), 3);
  EXPECT_EQ(num_parsed, 1);
  // What another function has made of them is not taken for this one's.
  EXPECT_EQ(*ParsedAttrs<&ParseNegative>(prepared), -3);
  EXPECT_EQ(num_parsed, 2);

  EXPECT_EQ(TFRT_OP_ATTRS(ParseFactor)(none), nullptr);
  const OpCall::Parts wrong_parts{.attrs = &none};
  const OpCall wrong(wrong_parts);
  EXPECT_EQ(ParsedAttrs<&ParseFactor>(wrong).status().message(), "no factor");
}

std::pair<DenseHostTensor, DenseHostTensor> Twice(const DenseHostTensor& a) {
  return {a.ShareBuffer(), a.ShareBuffer()};
}
const OpDefinition kTwice =
    CustomOp{.name = "test.Twice", .results = {"a", "b"}, .function = TFRT_OP(Twice)};

TEST_F(OpCallTest, ResultCounts) {
  auto results = Run(kTwice, {Handle({4})}, 2);
  EXPECT_EQ(ValueOf(results[0]), 4);
  EXPECT_EQ(ValueOf(results[1]), 4);
  EXPECT_EQ(Error(kTwice, {Handle({4})}, 1), "test.Twice has 2 results, but is asked for 1");
  EXPECT_EQ(Error(kTwice, {Handle({4})}, 3), "test.Twice has 2 results, but is asked for 3");
  EXPECT_EQ(Error(kTwice, {}, 2), "test.Twice takes 1 arguments, but there are 0");
}

StatusOr<DenseHostTensor> Scale(const DenseHostTensor& a, const OpAttrsRef& attrs, OpCall& call) {
  auto factor = attrs.Get<float>("factor");
  if (!factor) return InvalidArgumentError("no factor");
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(a.metadata()));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  *static_cast<float*>(data) = *static_cast<const float*>(a.data()) * *factor;
  return out;
}

TEST_F(OpCallTest, AttributesOfCallsThatWaitAreKept) {
  const OpDefinition op = CustomOp{.name = "test.Scale", .function = TFRT_OP(Scale)};
  std::vector<TensorHandle> results;
  Later later = MakeLater();
  {
    OpAttrs attrs;
    attrs.Set("factor", 3.0f);
    results = Run(op, {later.handle}, 1, nullptr, attrs);
  }
  later.Resolve(FloatValue({2}));
  EXPECT_EQ(ValueOf(results[0]), 6);
  EXPECT_EQ(Error(op, {Handle({1})}), "no factor");
}

AsyncValueRef<DenseHostTensor> Delay(OpArgument<DenseHostTensor> a,
                                     const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx,
                     [a = a.ValueRef()] { return a->get<DenseHostTensor>().ShareBuffer(); });
}

TEST_F(OpCallTest, ResultsThatComeLater) {
  const OpDefinition op = CustomOp{.name = "test.Delay", .function = TFRT_OP(Delay)};
  auto results = Run(op, {Handle({2})});
  EXPECT_FALSE(results[0].tensor().IsAvailable());
  host()->Quiesce();
  EXPECT_EQ(ValueOf(results[0]), 2);
}

TEST_F(OpCallTest, RegistriesKeepTheFirst) {
  OpRegistry registry;
  registry.Add(kTwice);
  registry.Add(kVariadic);
  EXPECT_TRUE(registry.first_error().ok());
  registry.Add({.name = "test.Twice"});
  EXPECT_EQ(registry.first_error().message(), "the op 'test.Twice' is registered twice");
  ASSERT_TRUE(registry.Find("test.Twice"));
  EXPECT_NE(registry.Find("test.Twice")->function, nullptr);
  EXPECT_EQ(registry.Find("test.Variadic")->id, 1u);
  EXPECT_EQ(registry.Find("test.Unknown"), nullptr);
  EXPECT_EQ(registry.ops().size(), 2u);
}

}  // namespace
}  // namespace tfrt
