#include "gpu/libraries/library_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "test/gpu/unit/runtime/double_test_base.h"

namespace tfrt::gpu {
namespace {

using testing::HasSubstr;

using LibraryCallTest = DoubleTest;

TEST_F(LibraryCallTest, RunsAgainOnceMemoryIsThere) {
  RCReference<Stream> stream = context_->CreateStream().value();
  int num_calls = 0;
  auto call = [&]() -> Status {
    return ++num_calls == 1 ? ResourceExhaustedError("testRun: TEST_STATUS_ALLOC_FAILED")
                            : Status();
  };
  // Nothing is cached: the error stands.
  EXPECT_EQ(CallLibrary(*stream, "testRun", {}, call).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(num_calls, 1);
  (void)context_->Allocate(*stream, 4096).value();
  num_calls = 0;
  EXPECT_TRUE(CallLibrary(*stream, "testRun", {}, call).ok());
  EXPECT_EQ(num_calls, 2);
}

TEST_F(LibraryCallTest, AnErrorOfTheLibraryAloneLosesNothing) {
  RCReference<Stream> stream = context_->CreateStream().value();
  const Status status = CallLibrary(*stream, "testRun", {}, [] {
                          return InternalError("testRun: TEST_STATUS_X");
                        }).status();
  EXPECT_EQ(status.message(), "testRun: TEST_STATUS_X");
  EXPECT_FALSE(context_->is_lost());
}

TEST_F(LibraryCallTest, AFaultThatTheLibraryMeetsLosesTheDevice) {
  RCReference<Stream> stream = context_->CreateStream().value();
  RCReference<Memory> memory = context_->Allocate(*stream, 256).value();
  ASSERT_TRUE(stream->Fill(memory->bytes(), 0).ok());
  ASSERT_EQ(0, double_.Inject("fault=add:1:700"));
  ASSERT_TRUE(Add(*stream, *memory, 1, 64).ok());
  // A library that waits for the stream meets the fault, and says so in words of its own.
  const Status status = CallLibrary(*stream, "testRun", {}, [&]() -> Status {
                          (void)context_->driver().cuStreamSynchronize(stream->handle());
                          return InternalError("testRun: TEST_STATUS_EXECUTION_FAILED");
                        }).status();
  EXPECT_TRUE(context_->is_lost());
  EXPECT_THAT(std::string(status.message()), HasSubstr("testRun: TEST_STATUS_EXECUTION_FAILED"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("'add'"));
  EXPECT_EQ(CallLibrary(*stream, "testRun", {}, [] { return Status(); }).status().code(),
            StatusCode::kUnavailable);
}

}  // namespace
}  // namespace tfrt::gpu
