// Random programs: eager, traced, saved and reloaded. What they compute, what they leave in
// variables and what they print, in which order.

#include <array>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "test/unit/function/function_fixture.h"
#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/model/model.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

// A program of ops, effects, branches, loops and functions on [4, 4] floats that stay small. The
// same seed gives the same program.
class RandomProgram {
 public:
  static constexpr size_t kVariables = 2;

  RandomProgram(uint32_t seed, std::array<Variable, kVariables> variables)
      : seed_(seed), variables_(std::move(variables)) {}

  Tensor operator()(Tensor x, Tensor y) {
    std::mt19937 random(seed_);
    values_ = {x, y, Tanh(variables_[0].Read())};
    Tensor result = Steps(random, 6, 3);
    (void)variables_[1].Assign(Tanh(result + variables_[1].Read()));
    values_.clear();
    return result;
  }

 private:
  // By number: those from kLeaves on have bodies.
  static constexpr uint32_t kLeaves = 8, kKinds = 13;

  Tensor Pick(std::mt19937& random) { return values_[random() % values_.size()]; }

  Tensor Steps(std::mt19937& random, int count, int depth) {
    const size_t before = values_.size();
    for (int i = 0; i < count; ++i) values_.push_back(Step(random, depth));
    Tensor last = values_.back();
    values_.resize(before);
    return last;
  }

  // What a body computes of `own` and of what is around it: the same whenever it is called.
  Tensor Body(uint32_t seed, int depth, std::initializer_list<Tensor> own) {
    std::mt19937 random(seed);
    const size_t before = values_.size();
    values_.insert(values_.end(), own);
    Tensor made = Steps(random, 2, depth - 1);
    values_.resize(before);
    return made;
  }

  Tensor Step(std::mt19937& random, int depth) {
    Tensor a = Pick(random), b = Pick(random);
    const uint32_t kind = random() % (depth > 0 ? kKinds : kLeaves);
    if (kind >= kLeaves) return Structure(random, kind, depth, a, b);
    switch (kind) {
      case 0:
        return Tanh(a + b);
      case 1:
        return a * b;
      case 2:
        return Softmax(a - b);
      case 3:
        return Tanh(MatMul(a, b));
      case 4:
        return Relu(a) * 0.5f;
      case 5:
        return Maximum(a, Transpose(b, {1, 0}));
      case 6:
        return Print(a, {b}, {.message = StrCat("step ", random(), " ")});
      default: {
        Variable& variable = variables_[random() % kVariables];
        (void)variable.Assign(Tanh(a - variable.Read()));
        return variable.Read() + b;
      }
    }
  }

  Tensor Structure(std::mt19937& random, uint32_t kind, int depth, Tensor a, Tensor b) {
    const uint32_t seed = random(), other_seed = random();
    switch (kind) {
      case 8:
        return Cond(
            Sum(a, {0, 1}) > Sum(b, {0, 1}), [&] { return Body(seed, depth, {}); },
            [&] { return Body(other_seed, depth, {}); });
      case 9:
        return ForRange(
            static_cast<int64_t>(other_seed % 4),
            [&](Tensor, Tensor z) { return Tanh(Body(seed, depth, {z}) + z); }, a);
      case 10: {
        // How often depends on what it computes: at most 20 times, since the sum is above -16.
        auto [last, count] =
            WhileLoop([](Tensor z, Tensor n) { return Sum(z, {0, 1}) + n < 4.0f; },
                      [&](Tensor z, Tensor n) {
                        return std::array{Tanh(Body(seed, depth, {z}) + z), n + 1.0f};
                      },
                      Tanh(a), Tensor::Scalar(0.0f));
        return last * (count + 1.0f) * 0.125f;
      }
      case 11: {
        Function inner("inner", [&](Tensor p, Tensor q) { return Body(seed, depth, {p, q}); });
        return Tanh(inner(a, b) + inner(b, a));
      }
      default: {
        auto [last, rows] = Scan(
            [](Tensor sum, Tensor row) {
              Tensor next = Tanh(sum + row);
              return std::array{next, next * 0.5f};
            },
            Sum(b, {0}), a);
        return rows + last;
      }
    }
  }

  const uint32_t seed_;
  std::array<Variable, kVariables> variables_;
  std::vector<Tensor> values_;
};

std::vector<float> Numbers(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> numbers(16);
  for (float& number : numbers) number = static_cast<float>(random() % 2001) / 1000 - 1;
  return numbers;
}

DenseHostTensor TensorOver(const std::vector<float>& numbers) {
  return *DenseHostTensor::CreateFromBuffer(
      {DType::kF32, TensorShape{4, 4}},
      HostBuffer::CreateFromConstant(numbers.data(), numbers.size() * sizeof(float)));
}

// What a run makes: the result, what is left in the variables, and what was printed.
struct Outcome {
  std::vector<std::vector<float>> values;
  std::string printed;
  bool operator==(const Outcome&) const = default;
};

class RandomProgramTest : public FunctionTest, public testing::WithParamInterface<uint32_t> {
 protected:
  static std::array<Variable, 2> Variables() {
    return {Variable(Floats({4, 4}, Numbers(GetParam() + 2000))),
            Variable(Floats({4, 4}, Numbers(GetParam() + 3000)))};
  }
  template <typename F>
  static Outcome Run(F&& function, const std::array<Variable, 2>& variables) {
    Outcome outcome;
    testing::internal::CaptureStderr();
    outcome.values.push_back(ValuesOf<float>(
        function(Floats({4, 4}, Numbers(GetParam())), Floats({4, 4}, Numbers(GetParam() + 1000)))));
    for (const Variable& variable : variables) {
      outcome.values.push_back(ValuesOf<float>(variable.Read()));
    }
    outcome.printed = testing::internal::GetCapturedStderr();
    return outcome;
  }
  // `variables`: those before the run, for what it does not assign.
  static Outcome RunFile(const std::string& path, const std::array<Variable, 2>& variables);
};

Outcome RandomProgramTest::RunFile(const std::string& path,
                                   const std::array<Variable, 2>& variables) {
  Outcome outcome;
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   *CreateWorkQueue("mstd:2"));
  RegisterCoreRuntimeKernels(&host.kernel_registry());
  auto model = Model::Open(path, &host);
  EXPECT_TRUE(model.ok()) << model.status().message();
  if (!model.ok()) return outcome;
  EXPECT_EQ(model->inputs().size(), 2u);  // the variables' values are in the file
  auto session = Session::Create(*model);
  const std::vector<float> xs = Numbers(GetParam()), ys = Numbers(GetParam() + 1000);
  outcome.values = {{}, ValuesOf<float>(variables[0].Read()), ValuesOf<float>(variables[1].Read())};
  testing::internal::CaptureStderr();
  auto results = session->Run({{"x", TensorOver(xs)}, {"y", TensorOver(ys)}});
  outcome.printed = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(results.ok()) << results.status().message();
  if (!results.ok()) return outcome;
  for (size_t i = 0; i < results->size(); ++i) {
    if ((*results)[i].dtype() != DType::kF32) continue;  // the effects
    const std::string& name = model->outputs()[i].name;
    auto* first = static_cast<const float*>((*results)[i].data());
    outcome.values[name == "assigned:v0" ? 1 : name == "assigned:v1" ? 2 : 0] = {first, first + 16};
  }
  return outcome;
}

TEST_P(RandomProgramTest, IsTheSameInAllForms) {
  const std::array<Variable, 2> eager_variables = Variables(), traced_variables = Variables();
  Function traced("random", RandomProgram(GetParam(), traced_variables),
                  {.exact = true, .argument_names = {"x", "y"}});
  Tensor x = Floats({4, 4}, Numbers(GetParam()));
  auto concrete = traced.Concrete(x, x);
  ASSERT_TRUE(concrete.ok()) << concrete.status().message();
  const std::string path =
      testing::TempDir() + "/function_random_" + std::to_string(GetParam()) + ".bef";
  // The second call begins with what the first one leaves.
  for (int call = 0; call < 2; ++call) {
    SCOPED_TRACE(call);
    Outcome eager;
    {
      StanceScope eagerly(Stance::kForceEager);
      eager = Run(RandomProgram(GetParam(), eager_variables), eager_variables);
    }
    Status saved = concrete->Save(path);
    ASSERT_TRUE(saved.ok()) << saved.message();
    const Outcome reloaded = RunFile(path, traced_variables);
    const Outcome by_trace = Run(traced, traced_variables);
    EXPECT_EQ(by_trace.values, eager.values);
    EXPECT_EQ(by_trace.printed, eager.printed);
    EXPECT_EQ(reloaded.values, by_trace.values);
    EXPECT_EQ(reloaded.printed, by_trace.printed);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgramTest, testing::Range(1u, 41u));

}  // namespace
}  // namespace tfrt::function
