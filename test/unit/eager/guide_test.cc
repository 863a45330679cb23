// The code in docs/eager.md and docs/eager_details.md. test/docs/check_quotes.py finds it here.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/base/tracing/tracing.h"
#include "tfrt/eager/arrays.h"
#include "tfrt/eager/ops.h"
#include "tfrt/eager/variable.h"

using namespace tfrt::eager;  // all that the guide needs

namespace {

std::vector<float> Floats(const Tensor& tensor) {
  auto values = tensor.Values<float>();
  EXPECT_TRUE(values.ok()) << values.status().ToString();
  return values.ok() ? std::vector<float>(values->begin(), values->end()) : std::vector<float>();
}

std::string WithoutFolder(std::string message) {
  size_t slash = message.rfind('/', message.find(".cc:"));
  return slash == std::string::npos ? message : message.substr(slash + 1);
}

TEST(EagerGuide, FirstArrays) {
  StatusOr<std::unique_ptr<Context>> context = Context::Create({.devices = {"cpu:0", "cpu:1"}});
  ASSERT_TRUE(context.ok());
  Scope scope(**context);
  Tensor x = Tensor::Of({{1.0f, 2.0f}, {3.0f, 4.0f}});
  Tensor y = arrays::Sqrt(x) * 2 + 1;
  Tensor rows = arrays::Sum(x, {.axis = 1});  // {3, 7}
  Tensor first = x.At({arrays::Slice(), 0});  // {1, 3}
  Tensor kept = arrays::Where(x > 2, x, 0);   // {0, 0, 3, 4}
  StatusOr<std::span<const float>> elements = kept.Values<float>();
  ASSERT_TRUE(elements.ok());
  EXPECT_EQ(Floats(kept), (std::vector<float>{0, 0, 3, 4}));
  EXPECT_EQ(Floats(rows), (std::vector<float>{3, 7}));
  EXPECT_EQ(Floats(first), (std::vector<float>{1, 3}));
  EXPECT_EQ(Floats(y)[3], 5);
  EXPECT_EQ(y.device(), "cpu:0");
  EXPECT_EQ((*context)->devices(), (std::vector<std::string_view>{"cpu:0", "cpu:1"}));
}

TEST(EagerGuide, Logs) {
  testing::internal::CaptureStderr();
  {
    auto context = Context::Create({.log = LogOptions{.log_results = true}});  // to standard error
    Scope scope(**context);
    Tensor y = Relu(HostArray({1}, {3.0f}));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            R"([0] dispatch 'tf.Relu' 1 argument, 1 result, no attributes
Inputs for [0]: 'tf.Relu':
  Input for [0] tensor 0: DenseHostTensor dtype = f32, shape = [1], values = [3.000000e+00]

Outputs for [0]: 'tf.Relu':
  Output for [0] tensor 0: DenseHostTensor dtype = f32, shape = [1], values = [3.000000e+00]

)");
}

class EagerGuideTest : public testing::Test {
 protected:
  EagerGuideTest()
      : context_(*Context::Create({.devices = {"cpu:0", "cpu:1"}})), context(*context_) {}
  HostArray numbers{{2, 2}, {1.0f, 2.0f, 3.0f, 4.0f}};
  std::unique_ptr<Context> context_;
  Context& context;
};

TEST_F(EagerGuideTest, NewArrays) {
  Scope scope(context);
  Tensor zeros = arrays::Zeros({2, 3});                   // f32
  Tensor ones = arrays::Ones(3, {.dtype = DType::kI64});  // [3]
  Tensor sevens = arrays::Full({2}, 7);                   // i32, as the number
  Tensor half = arrays::Arange(0.0, 1.0, 0.25);           // {0, 0.25, 0.5, 0.75}
  Tensor lines = arrays::Linspace(0, 1, 5);               // {0, 0.25, 0.5, 0.75, 1}
  Tensor shifted = arrays::Eye(3, {.k = 1});
  Tensor doubles = Tensor::Of<double>({{1, 2}, {3, 4}});
  Tensor there = zeros.To("cpu:1");
  EXPECT_EQ(*zeros.dtype(), DType::kF32);
  EXPECT_EQ(ones.shape()->ToString(), "[3]");
  EXPECT_EQ(*sevens.dtype(), DType::kI32);
  EXPECT_EQ(Floats(half), (std::vector<float>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(Floats(lines), (std::vector<float>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(Floats(shifted), (std::vector<float>{0, 1, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(*doubles.dtype(), DType::kF64);
  EXPECT_EQ(there.device(), "cpu:1");
}

TEST_F(EagerGuideTest, OperatorsAndDTypes) {
  Scope scope(context);
  Tensor counts = Tensor::Of({1, 2, 3});
  Tensor shares = counts / 2;                              // f32 {0.5, 1, 1.5}
  Tensor odd = counts % 2 == 1;                            // {true, false, true}
  Tensor both = odd & (counts > 1);                        // {false, false, true}
  Tensor mixed = counts + Tensor::Of({0.5f, 0.5f, 0.5f});  // f32
  counts *= 10;
  EXPECT_EQ(Floats(shares), (std::vector<float>{0.5, 1, 1.5}));
  EXPECT_EQ(Floats(arrays::Where(odd, 1.0f, 0.0f)), (std::vector<float>{1, 0, 1}));
  EXPECT_EQ(Floats(arrays::Where(both, 1.0f, 0.0f)), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(Floats(mixed), (std::vector<float>{1.5, 2.5, 3.5}));
  EXPECT_EQ(Floats(counts * 1.0f), (std::vector<float>{10, 20, 30}));
}

TEST_F(EagerGuideTest, Slices) {
  Scope scope(context);
  Tensor grid = arrays::Reshape(arrays::Arange(12), {3, 4});
  Tensor corner = grid.At({arrays::Slice(0, 2), arrays::Slice(2, {})});  // {{2, 3}, {6, 7}}
  Tensor last = grid.At({arrays::kEllipsis, -1});                        // {3, 7, 11}
  Tensor large = grid.At(grid > 8);                                      // {9, 10, 11}
  Tensor picked = grid.At({Tensor::Of({0, 2}), Tensor::Of({1, 3})});     // {1, 11}
  EXPECT_EQ(Floats(corner * 1.0f), (std::vector<float>{2, 3, 6, 7}));
  EXPECT_EQ(Floats(last * 1.0f), (std::vector<float>{3, 7, 11}));
  EXPECT_EQ(Floats(large * 1.0f), (std::vector<float>{9, 10, 11}));
  EXPECT_EQ(Floats(picked * 1.0f), (std::vector<float>{1, 11}));
  // The table of the page.
  Tensor x = grid * 1.0f;
  EXPECT_EQ(Floats(x.At(0)), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(x.At(arrays::Slice(1, 5)).shape()->ToString(), "[2, 4]");
  EXPECT_EQ(Floats(x.At({arrays::Slice({}, {}, -1), 0})), (std::vector<float>{8, 4, 0}));
  EXPECT_EQ(x.At({arrays::kNewAxis, 0}).shape()->ToString(), "[1, 4]");
  EXPECT_EQ(x.At(Tensor::Of({2, 0})).shape()->ToString(), "[2, 4]");

  Tensor plate = arrays::Zeros({4, 4});
  plate.SetAt({arrays::Slice(1, 3), arrays::Slice(1, 3)}, 100);
  plate.SetAt(0, arrays::Arange(4));  // the first row
  plate.SetAt(plate > 50, 50);
  EXPECT_EQ(Floats(plate),
            (std::vector<float>{0, 1, 2, 3, 0, 50, 50, 0, 0, 50, 50, 0, 0, 0, 0, 0}));
}

TEST_F(EagerGuideTest, FunctionsOfArrays) {
  Scope scope(context);
  Tensor table = Tensor::Of({{3.0f, 1.0f}, {2.0f, 4.0f}, {2.0f, 9.0f}});
  Tensor scaled = (table - arrays::Mean(table, {.axis = 0})) / arrays::Std(table, {.axis = 0});
  Tensor joined = arrays::Concat({table, scaled}, 1);  // [3, 4]
  Tensor order = arrays::Argsort(table, {.axis = 0, .descending = true});
  auto [values, times] = arrays::UniqueCounts(table);  // {1, 2, 3, 4, 9}, {1, 2, 1, 1, 1}
  Tensor product = arrays::Matmul(arrays::MatrixTranspose(table), table);
  EXPECT_EQ(joined.shape()->ToString(), "[3, 4]");
  EXPECT_EQ(Floats(order * 1.0f), (std::vector<float>{0, 2, 1, 1, 2, 0}));
  EXPECT_EQ(Floats(values), (std::vector<float>{1, 2, 3, 4, 9}));
  EXPECT_EQ(Floats(times * 1.0f), (std::vector<float>{1, 2, 1, 1, 1}));
  EXPECT_EQ(Floats(product), (std::vector<float>{17, 29, 29, 98}));
}

TEST_F(EagerGuideTest, Ops) {
  Scope scope(context);
  std::vector<float> numbers = {1, 2, 3, 4};
  Tensor x = Tensor::FromArray(HostArray::Take({2, 2}, numbers));
  Tensor y = Relu(MatMul(x, x, {.transpose_b = true}));
  StatusOr<std::span<const float>> elements = y.Values<float>();  // {5, 11, 11, 25}
  ASSERT_TRUE(elements.ok());
  EXPECT_EQ(Floats(y), (std::vector<float>{5, 11, 11, 25}));
  Tensor columns = Sum(y, {0});
  Tensor wide = ConcatV2({x, y}, 1);  // [2, 4]
  Tensor box = Slice(wide, {0, 1}, {2, 2});
  EXPECT_EQ(Floats(columns), (std::vector<float>{16, 36}));
  EXPECT_EQ(wide.shape()->ToString(), "[2, 4]");
  EXPECT_EQ(Floats(box), (std::vector<float>{2, 5, 4, 11}));
}

TEST_F(EagerGuideTest, LooksAtTensors) {
  Scope scope(context);
  Tensor x = Tensor::FromArray(numbers);
  testing::internal::CaptureStderr();
  Tensor loss = Mean(x, {0, 1});
  Tensor seen = Print(loss, {loss}, {.message = "loss "});  // loss [2.5]
  Tensor finite = CheckNumerics(seen, "the loss");          // an error if it is infinite or NaN
  Status positive = Assert(finite > 0.0f, {finite});
  Tensor matrix = EnsureShape(x, {-1, 2});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "loss [2.5]\n");
  EXPECT_EQ(Floats(finite), (std::vector<float>{2.5f}));
  EXPECT_TRUE(positive.ok()) << positive.ToString();
  EXPECT_EQ(Floats(matrix), Floats(x));
  int line = __LINE__ + 1;
  Status negative = Assert(finite < 0.0f, {finite, x});
  EXPECT_TRUE(WithoutFolder(std::string(negative.message()))
                  .starts_with(StrCat("guide_test.cc:", line, ": tf.Assert: ")))
      << negative.ToString();
  EXPECT_NE(negative.message().find("assertion failed: [2.5] [[1 2][3...]...]"), std::string::npos)
      << negative.ToString();
}

TEST_F(EagerGuideTest, PlacesOfAnotherLanguage) {
  Scope scope(context);
  Tensor x = Tensor::FromArray(numbers);
  LocationTable script;
  Tensor wrong = MatMul(x, 1.0f, {}, script.Add("train.py", 7));
  EXPECT_TRUE(wrong.ToString().starts_with("error: train.py:7: tf.MatMul: ")) << wrong.ToString();
}

TEST_F(EagerGuideTest, Scopes) {
  Scope outer(context, {.mode = ExecutionMode::kAsync});
  Tensor x = Tensor::FromArray(numbers);  // on cpu:0, now or later
  {
    Scope inner(context, {.device = "cpu:1"});
    Tensor y = Relu(x);  // on cpu:1, now
    EXPECT_EQ(y.device(), "cpu:1");
    EXPECT_TRUE(y.IsAvailable());
  }
  Tensor z = Relu(x);  // as the outer scope says
  EXPECT_EQ(z.device(), "cpu:0");
  EXPECT_EQ(Floats(z), Floats(x));

  Scope scope(context, {.device = "cpu:7"});
  EXPECT_EQ(scope.status().message(), "there is no device cpu:7; the devices are cpu:0, cpu:1");
  int line = __LINE__ + 1;
  Tensor nowhere = Relu(x);
  EXPECT_EQ(WithoutFolder(nowhere.ToString()),
            StrCat("guide_test.cc:", line,
                   ": tf.Relu: there is no device cpu:7; the devices are cpu:0, cpu:1"));
}

TEST_F(EagerGuideTest, NoScope) {
  std::string message;
  int line = __LINE__ + 1;
  std::thread([&] { message = WithoutFolder(Tensor::Scalar(1).ToString()); }).join();
  EXPECT_EQ(message,
            StrCat("guide_test.cc:", line, ": Const: this thread has no tfrt::eager::Scope"));
}

TEST_F(EagerGuideTest, Copies) {
  int line = __LINE__ + 3;
  Scope scope(context, {.device = "cpu:1", .misplaced_input = MisplacedInputPolicy::kExplicit});
  Tensor x = Tensor::FromArray(numbers).CopyTo("cpu:0");
  Tensor wrong = Relu(x);
  Tensor right = Relu(x.CopyTo("cpu:1"));
  EXPECT_EQ(WithoutFolder(wrong.ToString()),
            StrCat("guide_test.cc:", line,
                   ": tf.Relu: argument x is on cpu:0, but the op runs on cpu:1; copy it with "
                   "CopyTo(\"cpu:1\")"));
  EXPECT_EQ(right.device(), "cpu:1");
  EXPECT_EQ(Floats(right), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(EagerGuideTest, SmallIntegers) {
  Scope scope(context, {.device = "cpu:1"});
  Tensor few = Tensor::FromArray(HostArray({2}, {1, 2})).CopyTo("cpu:0");
  EXPECT_EQ(AddV2(few, few).device(), "cpu:0");
}

TEST_F(EagerGuideTest, Errors) {
  Scope scope(context);
  Tensor x = Tensor::FromArray(HostArray({1, 2}, {1.0f, 2.0f}));
  int line = __LINE__ + 1;
  Tensor product = MatMul(x, x);
  Tensor sum = AddV2(product, x);
  Status error = sum.status();
  EXPECT_EQ(error.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(WithoutFolder(std::string(error.message())),
            StrCat("guide_test.cc:", line,
                   ": tf.MatMul: matmul arguments have incompatible shapes: In[0]: [1, 2], In[1]: "
                   "[1, 2]. transpose_a: 0, transpose_b: 0: a is f32 [1, 2], b is f32 [1, 2]"));
  EXPECT_TRUE(product.IsError());
  EXPECT_EQ(x.Values<int32_t>().status().message(),
            "the tensor has elements of f32, but i32 are asked for");
  EXPECT_EQ(x.Item<float>().status().message(), "the tensor has 2 elements, not one");
}

TEST_F(EagerGuideTest, Async) {
  Scope scope(context, {.mode = ExecutionMode::kAsync});
  Tensor sum = Tensor::Scalar(0.0f);
  for (int i = 0; i < 100; ++i) sum = AddV2(std::move(sum), Tensor::Scalar(1.0f));
  StatusOr<float> total = sum.Item<float>();  // waits: 100
  ASSERT_TRUE(total.ok());
  EXPECT_EQ(*total, 100);
  context.Wait();  // for all ops of all threads
  EXPECT_EQ(context.queue_depth(), 0u);
}

TEST(EagerGuide, InOrder) {
  std::unique_ptr<Context> context = *Context::Create({.order = ExecutionOrder::kFifo});
  Scope scope(*context, {.mode = ExecutionMode::kAsync});
  Tensor y = Sqrt(Tensor::Scalar(16.0f));
  size_t waiting = context->queue_depth();
  EXPECT_LE(waiting, 2u);
  EXPECT_EQ(*y.Item<float>(), 4);
}

TEST_F(EagerGuideTest, Cancellation) {
  Scope scope(context);
  Tensor x = Tensor::FromArray(numbers);
  context.Cancel();
  Tensor cancelled = Relu(x);  // an error: CANCELLED "Cancelled"
  context.Restart();
  Tensor y = Relu(x);
  EXPECT_EQ(cancelled.status().code(), StatusCode::kCancelled);
  EXPECT_EQ(cancelled.status().message(), "Cancelled");
  EXPECT_EQ(Floats(y), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(EagerGuideTest, Variables) {
  Scope scope(context);
  Tensor x = Tensor::Of({2.0f, 4.0f}), gradient = Tensor::Of({1.0f, 10.0f});
  Variable weights(Tensor::Of({0.5f, 0.25f}));
  Tensor y = Mul(x, weights);
  SgdUpdate(weights, gradient, 0.1f);  // weights -= 0.1 * gradient
  weights.AssignAdd(1.0f);
  Tensor now = weights.Read();
  EXPECT_EQ(Floats(y), (std::vector<float>{1, 1}));
  EXPECT_EQ(Floats(now), (std::vector<float>{0.5f - 0.1f + 1, 0.25f - 0.1f * 10 + 1}));
}

TEST_F(EagerGuideTest, KernelCache) {
  Scope scope(context);
  Tensor x = Tensor::FromArray(numbers);
  for (int i = 0; i < 10; ++i) x = Relu(x);
  CacheStatistics cache = context.cache_statistics();  // 9 hits, 1 miss, 1 entry
  EXPECT_EQ(cache.hits, 9u);
  EXPECT_EQ(cache.misses, 1u);
  EXPECT_EQ(cache.entries, 1u);
  EXPECT_EQ(cache.capacity, 4096u);
}

TEST_F(EagerGuideTest, Moving) {
  Scope scope(context);
  Tensor x = AddV2(numbers, numbers);
  const float* before = x.Values<float>()->data();
  Tensor copy = Relu(x);
  EXPECT_NE(copy.Values<float>()->data(), before);
  Tensor y = Relu(std::move(x));  // in the memory of x, which is no tensor any more
  EXPECT_FALSE(x.valid());
  EXPECT_EQ(y.Values<float>()->data(), before);
  EXPECT_EQ(x.status().message(), "this is not a tensor; has it been moved from?");
}

TEST_F(EagerGuideTest, HostArrays) {
  Scope scope(context);
  std::vector<float> frame(640 * 480);
  std::function<void()> release;
  HostArray copied({480, 640}, frame);
  HostArray borrowed = HostArray::Borrow({480, 640}, std::span<const float>(frame), release);
  HostArray taken = HostArray::Take({480, 640}, std::move(frame));
  Tensor y = Mul(borrowed, HostArray({}, {2.0f}));
  EXPECT_TRUE(copied.tensor().ok() && taken.tensor().ok());
  EXPECT_EQ(y.Values<float>()->size(), 640u * 480u);
  EXPECT_EQ(WithoutFolder(Tensor::FromArray(HostArray({3}, {1.0f})).ToString()).substr(0, 14),
            "guide_test.cc:");
}

TEST_F(EagerGuideTest, Dlpack) {
  Scope scope(context);
  Tensor x = Tensor::FromArray(numbers);
  StatusOr<DLManagedTensor*> array = x.ToDlpack();  // for another library
  ASSERT_TRUE(array.ok());
  StatusOr<Tensor> same = Tensor::FromDlpack(*array);  // from another library
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->Values<float>()->data(), x.Values<float>()->data());
}

TEST_F(EagerGuideTest, OpFunctions) {
  Scope scope(context);
  Tensor image = Tensor::FromArray(HostArray({1, 2, 2, 1}, {1.0f, 2.0f, 3.0f, 4.0f}));
  Tensor pooled = MaxPool(image, {1, 2, 2, 1}, "VALID", {.strides = {1, 2, 2, 1}});
  Tensor scores = Tensor::FromArray(HostArray({1, 3}, {0.5f, 2.0f, 1.0f}));
  std::array<Tensor, 2> loss_and_gradient =
      SparseSoftmaxCrossEntropyWithLogits(scores, HostArray({1}, {2}));
  Tensor both = ConcatV2({scores, scores}, 0);
  EXPECT_EQ(Floats(pooled), (std::vector<float>{4}));
  EXPECT_EQ(both.shape()->ToString(), "[2, 3]");
  EXPECT_EQ(loss_and_gradient[1].shape()->ToString(), "[1, 3]");
}

// x, or x times a number.
StatusOr<TensorMetadata> ScaleMetadata(const TensorMetadata& x, OptionalOpMetadata factor) {
  if (x.dtype == DType::kF32) return x;
  return InvalidArgumentError(StrCat("guide.Scale takes f32 elements, not ", DTypeName(x.dtype)));
}
StatusOr<DenseHostTensor> Scale(const DenseHostTensor& x,
                                OptionalOpArgument<DenseHostTensor> factor,
                                const TensorMetadata& result, OpCall& call) {
  float by = 1;
  if (factor) {
    TFRT_ASSIGN_OR_RETURN(auto view, DenseView<float>::Create(*factor, "the factor"));
    if (view.size() != 1) {
      return InvalidArgumentError(StrCat("the factor has ", view.size(), " elements, not one"));
    }
    by = view[0];
  }
  TFRT_ASSIGN_OR_RETURN(auto from, DenseView<float>::Create(x, "x"));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  TFRT_ASSIGN_OR_RETURN(auto to, MutableDenseView<float>::Create(out, "the result"));
  for (size_t i = 0; i < from.size(); ++i) to.data()[i] = by * from[i];
  return out;
}

TEST_F(EagerGuideTest, OwnOp) {
  Status status =
      context.RegisterOp({.name = "guide.Scale",
                          .summary = "x, or x times a number.",
                          .arguments = {{"x"}, {"factor", OpArgumentSpec::Kind::kOptional}},
                          .results = {"y"},
                          .metadata = TFRT_OP_METADATA(ScaleMetadata),
                          .function = TFRT_OP(Scale)});
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(context.RegisterOp({.name = "guide.Scale", .summary = ""}).message(),
            "there is an op 'guide.Scale' already");
  EXPECT_EQ(context.FindOp("guide.Scale")->id, 0u);

  Scope scope(context);
  const OpDefinition* op = context.FindOp("guide.Scale");
  TensorArgument arguments[] = {numbers, {}};  // {}: the factor is left out
  Tensor y;
  Status error = Execute(*op, arguments, OpAttrs(), {&y, 1});
  EXPECT_TRUE(error.ok()) << error.ToString();
  EXPECT_EQ(Floats(y), (std::vector<float>{1, 2, 3, 4}));

  HostArray three({}, {3.0f});
  TensorArgument with_factor[] = {std::move(y), three};
  EXPECT_TRUE(Execute(*op, with_factor, OpAttrs(), {&y, 1}).ok());
  EXPECT_EQ(Floats(y), (std::vector<float>{3, 6, 9, 12}));

  HostArray two({2}, {3.0f, 4.0f});
  TensorArgument with_two[] = {y, two};
  int line = __LINE__ + 1;
  error = Execute(*op, with_two, OpAttrs(), {&y, 1});
  EXPECT_EQ(WithoutFolder(std::string(error.message())),
            StrCat("guide_test.cc:", line,
                   ": guide.Scale: the factor has 2 elements, not one: x is f32 [2, 2], factor is "
                   "f32 [2]"));
  TensorArgument integers[] = {two};
  line = __LINE__ + 1;
  error = Execute("guide.Sale", integers, OpAttrs(), {&y, 1});
  EXPECT_EQ(WithoutFolder(std::string(error.message())),
            StrCat("guide_test.cc:", line, ": there is no op 'guide.Sale'"));
}

TEST_F(EagerGuideTest, ByName) {
  Scope scope(context);
  OpAttrs attrs;
  attrs.Set("transpose_b", true);
  Tensor product;
  TensorArgument arguments[] = {numbers, numbers};
  Status error = Execute("tf.MatMul", arguments, attrs, {&product, 1});
  EXPECT_TRUE(error.ok()) << error.ToString();
  EXPECT_EQ(Floats(product), (std::vector<float>{5, 11, 11, 25}));
}

// The names of the steps that it sees.
class StepNames : public tfrt::tracing::Sink {
 public:
  void PushScope(std::string_view name) override { RecordEvent(name); }
  void PopScope() override {}
  void RecordEvent(std::string_view name) override {
    std::lock_guard lock(mutex_);
    if (name.starts_with("eager.")) steps_.emplace(name.substr(0, name.find(' ')));
  }
  std::set<std::string> steps() {
    std::lock_guard lock(mutex_);
    return steps_;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> steps_;
};

// The steps are those that docs/eager_details.md lists.
TEST(EagerGuide, Tracing) {
  if (tfrt::tracing::kMaxLevel < tfrt::tracing::Level::kVerbose)
    GTEST_SKIP() << "built without verbose tracing";
  std::unique_ptr<Context> context =
      *Context::Create({.devices = {"cpu:0", "cpu:1"}, .order = ExecutionOrder::kFifo});
  StepNames log;
  tfrt::tracing::AddSink(&log, tfrt::tracing::Level::kVerbose);
  {
    HostArray numbers({2}, {1.0f, 2.0f});
    Scope scope(*context, {.mode = ExecutionMode::kAsync});
    Tensor x = AddV2(numbers, numbers);
    Scope other(*context, {.device = "cpu:1"});
    EXPECT_EQ(Floats(Relu(x)), (std::vector<float>{2, 4}));
  }
  tfrt::tracing::RemoveSink(&log);
  std::set<std::string> steps = log.steps();
  steps.erase("eager.stall");  // only if the thread has come first
  EXPECT_EQ(steps,
            (std::set<std::string>{"eager.allocate", "eager.build_op", "eager.canonicalise",
                                   "eager.copy", "eager.dequeue", "eager.handle", "eager.kernel",
                                   "eager.place", "eager.queue_depth", "eager.schedule"}));
}

TEST_F(EagerGuideTest, Threads) {
  Scope scope(context);
  Tensor x = Tensor::FromArray(numbers);
  Tensor sum;
  std::thread worker([&context = context, x, &sum] {
    Scope scope(context);
    sum = AddV2(x, x);
  });
  worker.join();
  EXPECT_EQ(Floats(sum), (std::vector<float>{2, 4, 6, 8}));
}

}  // namespace
