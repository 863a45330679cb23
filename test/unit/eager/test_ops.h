// Ops for tests of the eager context: what tf.* ops do not show.
#ifndef TFRT_TEST_UNIT_EAGER_TEST_OPS_H_
#define TFRT_TEST_UNIT_EAGER_TEST_OPS_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/eager/context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::eager {

// What the test ops of one host share.
class TestOpState final : public SharedContext {
 public:
  explicit TestOpState(HostContext*) {}

  // test.Gate's results come when it is open.
  void OpenGate();
  AsyncValueRef<Chain> gate();
  // A closed gate again.
  void CloseGate();

  void Log(std::string text);
  std::vector<std::string> TakeLog();

  std::atomic<int> running_effects{0};
  std::atomic<bool> effects_overlapped{false};

 private:
  std::mutex mutex_;
  AsyncValueRef<Chain> gate_ = MakeUnconstructedAsyncValueRef<Chain>();
  std::vector<std::string> log_;
};

inline TestOpState& TestOps(const Context& context) {
  return context.host()->GetOrCreateSharedContext<TestOpState>();
}

// A resource.
class TestVariable final : public tfrt::Tensor {
 public:
  using AsyncValueBases = BaseTypes<tfrt::Tensor>;
  explicit TestVariable(int value) : Tensor({DType::kResource, TensorShape()}), value_(value) {}
  TestVariable(TestVariable&&) = default;
  int value() const { return value_; }
  TensorType tensor_type() const override { return TensorType("Variable"); }
  std::string ToString() const override { return "Variable"; }

 private:
  int value_;
};

// test.Add(a, b): of f32, i32 and i64, of one shape; in the memory of a or b if it can.
// test.Same(x): copies; its result's metadata are not known before it runs.
// test.Gate(x): x, when the gate opens. test.LateError(x): an error then.
// test.Error(x): logs "error", and is one. test.TwoResults(x): x and x; the second is late.
// test.Effect(x): logs the first element. test.FailingEffect(x): an error.
// test.Scalar(): a scalar tensor of i32, [2, 2], 7. test.Sparse(): [[0, 0], [7, 0]] in coordinates.
// test.Optional(a, b?): b, or a. test.OnlyOptional(a?): a, or [] of i32. test.Variadic(a...): the
// first. test.Variable(): a resource with the value 5. test.Read(v, x?): its value, an i32.
// test.Attributes() {b: bool, i: i64}: i. test.Defaults() {s: string = "none", by: i64 = 3}: by.
// test.Large() {c: dense}: how many elements. test.MetadataOnly(x): has no function.
void RegisterTestOps(Context& context);

}  // namespace tfrt::eager

#endif  // TFRT_TEST_UNIT_EAGER_TEST_OPS_H_
