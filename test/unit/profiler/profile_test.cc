// Profiles in memory: their order, parents, times of results, and what is wrong with them.
#include "tfrt/profiler/profile.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tfrt::profiler {
namespace {

using Ready = EventFields::Ready;

// A builder with two types: 0 "run" at level model, 1 "kernel" with an argument of each kind.
void AddNames(ProfileBuilder& builder) {
  for (const char* text : {"main", "conv", "f32 [1]"}) builder.AddString(text);
  builder.AddType({.name = "run", .level = StackLevel::kModel});
  builder.AddType({.name = "kernel",
                   .level = StackLevel::kKernel,
                   .arguments = {{"number", ArgumentType::kInteger},
                                 {"flops", ArgumentType::kReal},
                                 {"result", ArgumentType::kName}}});
  builder.AddTrack({.name = "main", .number = 7});
}

EventFields RunEvent(uint64_t id, int64_t begin, int64_t end) {
  return {.id = id, .begin_ns = begin, .end_ns = end};
}

TEST(ProfileTest, KnowsEventsByOrderParentsAndArguments) {
  ProfileBuilder builder;
  AddNames(builder);
  const std::vector<uint64_t> arguments = {static_cast<uint64_t>(-3), std::bit_cast<uint64_t>(1.5),
                                           2};
  builder.AddEvent({.type = 1,
                    .name = 1,
                    .id = 5,
                    .parent_id = 4,
                    .op_id = 9,
                    .begin_ns = 20,
                    .end_ns = 30,
                    .arguments = arguments});
  builder.AddEvent(RunEvent(4, 10, 40));
  builder.AddProperty("model", "lenet");
  builder.AddProperty("batch", "64");
  builder.AddProperty("batch", "65");
  Profile profile = builder.Build();

  ASSERT_EQ(profile.events().size(), 2u);
  const Event& run = profile.events()[0];
  const Event& kernel = profile.events()[1];
  EXPECT_EQ(profile.NameOf(kernel), "conv");
  EXPECT_EQ(profile.ParentOf(kernel), &run);
  EXPECT_EQ(profile.AncestorAt(kernel, StackLevel::kModel), &run);
  EXPECT_EQ(profile.AncestorAt(kernel, StackLevel::kOp), nullptr);
  EXPECT_EQ(profile.Find(5), &kernel);
  EXPECT_EQ(profile.Find(6), nullptr);
  EXPECT_EQ(profile.Integer(kernel, "number"), -3);
  EXPECT_EQ(profile.Real(kernel, "flops"), 1.5);
  EXPECT_EQ(profile.Text(kernel, "result"), "f32 [1]");
  EXPECT_EQ(profile.Real(kernel, "number"), 0);
  EXPECT_TRUE(profile.HasArgument(kernel, "flops"));
  EXPECT_FALSE(profile.HasArgument(run, "flops"));
  EXPECT_EQ(profile.OfType("kernel"), std::vector<const Event*>{&kernel});
  EXPECT_EQ(profile.Property("model"), "lenet");
  EXPECT_EQ(profile.NumberProperty("batch", 0), 65);
  EXPECT_EQ(profile.NumberProperty("model", 7), 7);
  EXPECT_TRUE(profile.problems().empty());
}

TEST(ProfileTest, KnowsWhenResultsWereThere) {
  ProfileBuilder builder;
  AddNames(builder);
  builder.AddReady(3, 55);
  for (auto [id, ready] : {std::pair(1, Ready::kAtEnd), std::pair(2, Ready::kAt),
                           std::pair(3, Ready::kLater), std::pair(4, Ready::kLater)}) {
    EventFields event = RunEvent(static_cast<uint64_t>(id), id, 10);
    event.ready = ready;
    event.ready_ns = 20;
    builder.AddEvent(event);
  }
  builder.AddReady(3, 50);
  Profile profile = builder.Build();
  EXPECT_EQ(profile.Find(1)->ready_ns, 10);
  EXPECT_EQ(profile.Find(2)->ready_ns, 20);
  EXPECT_EQ(profile.Find(3)->ready_ns, 55);
  EXPECT_FALSE(profile.Find(3)->is_ready_missing);
  EXPECT_EQ(profile.Find(4)->ready_ns, 10);
  EXPECT_TRUE(profile.Find(4)->is_ready_missing);
}

TEST(ProfileTest, SaysWhatIsWrong) {
  ProfileBuilder builder(/*max_events=*/5);
  AddNames(builder);
  EventFields orphan = RunEvent(1, 0, 1);
  orphan.parent_id = 77;
  builder.AddEvent(orphan);
  builder.AddEvent(RunEvent(2, 9, 3));
  EventFields first = RunEvent(3, 0, 5), second = RunEvent(4, 1, 4), itself = RunEvent(5, 2, 3);
  first.parent_id = 4;
  second.parent_id = 3;
  itself.parent_id = 5;
  for (const EventFields& event : {first, second, itself}) builder.AddEvent(event);
  builder.AddEvent(RunEvent(6, 0, 1));
  Profile profile = builder.Build();

  std::vector<std::string> texts;
  for (const Problem& problem : profile.problems()) texts.push_back(problem.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"1 events are inside of others that are not there",
                                             "2 events are inside of themselves",
                                             "1 events are left out: too many",
                                             "1 events end before they begin"}));
  EXPECT_EQ(profile.Find(2)->duration_ns(), 0);
  // However far one goes up, it ends.
  for (const Event& event : profile.events()) (void)profile.AncestorAt(event, StackLevel::kDevice);
}

TEST(ProfileTest, TimesHaveLimits) {
  ProfileBuilder builder;
  AddNames(builder);
  builder.AddEvent(RunEvent(1, std::numeric_limits<int64_t>::min(), 5));
  builder.AddEvent(RunEvent(2, 7, std::numeric_limits<int64_t>::max()));
  Profile profile = builder.Build();
  EXPECT_EQ(profile.Find(1)->duration_ns(), ProfileBuilder::kMaxTimeNs + 5);
  EXPECT_EQ(profile.Find(2)->duration_ns(), ProfileBuilder::kMaxTimeNs - 7);
  ASSERT_EQ(profile.problems().size(), 1u);
  EXPECT_EQ(profile.problems()[0].count, 2u);
}

TEST(ProfileTest, LeavesOutEventsOfUnknownThings) {
  ProfileBuilder builder;
  AddNames(builder);
  const std::vector<uint64_t> unknown_name = {0, 0, 3};
  builder.AddEvent({.type = 2});
  builder.AddEvent({.name = 3});
  builder.AddEvent({.track = 1});
  builder.AddEvent({.type = 1});  // without its arguments
  builder.AddEvent({.type = 1, .arguments = unknown_name});
  Profile profile = builder.Build();
  EXPECT_TRUE(profile.events().empty());
  ASSERT_EQ(profile.problems().size(), 1u);
  EXPECT_EQ(profile.problems()[0].count, 5u);
}

}  // namespace
}  // namespace tfrt::profiler
