// Functions of the program that throw, in functions that are traced. This file is compiled with
// exceptions, the runtime without.

#include <stdexcept>

#include "test/unit/function/function_fixture.h"

#ifndef __cpp_exceptions
#error "compile this file with exceptions"
#endif

namespace tfrt::function {
namespace {

const auto kThrows = [](auto&&...) -> Tensor { throw std::runtime_error("no luck"); };

// The error of f(x), traced and eagerly, and whether f is of use afterwards.
template <typename Body>
void ExpectError(const Body& body, std::string_view thrower) {
  for (bool run_eagerly : {false, true}) {
    SCOPED_TRACE(run_eagerly);
    bool throws = true;
    Function f("f", [&](Tensor x) -> Tensor { return throws ? body(x) : x + 1.0f; },
               {.run_eagerly = run_eagerly});
    const Status error = f(1.0f).status();
    EXPECT_EQ(error.code(), StatusCode::kInternal);
    EXPECT_THAT(std::string(error.message()),
                HasSubstr(std::string(thrower) + " threw an exception: no luck"));
    throws = false;
    f.ClearCache();
    EXPECT_EQ(ItemOf<float>(f(1.0f)), 2);
  }
}

TEST_F(FunctionTest, BodiesThatThrow) {
  ExpectError(kThrows, "its body");
  ExpectError([](Tensor x) { return Cond(x > 0.0f, [] { return kThrows(); }, [&] { return x; }); },
              "a branch");
  ExpectError([](Tensor x) { return WhileLoop([](Tensor y) { return y > 0.0f; }, kThrows, x); },
              "a loop");
  ExpectError([](Tensor x) { return ForRange(int64_t{2}, kThrows, x); }, "a loop");
}

TEST_F(FunctionTest, HostCallsThatThrow) {
  ExpectError(
      [](Tensor x) {
        return HostCall(
            "throws",
            [](std::span<const Tensor>) -> StatusOr<std::vector<Tensor>> {
              throw std::runtime_error("no luck");
            },
            {x}, TensorSpec(DType::kF32, {}));
      },
      "the function");
}

TEST_F(FunctionTest, UpdatesThatThrow) {
  Variable v(Tensor::Scalar(1.0f));
  ExpectError([&](Tensor x) { return v.Update([](const Tensor&) { return kThrows(); }) + x; },
              "its body");
  EXPECT_EQ(ItemOf<float>(v.AssignAdd(1.0f)), 2);
}

}  // namespace
}  // namespace tfrt::function
