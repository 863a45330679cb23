// What sinks see of an op that runs.

#include "lib/ops/op_call/run_op.h"
#include "lib/base/tracing/tracing.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "test/unit/handles/eager_test.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

class NameSink : public tracing::Sink {
 public:
  explicit NameSink(tracing::Level level) { tracing::AddSink(this, level); }
  ~NameSink() override { tracing::RemoveSink(this); }
  void PushScope(std::string_view name) override { names_.emplace_back(name); }
  void PopScope() override {}
  void RecordEvent(std::string_view) override {}
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

class RunOpTest : public EagerTest {
 protected:
  RunOpTest() { RegisterCpuOps(&ops_); }

  // The scopes of a call of tf.Sum on [2, 3].
  std::vector<std::string> ScopesOf(tracing::Level level) {
    const OpDefinition& op = *ops_.Find("tf.Sum");
    auto in = MakeAvailableAsyncValueRef<DenseHostTensor>(Floats({2, 3}, {1, 2, 3, 4, 5, 6}));
    auto axes = DenseHostTensor::CreateUninitialized({DType::kI32, {1}}, host()->allocator());
    *static_cast<int32_t*>(*axes->MutableData()) = 1;
    auto axis = MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(axes));
    AsyncValue* arguments[] = {in.GetAsyncValue(), axis.GetAsyncValue()};
    OpAttrs attrs;
    attrs.Set("keep_dims", false);
    TensorMetadata metadata(DType::kF32, TensorShape({2}));
    RCReference<AsyncValue> result;
    NameSink sink(level);
    OpOutcome outcome = RunOp(op, exec_ctx(), host()->allocator(), arguments, 0, attrs,
                              {&metadata, 1}, {&result, 1});
    EXPECT_TRUE(outcome.error.ok()) << outcome.error.message();
    return sink.names();
  }

  OpRegistry ops_;
};

TEST_F(RunOpTest, SinksSeeTheOpByName) {
  if (tracing::kMaxLevel < tracing::Level::kDefault) GTEST_SKIP() << "tracing is not compiled in";
  EXPECT_THAT(ScopesOf(tracing::Level::kDefault), ElementsAre("RunDispatch: tf.Sum"));
}

TEST_F(RunOpTest, SinksOfLevelDebugSeeWhatItIsGiven) {
  if (tracing::kMaxLevel < tracing::Level::kDebug) GTEST_SKIP() << "the level is not compiled in";
  EXPECT_THAT(ScopesOf(tracing::Level::kDebug),
              ElementsAre("RunDispatchFunction: tf.Sum#op_name=tf.Sum,Inputs=(f32 [2, 3],i32 [1]),"
                          "Results=(f32 [2]),Attributes={keep_dims=0}#"));
}

}  // namespace
}  // namespace tfrt
