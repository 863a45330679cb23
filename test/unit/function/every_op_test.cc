// Every op of the op table alone: a traced function of it computes what the call itself does, bit
// for bit. The calls are those of test/numpy/cases, of all dtypes, and OwnCalls for ops that have
// none there. Many calls are one function: each has arguments of its own.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lib/format/op_table/elementwise_tape.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "test/unit/function/function_fixture.h"
#include "test/unit/host_ops/eager_op_of_case.h"
#include "test/unit/host_ops/numpy_op_cases.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

// Ops that no such call can be made of.
const std::map<std::string_view, std::string_view> kLeftOut = {
    {"assert", "an effect without results: Row06"},
    {"dft", "of complex numbers: python/tests/test_fft.py"},
    {"dynamic_quantized_lstm", "made by importers alone"},
    {"dynamic_quantized_matmul", "made by passes alone"},
    {"fused_batch_norm", "runs on GPUs alone, which functions do not"},
    {"imag", "of complex numbers: python/tests/test_fft.py"},
    {"make_complex", "of complex numbers: python/tests/test_fft.py"},
    {"pack_filter", "makes what only kernels read, and has no elements to compare"},
    {"pack_matrix", "makes what only kernels read, and has no elements to compare"},
    {"print", "an effect: Row05"},
    {"quantized_conv", "made by passes alone"},
    {"quantized_matmul", "made by passes alone"},
    {"real", "of complex numbers: python/tests/test_fft.py"},
};

constexpr size_t kCallsPerFunction = 64;

struct OpCase {
  std::string label;
  const OpDefinition* op = nullptr;
  OpAttrsRef attrs;
  std::vector<std::optional<HostArray>> arguments;  // none: left out
  size_t num_results = 0;
};

bool IsComplex(DType dtype) { return dtype == DType::kComplex64 || dtype == DType::kComplex128; }

// The calls of a family, of those that differ in numbers and sizes alone the first. Graphs have no
// complex numbers.
std::vector<OpCase> CasesOf(const char* family, Context& context) {
  std::vector<OpCase> cases;
  std::set<std::string> seen;
  for (const NumpyOpCase& each : NumpyOpCase::ReadAll(family)) {
    OpCase made;
    made.op = FindEagerOp(each.op, context);
    EXPECT_TRUE(made.op) << each.op;
    if (!made.op || !FindOpSpelling(made.op->name)) continue;  // an op of the tests
    made.label = each.op;
    bool is_complex = false;
    for (const NumpyCaseTensor& argument : each.arguments) {
      is_complex |= IsComplex(argument.metadata.dtype);
      made.label += StrCat(" ", DTypeName(argument.metadata.dtype));
      made.arguments.push_back(HostArray(argument.metadata.dtype, argument.metadata.shape.dims(),
                                         std::as_bytes(std::span(argument.bytes))));
    }
    OpAttrs attrs;
    for (const NumpyOpCase::Attribute& attribute : each.attributes) {
      EXPECT_TRUE(attrs.SetExternal(attribute.name, attribute.code, attribute.value.bytes()));
    }
    made.attrs = attrs.Freeze();
    made.num_results = each.results.size();
    if (is_complex || IsComplex(each.results[0].tensor.metadata.dtype)) continue;
    if (!seen.insert(StrCat(made.label, made.attrs.ToString())).second) continue;
    cases.push_back(std::move(made));
  }
  return cases;
}

// The results of all of them. `taken`: what each gets; host values are those of the case, which a
// program knows.
StatusOr<std::vector<Tensor>> CallAll(std::span<const OpCase> cases,
                                      std::span<const Argument> taken) {
  std::vector<Tensor> all;
  for (const OpCase& each : cases) {
    std::vector<TensorArgument> arguments;
    for (size_t i = 0; i < each.arguments.size(); ++i) {
      if (!each.arguments[i]) {
        arguments.emplace_back();
      } else if (each.op->description->is_host_value(i, each.arguments.size())) {
        arguments.emplace_back(*each.arguments[i]);
      } else {
        arguments.push_back(taken[0].tensor);
        taken = taken.subspan(1);
      }
    }
    std::vector<Tensor> results(each.num_results);
    Status status = eager::Execute(*each.op, arguments, each.attrs, results);
    if (!status.ok()) {
      return Status(status.code(),
                    StrCat(each.label, each.attrs.ToString(), ": ", status.message()));
    }
    for (Tensor& result : results) all.push_back(std::move(result));
  }
  return all;
}

std::vector<Argument> TensorsOf(std::span<const OpCase> cases) {
  std::vector<Argument> tensors;
  for (const OpCase& each : cases) {
    for (size_t i = 0; i < each.arguments.size(); ++i) {
      if (!each.arguments[i] || each.op->description->is_host_value(i, each.arguments.size())) {
        continue;
      }
      tensors.push_back(Argument::Of(Tensor::FromArray(*each.arguments[i])));
    }
  }
  return tensors;
}

void ExpectSameBytes(const DenseHostTensor& traced, const DenseHostTensor& eager) {
  ASSERT_EQ(traced.metadata(), eager.metadata());
  if (eager.size_bytes() == 0 ||
      std::memcmp(traced.data(), eager.data(), eager.size_bytes()) == 0) {
    return;
  }
  const size_t size = DTypeSize(eager.dtype());
  auto* got = static_cast<const char*>(traced.data());
  auto* wanted = static_cast<const char*>(eager.data());
  size_t at = 0;
  while (std::memcmp(got + at, wanted + at, size) == 0) at += size;
  uint64_t got_bits = 0, wanted_bits = 0;
  std::memcpy(&got_bits, got + at, std::min<size_t>(size, 8));
  std::memcpy(&wanted_bits, wanted + at, std::min<size_t>(size, 8));
  ADD_FAILURE() << "element " << at / size << " is 0x" << std::hex << got_bits << ", eagerly 0x"
                << wanted_bits;
}

// Up to 1e-5 of the largest magnitude; infinities and NaNs are the same.
void ExpectClose(const DenseHostTensor& traced, const DenseHostTensor& eager) {
  ASSERT_EQ(traced.metadata(), eager.metadata());
  DispatchDType(eager.dtype(), [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      auto* got = static_cast<const T*>(traced.data());
      auto* wanted = static_cast<const T*>(eager.data());
      T largest = 0;
      for (int64_t i = 0; i < eager.num_elements(); ++i) {
        if (std::isfinite(wanted[i])) largest = std::max(largest, std::abs(wanted[i]));
      }
      for (int64_t i = 0; i < eager.num_elements(); ++i) {
        if (got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]))) continue;
        ASSERT_LE(std::abs(got[i] - wanted[i]), T(1e-5) * largest) << "element " << i;
      }
    } else {
      ExpectSameBytes(traced, eager);
    }
  });
}

// --- Ops without cases of NumPy's

std::mt19937 random_numbers(1);

// Eighths from -2 to 2, which all floats have.
HostArray Numbers(DType dtype, std::initializer_list<int64_t> dims) {
  const TensorMetadata metadata{dtype, TensorShape(dims)};
  std::vector<std::byte> bytes(metadata.shape.num_elements() * DTypeSize(dtype));
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    for (size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      const float number = static_cast<float>(static_cast<int>(random_numbers() % 33) - 16) / 8;
      T element = T();
      if constexpr (std::is_integral_v<T>) {
        element = static_cast<T>(random_numbers() % 100);
      } else if constexpr (std::is_constructible_v<T, float>) {
        element = T(number);
      }
      std::memcpy(bytes.data() + at, &element, sizeof(T));
    }
  });
  return HostArray(dtype, metadata.shape.dims(), bytes);
}
HostArray Ints(std::vector<int64_t> values) {
  return HostArray({static_cast<int64_t>(values.size())}, values);
}

class OwnCalls {
 public:
  using Arguments = std::vector<std::optional<HostArray>>;
  using SetAttrs = std::function<void(OpAttrs&)>;

  explicit OwnCalls(Context& context) : context_(context) {}
  std::vector<OpCase> Make();

 private:
  void Add(
      std::string_view name, Arguments arguments, size_t num_results = 1,
      const SetAttrs& set = [](OpAttrs&) {}) {
    OpCase made;
    made.label = StrCat(name, " #", cases_.size());
    made.op = FindEagerOp(name, context_);
    ASSERT_TRUE(made.op) << name;
    OpAttrs attrs;
    set(attrs);
    made.attrs = attrs.Freeze();
    made.arguments = std::move(arguments);
    made.num_results = num_results;
    cases_.push_back(std::move(made));
  }
  void AddImages(DType dtype);
  void AddProducts(DType dtype);
  void AddLayers(DType dtype);
  void AddChecks();

  Context& context_;
  std::vector<OpCase> cases_;
};

OwnCalls::SetAttrs I64Arrays(
    std::vector<std::pair<std::string_view, std::vector<int64_t>>> arrays,
    const std::function<void(OpAttrs&)>& more = [](OpAttrs&) {}) {
  return [=](OpAttrs& attrs) {
    for (const auto& [name, values] : arrays) attrs.SetArray(name, std::span(values));
    more(attrs);
  };
}

void OwnCalls::AddImages(DType dtype) {
  auto x = [&] { return Numbers(dtype, {2, 4, 7, 6}); };
  auto filter = [&] { return Numbers(dtype, {6, 4, 3, 2}); };
  Add("graph.conv", {x(), filter(), Numbers(dtype, {6})});
  Add("graph.conv", {x(), filter()}, 1,
      I64Arrays({{"strides", {2, 1}}, {"pads", {1, 0, 1, 1}}, {"dilations", {1, 2}}}));
  Add("graph.conv", {x(), Numbers(dtype, {4, 2, 3, 3})}, 1, [](OpAttrs& attrs) {
    attrs.Set<int64_t>("groups", 2);
    attrs.SetString("padding", "same_upper");
  });
  Add("graph.conv", {Numbers(dtype, {1, 7, 6, 4}), Numbers(dtype, {3, 2, 4, 6})}, 1,
      [](OpAttrs& attrs) { attrs.Set("channels_last", true); });
  Add("graph.conv_transpose", {x(), Numbers(dtype, {4, 3, 3, 3}), Numbers(dtype, {3})}, 1,
      I64Arrays({{"strides", {2, 2}}, {"output_padding", {1, 0}}}));
  for (const char* name : {"graph.max_pool", "graph.average_pool", "graph.lp_pool"}) {
    Add(name, {x()}, 1, I64Arrays({{"kernel", {3, 2}}}));
    Add(name, {x()}, 1,
        I64Arrays({{"kernel", {2, 2}}, {"strides", {2, 2}}, {"pads", {1, 0, 0, 1}}},
                  [](OpAttrs& attrs) { attrs.Set("ceil", true); }));
  }
  Add("graph.max_pool_with_places", {x()}, 2, I64Arrays({{"kernel", {3, 2}}}));
  for (const char* activation : {"relu", "sigmoid"}) {
    Add("graph.fused_conv", {x(), filter(), Numbers(dtype, {6}), Numbers(dtype, {2, 6, 5, 5})}, 1,
        [=](OpAttrs& attrs) { attrs.SetString("activation", activation); });
  }
}

void OwnCalls::AddProducts(DType dtype) {
  Add("tf._FusedMatMul", {Numbers(dtype, {3, 5}), Numbers(dtype, {5, 4}), Numbers(dtype, {4})}, 1,
      [](OpAttrs& attrs) {
        attrs.SetStringArray("fused_ops", std::array<std::string_view, 2>{"BiasAdd", "Relu"});
      });
  Add("graph.fused_batch_matmul",
      {Numbers(dtype, {2, 3, 5}), Numbers(dtype, {2, 4, 5}), Numbers(dtype, {4})}, 1,
      [](OpAttrs& attrs) {
        attrs.Set("transpose_b", true);
        attrs.Set("scale", 0.5f);
        attrs.SetString("activation", "tanh");
      });
  auto heads = [&] { return Numbers(dtype, {2, 2, 5, 4}); };
  Add("graph.attention", {heads(), heads(), heads()}, 1,
      [](OpAttrs& attrs) { attrs.Set("scale", 0.5f); });
  Add("graph.attention", {heads(), heads(), heads(), Numbers(dtype, {5, 5})}, 1,
      [](OpAttrs& attrs) { attrs.Set("causal", true); });
  Add("graph.packed_attention", {Numbers(dtype, {2, 5, 24})}, 1, [](OpAttrs& attrs) {
    attrs.Set<int64_t>("heads", 2);
    attrs.Set<int64_t>("kv_heads", 2);
  });
  for (std::initializer_list<int64_t> dims : {std::initializer_list<int64_t>{}, {4}, {3, 4}}) {
    Add("graph.sum_to", {Numbers(dtype, {2, 3, 4}), Ints(dims)});
  }
  Add("graph.qr", {Numbers(dtype, {2, 5, 4})}, 2);
  Add("graph.svd", {Numbers(dtype, {2, 4, 5})}, 3);
  Add("graph.eigh", {Numbers(dtype, {2, 4, 4})}, 2);
  Add("tfrt.ListWrite", {Numbers(dtype, {3, 4}), Ints({1}), Numbers(dtype, {4})});
  Add("tfrt.ListWrite", {Numbers(dtype, {3, 4}), Ints({5}), Numbers(dtype, {4})});
}

void OwnCalls::AddLayers(DType dtype) {
  for (const char* direction : {"forward", "reverse", "bidirectional"}) {
    const int64_t d = direction == std::string_view("bidirectional") ? 2 : 1;
    auto set = [=](OpAttrs& attrs) { attrs.SetString("direction", direction); };
    auto layer = [&](std::string_view name, int64_t gates, size_t num_results) {
      Add(name,
          {Numbers(dtype, {3, 2, 5}), Numbers(dtype, {d, gates * 4, 5}),
           Numbers(dtype, {d, gates * 4, 4}), Numbers(dtype, {d, 2 * gates * 4}), std::nullopt,
           Numbers(dtype, {d, 2, 4})},
          num_results, set);
    };
    layer("graph.lstm", 4, 3);
    layer("graph.gru", 3, 2);
    layer("graph.rnn", 1, 2);
  }
}

void OwnCalls::AddChecks() {
  auto message = [](OpAttrs& attrs) { attrs.SetString("message", "here"); };
  for (DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64}) {
    Add("tf.CheckNumerics", {Numbers(dtype, {2, 3})}, 1, message);
    Add("tf.CheckNumericsV2", {Numbers(dtype, {2, 3})}, 1, message);
  }
  for (DType dtype : {DType::kF32, DType::kI8, DType::kI64, DType::kUI16}) {
    Add("tf.EnsureShape", {Numbers(dtype, {2, 3})}, 1,
        [](OpAttrs& attrs) { attrs.SetShape("shape", std::array<int64_t, 2>{-1, 3}); });
    const std::vector<uint8_t> bytes(2 * DTypeSize(dtype), 7);
    Add("tf.Const", {}, 1,
        [=](OpAttrs& attrs) { attrs.SetDense("value", dtype, std::array<int64_t, 1>{2}, bytes); });
  }
  for (DType dtype : {DType::kUI8, DType::kI8}) {
    Add("graph.matmul_integer",
        {Numbers(dtype, {3, 5}), Numbers(dtype, {5, 4}), Numbers(dtype, {}), Numbers(dtype, {})});
    Add("graph.conv_integer",
        {Numbers(dtype, {1, 2, 5, 5}), Numbers(dtype, {3, 2, 3, 3}), Numbers(dtype, {})});
  }
  Add("graph.split_sizes", {Ints({1, 2}), Ints({3})});
  std::vector<int64_t> program;
  using Kind = TapeOperand::Kind;
  AppendTapeStep({ElementwiseOp::kMul, 0, {{{Kind::kArgument, 0}, {Kind::kConstant, 0}}}},
                 &program);
  AppendTapeStep({ElementwiseOp::kTanh, 0, {{{Kind::kSlot, 0}}}}, &program);
  Add("graph.elementwise_tape", {Numbers(DType::kF32, {3, 70})}, 1,
      I64Arrays({{"program", program}}, [](OpAttrs& attrs) {
        attrs.SetArray("constants", std::span<const float>(std::array<float, 1>{0.5f}));
      }));
}

// Those of floats that the op has not are left out.
std::vector<OpCase> OwnCalls::Make() {
  for (DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64}) {
    AddImages(dtype);
    AddProducts(dtype);
    AddLayers(dtype);
  }
  const size_t num_floats = cases_.size();
  AddChecks();
  std::vector<OpCase> supported;
  for (size_t i = 0; i < cases_.size(); ++i) {
    const std::vector<Argument> tensors = TensorsOf({&cases_[i], 1});
    StatusOr<std::vector<Tensor>> made = CallAll({&cases_[i], 1}, tensors);
    const bool is_f32 = i >= num_floats || i / (num_floats / 4) == 2;
    EXPECT_TRUE(made.ok() || !is_f32) << made.status().message();
    if (made.ok()) supported.push_back(std::move(cases_[i]));
  }
  return supported;
}

class EveryOpTest : public FunctionTest {
 protected:
  // Compares all calls, which are traced as one function.
  void Compare(std::span<const OpCase> cases) {
    std::vector<Argument> tensors = TensorsOf(cases);
    StatusOr<std::vector<Tensor>> eager = CallAll(cases, tensors);
    ASSERT_TRUE(eager.ok()) << eager.status().message();
    for (bool exact : {true, false}) {
      AnyFunction f("f", [&](std::span<const Argument> taken) { return CallAll(cases, taken); },
                    {.exact = exact, .on_warning = [](std::string_view) {}});
      std::vector<Argument> arguments = tensors;
      std::vector<Tensor> traced = f.Call(arguments);
      ASSERT_EQ(traced.size(), eager->size()) << traced[0].status().message();
      EXPECT_EQ(f.statistics().traces, 1u);
      size_t next = 0;
      for (const OpCase& each : cases) {
        SCOPED_TRACE(StrCat(each.label, each.attrs.ToString(), exact ? ", exact" : ", by default"));
        for (size_t i = 0; i < each.num_results; ++i, ++next) {
          auto got = traced[next].HostElements(Location()),
               wanted = (*eager)[next].HostElements(Location());
          ASSERT_TRUE(got.ok()) << got.status().message();
          ASSERT_TRUE(wanted.ok()) << wanted.status().message();
          exact ? ExpectSameBytes(**got, **wanted) : ExpectClose(**got, **wanted);
        }
      }
    }
  }
};

std::vector<const char*> Families() {
  std::vector<const char*> families(std::begin(kNumpyOpFamilies), std::end(kNumpyOpFamilies));
  families.insert(families.end(), std::begin(kNumpyGraphFamilies), std::end(kNumpyGraphFamilies));
  return families;
}

class NumpyFamilyTest : public EveryOpTest, public testing::WithParamInterface<const char*> {};

TEST_P(NumpyFamilyTest, TracedCallsComputeWhatEagerOnesDo) {
  const std::vector<OpCase> cases = CasesOf(GetParam(), *context_);
  for (size_t i = 0; i < cases.size(); i += kCallsPerFunction) {
    Compare(std::span(cases).subspan(i, std::min(kCallsPerFunction, cases.size() - i)));
  }
}
INSTANTIATE_TEST_SUITE_P(AllFamilies, NumpyFamilyTest, testing::ValuesIn(Families()),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(EveryOpTest, OwnCallsComputeWhatEagerOnesDo) {
  const std::vector<OpCase> cases = OwnCalls(*context_).Make();
  for (size_t i = 0; i < cases.size(); i += kCallsPerFunction) {
    Compare(std::span(cases).subspan(i, std::min(kCallsPerFunction, cases.size() - i)));
  }
}

TEST_F(EveryOpTest, NoOpIsMissing) {
  std::set<std::string_view> compared;
  for (const char* family : Families()) {
    for (const OpCase& each : CasesOf(family, *context_)) {
      compared.insert(each.op->description->name);
    }
  }
  for (const OpCase& each : OwnCalls(*context_).Make()) {
    compared.insert(each.op->description->name);
  }
  for (const OpDescription* op : AllOpDescriptions()) {
    EXPECT_NE(compared.contains(op->name), kLeftOut.contains(op->name))
        << op->name << " is to be compared, or left out for a reason";
  }
}

}  // namespace
}  // namespace tfrt::function
