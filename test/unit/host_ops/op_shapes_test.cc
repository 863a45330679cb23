// The shape functions of the op table on the cases of test/numpy/cases/ops_*.bin: with all that is
// known of the arguments they know all of the results; the less is known the less they say, but
// never what is wrong. And the metadata functions that are made of them.

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/ops/op_call/op_attr_values.h"
#include "test/unit/host_ops/host_op_runner.h"
#include "test/unit/host_ops/numpy_op_cases.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt {
namespace {

ValueType TypeOf(const NumpyCaseTensor& tensor) {
  const ShapeDims dims = tensor.metadata.shape.dims();
  ValueType type{tensor.metadata.dtype, SymbolicShape(std::vector<Dim>(dims.begin(), dims.end()))};
  auto count = static_cast<size_t>(tensor.metadata.shape.num_elements());
  if (count > ValueType::kMaxElements) return type;
  auto read = [&]<typename T>(T element) {
    type.elements.emplace();
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&element, tensor.bytes.data() + i * sizeof(T), sizeof(T));
      type.elements->push_back(int64_t{element});
    }
  };
  if (type.dtype == DType::kI32) read(int32_t());
  if (type.dtype == DType::kI64) read(int64_t());
  return type;
}

// The results as the table knows them, compared with what they are.
class Inference {
 public:
  explicit Inference(const NumpyOpCase& given) : case_(given) {
    for (const auto& attribute : given.attributes) {
      attrs_.SetExternal(attribute.name, attribute.code, attribute.value.bytes());
    }
    for (const NumpyCaseTensor& argument : given.arguments) arguments_.push_back(TypeOf(argument));
    for (const auto& result : given.results) results_.push_back(TypeOf(result.tensor));
  }
  std::vector<ValueType>& arguments() { return arguments_; }

  // All is known.
  void ExpectEqual() const {
    auto inferred = Infer(arguments_);
    if (!inferred) return;
    for (size_t i = 0; i < results_.size(); ++i) {
      EXPECT_EQ((*inferred)[i].dtype, results_[i].dtype);
      EXPECT_EQ((*inferred)[i].shape, results_[i].shape) << (*inferred)[i].ToString();
      EXPECT_TRUE((*inferred)[i].IsCompatibleWith(results_[i])) << (*inferred)[i].ToString();
    }
  }
  // With one thing less, and with all of a kind.
  void ExpectNoContradiction() const {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const size_t rank = arguments_[i].shape.rank();
      for (size_t d = 0; d < rank; ++d) {
        Expect(i, [&](ValueType& type) { Forget(type, d, Dim()); });
        Expect(i, [&](ValueType& type) { Forget(type, d, Dim::Symbol(7)); });
      }
      Expect(i, [](ValueType& type) { type.shape = SymbolicShape(); });
      Expect(i, [](ValueType& type) { type.dtype = DType::kUnsupported; });
      Expect(i, [](ValueType& type) { type.elements.reset(); });
      Expect(i, [](ValueType& type) { type = ValueType(); });
      for (size_t e = 0; arguments_[i].elements && e < arguments_[i].elements->size(); ++e) {
        Expect(i, [&](ValueType& type) { (*type.elements)[e] = Dim(); });
      }
    }
    ExpectAll([](ValueType& type) { type = ValueType(); });
    ExpectAll([](ValueType& type) { type.elements.reset(); });
    ExpectAll([](ValueType& type) { type.dtype = DType::kUnsupported; });
    ExpectAll([](ValueType& type) { type.shape = SymbolicShape::OfRank(type.shape.rank()); });
    ExpectAll([](ValueType& type) {
      // Each number has its symbol.
      std::vector<Dim> dims;
      for (Dim dim : type.shape.dims()) {
        dims.push_back(Dim::Symbol(static_cast<uint32_t>(dim.value())));
      }
      type.shape = SymbolicShape(std::move(dims));
    });
  }

 private:
  static void Forget(ValueType& type, size_t index, Dim dim) {
    std::vector<Dim> dims(type.shape.dims().begin(), type.shape.dims().end());
    dims[index] = dim;
    type.shape = SymbolicShape(std::move(dims));
  }
  template <typename Change>
  void Expect(size_t index, Change change) const {
    std::vector<ValueType> less = arguments_;
    change(less[index]);
    Check(less);
  }
  template <typename Change>
  void ExpectAll(Change change) const {
    std::vector<ValueType> less = arguments_;
    for (ValueType& type : less) change(type);
    Check(less);
  }
  void Check(const std::vector<ValueType>& less) const {
    auto inferred = Infer(less);
    if (!inferred) return;
    for (size_t i = 0; i < results_.size(); ++i) {
      EXPECT_TRUE((*inferred)[i].IsCompatibleWith(results_[i]))
          << (*inferred)[i].ToString() << " contradicts " << results_[i].ToString() << Text(less);
    }
  }
  std::optional<std::vector<ValueType>> Infer(const std::vector<ValueType>& arguments) const {
    std::vector<const ValueType*> pointers;
    for (const ValueType& argument : arguments) pointers.push_back(&argument);
    OpAttrsRef attrs = attrs_;
    auto inferred = InferResults(*FindOpSpelling(case_.op), pointers, OpAttrsReader(attrs),
                                 case_.results.size());
    if (inferred.ok()) return *std::move(inferred);
    ADD_FAILURE() << inferred.status().message() << Text(arguments);
    return std::nullopt;
  }
  static std::string Text(const std::vector<ValueType>& arguments) {
    std::string text = "; arguments";
    for (const ValueType& argument : arguments) text += ", " + argument.ToString();
    return text;
  }

  const NumpyOpCase& case_;
  OpAttrs attrs_;
  std::vector<ValueType> arguments_;
  std::vector<ValueType> results_;
};

// Also those whose results are as the metadata function says, which NumpyOpsTest compares.
TEST(OpShapesTest, KnowWhatNumpyComputes) {
  std::set<std::string_view> seen;
  for (const char* family : kNumpyOpFamilies) {
    for (const NumpyOpCase& each : NumpyOpCase::ReadAll(family)) {
      const OpSpelling* spelling = FindOpSpelling(each.op);
      if (!spelling) continue;  // an op for tests, without a row
      SCOPED_TRACE(each.op);
      seen.insert(spelling->op);
      Inference inference(each);
      inference.ExpectEqual();
      inference.ExpectNoContradiction();
      if (testing::Test::HasFailure()) return;
    }
  }
  // These have no cases; test/unit/op_table/op_inference_test.cc and list_ops_test.cc have them.
  // Rows whose spelling is made of their name: test/unit/op_table/model_ops_test.cc.
  std::set<std::string_view> unseen;
  for (const OpSpelling* spelling : AllOpSpellings()) {
    if (!IsMadeOfItsRow(*spelling) && !seen.contains(spelling->op)) unseen.insert(spelling->op);
  }
  EXPECT_EQ(unseen,
            (std::set<std::string_view>{"assert", "check_numerics", "check_numerics_v2", "constant",
                                        "ensure_shape", "fill", "fused_batch_norm", "fused_matmul",
                                        "max_pool", "print", "zeros_like"}));
}

TEST(OpShapesTest, EveryOpOfTheTableHasAnImplementation) {
  HostOpRunner runner;
  for (const OpSpelling* spelling : AllOpSpellings()) {
    const OpDefinition* op = runner.ops().Find(spelling->name);
    ASSERT_TRUE(op) << spelling->name;
    EXPECT_EQ(op->description, FindOpDescription(spelling->op));
  }
}

// What a description's shape rule says is said nowhere else. The ops of the list have metadata
// functions of their own: their rules do not see windows, dense constants, shapes without rank, or
// arguments that are attributes.
TEST(OpShapesTest, MetadataFollowFromTheRules) {
  HostOpRunner runner;
  std::set<std::string_view> own;
  size_t derived = 0;
  for (const OpSpelling* spelling : AllOpSpellings()) {
    const OpDefinition& op = *runner.ops().Find(spelling->name);
    const OpDefinition without_functions(spelling->name, {});
    if (without_functions.metadata) {
      EXPECT_EQ(op.metadata, without_functions.metadata) << spelling->name;
      ++derived;
    } else if (op.metadata) {
      own.insert(spelling->name);
    }
  }
  EXPECT_GE(derived, 50u);
  EXPECT_EQ(own, (std::set<std::string_view>{"tf.Const"}));
}

}  // namespace
}  // namespace tfrt
