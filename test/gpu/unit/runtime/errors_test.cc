// Errors of calls, and devices that are lost.
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/runtime/event.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/staging.h"
#include "test/gpu/unit/runtime/gpu_test_base.h"

namespace tfrt::gpu {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Decodes locations as "prog.mlir:LINE".
class Lines final : public LocationHandler {
 public:
  ~Lines() override { Retire(); }
  DecodedLocation DecodeLocation(uint64_t data) const override {
    ++num_decoded;
    return {"prog.mlir", static_cast<uint32_t>(data), 1};
  }

  mutable std::atomic<int> num_decoded{0};
};

class ErrorsTest : public GpuTest {
 protected:
  explicit ErrorsTest(ContextOptions options = {})
      : GpuTest(FakeGpu::Mode::kReleased, std::move(options)) {}
  ~ErrorsTest() override { gpu_.Release(); }

  Status IdleAs(Stream& stream, std::string_view op, uint64_t line) {
    LaunchScope scope(op, Location(&lines_, line));
    return Idle(stream);
  }

  Lines lines_;
};

TEST_F(ErrorsTest, AnErrorOfACallBelongsToTheCall) {
  auto stream = MakeStream();
  gpu_.Fail("cuLaunchKernel", cuda::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  Status status = Idle(*stream);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("'cuLaunchKernel' of 'idle'"),
                    HasSubstr("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")));
  EXPECT_FALSE(context_->is_lost());
  EXPECT_TRUE(Idle(*stream).ok());
}

// Whoever gets an error may free what the copy would use.
TEST_F(ErrorsTest, ACopyThatIsEnqueuedIsNoError) {
  auto stream = MakeStream(), other = MakeStream();
  auto device = Allocate(*stream, 8);
  auto pinned = context_->AllocatePinned(8).value();
  gpu_.Fail("cuEventRecord", cuda::CUDA_ERROR_UNKNOWN);
  EXPECT_TRUE(stream->Copy(device->Bytes(0, 8), pinned->Bytes(0, 8)).ok());
  EXPECT_TRUE(other->WaitForUses(*device).ok());
  EXPECT_TRUE(gpu_.IsOrdered(stream->handle(), other->handle()));
  gpu_.Fail("cuEventRecord", cuda::CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_FALSE(stream->Copy(device->Bytes(0, 8), pinned->Bytes(0, 8)).ok());
  EXPECT_TRUE(context_->is_lost());
}

// So a device answers that has fallen off its bus.
TEST_F(ErrorsTest, ADeviceThatAnswersNothingIsLost) {
  auto stream = MakeStream();
  gpu_.Fail("cuLaunchKernel", cuda::CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(Idle(*stream).code(), StatusCode::kUnknown);
  EXPECT_FALSE(context_->is_lost());
  EXPECT_TRUE(Idle(*stream).ok());
  gpu_.Fail("cuLaunchKernel", cuda::CUDA_ERROR_UNKNOWN);
  gpu_.Fail("cuEventCreate", cuda::CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(Idle(*stream).code(), StatusCode::kUnknown);
  EXPECT_TRUE(context_->is_lost());
  gpu_.ForgetCalls();
  EXPECT_EQ(Idle(*stream).code(), StatusCode::kUnavailable);
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

// What the allocator keeps for later is not missing now.
TEST_F(ErrorsTest, WhatIsCachedGoesBackWhereTheDriverHasNoMemory) {
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  auto stream = MakeStream();
  auto pinned = context_->AllocatePinned(8).value();
  auto device = Allocate(*stream, 4 << 20);
  std::vector<char> bytes(64);
  const std::string image(".version 7.0 more\0", 18);
  gpu_.AddKernel("more", {});
  std::vector<RCReference<Stream>> streams;
  auto copy = [&] { return stream->Copy(pinned->Bytes(0, 8), device->Bytes(0, 8)).status(); };
  const std::pair<const char*, std::function<Status()>> calls[] = {
      {"cuEventCreate", copy},  // while there is none
      {"cuModuleLoadDataEx", [&] { return context_->LoadModule(image).status(); }},
      {"cuModuleGetFunction", [&] { return module_->GetFunction("more").status(); }},
      {"cuModuleGetGlobal_v2", [&] { return module_->GetGlobal("knob").status(); }},
      {"cuLaunchKernel", [&] { return Idle(*stream); }},
      {"cuMemsetD32Async", [&] { return stream->Fill(device->Bytes(0, 8), 0).status(); }},
      {"cuMemcpyDtoHAsync_v2", copy},
      {"cuMemHostRegister_v2", [&] { return context_->Register(bytes.data(), 64, {}).status(); }},
      {"cuStreamCreateWithPriority",
       [&] {
         StatusOr<RCReference<Stream>> made = context_->CreateStream();
         if (made.ok()) streams.push_back(*std::move(made));
         return made.status();
       }},
  };
  for (const auto& [function, call] : calls) {
    gpu_.Fail(function, cuda::CUDA_ERROR_OUT_OF_MEMORY);
    const Status missing = call();
    EXPECT_EQ(missing.code(), StatusCode::kResourceExhausted) << function;
    Allocate(*stream, 100 << 20).reset();
    gpu_.ForgetCalls();
    gpu_.Fail(function, cuda::CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_TRUE(call().ok()) << function;
    EXPECT_EQ(gpu_.NumCalls("cuMemFree_v2"), 1u) << function;
  }
}

// Waiting for what has the memory needs an event.
TEST_F(ErrorsTest, MakingRoomMayFailItself) {
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  auto stream = MakeStream();
  Allocate(*stream, 100 << 20).reset();
  ASSERT_TRUE(Idle(*stream).ok());
  auto no_event = [](cuda::CUevent*, unsigned) { return cuda::CUDA_ERROR_OUT_OF_MEMORY; };
  const auto kept = std::exchange(gpu_.mutable_table().cuEventCreate, no_event);
  EXPECT_EQ(stream->Record().status().code(), StatusCode::kResourceExhausted);
  gpu_.mutable_table().cuEventCreate = kept;
  EXPECT_TRUE(stream->Record().ok());
}

// Making room waits for all streams, so also for the end of a call that the thread is in.
TEST_F(ErrorsTest, ALibrarysCallMakesNoRoom) {
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  auto stream = MakeStream(), other = MakeStream();
  Allocate(*stream, 100 << 20).reset();
  const std::string image(".version 7.0 more\0", 18);
  auto load = [&] {
    gpu_.Fail("cuModuleLoadDataEx", cuda::CUDA_ERROR_OUT_OF_MEMORY);
    return context_->LoadModule(image).status();
  };
  Status in_call, in_outer_call;
  auto call = [&] {
    EXPECT_TRUE(other->Enqueue("inner", {}, [&] { return in_call = load(), OkStatus(); }).ok());
    in_outer_call = load();
    return OkStatus();
  };
  EXPECT_TRUE(stream->Enqueue("outer", {}, call).ok());
  EXPECT_EQ(in_call.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(in_outer_call.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(gpu_.NumCalls("cuMemFree_v2"), 0u);
  // After it the thread may wait.
  EXPECT_TRUE(load().ok());
  EXPECT_EQ(gpu_.NumCalls("cuMemFree_v2"), 1u);
}

TEST_F(ErrorsTest, ALostDeviceNamesTheOpsThatItCanHaveBeen) {
  auto stream = MakeStream(), other = MakeStream();
  ASSERT_TRUE(IdleAs(*stream, "tf.Const", 3).ok());
  AsyncValueRef<Chain> early = stream->Synchronize();
  gpu_.Release(stream->handle(), 2);  // with its record
  Await(early);
  ASSERT_TRUE(IdleAs(*stream, "tf.MatMul", 10).ok());
  ASSERT_TRUE(IdleAs(*other, "tf.Relu", 12).ok());
  ASSERT_TRUE(IdleAs(*other, "tf.Relu", 12).ok());
  AsyncValueRef<Chain> late = stream->Synchronize(), later = other->Synchronize();
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_ILLEGAL_ADDRESS);
  gpu_.Release();
  Await(late);
  Await(later);
  // Commands that were done before stay good.
  EXPECT_TRUE(early.IsConcrete());
  ASSERT_TRUE(late.IsError());
  ASSERT_TRUE(later.IsError());
  const std::string message(late.GetError().message());
  EXPECT_THAT(message,
              AllOf(HasSubstr("gpu:0: "), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"),
                    HasSubstr("; one of: tf.MatMul prog.mlir:10:1, tf.Relu prog.mlir:12:1; "
                              "launch_blocking names it"),
                    Not(HasSubstr("tf.Const"))));
  EXPECT_EQ(later.GetError(), late.GetError());
  EXPECT_EQ(context_->loss(), late.GetError());
}

TEST_F(ErrorsTest, OneCandidateIsNamed) {
  auto stream = MakeStream();
  ASSERT_TRUE(IdleAs(*stream, "tf.Relu", 12).ok());
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_LAUNCH_FAILED);
  gpu_.Release();
  Status status = stream->Wait();
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("tf.Relu prog.mlir:12:1 on gpu:0: "),
                    HasSubstr("CUDA_ERROR_LAUNCH_FAILED"), Not(HasSubstr("one of"))));
}

// Whoever closes a file waits for nothing of a device, and the host need not know what has run.
TEST_F(ErrorsTest, AWaitThatFailsNamesTheOpsThatItWasFor) {
  auto stream = MakeStream();
  ASSERT_TRUE(IdleAs(*stream, "tf.Relu", 12).ok());
  gpu_.Fail("cuEventQuery", cuda::CUDA_ERROR_UNKNOWN);
  const Status status = stream->Wait();
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("tf.Relu prog.mlir:12:1 on gpu:0: 'cuEventQuery'"),
                    HasSubstr("CUDA_ERROR_UNKNOWN")));
  EXPECT_FALSE(context_->is_lost());
  gpu_.Release();
  EXPECT_TRUE(stream->Wait().ok());
}

TEST_F(ErrorsTest, AnOpWhoseFileIsClosedIsNamedAlone) {
  auto stream = MakeStream(), other = MakeStream();
  {
    auto closed = std::make_unique<Lines>();
    LaunchScope scope("tf.Relu", Location(closed.get(), 12));
    ASSERT_TRUE(Idle(*stream).ok());
    ASSERT_TRUE(Idle(*other).ok());
    closed.reset();
  }
  ASSERT_TRUE(IdleAs(*stream, "tf.Tanh", 14).ok());
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_LAUNCH_FAILED);
  gpu_.Release();
  EXPECT_THAT(std::string(stream->Wait().message()),
              HasSubstr("; one of: tf.Relu, tf.Tanh prog.mlir:14:1; "));
}

TEST_F(ErrorsTest, CommandsWithoutAnOpAreNamedAsTheyAre) {
  auto stream = MakeStream();
  auto memory = Allocate(*stream, 16);
  ASSERT_TRUE(Idle(*stream).ok());
  ASSERT_TRUE(stream->Fill(memory->Bytes(0, 16), 0).ok());
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_MISALIGNED_ADDRESS);
  gpu_.Release();
  EXPECT_THAT(std::string(stream->Wait().message()), HasSubstr("one of: 'idle', 'fill'"));
}

TEST_F(ErrorsTest, ManyCandidatesAreCounted) {
  auto stream = MakeStream();
  for (uint64_t line = 1; line <= 20; ++line) ASSERT_TRUE(IdleAs(*stream, "op", line).ok());
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_ILLEGAL_INSTRUCTION);
  gpu_.Release();
  EXPECT_THAT(std::string(stream->Wait().message()),
              AllOf(HasSubstr("op prog.mlir:8:1 and 12 more"), Not(HasSubstr("prog.mlir:9:1"))));
}

// Of each stream the last commands are known by name: that it can have been an older one is said.
TEST_F(ErrorsTest, WhoIsForgottenIsCounted) {
  auto stream = MakeStream();
  ASSERT_TRUE(IdleAs(*stream, "tf.Guilty", 1).ok());
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(IdleAs(*stream, "tf.Innocent", 2).ok());
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_ILLEGAL_ADDRESS);
  gpu_.Release();
  EXPECT_THAT(std::string(stream->Wait().message()),
              AllOf(testing::StartsWith("gpu:0: "),
                    HasSubstr("; one of: tf.Innocent prog.mlir:2:1, or one of 45 commands before; "
                              "launch_blocking names it")));
}

TEST_F(ErrorsTest, ALostDeviceIsUnavailable) {
  auto stream = MakeStream(), other = MakeStream();
  auto memory = Allocate(*stream, 100);
  ASSERT_TRUE(Idle(*stream).ok());
  Point point = stream->tail();
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_ILLEGAL_ADDRESS);
  gpu_.Release();
  EXPECT_FALSE(stream->Wait().ok());
  ASSERT_TRUE(context_->is_lost());
  gpu_.ForgetCalls();
  auto event = MakeRef<Event>(FormRef(context_.get()));
  std::vector<Status> statuses = {
      Idle(*stream),
      stream->Fill(memory->Bytes(0, 4), 0).status(),
      stream->Copy(memory->Bytes(0, 4), memory->Bytes(8, 4)).status(),
      stream->Wait(),
      other->WaitFor(point),
      stream->Record().status(),
      event->Record(*stream),
      context_->CreateStream().status(),
      context_->Allocate(*stream, 10).status(),
      context_->AllocatePinned(10).status(),
      context_->Synchronize(),
      context_->LoadModule("other").status(),
      module_->GetFunction("other").status(),
      stream->Enqueue("library", {}, [] { return OkStatus(); }).status(),
      stream->Synchronize().GetError(),
      context_->WhenUnused(*memory).IsConcrete() ? UnavailableError("is lost: gpu:0") : OkStatus(),
  };
  statuses.pop_back();
  for (size_t i = 0; i < statuses.size(); ++i) {
    EXPECT_EQ(statuses[i].code(), StatusCode::kUnavailable) << i << statuses[i].ToString();
    EXPECT_THAT(std::string(statuses[i].message()),
                AllOf(HasSubstr("gpu:0 is lost: "), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS")))
        << i;
  }
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

TEST_F(ErrorsTest, TheFirstCallThatSeesItGetsTheErrorItself) {
  auto stream = MakeStream();
  ASSERT_TRUE(IdleAs(*stream, "tf.Relu", 1).ok());
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_ILLEGAL_ADDRESS);
  gpu_.Release();
  Status status = IdleAs(*stream, "tf.Tanh", 2);
  EXPECT_NE(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("tf.Relu prog.mlir:1:1"));
  EXPECT_EQ(Idle(*stream).code(), StatusCode::kUnavailable);
  // Another thread that was under way meets it, too: the same error, which is made once.
  const int num_decoded = lines_.num_decoded;
  EXPECT_EQ(context_->Check(cuda::CUDA_ERROR_ILLEGAL_ADDRESS, "cuEventQuery"), status);
  EXPECT_EQ(lines_.num_decoded, num_decoded);
}

TEST_F(ErrorsTest, MemoryThatGoesBackMayBeTheFirstToSeeIt) {
  auto stream = MakeStream();
  Allocate(*stream, 100).reset();
  gpu_.Fail("cuMemFree_v2", cuda::CUDA_ERROR_ILLEGAL_ADDRESS);
  Status status = context_->allocator().Trim();
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("gpu:0: 'cuMemFree_v2': "), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS")));
  EXPECT_TRUE(context_->is_lost());
  EXPECT_EQ(context_->Allocate(*stream, 100).status().code(), StatusCode::kUnavailable);
}

TEST_F(ErrorsTest, BytesThatHaveBeenCopiedStayGood) {
  auto stream = MakeStream();
  auto memory = Allocate(*stream, 4);
  ASSERT_TRUE(stream->Fill(memory->Bytes(0, 4), 0x41414141).ok());
  char bytes[4] = {};
  AsyncValueRef<Chain> copied =
      context_->staging().CopyToHost(stream, bytes, memory->Bytes(0, 4), {});
  gpu_.Release(stream->handle(), 3);
  Await(copied);
  ASSERT_TRUE(Idle(*stream).ok());
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_ILLEGAL_ADDRESS);
  char other[4] = {};
  AsyncValueRef<Chain> lost =
      context_->staging().CopyToHost(stream, other, memory->Bytes(0, 4), {});
  gpu_.Release();
  Await(lost);
  EXPECT_TRUE(copied.IsConcrete());
  EXPECT_EQ(std::string_view(bytes, 4), "AAAA");
  EXPECT_TRUE(lost.IsError());
}

class BlockingTest : public ErrorsTest {
 protected:
  BlockingTest() : ErrorsTest({.launch_blocking = true}) {
    gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  }
};

TEST_F(BlockingTest, TheOpItselfFails) {
  auto stream = MakeStream();
  ASSERT_TRUE(IdleAs(*stream, "tf.MatMul", 10).ok());
  gpu_.BreakNextCommand(cuda::CUDA_ERROR_ILLEGAL_ADDRESS);
  Status status = IdleAs(*stream, "tf.Relu", 12);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("tf.Relu prog.mlir:12:1 on gpu:0: "), Not(HasSubstr("MatMul")),
                    Not(HasSubstr("launch_blocking"))));
}

// Each call of the driver fails once, in each scenario: a Status with the vendor's name, nothing
// hangs, nothing is left (which the driver's destructor checks), and the device is good afterwards.
class FaultTest : public testing::TestWithParam<int> {};

struct Scenario {
  const char* name;
  // The first error, or OK.
  Status (*run)(Context& context, ConcurrentWorkQueue& queue);
};

template <typename T>
Status Awaited(ConcurrentWorkQueue& queue, const AsyncValueRef<T>& chain) {
  AsyncValue* value = chain.GetAsyncValue();
  queue.Await({&value, 1});
  return chain.IsError() ? chain.GetError() : OkStatus();
}

StatusOr<const Function*> IdleOf(Context& context) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Module> module,
                        context.LoadModule(std::string_view(".version 7.0\0", 13)));
  return module->GetFunction("idle");
}

const Scenario kScenarios[] = {
    {"launches on two streams",
     [](Context& context, ConcurrentWorkQueue& queue) -> Status {
       TFRT_ASSIGN_OR_RETURN(const Function* idle, IdleOf(context));
       TFRT_ASSIGN_OR_RETURN(RCReference<Stream> a, context.CreateStream());
       TFRT_ASSIGN_OR_RETURN(RCReference<Stream> b, context.CreateStream());
       TFRT_RETURN_IF_ERROR(a->Launch(*idle, {}, {}).status());
       TFRT_RETURN_IF_ERROR(b->WaitFor(a->tail()));
       TFRT_RETURN_IF_ERROR(b->Launch(*idle, {}, {}).status());
       return Awaited(queue, b->Synchronize());
     }},
    {"small copies there and back",
     [](Context& context, ConcurrentWorkQueue& queue) -> Status {
       TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, context.CreateStream());
       TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*stream, 1000));
       std::vector<char> from(1000, 'x'), to(1000);
       int released = 0;
       Status there =
           Awaited(queue, context.staging().CopyToDevice(stream, memory->Bytes(0, 1000),
                                                         from.data(), [&] { ++released; }));
       Status back =
           there.ok()
               ? Awaited(queue, context.staging().CopyToHost(
                                    stream, to.data(), memory->Bytes(0, 1000), [&] { ++released; }))
               : there;
       EXPECT_EQ(released, there.ok() ? 2 : 1);
       if (back.ok()) EXPECT_EQ(from, to);
       return back;
     }},
    {"long copies there and back",
     [](Context& context, ConcurrentWorkQueue& queue) -> Status {
       constexpr size_t kBytes = Staging::kBlockBytes + 5;
       TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, context.CreateStream());
       TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*stream, kBytes));
       std::vector<char> from(kBytes, 'x'), to(kBytes);
       int released = 0;
       Status there =
           Awaited(queue, context.staging().CopyToDevice(stream, memory->Bytes(0, kBytes),
                                                         from.data(), [&] { ++released; }));
       EXPECT_EQ(released, 1);
       TFRT_RETURN_IF_ERROR(there);
       Status back =
           Awaited(queue, context.staging().CopyToHost(stream, to.data(), memory->Bytes(0, kBytes),
                                                       [&] { ++released; }));
       EXPECT_EQ(released, 2);
       if (back.ok()) EXPECT_EQ(from, to);
       return back;
     }},
    {"memory of somebody else",
     [](Context& context, ConcurrentWorkQueue& queue) -> Status {
       TFRT_ASSIGN_OR_RETURN(RCReference<Stream> stream, context.CreateStream());
       auto bytes = std::make_shared<std::vector<char>>(4096, 'x');
       char* data = bytes->data();
       TFRT_ASSIGN_OR_RETURN(RCReference<Memory> host,
                             context.Register(data, 4096, [bytes = std::move(bytes)] {}));
       TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*stream, 4096));
       TFRT_RETURN_IF_ERROR(stream->Copy(memory->Bytes(0, 4096), host->Bytes(0, 4096)).status());
       TFRT_RETURN_IF_ERROR(stream->Fill(memory->Bytes(0, 4095), 7).status());
       host.reset();
       return Awaited(queue, stream->Synchronize());
     }},
    {"memory that is short",
     [](Context& context, ConcurrentWorkQueue& queue) -> Status {
       TFRT_ASSIGN_OR_RETURN(RCReference<Stream> a, context.CreateStream());
       TFRT_ASSIGN_OR_RETURN(RCReference<Stream> b, context.CreateStream());
       TFRT_ASSIGN_OR_RETURN(const Function* idle, IdleOf(context));
       for (size_t bytes : {size_t{40} << 20, size_t{50} << 20, size_t{60} << 20}) {
         TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, context.Allocate(*a, bytes));
         TFRT_RETURN_IF_ERROR(a->Launch(*idle, {}, {}).status());
         memory->NoteUse(a->tail());
         memory.reset();
         TFRT_ASSIGN_OR_RETURN(memory, context.Allocate(*b, bytes));
         TFRT_RETURN_IF_ERROR(b->Launch(*idle, {}, {}).status());
         memory->NoteUse(b->tail());
       }
       return context.Synchronize();
     }},
};

INSTANTIATE_TEST_SUITE_P(Scenarios, FaultTest, testing::Range<int>(0, std::size(kScenarios)));

TEST_P(FaultTest, EachCallFailsOnce) {
  const Scenario& scenario = kScenarios[GetParam()];
  // Sets `called` to the calls of the run, with numbers.
  auto run = [&](const std::string& function, uint64_t nth, cuda::CUresult result,
                 std::vector<std::string>* called) {
    FakeGpu gpu;
    gpu.AddKernel("idle", {});
    gpu.set_memory_bytes(size_t{128} << 20);
    auto queue = CreateWorkQueue("mstd:2").value();
    Status status;
    {
      if (!function.empty()) gpu.Fail(function, result, nth);
      StatusOr<RCReference<Context>> context =
          Context::Create(gpu.table(), 0, {.queue = queue.get()});
      status = context.ok() ? scenario.run(**context, *queue) : context.status();
      if (context.ok() && !status.ok() && !(*context)->is_lost()) {
        Status again = scenario.run(**context, *queue);
        EXPECT_TRUE(again.ok()) << function << " " << nth << ": " << again.ToString();
      }
      queue->Quiesce();
    }
    called->clear();
    for (const auto& [name, count] : gpu.Calls()) {
      for (uint64_t i = 1; i <= count; ++i) called->push_back(name + ":" + std::to_string(i));
    }
    return status;
  };
  std::vector<std::string> called;
  ASSERT_TRUE(run("", 0, cuda::CUDA_SUCCESS, &called).ok());
  ASSERT_GT(called.size(), 10u);
  for (cuda::CUresult result : {cuda::CUDA_ERROR_UNKNOWN, cuda::CUDA_ERROR_ILLEGAL_ADDRESS}) {
    for (const std::string& call : called) {
      SCOPED_TRACE(call);
      const std::string function = call.substr(0, call.find(':'));
      std::vector<std::string> called_now;
      Status status =
          run(function, std::stoull(call.substr(call.find(':') + 1)), result, &called_now);
      // An event that has come back to the pool in time is not made once more.
      if (status.ok() && std::ranges::find(called_now, call) == called_now.end()) continue;
      // What only asks or gives back has nobody to tell.
      if (status.ok()) {
        EXPECT_THAT(function,
                    testing::AnyOf(HasSubstr("Destroy"), HasSubstr("Free"), HasSubstr("Unload"),
                                   HasSubstr("Query"), HasSubstr("Unregister"),
                                   HasSubstr("cuStreamSynchronize"), HasSubstr("cuMemGetInfo"),
                                   HasSubstr("SetCurrent"),
                                   // Behind a copy: whoever waits makes another one.
                                   HasSubstr("cuEventRecord"),
                                   // Of memory that is given back.
                                   HasSubstr(GetParam() == 3 ? "cuEventSynchronize" : "Destroy")));
        continue;
      }
      EXPECT_THAT(std::string(status.message()),
                  AllOf(HasSubstr(function), HasSubstr("CUDA_ERROR_")));
    }
  }
}

}  // namespace
}  // namespace tfrt::gpu
