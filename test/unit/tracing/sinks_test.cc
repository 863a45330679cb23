#include "lib/base/tracing/tracing.h"

#include <gtest/gtest.h>

#include <string>

namespace tfrt::tracing {
namespace {

class TextSink : public Sink {
 public:
  void PushScope(std::string_view name) override { text += "(" + std::string(name); }
  void PopScope() override { text += ")"; }
  void RecordEvent(std::string_view name) override { text += "!" + std::string(name); }
  std::string text;
};

TEST(TracingTest, ScopesReachEverySinkOfTheirLevel) {
  TextSink coarse, fine;
  AddSink(&coarse, Level::kDefault);
  AddSink(&fine, Level::kVerbose);
  {
    Scope outer(Level::kDefault, "a");
    Scope inner(Level::kVerbose, [] { return std::string("b"); });
    RecordEvent(Level::kDefault, "e");
  }
  RemoveSink(&coarse);
  RemoveSink(&fine);
  EXPECT_EQ(coarse.text, "(a!e)");
  EXPECT_EQ(fine.text, "(a(b!e))");
}

TEST(TracingTest, ASinkGetsNoPopWithoutItsPush) {
  if (kMaxLevel < Level::kVerbose) GTEST_SKIP() << "built without tracing";
  TextSink first, late, again;
  AddSink(&first, Level::kVerbose);
  {
    Scope a(Level::kDefault, "a");
    AddSink(&late, Level::kVerbose);
    {
      Scope b(Level::kVerbose, "b");
      // Its pushes are forgotten with it.
      RemoveSink(&first);
      AddSink(&first, Level::kVerbose);
      Scope c(Level::kDefault, "c");
      AddSink(&again, Level::kDefault);
    }
    RecordEvent(Level::kDefault, "e");
  }
  RemoveSink(&first);
  RemoveSink(&late);
  RemoveSink(&again);
  EXPECT_EQ(first.text, "(a(b(c)!e");
  EXPECT_EQ(late.text, "(b(c))!e");
  EXPECT_EQ(again.text, "!e");
}

TEST(TracingTest, WhatASinkDoesIsNotRecorded) {
  class Nested : public TextSink {
   public:
    void PushScope(std::string_view name) override {
      TextSink::PushScope(name);
      Scope inner(Level::kDefault, "inside of the sink");
      tfrt::tracing::RecordEvent(Level::kDefault, "inside of the sink");
    }
  };
  if (kMaxLevel < Level::kVerbose) GTEST_SKIP() << "built without tracing";
  Nested sink;
  AddSink(&sink, Level::kVerbose);
  {
    Scope outer(Level::kDefault, "a");
  }
  RemoveSink(&sink);
  EXPECT_EQ(sink.text, "(a)");
}

TEST(TracingTest, NamesAreNotMadeWhenNobodyListens) {
  EXPECT_FALSE(IsEnabled(Level::kDefault));
  Scope scope(Level::kDefault, [] {
    ADD_FAILURE() << "the name was asked for";
    return std::string();
  });
}

}  // namespace
}  // namespace tfrt::tracing
