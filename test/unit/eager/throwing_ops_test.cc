// Ops of the program that throw. This file is compiled with exceptions, the runtime without.

#include <pthread.h>

#include <new>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "test/unit/eager/eager_fixture.h"
#include "tfrt/eager/variable.h"

#ifndef __cpp_exceptions
#error "compile this file with exceptions"
#endif

namespace tfrt::eager {
namespace {

// What is thrown at the number in `x`.
void ThrowFor(const DenseHostTensor& x) {
  switch (*static_cast<const int32_t*>(x.data())) {
    case 0:
      return;
    case 1:
      throw std::runtime_error("no room");
    default:
      throw 5;
  }
}

struct CountsItsEnd {
  explicit CountsItsEnd(int* ended) : ended(*ended) {}
  ~CountsItsEnd() { ++ended; }
  int& ended;
};
int ended = 0;

StatusOr<DenseHostTensor> Throw(const DenseHostTensor& x) {
  CountsItsEnd counts(&ended);
  ThrowFor(x);
  return x.ShareBuffer();
}

Status ThrowingEffect(const DenseHostTensor& x) {
  ThrowFor(x);
  return OkStatus();
}

TensorMetadata SameMetadata(const TensorMetadata& x) { return x; }
TensorMetadata ThrowingMetadata(const TensorMetadata& x) {
  if (x.shape.rank() > 1) throw std::out_of_range("too many dimensions");
  return x;
}

class EagerThrowingOpsTest : public EagerModesTest {
 protected:
  void SetUp() override {
    const CustomOp ops[] = {
        {.name = "test.Throw",
         .summary = "",
         .arguments = {{"x"}},
         .results = {"y"},
         .metadata = TFRT_OP_METADATA(SameMetadata),
         .function = TFRT_OP(Throw)},
        {.name = "test.ThrowingMetadata",
         .summary = "",
         .arguments = {{"x"}},
         .results = {"y"},
         .metadata = TFRT_OP_METADATA(ThrowingMetadata),
         .function = TFRT_OP(Throw)},
        {.name = "test.ThrowingEffect",
         .summary = "",
         .arguments = {{"x"}},
         .flags = OpFlags::kSideEffects,
         .function = TFRT_OP(ThrowingEffect)},
        {.name = "test.ThrowAsItIs",
         .summary = "",
         .arguments = {{"x"}},
         .results = {"y"},
         .function =
             [](OpCall& call) noexcept { ThrowFor(call.argument(0)->get<DenseHostTensor>()); }},
    };
    for (const CustomOp& op : ops) ASSERT_TRUE(context_->RegisterOp(op).ok());
  }
};

TEST_P(EagerThrowingOpsTest, WhatIsThrownIsAnErrorOfTheCall) {
  Scope scope(*context_, On("cpu:1"));
  ended = 0;
  // Twice: the second call finds the first one's preparations.
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ValuesOf<int32_t>(CallOp("test.Throw", {Make({1}, {0})})).size(), 1u);
    Status status = CallOp("test.Throw", {Make({1}, {1})}).status();
    EXPECT_EQ(status.code(), StatusCode::kInternal);
    EXPECT_EQ(TFRT_MESSAGE_AT(status, __LINE__ - 2),
              "test.Throw: the op's function threw an exception: no room");
    EXPECT_EQ(TFRT_MESSAGE_AT(CallOp("test.Throw", {Make({1}, {2})}).status(), __LINE__),
              "test.Throw: the op's function threw an exception");
  }
  EXPECT_EQ(ended, 6);  // its locals have been destroyed
}

TEST_P(EagerThrowingOpsTest, MetadataFunctions) {
  Scope scope(*context_, On("cpu:0"));
  EXPECT_TRUE(CallOp("test.ThrowingMetadata", {Make({1}, {0})}).status().ok());
  EXPECT_EQ(
      TFRT_MESSAGE_AT(CallOp("test.ThrowingMetadata", {Make({1, 1}, {0})}).status(), __LINE__),
      "test.ThrowingMetadata: the op's metadata function threw an exception: too many dimensions");
}

TEST_P(EagerThrowingOpsTest, VariablesAreAsTheyWere) {
  Scope scope(*context_, On("cpu:0"));
  Variable a(Make({1}, {1})), b(Make({1}, {2}));
  EXPECT_THROW(a.Update([](const Tensor&) -> Tensor { throw std::runtime_error("no luck"); }),
               std::runtime_error);
  const Variable::Use uses[] = {{&a, true}, {&b, true}};
  EXPECT_THROW(
      Variable::UpdateTogether(
          uses, [](std::span<const Tensor>) -> std::vector<Tensor> { throw std::bad_alloc(); }),
      std::bad_alloc);
  // An update in another one.
  EXPECT_THROW(
      a.Update([&](const Tensor&) { return b.Update([](const Tensor&) -> Tensor { throw 5; }); }),
      int);
  // A thread that ends in one, while another waits for its turn.
  std::thread waits;
  std::thread ends([&] {
    Scope in_scope(*context_, On("cpu:0"));
    a.Update([&](const Tensor&) -> Tensor {
      waits = std::thread([&] {
        Scope waiting_scope(*context_, On("cpu:0"));
        a.AssignAdd(Make({1}, {1}));
      });
      pthread_exit(nullptr);
    });
  });
  ends.join();
  waits.join();
  // Neither taken nor pending.
  EXPECT_EQ(a.Read().Item<int32_t>().value(), 2);
  b.AssignAdd(a.Read());
  EXPECT_EQ(b.Read().Item<int32_t>().value(), 4);
}

TEST_P(EagerThrowingOpsTest, RegisteringDevices) {
  StatusOr<std::unique_ptr<Context>> context = Context::Create(
      {.register_devices = [](HostContext&) -> Status { throw std::runtime_error("no driver"); }});
  EXPECT_EQ(context.status().code(), StatusCode::kInternal);
  EXPECT_EQ(context.status().message(),
            "ContextOptions::register_devices threw an exception: no driver");
}

TEST_P(EagerThrowingOpsTest, FunctionsWithoutAnErrorEndTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        std::unique_ptr<Context> context =
            MakeContext({.diagnostic_handler = [](const DecodedDiagnostic&) {
              throw std::runtime_error("D");
            }});
        Scope scope(*context);
        (void)CallOp("test.NoSuchOp", {}).status();
      },
      "what\\(\\):  D");
  EXPECT_DEATH(
      {
        std::unique_ptr<Context> context =
            MakeContext({.supports = [](std::string_view, const OpDefinition&) -> bool {
              throw std::runtime_error("S");
            }});
        Scope scope(*context);
        (void)Relu(Tensor::Of({1.0f})).status();
      },
      "what\\(\\):  S");
  EXPECT_DEATH(
      {
        Scope scope(*context_, On("cpu:0"));
        static const int32_t kNumber = 1;
        const std::span<const int32_t> numbers(&kNumber, 1);
        Tensor x = Tensor::FromArray(
            (HostArray::Borrow({1}, numbers, [] { throw std::runtime_error("R"); })));
        context_->Wait();
        x = Tensor();
      },
      "what\\(\\):  R");
}

TEST_P(EagerThrowingOpsTest, EffectsAfterThemHappen) {
  Scope scope(*context_, On("cpu:0"));
  Status status = CallEffect("test.ThrowingEffect", Make({1}, {1}));
  EXPECT_EQ(status.ok(), !is_sync());
  EXPECT_TRUE(CallEffect("test.Effect", Make({1}, {3})).ok());
  context_->Wait();
  EXPECT_EQ(TestOps(*context_).TakeLog().size(), 1u);
}

TEST_P(EagerThrowingOpsTest, FunctionsGivenAsTheyAreEndTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Scope scope(*context_, On("cpu:0"));
        (void)CallOp("test.ThrowAsItIs", {Make({1}, {1})}).status();
      },
      "no room");
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerThrowingOpsTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
