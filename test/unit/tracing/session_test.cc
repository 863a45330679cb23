#include "tfrt/tracing/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "lib/base/tracing/chunks.h"

namespace tfrt::tracing {
namespace {

using ::testing::HasSubstr;

constexpr RecordType kWork = {.name = "test.work",
                              .level = StackLevel::kKernel,
                              .arguments = {{{"i", ArgumentSpec::Type::kInteger}}}};

class SessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kRecordsExist) GTEST_SKIP() << "built without tracing";
  }
};

std::unique_ptr<Session> StartSession(size_t num_chunks) {
  auto session = Session::Start({.buffer_bytes = num_chunks * internal::kChunkBytes});
  EXPECT_TRUE(session.ok()) << session.status().message();
  return *std::move(session);
}

void Work(int i) { RecordScope scope(kWork, "work", {}, i); }

TEST_F(SessionTest, ThereIsOneAtATime) {
  auto first = StartSession(1);
  auto second = Session::Start();
  EXPECT_EQ(second.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(second.status().message(), "there is another tracing session in this process");
  first->Stop();
  EXPECT_FALSE(Session::Start().ok()) << "its records are still there";
  first.reset();
  EXPECT_TRUE(Session::Start({.buffer_bytes = 1 << 20}).ok());
}

TEST_F(SessionTest, RefusesBuffersThatCannotBe) {
  for (size_t bytes : {size_t{0}, internal::kChunkBytes - 1, size_t{2} << 30}) {
    auto session = Session::Start({.buffer_bytes = bytes});
    EXPECT_EQ(session.status().code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(session.status().message()),
                HasSubstr("a buffer of " + std::to_string(bytes) + " bytes for records"));
  }
  EXPECT_TRUE(Session::Start({.buffer_bytes = 1 << 20}).ok());
}

TEST_F(SessionTest, KeepsWhatFitsAndCountsTheRest) {
  constexpr uint32_t kExtra = 10;
  auto session = StartSession(2);
  for (uint32_t i = 0; i < 2 * internal::Chunk::kCapacity + kExtra; ++i) Work(static_cast<int>(i));
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 2 * internal::Chunk::kCapacity);
  EXPECT_EQ(profile.num_dropped, kExtra);
  for (size_t i = 0; i < profile.spans.size(); ++i) {
    ASSERT_EQ(profile.spans[i].Integer("i"), static_cast<int64_t>(i));
  }
  session.reset();
  session = StartSession(2);
  Work(1);
  EXPECT_EQ(session->Read().spans.size(), 1u);
  EXPECT_EQ(session->Read().num_dropped, 0u);
}

TEST_F(SessionTest, ReadsWhileItRecordsAndAfterwards) {
  auto session = StartSession(2);
  Work(1);
  EXPECT_EQ(session->Read().spans.size(), 1u);
  Work(2);
  EXPECT_EQ(session->Read().spans.size(), 2u);
  {
    RecordScope open(kWork, "open", {}, 0);
    EXPECT_EQ(session->Read().spans.size(), 2u) << "it has not ended";
    session->Stop();
  }
  Work(3);
  Profile profile = session->Read();
  EXPECT_EQ(profile.spans.size(), 2u);
  EXPECT_EQ(profile.spans[0].begin_ns, session->Read().spans[0].begin_ns);
  EXPECT_EQ(profile.Find(profile.spans[1].id), &profile.spans[1]);
  EXPECT_EQ(profile.Find(1), nullptr);
  EXPECT_EQ(profile.OfType("test.work").size(), 2u);
  EXPECT_TRUE(profile.OfType("test.play").empty());
  session->Stop();
}

TEST_F(SessionTest, RecordsOfThreadsThatHaveEndedStay) {
  auto session = StartSession(5);
  Work(0);  // this thread holds the first chunk, and none of an earlier session
  std::thread([] { Work(1); }).join();
  std::thread([] { Work(2); }).join();
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 3u);
  EXPECT_NE(profile.spans[1].thread, profile.spans[2].thread);
  ASSERT_EQ(profile.threads.size(), 3u);
  EXPECT_NE(profile.threads[0].system_id, 0);
  // Each had a chunk of its own.
  std::thread([] { Work(3); }).join();
  std::thread([] { Work(4); }).join();
  std::thread([] { Work(5); }).join();
  profile = session->Read();
  EXPECT_EQ(profile.spans.size(), 5u);
  EXPECT_EQ(profile.num_dropped, 1u);
}

TEST_F(SessionTest, ARecordInADestructorOfAnEndingThreadIsDropped) {
  auto session = StartSession(4);
  std::thread([] {
    struct AtEnd {
      ~AtEnd() { Work(2); }
    };
    thread_local AtEnd at_end;
    (void)&at_end;  // made before the thread's first record, so it ends after it
    asm volatile("" : : "r"(&at_end));
    Work(1);
  }).join();
  Profile profile = session->Read();
  EXPECT_EQ(profile.spans.size(), 1u);
  EXPECT_EQ(profile.num_dropped, 1u);
}

TEST_F(SessionTest, AChunkThatAThreadHoldsIsNotGivenToAnother) {
  auto session = StartSession(1);
  Work(1);  // this thread holds the chunk from now on
  session.reset();
  session = StartSession(1);
  std::thread([] { Work(2); }).join();
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 1u);
  EXPECT_EQ(profile.spans[0].Integer("i"), 2);
  EXPECT_EQ(profile.num_dropped, 0u);
}

}  // namespace
}  // namespace tfrt::tracing
