// The order in which calls become copies and kernels, seen through tracing.

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "lib/base/tracing/tracing.h"
#include "test/unit/eager/eager_fixture.h"
#include "tfrt/tracing/session.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Keeps the steps of calls, "copy op=Copy bytes=8 ...", without their ids. While it `holds` the
// FIFO thread, that waits at its first dequeue until a thread stalls.
class StepSink final : public tracing::Sink {
 public:
  struct Step {
    std::string name, text;
    uint64_t id = 0;
    std::thread::id thread;
    bool is_scope = false;
  };

  explicit StepSink(bool hold = false) : hold_(hold) {
    tracing::AddSink(this, tracing::Level::kVerbose);
  }
  ~StepSink() override { tracing::RemoveSink(this); }

  void PushScope(std::string_view name) override { Record(name, true); }
  void PopScope() override {}
  void RecordEvent(std::string_view name) override { Record(name, false); }

  std::vector<Step> steps() const {
    std::lock_guard lock(mutex_);
    return steps_;
  }
  // "op=... details" of all steps of this name.
  std::vector<std::string> TextsOf(std::string_view name) const {
    std::vector<std::string> texts;
    for (const Step& step : steps()) {
      if (step.name == name) texts.push_back(step.text);
    }
    return texts;
  }
  // Their ops.
  std::vector<std::string> OpsOf(std::string_view name) const {
    std::vector<std::string> ops;
    for (const std::string& text : TextsOf(name)) {
      size_t end = text.find('}');
      if (end == std::string::npos) end = text.find(' ') - 1;
      ops.push_back(text.substr(3, end + 1 - 3));
    }
    return ops;
  }

 private:
  void Record(std::string_view text, bool is_scope) {
    if (!text.starts_with("eager.")) return;
    text.remove_prefix(6);
    std::unique_lock lock(mutex_);
    Step step;
    step.name = text.substr(0, text.find(' '));
    step.thread = std::this_thread::get_id();
    step.is_scope = is_scope;
    size_t id = text.find("id="), op = text.find("op=");
    if (id != std::string_view::npos) step.id = std::stoull(std::string(text.substr(id + 3)));
    step.text = op == std::string_view::npos ? text.substr(step.name.size()) : text.substr(op);
    if (step.name == "stall") {
      hold_ = false;
      changed_.notify_all();
    }
    bool dequeue = step.name == "dequeue";
    steps_.push_back(std::move(step));
    if (dequeue) changed_.wait(lock, [&] { return !hold_; });
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Step> steps_;
  bool hold_;
};

class EagerStepsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (tracing::kMaxLevel < tracing::Level::kVerbose) GTEST_SKIP() << "built without tracing";
  }
};

// c = constant(y); z = matmul(x, c, transpose_b); out = relu(z); print(out)
std::string RunChain(Context& context, std::string_view device, const HostArray& x,
                     const HostArray& y) {
  Scope scope(context, {.mode = ExecutionMode::kAsync, .device = device});
  Tensor c = Tensor::FromArray(y);
  Tensor z = MatMul(x, c, {.transpose_b = true});
  Tensor out = Relu(z);
  return out.ToString();
}

HostArray Square(double value) {
  const int64_t dims[] = {64, 64};
  return HostArray::Take(std::span<const int64_t>(dims), std::vector<double>(64 * 64, value));
}

TEST_F(EagerStepsTest, GoldenOrder) {
  HostArray x = Square(0.5), y = Square(1);
  std::map<std::string, std::string> texts;
  for (const std::string device : {"cpu:0", "cpu:1", "sim:0"}) {
    CheckedDevices devices;
    auto context =
        MakeContext(devices.Options({"cpu:0", "cpu:1", "sim:0"}, {.order = ExecutionOrder::kFifo}));
    StepSink sink(/*hold=*/true);
    texts[device] = RunChain(*context, device, x, y);
    context->Wait();
    std::vector<std::string> nodes = {"Copy",   "Const", "Copy", "Const", "tf.MatMul{transpose_b}",
                                      "tf.Relu"};
    bool is_host = device == "cpu:0";
    if (is_host) std::erase(nodes, "Copy");
    // In one order they are scheduled, leave the queue, and run.
    EXPECT_EQ(sink.OpsOf("schedule"), nodes);
    EXPECT_EQ(sink.OpsOf("dequeue"), nodes);
    std::vector<StepSink::Step> kernels;
    for (const auto& step : sink.steps()) {
      if (step.name == "kernel") kernels.push_back(step);
    }
    ASSERT_EQ(kernels.size(), nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      EXPECT_EQ(kernels[i].text, "op=" + nodes[i] + " " + device);
      EXPECT_EQ(kernels[i].thread, kernels[0].thread);
      EXPECT_NE(kernels[i].thread, std::this_thread::get_id());
    }
    // The caller stalls once, and copies once.
    EXPECT_THAT(sink.TextsOf("stall"), ElementsAre("op=wait"));
    if (is_host) {
      EXPECT_THAT(sink.TextsOf("copy"), IsEmpty());
    } else {
      EXPECT_THAT(sink.TextsOf("copy"),
                  ElementsAre("op=Copy bytes=32768 from=cpu:0 to=" + device + " for=Const",
                              "op=Copy bytes=32768 from=cpu:0 to=" + device + " for=Const",
                              "op=Copy bytes=32768 from=" + device + " to=cpu:0"));
    }
    // What the queue held as each one came, and as each one left: the first left while the caller
    // still added, so that the one number is not known.
    EXPECT_EQ(sink.TextsOf("queue_depth").size(), nodes.size());
    EXPECT_THAT(sink.TextsOf("dequeue").back(), HasSubstr("depth=0"));
    EXPECT_EQ(context->queue_depth(), 0u);
  }
  EXPECT_EQ(texts["cpu:1"], texts["cpu:0"]);
  EXPECT_EQ(texts["sim:0"], texts["cpu:0"]);
  EXPECT_THAT(texts["cpu:0"], HasSubstr("dtype = f64, shape = [64, 64], values = [3.200000e+01"));
}

// The same as records: without texts, and who belongs to whom.
TEST_F(EagerStepsTest, GoldenOrderInRecords) {
  using tracing::Span;
  HostArray x = Square(0.5), y = Square(1);
  auto context = MakeContext({.devices = {"cpu:0", "cpu:1"}, .order = ExecutionOrder::kFifo});
  auto session = tracing::Session::Start({.buffer_bytes = 4 << 20});
  ASSERT_TRUE(session.ok());
  RunChain(*context, "cpu:1", x, y);
  context->Wait();
  tracing::Profile profile = (*session)->Read();
  std::vector<std::string_view> kernels;
  for (const Span* kernel : profile.OfType("eager.kernel")) {
    kernels.push_back(kernel->name);
    EXPECT_EQ(kernel->arguments[0], tracing::InternName("cpu:1").bits());
    // All records of the op have its id, in the order of its life.
    EXPECT_NE(kernel->op_id, 0u);
    int64_t last = 0;
    for (const char* step : {"eager.enqueue", "eager.dequeue", "eager.kernel", "eager.publish"}) {
      auto steps = profile.OfType(step);
      auto of_op = std::ranges::find(steps, kernel->op_id, &Span::op_id);
      ASSERT_NE(of_op, steps.end()) << step << " of " << kernel->name;
      EXPECT_EQ((*of_op)->name, kernel->name);
      EXPECT_GE((*of_op)->begin_ns, last) << step << " of " << kernel->name;
      last = (*of_op)->begin_ns;
      // The thread of the queue runs it on behalf of the caller.
      const Span* parent = *of_op;
      while (parent->parent_id != 0 && parent->name == kernel->name) {
        parent = profile.Find(parent->parent_id);
        ASSERT_NE(parent, nullptr) << step << " of " << kernel->name;
      }
    }
  }
  EXPECT_THAT(kernels, ElementsAre("Copy", "Const", "Copy", "Const", "tf.MatMul", "tf.Relu"));
  auto copies = profile.OfType("eager.copy");
  ASSERT_EQ(copies.size(), 3u);
  EXPECT_EQ(copies[0]->Text("for"), "Const");
  EXPECT_EQ(copies[2]->Text("from"), "cpu:1");
  EXPECT_EQ(copies[2]->Text("to"), "cpu:0");
  EXPECT_EQ(copies[2]->Integer("bytes"), 32768);
  EXPECT_EQ(copies[2]->kind(), tracing::RecordKind::kCopy);
  EXPECT_LE(profile.OfType("eager.stall").size(), 1u) << "none if the queue has come first";
}

// In the order of data there is no queue of the context, but when an op is handed over, taken and
// over is known all the same.
TEST_F(EagerStepsTest, TheLifeOfAnOpIsRecordedInBothOrders) {
  for (ExecutionOrder order : {ExecutionOrder::kDataflow, ExecutionOrder::kFifo}) {
    auto context = MakeContext({.devices = {"cpu:0"}, .order = order});
    auto session = tracing::Session::Start({.buffer_bytes = 4 << 20});
    ASSERT_TRUE(session.ok());
    {
      Scope scope(*context, {.mode = ExecutionMode::kAsync});
      Tensor x = Make({1}, {1.0f});
      for (int i = 0; i < 3; ++i) x = Relu(std::move(x));
      context->Wait();
    }
    tracing::Profile profile = (*session)->Read();
    const bool is_fifo = order == ExecutionOrder::kFifo;
    auto calls = profile.OfType("eager.call");
    ASSERT_EQ(calls.size(), 3u);
    for (const tracing::Span* call : calls) {
      int64_t last = call->begin_ns;
      for (const char* step : {"eager.enqueue", is_fifo ? "eager.dequeue" : "eager.begin",
                               "eager.kernel", "eager.publish", "eager.published"}) {
        auto steps = profile.OfType(step);
        EXPECT_EQ(std::ranges::count(steps, call->op_id, &tracing::Span::op_id), 1) << step;
        auto of_op = std::ranges::find(steps, call->op_id, &tracing::Span::op_id);
        ASSERT_NE(of_op, steps.end()) << step;
        EXPECT_GE((*of_op)->begin_ns, last) << step;
        last = (*of_op)->begin_ns;
      }
    }
    EXPECT_EQ(profile.OfType(is_fifo ? "eager.begin" : "eager.dequeue").size(), 0u);
  }
}

// Without details calls keep their short ways, of which the call and its kernel are recorded: the
// quick one, with an argument to reuse or not, and the one that was prepared before.
TEST_F(EagerStepsTest, WithoutDetailsShortWaysStayShort) {
  using tracing::Span;
  auto context = MakeContext({.devices = {"cpu:0"}});
  Scope scope(*context);
  Tensor few = Make({1}, {1.0f}),
         many = Tensor::FromArray(HostArray({32}, std::vector<float>(32, 1)));
  auto call = [&](const Tensor& x) {
    EXPECT_TRUE(AddV2(x, x).status().ok());
    EXPECT_TRUE(AddV2(AddV2(x, x), x).status().ok());
  };
  // What no short way is found for yet leaves nothing behind but the records of the long one.
  for (bool is_prepared : {false, true}) {
    auto session = tracing::Session::Start({.details = false, .buffer_bytes = 4 << 20});
    ASSERT_TRUE(session.ok());
    call(few);
    call(many);
    tracing::Profile profile = (*session)->Read();
    auto calls = profile.OfType("eager.call"), kernels = profile.OfType("eager.kernel");
    ASSERT_EQ(calls.size(), 6u);
    ASSERT_EQ(kernels.size(), 6u);
    for (size_t i = 0; i < calls.size(); ++i) {
      const Span &of_call = *calls[i], &kernel = *kernels[i];
      EXPECT_EQ(of_call.name, "tf.AddV2");
      EXPECT_EQ(kernel.name, "tf.AddV2");
      EXPECT_EQ(kernel.Text(""), "cpu:0");
      EXPECT_EQ(kernel.parent_id, of_call.id);
      EXPECT_NE(kernel.op_id, 0u);
      EXPECT_EQ(kernel.op_id, of_call.op_id);
      EXPECT_LE(of_call.begin_ns, kernel.begin_ns);
      EXPECT_LE(kernel.begin_ns, kernel.end_ns);
      EXPECT_LE(kernel.end_ns, of_call.end_ns);
      if (is_prepared && i < 3) {
        EXPECT_EQ(kernel.end_ns, of_call.end_ns) << "one reading of the clock";
      }
      if (i > 0) {
        EXPECT_NE(of_call.op_id, calls[i - 1]->op_id);
      }
    }
    if (is_prepared) EXPECT_THAT(profile.OfType("eager.handle"), IsEmpty());
    EXPECT_THAT(profile.OfType("eager.canonicalise"), IsEmpty());
    EXPECT_EQ(tracing::CurrentContext().record_id, 0u);
  }
}

TEST_F(EagerStepsTest, ErrorsOfShortWaysAreRecordedCalls) {
  auto context = MakeContext({.devices = {"cpu:0"}});
  Scope scope(*context);
  Tensor two = Make({2}, {1.0f, 2.0f}), three = Make({3}, {1.0f, 2.0f, 3.0f});
  AddV2(two, two);
  auto session = tracing::Session::Start({.details = false, .buffer_bytes = 4 << 20});
  ASSERT_TRUE(session.ok());
  EXPECT_FALSE(AddV2(two, three).status().ok());
  tracing::Profile profile = (*session)->Read();
  EXPECT_EQ(profile.OfType("eager.call").size(), 1u);
  EXPECT_THAT(profile.OfType("eager.kernel"), IsEmpty());
}

// An op that a level of the session leaves out is not recorded on any way.
TEST_F(EagerStepsTest, ShortWaysKeepToTheLevel) {
  auto context = MakeContext({.devices = {"cpu:0"}});
  Scope scope(*context);
  Tensor x = Make({1}, {1.0f});
  AddV2(x, x);
  for (tracing::StackLevel level : {tracing::StackLevel::kModel, tracing::StackLevel::kOp}) {
    auto session =
        tracing::Session::Start({.max_level = level, .details = false, .buffer_bytes = 4 << 20});
    ASSERT_TRUE(session.ok());
    AddV2(x, x);
    tracing::Profile profile = (*session)->Read();
    EXPECT_EQ(profile.OfType("eager.call").size(), level == tracing::StackLevel::kOp ? 1u : 0u);
    EXPECT_THAT(profile.OfType("eager.kernel"), IsEmpty());
  }
}

// The work queue keeps no records of a scheduled op, which has its own.
TEST_F(EagerStepsTest, AScheduledOpIsRecordedOnce) {
  auto context = MakeContext({.devices = {"cpu:0"}});
  Tensor x;
  {
    Scope scope(*context);
    x = Make({2}, {1.0f, 2.0f});
  }
  auto session = tracing::Session::Start({.details = false, .buffer_bytes = 4 << 20});
  ASSERT_TRUE(session.ok());
  {
    Scope scope(*context, {.mode = ExecutionMode::kAsync});
    Tensor y = Relu(x);
    context->Wait();
  }
  tracing::Profile profile = (*session)->Read();
  EXPECT_THAT(profile.OfType("queue.enqueue"), IsEmpty());
  EXPECT_THAT(profile.OfType("queue.dequeue"), IsEmpty());
  auto calls = profile.OfType("eager.call"), begins = profile.OfType("eager.begin");
  ASSERT_EQ(calls.size(), 1u);
  ASSERT_EQ(begins.size(), 1u);
  EXPECT_EQ(begins[0]->parent_id, calls[0]->id) << "on behalf of the caller";
  EXPECT_EQ(begins[0]->op_id, calls[0]->op_id);
  EXPECT_EQ(profile.OfType("eager.enqueue").at(0)->parent_id, calls[0]->id);
}

TEST_F(EagerStepsTest, HitsAreRecorded) {
  auto context = MakeContext({.devices = {"cpu:0", "cpu:1"}});
  Scope scope(*context, {.device = "cpu:1"});
  Tensor x;
  {
    Scope host(*context, {.device = "cpu:0"});
    x = Make({1}, {1.0f});
  }
  Relu(x);
  auto session = tracing::Session::Start({.buffer_bytes = 4 << 20});
  ASSERT_TRUE(session.ok());
  Relu(x);
  tracing::Profile profile = (*session)->Read();
  auto calls = profile.OfType("eager.call"), hits = profile.OfType("eager.cache_hit"),
       copies = profile.OfType("eager.copy_hit");
  ASSERT_EQ(calls.size(), 1u);
  ASSERT_EQ(hits.size(), 1u);
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(calls[0]->name, "tf.Relu");
  EXPECT_EQ(hits[0]->parent_id, calls[0]->id);
  EXPECT_EQ(hits[0]->op_id, calls[0]->op_id);
  EXPECT_EQ(copies[0]->op_id, calls[0]->op_id);
  EXPECT_EQ(copies[0]->Text("to"), "cpu:1");
  EXPECT_TRUE(profile.OfType("eager.copy").empty());
}

TEST_F(EagerStepsTest, TheQueueCanBeWatched) {
  auto context = MakeContext({.devices = {"cpu:0"}, .order = ExecutionOrder::kFifo});
  StepSink sink(/*hold=*/true);
  Scope scope(*context, {.mode = ExecutionMode::kAsync});
  Tensor x = Make({1}, {1.0f});
  // The first may have left the queue, and the thread stands there; the others wait.
  for (int i = 0; i < 5; ++i) x = Relu(std::move(x));
  EXPECT_GE(context->queue_depth(), 5u);
  EXPECT_LE(context->queue_depth(), 6u);
  EXPECT_EQ(x.Item<float>().value(), 1);
  context->Wait();
  EXPECT_EQ(context->queue_depth(), 0u);
}

TEST_F(EagerStepsTest, OfASyncCall) {
  auto context = MakeContext();
  Scope scope(*context, {.device = "cpu:1"});
  Tensor x = Make({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  HostArray y({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  auto steps_of = [&](const StepSink& sink) {
    std::vector<std::string> texts;
    for (const auto& step : sink.steps()) texts.push_back(step.name + " " + step.text);
    return texts;
  };
  {
    StepSink sink;
    Tensor z = MatMul(x, y);
    EXPECT_THAT(steps_of(sink), ElementsAre("canonicalise op=tf.MatMul", "build_op op=tf.MatMul",
                                            "place op=tf.MatMul device=cpu:1 reason=scope",
                                            "copy op=Copy bytes=16 from=cpu:0 to=cpu:1 for=Const",
                                            "kernel op=Const cpu:1", "kernel op=tf.MatMul cpu:1",
                                            "allocate  bytes=80", "handle op=tf.MatMul"));
    // All steps of a call have its id.
    for (const auto& step : sink.steps()) {
      if (step.text.starts_with("op=tf.MatMul")) {
        EXPECT_EQ(step.id, sink.steps()[0].id);
      }
      EXPECT_EQ(step.is_scope, step.name != "place");
    }
  }
  {
    // Nothing to prepare the second time.
    MatMul(x, x);
    StepSink sink;
    Tensor z = Relu(MatMul(x, x));
    EXPECT_THAT(sink.TextsOf("build_op"), ElementsAre("op=tf.Relu"));
    EXPECT_THAT(sink.TextsOf("copy"), IsEmpty());
  }
}

TEST_F(EagerStepsTest, ThePlaceHasAReason) {
  ContextOptions options{.devices = {"cpu:0", "cpu:1", "cpu:2"}};
  options.supports = [](std::string_view device, const OpDefinition& op) {
    return op.name != "tf.Relu" || device == "cpu:1";
  };
  auto context = MakeContext(options);
  Tensor integer, variable;
  StepSink sink;
  auto place = [&] {
    std::string text = sink.TextsOf("place").back();
    return text.substr(text.find("device="));
  };
  {
    Scope scope(*context);
    integer = CallOp("test.Same", {Make({1}, {1})});
    EXPECT_EQ(place(), "device=cpu:0 reason=small-integers");
    Relu(Make({1}, {1.0f}));
    EXPECT_EQ(place(), "device=cpu:1 reason=priority");
  }
  Scope scope(*context, {.device = "cpu:2"});
  variable = CallOp("test.Variable", {});
  EXPECT_EQ(place(), "device=cpu:2 reason=scope");
  Relu(Make({1}, {1.0f}));
  EXPECT_EQ(place(), "device=cpu:1 reason=soft");
  Scope elsewhere(*context, {.device = "cpu:1"});
  CallOp("test.Read", {variable});
  EXPECT_EQ(place(), "device=cpu:2 reason=resource");
}

TEST_F(EagerStepsTest, ACopyIsMadeOnce) {
  auto context = MakeContext({.devices = {"cpu:0", "cpu:1"}, .order = ExecutionOrder::kFifo});
  Tensor x;
  {
    Scope scope(*context);
    x = Make({1}, {1.0f});
  }
  StepSink sink;
  Scope scope(*context, {.mode = ExecutionMode::kAsync, .device = "cpu:1"});
  Tensor y = MatMul(Relu(x), Relu(x));
  Relu(x).status().ok();
  Scope sync(*context, {.device = "cpu:1"});
  EXPECT_TRUE(Relu(x).status().ok());
  EXPECT_EQ(sink.TextsOf("copy").size(), 1u);
  EXPECT_THAT(sink.TextsOf("copy")[0], HasSubstr("from=cpu:0 to=cpu:1 for=tf.Relu"));
}

TEST_F(EagerStepsTest, HostValuesAreNotCopiedToTheDevice) {
  auto context = MakeContext({.devices = {"cpu:0", "cpu:1"}});
  Tensor axis;
  {
    Scope scope(*context);
    axis = Make({1}, {0});
  }
  Scope scope(*context, {.device = "cpu:1"});
  Tensor there = Make({1, 2}, {1.0f, 2.0f}), elsewhere = Make({1}, {0});
  StepSink sink;
  EXPECT_TRUE(Sum(there, axis).status().ok());
  EXPECT_THAT(sink.TextsOf("copy"), IsEmpty());
  // A few integers are read where they come from.
  EXPECT_TRUE(Sum(there, elsewhere).status().ok());
  EXPECT_THAT(sink.TextsOf("copy"), IsEmpty());
  // What is only on the device comes back from there.
  EXPECT_EQ(context->DropCopies(), 1u);
  EXPECT_TRUE(Sum(there, elsewhere).status().ok());
  ASSERT_EQ(sink.TextsOf("copy").size(), 1u);
  EXPECT_THAT(sink.TextsOf("copy")[0], HasSubstr("from=cpu:1 to=cpu:0 for=tf.Sum"));
}

}  // namespace
}  // namespace tfrt::eager
