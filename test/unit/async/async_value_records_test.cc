// The record that a thread is in goes with its waiters.

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/tracing/session.h"

namespace tfrt {
namespace {

constexpr tracing::RecordType kOuter = {.name = "test.outer", .level = tracing::StackLevel::kOp};
constexpr tracing::RecordType kInner = {.name = "test.inner",
                                        .level = tracing::StackLevel::kKernel};

class AsyncValueRecordsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
    session_ = *tracing::Session::Start({.buffer_bytes = 1 << 20});
  }
  // The parent of the record `name`, by name.
  std::string_view ParentOf(std::string_view name) {
    tracing::Profile trace = session_->Read();
    for (const tracing::Span& span : trace.spans) {
      if (span.name != name) continue;
      const tracing::Span* parent = trace.Find(span.parent_id);
      return parent ? parent->name : "";
    }
    ADD_FAILURE() << "no record " << name;
    return "";
  }
  std::unique_ptr<tracing::Session> session_;
};

TEST_F(AsyncValueRecordsTest, AWaiterRunsOnBehalfOfWhoAddedIt) {
  auto value = MakeUnconstructedAsyncValueRef<int32_t>();
  auto wait = [&](const char* name) {
    value.AndThen([name] { tracing::RecordScope inner(kInner, name); });
  };
  {
    tracing::RecordScope outer(kOuter, "caller", {.op_id = 5});
    wait("in");
  }
  wait("out");
  std::thread([&] {
    tracing::RecordScope outer(kOuter, "producer");
    value.emplace(1);
    tracing::RecordScope after(kInner, "after");
  }).join();
  EXPECT_EQ(ParentOf("in"), "caller");
  EXPECT_EQ(ParentOf("out"), "");
  EXPECT_EQ(ParentOf("after"), "producer");
  EXPECT_EQ(session_->Read().OfType("test.inner").at(0)->op_id, 0u) << "the newest waiter first";
  EXPECT_EQ(session_->Read().OfType("test.inner").at(1)->op_id, 5u);
}

TEST_F(AsyncValueRecordsTest, SoDoesTheOneThatWaitsForSeveral) {
  auto a = MakeUnconstructedAsyncValueRef<int32_t>(), b = a.CopyRef();
  b = MakeUnconstructedAsyncValueRef<int32_t>();
  AsyncValue* values[] = {a.GetAsyncValue(), b.GetAsyncValue()};
  {
    tracing::RecordScope outer(kOuter, "caller");
    RunWhenReady(values, [] { tracing::RecordScope inner(kInner, "both"); });
  }
  a.emplace(1);
  b.emplace(2);
  EXPECT_EQ(ParentOf("both"), "caller");
}

TEST_F(AsyncValueRecordsTest, AWaiterThatOutlivesTheSessionRuns) {
  auto value = MakeUnconstructedAsyncValueRef<int32_t>();
  bool ran = false;
  {
    tracing::RecordScope outer(kOuter, "caller");
    value.AndThen([&ran] {
      ran = true;
      EXPECT_EQ(tracing::CurrentContext().record_id, 0u);
    });
  }
  session_.reset();
  value.emplace(1);
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace tfrt
