#include "lib/compat/handles/op_handler.h"

#include "eager_test.h"
#include "lib/ops/host_ops/cpu_ops.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

DenseHostTensor Identity(const DenseHostTensor& in) { return in.ShareBuffer(); }
TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }

class OpHandlerTest : public EagerTest {
 protected:
  OpHandlerTest() {
    ops_.Add({.name = "test.Identity", .function = TFRT_OP(Identity)});
    ops_.Add({.name = "tf.Relu", .metadata = TFRT_OP_METADATA(SameMetadata)});
  }
  TensorHandle Call(std::string_view op, OpHandler* handler, TensorHandle argument) {
    ExecutionContext context = exec_ctx();
    TensorHandle result;
    runtime().Execute(
        op, handler,
        {.exec_ctx = context, .arguments = {&argument, 1}, .attrs = {}, .results = {&result, 1}});
    return result;
  }
  OpHandler* Null() { return runtime().TakeOpHandler(CreateNullOpHandler()); }
  OpHandler* Cpu(const OpRegistry& ops, OpHandler* fallback) {
    return runtime().TakeOpHandler(CreateCpuOpHandler(host(), ops, device(), fallback));
  }

  OpRegistry ops_;
};

TEST_F(OpHandlerTest, NullKnowsNothing) {
  OpHandler* null = Null();
  EXPECT_EQ(null->name(), "null");
  EXPECT_EQ(null->fallback(), nullptr);
  auto op = null->MakeOp("test.Identity");
  EXPECT_EQ(op.status().code(), StatusCode::kNotFound);
  EXPECT_EQ(ErrorOf(Call("test.Identity", null, Handle({1}))),
            "test.Identity was not supported by NullOpHandler.");
  EXPECT_THAT(TakeDiagnostics(), ElementsAre("test.Identity was not supported by NullOpHandler."));
}

TEST_F(OpHandlerTest, FallbacksServeWhatTheHandlerDoesNotRun) {
  OpHandler* cpu = Cpu(host()->GetOrCreateSharedContext<CpuOps>().ops(), Null());
  OpHandler* mine = Cpu(ops_, cpu);
  EXPECT_EQ(mine->name(), "cpu");
  EXPECT_EQ(mine->fallback(), cpu);
  EXPECT_THAT(ValuesOf(Call("test.Identity", mine, Handle({-1}))), ElementsAre(-1));
  // Of this op only the metadata are known here.
  EXPECT_THAT(ValuesOf(Call("tf.Relu", mine, Handle({-1}))), ElementsAre(0));
  EXPECT_EQ(ErrorOf(Call("test.Identity", cpu, Handle({1}))),
            "test.Identity was not supported by NullOpHandler.");
  EXPECT_EQ(ErrorOf(Call("test.Unknown", mine, Handle({1}))),
            "test.Unknown was not supported by NullOpHandler.");
}

class LogsItsEnd final : public OpHandler {
 public:
  LogsItsEnd(const char* name, OpHandler* fallback, std::vector<std::string>* log)
      : OpHandler(name, fallback), log_(log) {}
  ~LogsItsEnd() override { log_->push_back(std::string(name())); }
  StatusOr<CoreRuntimeOp> MakeOp(std::string_view op_name) override {
    return fallback()->MakeOp(op_name);
  }

 private:
  std::vector<std::string>* const log_;
};

TEST_F(OpHandlerTest, HandlersEndBeforeTheirFallbacks) {
  std::vector<std::string> log;
  {
    HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                     CreateSingleThreadedWorkQueue());
    OpHandler* handler = nullptr;
    for (const char* name : {"first", "second", "third", "fourth"}) {
      handler =
          CoreRuntime::Of(&host).TakeOpHandler(std::make_unique<LogsItsEnd>(name, handler, &log));
    }
  }
  EXPECT_THAT(log, ElementsAre("fourth", "third", "second", "first"));
}

TEST_F(OpHandlerTest, NamesOfHandlers) {
  OpHandler* null = Null();
  OpHandler* other = Null();
  EXPECT_EQ(runtime().GetOpHandler("x").status().message(), "op_handler not found: x");
  runtime().RegisterOpHandler("x", null);
  runtime().RegisterOpHandler("x", other);
  EXPECT_EQ(*runtime().GetOpHandler("x"), null);
}

TEST_F(OpHandlerTest, OpsAreMadeOncePerHandler) {
  OpHandler* null = Null();
  OpHandler* a = Cpu(ops_, null);
  OpHandler* b = Cpu(ops_, null);
  auto first = runtime().FindOp("test.Identity", a);
  ASSERT_TRUE(first.ok());
  std::string same_name = "test.Identity";  // elsewhere in memory
  EXPECT_EQ(*runtime().FindOp(same_name, a), *first);
  EXPECT_NE(*runtime().FindOp("test.Identity", b), *first);
  EXPECT_FALSE(runtime().FindOp("test.Unknown", a).ok());
  EXPECT_FALSE(runtime().FindOp("test.Unknown", a).ok());
}

}  // namespace
}  // namespace tfrt
