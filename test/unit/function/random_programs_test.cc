// Random programs: eager, traced, saved and reloaded.

#include <functional>
#include <random>

#include "test/unit/function/function_fixture.h"
#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/model/model.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

// A program of ops, branches and loops on [4, 4] floats that stay small. The same seed gives the
// same program.
class RandomProgram {
 public:
  RandomProgram(uint32_t seed, Variable variable) : seed_(seed), variable_(std::move(variable)) {}

  Tensor operator()(Tensor x, Tensor y) {
    std::mt19937 random(seed_);
    values_ = {x, y, Tanh(variable_.Read())};
    Tensor result = Steps(random, 6, 2);
    (void)variable_.Assign(Tanh(result + variable_.Read()));
    values_.clear();
    return result;
  }

 private:
  Tensor Pick(std::mt19937& random) { return values_[random() % values_.size()]; }

  Tensor Steps(std::mt19937& random, int count, int depth) {
    const size_t before = values_.size();
    for (int i = 0; i < count; ++i) values_.push_back(Step(random, depth));
    Tensor last = values_.back();
    values_.resize(before);
    return last;
  }

  Tensor Step(std::mt19937& random, int depth) {
    Tensor a = Pick(random), b = Pick(random);
    switch (random() % (depth > 0 ? 9 : 6)) {
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
      case 6: {
        // Both branches go on from the same numbers, whichever is taken.
        const uint32_t then_seed = random(), else_seed = random();
        return Cond(
            Sum(a, {0, 1}) > Sum(b, {0, 1}),
            [&] {
              std::mt19937 inner(then_seed);
              return Steps(inner, 2, depth - 1);
            },
            [&] {
              std::mt19937 inner(else_seed);
              return Steps(inner, 2, depth - 1);
            });
      }
      case 7: {
        const uint32_t body_seed = random();
        return ForRange(
            static_cast<int64_t>(random() % 4),
            [&](Tensor, Tensor z) {
              std::mt19937 inner(body_seed);
              values_.push_back(z);
              Tensor next = Steps(inner, 2, depth - 1);
              values_.pop_back();
              return Tanh(next + z);
            },
            a);
      }
      default:
        (void)variable_.Assign(Tanh(a));
        return variable_.Read() + b;
    }
  }

  const uint32_t seed_;
  Variable variable_;
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

class RandomProgramTest : public FunctionTest, public testing::WithParamInterface<uint32_t> {};

TEST_P(RandomProgramTest, IsTheSameInAllForms) {
  const uint32_t seed = GetParam();
  const std::vector<float> xs = Numbers(seed), ys = Numbers(seed + 1000), zs = Numbers(seed + 2000);
  Tensor x = Floats({4, 4}, xs), y = Floats({4, 4}, ys);
  Variable eager_variable(Floats({4, 4}, zs)), traced_variable(Floats({4, 4}, zs));
  RandomProgram eager_program(seed, eager_variable);
  const std::vector<float> eager = ValuesOf<float>(eager_program(x, y));
  Function traced("random", RandomProgram(seed, traced_variable),
                  {.exact = true, .argument_names = {"x", "y"}});
  EXPECT_EQ(ValuesOf<float>(traced(x, y)), eager) << seed;
  EXPECT_EQ(ValuesOf<float>(traced_variable.Read()), ValuesOf<float>(eager_variable.Read()));

  // The file takes the variable's value and gives the last one.
  const std::string path = testing::TempDir() + "/function_random_" + std::to_string(seed) + ".bef";
  Status saved = traced.Save(path);
  ASSERT_TRUE(saved.ok()) << saved.message();
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   *CreateWorkQueue("mstd:2"));
  RegisterCoreRuntimeKernels(&host.kernel_registry());
  auto model = Model::Open(path, &host);
  ASSERT_TRUE(model.ok()) << model.status().message();
  auto session = Session::Create(*model);
  ASSERT_TRUE(session.ok());
  const DenseHostTensor in[] = {TensorOver(xs), TensorOver(ys), TensorOver(zs)};
  const DenseHostTensor* inputs[] = {&in[0], &in[1], &in[2]};
  auto results = session->RunInOrder(inputs);
  ASSERT_TRUE(results.ok()) << results.status().message();
  auto* first = static_cast<const float*>((*results)[0].data());
  EXPECT_EQ(std::vector<float>(first, first + 16), eager);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgramTest, testing::Range(1u, 25u));

}  // namespace
}  // namespace tfrt::function
