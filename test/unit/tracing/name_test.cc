#include "tfrt/tracing/name.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace tfrt::tracing {
namespace {

TEST(NameTest, EqualTextsAreOneName) {
  std::string text = "some text of a certain length";
  Name a = InternName(text);
  text[0] = 'S';
  Name b = InternName(text);
  EXPECT_EQ(a.text(), "some text of a certain length");
  EXPECT_EQ(b.text(), "Some text of a certain length");
  EXPECT_FALSE(a == b);
  EXPECT_EQ(a, InternName("some text of a certain length"));
  EXPECT_EQ(a, Name::FromBits(a.bits()));
}

TEST(NameTest, TheEmptyTextIsNoName) {
  EXPECT_FALSE(Name());
  EXPECT_EQ(InternName(""), Name());
  EXPECT_EQ(Name().text(), "");
  EXPECT_EQ(Name::FromBits(Name().bits()), Name());
}

TEST(NameTest, ThreadsFindOneAnothersNames) {
  constexpr int kTexts = 500;
  std::vector<std::vector<Name>> names(4, std::vector<Name>(kTexts));
  std::vector<std::thread> threads;
  for (auto& of_thread : names) {
    threads.emplace_back([&of_thread] {
      for (int i = 0; i < kTexts; ++i) of_thread[i] = InternName("shared " + std::to_string(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& of_thread : names) EXPECT_EQ(of_thread, names[0]);
}

TEST(NameTest, ALazyNameIsThatOfItsText) {
  LazyName lazy;
  LazyName copied_before(lazy);
  EXPECT_EQ(lazy.Of("a text that is kept"), InternName("a text that is kept"));
  LazyName copied(lazy);
  EXPECT_EQ(copied.Of("a text that is kept"), InternName("a text that is kept"));
  EXPECT_EQ(copied_before.Of("a text that is kept"), InternName("a text that is kept"));
  copied = LazyName();
  EXPECT_EQ(copied.Of("another text"), InternName("another text"));
}

TEST(NameTest, ThreadsShareALazyName) {
  for (int i = 0; i < 100; ++i) {
    LazyName lazy;
    std::string text = "lazy " + std::to_string(i);
    std::vector<std::thread> threads;
    for (int j = 0; j < 2; ++j) {
      threads.emplace_back([&] { EXPECT_EQ(lazy.Of(text).text(), text); });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// In a process of its own, whose table is full afterwards.
TEST(NameDeathTest, TheTableIsBounded) {
  auto fill = [] {
    Name before = InternName("before");
    for (uint32_t i = 0; i < kMaxNames; ++i) (void)InternName("filler " + std::to_string(i));
    bool bounded = InternName("after").text() == kTooManyNames && InternName("before") == before;
    std::_Exit(bounded ? 0 : 1);  // without ending the threads of the parent, which are not here
  };
  EXPECT_EXIT(fill(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tfrt::tracing
