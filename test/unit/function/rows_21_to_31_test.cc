// Rows 21 to 31 of what functions do: captures, variables, eager runs, files, optimisation,
// warnings.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>
#include <thread>

#include "lib/api/eager/dlpack.h"
#include "test/unit/function/function_fixture.h"
#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/model/model.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

std::string PathOf(const std::string& name) { return testing::TempDir() + "/function_" + name; }

TEST_F(FunctionTest, Row21CapturesAreSnapshots) {
  Tensor w = Floats({2}, {1, 2});
  std::vector<float> host = {10, 20};
  Function f("f", [&](Tensor x) { return x * w + HostArray({2}, host); });
  Tensor x = Floats({2}, {1, 1});
  EXPECT_THAT(ValuesOf<float>(f(x)), ElementsAre(11, 22));
  w = Floats({2}, {100, 100});
  host = {0, 0};
  EXPECT_THAT(ValuesOf<float>(f(x)), ElementsAre(11, 22));
  auto concrete = f.Concrete(x);
  ASSERT_TRUE(concrete.ok());
  EXPECT_THAT(concrete->Captures(),
              ElementsAre(AllOf(HasSubstr("f32 [2]"), HasSubstr("rows_21_to_31_test.cc:"))));
}

TEST_F(FunctionTest, Row21VariablesAreSeenAsTheyAre) {
  Variable w(Floats({2}, {1, 2}));
  Function f("f", [&](Tensor x) { return x * w.Read(); });
  Tensor x = Floats({2}, {1, 1});
  EXPECT_THAT(ValuesOf<float>(f(x)), ElementsAre(1, 2));
  (void)w.Assign(Floats({2}, {5, 6}));
  EXPECT_THAT(ValuesOf<float>(f(x)), ElementsAre(5, 6));
  EXPECT_EQ(f.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row21FunctionsAssignVariables) {
  Variable w(Floats({2}, {1, 2}));
  Function step("step", [&](Tensor gradient) {
    Tensor before = w.Read();
    (void)w.AssignSub(gradient * 0.5f);
    return std::array{before, w.Read()};
  });
  auto [before, after] = step(Floats({2}, {2, 2}));
  EXPECT_THAT(ValuesOf<float>(before), ElementsAre(1, 2));
  EXPECT_THAT(ValuesOf<float>(after), ElementsAre(0, 1));
  EXPECT_THAT(ValuesOf<float>(w.Read()), ElementsAre(0, 1));
  (void)step(Floats({2}, {2, 2}));
  EXPECT_THAT(ValuesOf<float>(w.Read()), ElementsAre(-1, 0));
  EXPECT_EQ(step.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row21VariablesAreArgumentsByReference) {
  Function add("add", [](Variable v, Tensor x) { return v.AssignAdd(x); });
  Variable a(Floats({1}, {1})), b(Floats({1}, {10}));
  EXPECT_THAT(ValuesOf<float>(add(a, Floats({1}, {1}))), ElementsAre(2));
  EXPECT_THAT(ValuesOf<float>(add(b, Floats({1}, {1}))), ElementsAre(11));
  EXPECT_THAT(ValuesOf<float>(a.Read()), ElementsAre(2));
  EXPECT_THAT(ValuesOf<float>(b.Read()), ElementsAre(11));
  EXPECT_EQ(add.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row21OneVariableTwiceIsAnotherTrace) {
  Function both("both", [](Variable v, Variable w) {
    (void)v.AssignAdd(1.0f);
    return w.Read();
  });
  Variable a(Tensor::Scalar(1.0f)), b(Tensor::Scalar(10.0f));
  EXPECT_EQ(ItemOf<float>(both(a, b)), 10);
  EXPECT_EQ(ItemOf<float>(both(a, a)), 3);
  EXPECT_EQ(ItemOf<float>(both(b, a)), 3);
  EXPECT_EQ(both.statistics().programs, 2u);
}

TEST_F(FunctionTest, Row21AnArgumentMayBeACapturedVariable) {
  Variable w(Tensor::Scalar(1.0f)), v(Tensor::Scalar(100.0f));
  Function f("f", [&](Variable x) {
    (void)x.AssignAdd(1.0f);
    return w.Read();
  });
  EXPECT_EQ(ItemOf<float>(f(w)), 2);
  EXPECT_EQ(ItemOf<float>(f(v)), 2);
  EXPECT_EQ(ItemOf<float>(f(w)), 3);
  EXPECT_EQ(ItemOf<float>(v.Read()), 101);
}

TEST_F(FunctionTest, Row22HostCallablesAdvanceAtEachCall) {
  int next = 0;
  Function f("f", [&](Tensor x) {
    return ForEachOf(
        [&]() -> StatusOr<std::optional<Tensor>> {
          if (++next % 4 == 0) return std::nullopt;
          return Tensor::Scalar(static_cast<float>(next));
        },
        TensorSpec(DType::kF32, {}), [](Tensor sum, Tensor row) { return sum + row; }, x);
  });
  EXPECT_EQ(ItemOf<float>(f(Tensor::Scalar(0.0f))), 1 + 2 + 3);
  EXPECT_EQ(ItemOf<float>(f(Tensor::Scalar(0.0f))), 5 + 6 + 7);
  EXPECT_EQ(f.statistics().traces, 1u);
}

TEST_F(FunctionTest, Row23VariablesAreCreatedOnTheFirstCall) {
  std::optional<Variable> w;
  int traces = 0;
  Function f("f", [&](Tensor x) {
    ++traces;
    if (!w) w.emplace(Fill({2}, 3.0f) * 2.0f);
    (void)w->AssignAdd(1.0f);
    return x * w->Read();
  });
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {1, 1}))), ElementsAre(7, 7));
  EXPECT_EQ(traces, 2);
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {1, 1}))), ElementsAre(8, 8));
  EXPECT_EQ(traces, 2);
}

TEST_F(FunctionTest, Row23VariablesOfEachCallAreAnError) {
  Function f("f", [](Tensor x) {
    Variable w(Tensor::Scalar(1.0f));
    return x * w.Read();
  });
  EXPECT_THAT(std::string(f(Tensor::Scalar(1.0f)).status().message()),
              AllOf(HasSubstr("rows_21_to_31_test.cc:"),
                    HasSubstr(": Variable: the function 'f' creates a variable on a call that is "
                              "not its first; variables are created once: outside of the function, "
                              "or on its first call, where they must outlive it")));
}

TEST_F(FunctionTest, Row23AFirstValueCannotDependOnArguments) {
  std::optional<Variable> w;
  Function f("f", [&](Tensor x) {
    if (!w) w.emplace(x * 2.0f);
    return x * w->Read();
  });
  EXPECT_THAT(std::string(f(Tensor::Scalar(1.0f)).status().message()),
              HasSubstr("its first value depends on an argument of the function"));
}

TEST_F(FunctionTest, Row23AConditionalCreationOnCallTwoIsAnError) {
  std::optional<Variable> w;
  bool create = false;
  Function f("f", [&](Tensor x) {
    if (create) w.emplace(Tensor::Scalar(1.0f));
    return x;
  });
  EXPECT_TRUE(f(Tensor::Scalar(1.0f)).status().ok());
  create = true;
  EXPECT_THAT(std::string(f(Floats({2}, {1, 2})).status().message()),
              HasSubstr("creates a variable on a call that is not its first"));
}

TEST_F(FunctionTest, Row24FunctionsRunEagerly) {
  int host_calls = 0;
  auto body = [&](Tensor x) {
    ++host_calls;
    return x + x;
  };
  Function f("f", body, {.run_eagerly = true});
  EXPECT_EQ(ItemOf<int32_t>(f(1)), 2);
  EXPECT_EQ(ItemOf<int32_t>(f(2)), 4);
  EXPECT_EQ(host_calls, 2);
  Function g("g", body);
  {
    StanceScope eagerly(Stance::kForceEager);
    (void)g(1);
    (void)g(1);
    EXPECT_EQ(host_calls, 4);
    EXPECT_EQ(g.statistics().eager_calls, 2u);
  }
  (void)g(1);
  (void)g(1);
  EXPECT_EQ(host_calls, 5);
}

TEST_F(FunctionTest, Row24Stances) {
  Function f("f", [](Tensor x) { return x + x; }, {.argument_names = {"x"}});
  StanceScope strict(Stance::kFailOnRetrace);
  EXPECT_EQ(ItemOf<int32_t>(f(1)), 2);  // the first trace is none again
  EXPECT_THAT(
      std::string(f(1.0f).status().message()),
      HasSubstr("the stance is kFailOnRetrace, but the call needs a new trace: argument x is "
                "f32 [], it was i32 []; cast it to one element type"));
  StanceScope lax(Stance::kEagerOnRetrace);
  EXPECT_EQ(ItemOf<float>(f(1.5f)), 3);
  EXPECT_EQ(f.statistics().traces, 1u);
  EXPECT_EQ(f.statistics().eager_calls, 1u);
}

// In a process of its own, which begins at main: what the environment says is read once.
TEST_F(FunctionTest, Row24TheEnvironmentMakesCallsEager) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto eager_calls_of_two = [] {
    auto context = *Context::Create();
    Scope scope(*context);
    Function f("f", [](Tensor x) { return x + x; });
    (void)f(1.0f);
    EXPECT_EQ(ItemOf<float>(f(2.0f)), 4);
    std::fprintf(stderr, "eager %d, traced %d\n", static_cast<int>(f.statistics().eager_calls),
                 static_cast<int>(f.statistics().traces));
    std::exit(3);
  };
  setenv("TFRT_EAGER", "1", 1);
  EXPECT_EXIT(eager_calls_of_two(), testing::ExitedWithCode(3), "eager 2, traced 0");
  setenv("TFRT_EAGER", "0", 1);
  EXPECT_EXIT(eager_calls_of_two(), testing::ExitedWithCode(3), "eager 0, traced 1");
  unsetenv("TFRT_EAGER");
}

// Counts what it gives.
class CountingAllocator final : public HostAllocator {
 public:
  explicit CountingAllocator(std::atomic<size_t>* bytes) : bytes_(bytes) {}
  void* AllocateBytes(size_t size, size_t alignment) override {
    *bytes_ += size;
    return malloc_->AllocateBytes(size, alignment);
  }
  void DeallocateBytes(void* block, size_t size) override { malloc_->DeallocateBytes(block, size); }

 private:
  std::atomic<size_t>* const bytes_;
  const std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
};

TEST_F(FunctionTest, Row25ArraysAreNotCopiedOnTheirWayIn) {
  std::atomic<size_t> bytes{0};
  HostContext host([](const DecodedDiagnostic&) {}, std::make_unique<CountingAllocator>(&bytes),
                   *CreateWorkQueue("mstd:2"));
  auto context = *Context::Create({.host = &host});
  Scope scope(*context);
  const std::vector<float> numbers(1 << 18, 1.0f);
  const HostArray array = HostArray::Borrow({1 << 18}, std::span<const float>(numbers), [] {});
  Tensor x = Tensor::FromArray(array);
  EXPECT_EQ(x.Values<float>()->data(), numbers.data());
  Function f("f", [](Tensor x) { return Sum(x, {0}); });
  EXPECT_EQ(ItemOf<float>(f(x)), 1 << 18);
  bytes = 0;
  EXPECT_EQ(ItemOf<float>(f(x)), 1 << 18);      // a tensor
  EXPECT_EQ(ItemOf<float>(f(array)), 1 << 18);  // an array
  EXPECT_LT(bytes, numbers.size() * sizeof(float) / 2);
}

TEST_F(FunctionTest, Row25AnArrayOfAnotherLibraryGoesInAndOutWithoutACopy) {
  struct Foreign {
    dlpack::ManagedArray managed = {};
    int64_t dims[1] = {16};
    alignas(64) float elements[16] = {1, 2, 3};
    bool is_deleted = false;
  } foreign;
  dlpack::Array& array = foreign.managed.array;
  array.data = foreign.elements;
  array.device = {dlpack::kCpu, 0};
  array.ndim = 1;
  array.dtype = {dlpack::kFloat, 32, 1};
  array.shape = foreign.dims;
  foreign.managed.manager_ctx = &foreign;
  foreign.managed.deleter = [](dlpack::ManagedArray* self) {
    static_cast<Foreign*>(self->manager_ctx)->is_deleted = true;
  };
  const float* seen = nullptr;
  Function f("f", [](Tensor x) { return x * 2.0f; });
  {
    StatusOr<Tensor> x = Tensor::FromDlpack(dlpack::HandleOf(&foreign.managed));
    ASSERT_TRUE(x.ok());
    seen = x->Values<float>()->data();
    Tensor y = f(*x);
    StatusOr<DLManagedTensor*> out = y.ToDlpack();
    ASSERT_TRUE(out.ok());
    dlpack::ManagedArray& view = dlpack::LayoutOf(*out);
    EXPECT_EQ(view.array.data, y.Values<float>()->data());
    EXPECT_EQ(static_cast<const float*>(view.array.data)[2], 6);
    view.deleter(&view);
  }
  EXPECT_EQ(seen, foreign.elements);
  context_->Wait();
  EXPECT_TRUE(foreign.is_deleted);
}

TEST_F(FunctionTest, Row25ArraysOfTheProgramAreTaken) {
  Function f("f", [](Tensor x) { return x * 2.0f; });
  std::vector<float> numbers(1024, 1.0f);
  bool released = false;
  {
    HostArray array =
        HostArray::Borrow({1024}, std::span<const float>(numbers), [&] { released = true; });
    EXPECT_EQ(ValuesOf<float>(f(array))[1023], 2);
  }
  EXPECT_TRUE(released);
}

TEST_F(FunctionTest, Row26AnythingThatCanBeCalledIsAFunction) {
  struct Scale {
    float by;
    Tensor operator()(Tensor x) const { return x * by; }
  };
  Function f("f", Scale{3});
  EXPECT_EQ(ItemOf<float>(f(2.0f)), 6);
  Function g("g", +[](Tensor x) { return x + 1.0f; });
  EXPECT_EQ(ItemOf<float>(g(2.0f)), 3);
}

TEST_F(FunctionTest, Row27HostCallsRunAtEachCall) {
  int host_calls = 0;
  Function f("f", [&](Tensor x) {
    return HostCall(
               "count",
               [&](std::span<const Tensor> inputs) -> StatusOr<std::vector<Tensor>> {
                 ++host_calls;
                 TFRT_ASSIGN_OR_RETURN(float value, inputs[0].Item<float>());
                 return std::vector<Tensor>{Tensor::Scalar(value + 0.5f)};
               },
               {x}, TensorSpec(DType::kF32, {})) *
           2.0f;
  });
  EXPECT_EQ(ItemOf<float>(f(1.0f)), 3);
  EXPECT_EQ(ItemOf<float>(f(2.0f)), 5);
  EXPECT_EQ(host_calls, 2);
  EXPECT_EQ(f.statistics().traces, 1u);
  EXPECT_THAT(
      std::string(f.Save(PathOf("host_call.bef")).message()),
      AllOf(HasSubstr("rows_21_to_31_test.cc:"),
            HasSubstr("the function 'f' calls 'count' of this program by HostCall, which no "
                      "file can hold")));
}

// The only worker is free for what the host call waits for.
TEST_F(FunctionTest, Row27HostCallsMayBlock) {
  auto context = *Context::Create({.work_queue = "mstd:1"});
  Scope scope(*context, {.mode = ExecutionMode::kAsync});
  std::promise<void> is_there;
  std::future<void> future = is_there.get_future();
  bool came = false;
  Function f("f", [&](Tensor x) {
    return HostCall(
        "waits",
        [&](std::span<const Tensor> inputs) -> StatusOr<std::vector<Tensor>> {
          came = future.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
          return std::vector<Tensor>{inputs[0]};
        },
        {x}, TensorSpec(DType::kF32, {}));
  });
  Tensor y = f(1.0f);
  context->host()->work_queue().AddTask(TaskFunction([&] { is_there.set_value(); }));
  EXPECT_EQ(ItemOf<float>(y), 1);
  EXPECT_TRUE(came);
}

// What it calls is part of the call that waits for it, and takes no turn behind that.
TEST_F(FunctionTest, Row27AHostCallMayCallTheFunctionThatCallsIt) {
  std::optional<Function<Tensor(Tensor)>> f;
  f.emplace("f", [&](Tensor x) {
    return HostCall(
        "again",
        [&](std::span<const Tensor> inputs) -> StatusOr<std::vector<Tensor>> {
          Scope scope(*context_);
          TFRT_ASSIGN_OR_RETURN(float value, inputs[0].Item<float>());
          if (value <= 0) return std::vector<Tensor>{inputs[0]};
          return std::vector<Tensor>{(*f)(inputs[0] - 1.0f) + 2.0f};
        },
        {x}, TensorSpec(DType::kF32, {}));
  });
  EXPECT_EQ(ItemOf<float>((*f)(3.0f)), 6);
}

TEST_F(FunctionTest, Row27AHostCallMustMakeWhatItSays) {
  Function f("f", [](Tensor x) {
    return HostCall(
        "wrong",
        [](std::span<const Tensor>) -> StatusOr<std::vector<Tensor>> {
          return std::vector<Tensor>{Tensor::Scalar(1)};
        },
        {x}, TensorSpec(DType::kF32, {}));
  });
  EXPECT_THAT(std::string(f(1.0f).status().message()),
              HasSubstr("'wrong' returned i32 [] as tensor 0, but the call says f32 []"));
}

// What the call assigns is not there before the call is over, which waits for the host call.
TEST_F(FunctionTest, Row27AHostCallCannotReadWhatItsCallAssigns) {
  Variable v(Tensor::Scalar(1.0f)), other(Tensor::Scalar(5.0f));
  Status error;
  float seen = 0;
  Function f("f", [&](Tensor x) {
    (void)v.AssignAdd(x);
    return HostCall(
        "reads",
        [&](std::span<const Tensor> inputs) -> StatusOr<std::vector<Tensor>> {
          error = v.Read().status();
          TFRT_ASSIGN_OR_RETURN(seen, other.Read().Item<float>());
          return std::vector<Tensor>{inputs[0]};
        },
        {x}, TensorSpec(DType::kF32, {}));
  });
  EXPECT_EQ(ItemOf<float>(f(2.0f)), 2);
  EXPECT_THAT(std::string(error.message()), HasSubstr("the variable is being assigned"));
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(ItemOf<float>(v.Read()), 3);
}

std::vector<float> RunFile(const std::string& path, std::vector<float> x) {
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   *CreateWorkQueue("mstd:2"));
  RegisterCoreRuntimeKernels(&host.kernel_registry());
  auto model = Model::Open(path, &host);
  EXPECT_TRUE(model.ok()) << model.status().message();
  if (!model.ok()) return {};
  auto session = Session::Create(*model);
  auto buffer = HostBuffer::CreateFromConstant(x.data(), x.size() * sizeof(float));
  auto input = DenseHostTensor::CreateFromBuffer(
      {DType::kF32, TensorShape{static_cast<int64_t>(x.size())}}, std::move(buffer));
  auto results = session->Run({{"x", *input}});
  EXPECT_TRUE(results.ok()) << results.status().message();
  if (!results.ok()) return {};
  auto* values = static_cast<const float*>((*results)[0].data());
  return {values, values + (*results)[0].num_elements()};
}

TEST_F(FunctionTest, Row28SavedFunctionsRunWithoutTheCompiler) {
  Variable w(Floats({2}, {3, 4}));
  Function f("f", [&](Tensor x) { return Tanh(x * w.Read()) + 1.0f; }, {.argument_names = {"x"}});
  EXPECT_THAT(std::string(f.Save(PathOf("none.bef")).message()),
              HasSubstr("the function 'f' has no trace to save"));
  std::vector<float> traced = ValuesOf<float>(f(Floats({2}, {0.1f, 0.2f})));
  const std::string path = PathOf("saved.bef");
  Status saved = f.Save(path);
  ASSERT_TRUE(saved.ok()) << saved.message();
  EXPECT_EQ(RunFile(path, {0.1f, 0.2f}), traced);
  (void)f(Floats({3}, {1, 2, 3}));
  (void)f(Floats({1}, {1}));
  EXPECT_THAT(std::string(f.Save(path).message()), HasSubstr("save the one that Concrete gives"));
}

TEST_F(FunctionTest, Row28FilesBeginWithThePresentValuesOfVariables) {
  Variable w(Floats({2}, {3, 4}));
  Function f("f", [&](Tensor x) { return w.AssignAdd(x); }, {.argument_names = {"x"}});
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {1, 1}))), ElementsAre(4, 5));
  const std::string path = PathOf("assigned.bef");
  ASSERT_TRUE(f.Save(path).ok());
  EXPECT_THAT(ValuesOf<float>(f(Floats({2}, {1, 1}))), ElementsAre(5, 6));
  EXPECT_THAT(RunFile(path, {10, 10}), ElementsAre(14, 15));
  EXPECT_THAT(RunFile(path, {10, 10}), ElementsAre(14, 15));
}

// A step of training changes several, of which a file has all or none.
TEST_F(FunctionTest, Row28FilesHaveValuesOfOneTime) {
  Variable v(Floats({1}, {0})), w(Floats({1}, {0}));
  Function step("step", [&] {
    v.AssignAdd(1.0f);
    w.AssignAdd(1.0f);
  });
  Function apart("apart", [&](Tensor x) { return v.Read() - w.Read() + x; },
                 {.argument_names = {"x"}});
  auto program = apart.Concrete(Floats({1}, {0}));
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_TRUE(step().ok());
  std::atomic<bool> is_over{false};
  std::thread trainer([&] {
    Scope scope(*context_);
    while (!is_over) (void)step();
  });
  const std::string path = PathOf("one_time.bef");
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(program->Save(path).ok());
    EXPECT_THAT(RunFile(path, {0}), ElementsAre(0));
  }
  is_over = true;
  trainer.join();
}

TEST_F(FunctionTest, Row28VariablesThatAreArgumentsStayInputs) {
  Variable w(Floats({1}, {3})), captured(Floats({1}, {7}));
  Function f("f",
             [&](Variable v, Tensor x) {
               (void)v.AssignAdd(x);
               return v.Read() * captured.Read();
             },
             {.argument_names = {"v", "x"}});
  EXPECT_THAT(ValuesOf<float>(f(w, Floats({1}, {1}))), ElementsAre(28));
  const std::string path = PathOf("argument.bef");
  ASSERT_TRUE(f.Save(path).ok());
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   *CreateWorkQueue("mstd:2"));
  RegisterCoreRuntimeKernels(&host.kernel_registry());
  auto model = Model::Open(path, &host);
  ASSERT_TRUE(model.ok()) << model.status().message();
  ASSERT_EQ(model->inputs().size(), 2u);
  EXPECT_EQ(model->inputs()[0].name, "x");
  EXPECT_THAT(model->inputs()[1].name, testing::StartsWith("variable:"));
  ASSERT_EQ(model->outputs().size(), 2u);
  EXPECT_EQ(model->outputs()[1].name, "assigned:" + model->inputs()[1].name.substr(9));
}

TEST_F(FunctionTest, Row29PassesMakeFewerOps) {
  Function f("f", [](Tensor x) {
    Tensor unused = Exp(x);
    Tensor a = x * 2.0f + 1.0f, b = x * 2.0f + 1.0f;
    return Relu(a + b);
  });
  ASSERT_TRUE(f(Floats({2}, {1, 2})).status().ok());
  std::vector<PassCounts> passes = f.Programs()[0].Passes();
  ASSERT_FALSE(passes.empty());
  EXPECT_LT(passes.back().ops_after, passes.front().ops_before);
  EXPECT_THAT(f.Report(), HasSubstr("graph-fuse: "));
}

// How much faster is measured (benchmarks/function_times.cc); why is this: one kernel, and one
// call.
TEST_F(FunctionTest, Row30ManySmallOpsAreOneCallOfFewKernels) {
  auto chain = [](Tensor x) {
    for (int i = 0; i < 100; ++i) x = x * 0.5f + 1.0f;
    return x;
  };
  auto kernels_of = [&](bool fuse) {
    Function f("f", chain, Quiet({.fuse = fuse}));
    EXPECT_NEAR(ValuesOf<float>(f(Floats({2}, {1, 2})))[0], 2, 1e-5);
    return f.Programs()[0].Passes().back().ops_after;
  };
  EXPECT_GE(kernels_of(false), 200u);
  EXPECT_LE(kernels_of(true), 10u);
}

TEST_F(FunctionTest, Row31ManyTracesAreWarnedOf) {
  Function f(
      "f", [](Tensor x) { return x + x; },
      Quiet({.reduce_retracing = false, .argument_names = {"x"}}));
  for (int64_t n = 1; n <= 4; ++n) {
    (void)f(Tensor::FromArray(HostArray({n}, std::vector<float>(static_cast<size_t>(n)))));
  }
  EXPECT_THAT(warnings_, IsEmpty());
  for (int64_t n = 5; n <= 9; ++n) {
    (void)f(Tensor::FromArray(HostArray({n}, std::vector<float>(static_cast<size_t>(n)))));
  }
  ASSERT_EQ(warnings_.size(), 2u);
  EXPECT_THAT(
      warnings_[0],
      AllOf(HasSubstr("the function 'f' was traced 5 times in its last 10 calls, which took "),
            HasSubstr(" ms, because argument x is f32 [5], it was f32 [4]; to avoid it, say "
                      "in input_signature, with kUnknown, which sizes differ")));
}

}  // namespace
}  // namespace tfrt::function
