#include "tfrt/support/tracing.h"

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

TEST(TracingTest, NamesAreNotMadeWhenNobodyListens) {
  EXPECT_FALSE(IsEnabled(Level::kDefault));
  Scope scope(Level::kDefault, [] {
    ADD_FAILURE() << "the name was asked for";
    return std::string();
  });
}

}  // namespace
}  // namespace tfrt::tracing
