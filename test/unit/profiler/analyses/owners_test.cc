// What events are inside of by time, against a search of all owners; what is around events.
#include "lib/profiler/analyses/owners.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "test/unit/profiler/analyses/test_profile.h"

namespace tfrt::profiler {
namespace {

bool Holds(const Event& owner, const Event& event, int64_t owner_end) {
  return owner.begin_ns <= event.begin_ns && event.end_ns <= owner_end;
}

// Neither is inside of the other, though they have time in common; or they are the same time.
bool Overlap(const Event& a, const Event& b) {
  if (a.begin_ns == b.begin_ns && a.end_ns == b.end_ns) return true;
  const Event &first = a.begin_ns < b.begin_ns ? a : b, &second = &first == &a ? b : a;
  return first.begin_ns < second.begin_ns && second.begin_ns < first.end_ns &&
         first.end_ns < second.end_ns;
}

TimePlacer::Found Search(const Profile& profile, const std::vector<uint32_t>& owners,
                         const Event& event) {
  TimePlacer::Found found;
  std::vector<uint32_t> around, around_anywhere;
  for (uint32_t i : owners) {
    const Event& owner = profile.events()[i];
    if (owner.track == event.track && Holds(owner, event, owner.end_ns)) around.push_back(i);
    if (Holds(owner, event, WindowOf(owner).end)) around_anywhere.push_back(i);
  }
  if (around.empty()) {
    if (!around_anywhere.empty()) found.event = around_anywhere[0];
    found.is_ambiguous = around_anywhere.size() > 1;
    return found;
  }
  auto key = [&](uint32_t i) {
    return std::tuple(profile.events()[i].begin_ns, -profile.events()[i].end_ns, i);
  };
  found.event = *std::ranges::max_element(around, {}, key);
  // What ends where the innermost one begins has nothing to do with it.
  std::erase_if(around, [&](uint32_t i) {
    return i != found.event && profile.events()[i].begin_ns < profile.events()[i].end_ns &&
           profile.events()[i].end_ns <= profile.events()[found.event].begin_ns;
  });
  for (uint32_t a : around) {
    for (uint32_t b : around) {
      if (a != b) found.is_ambiguous |= Overlap(profile.events()[a], profile.events()[b]);
    }
  }
  return found;
}

TEST(OwnersTest, PlacesByTimeAsASearchDoes) {
  std::minstd_rand random(7);
  int num_placed = 0, num_ambiguous = 0;
  for (int round = 0; round < 2000; ++round) {
    TestProfile test_profile;
    const int64_t length = 4 + random() % 20;
    for (unsigned i = 0, n = 2 + random() % 12; i < n; ++i) {
      const int64_t begin = random() % length, end = begin + random() % (length - begin + 1);
      TestEvent event{random() % 2 ? "op" : "graph.kernel", "e", begin, end};
      event.track = random() % 3;
      event.ready = random() % 4 == 0 ? end + 2 : 0;
      test_profile.Add(event);
    }
    const Profile profile = test_profile.Build();
    std::vector<uint32_t> owners, events;
    for (uint32_t i = 0; i < profile.events().size(); ++i) {
      (profile.TypeOf(profile.events()[i]).name == "op" ? owners : events).push_back(i);
    }
    const auto found = TimePlacer(profile, owners).Place(events);
    for (size_t i = 0; i < events.size(); ++i) {
      const auto expected = Search(profile, owners, profile.events()[events[i]]);
      ASSERT_EQ(found[i].is_ambiguous, expected.is_ambiguous) << round << " " << i;
      if (!expected.is_ambiguous) {
        ASSERT_EQ(found[i].event, expected.event) << round << " " << i;
      }
      num_placed += expected.event != kNoEvent;
      num_ambiguous += expected.is_ambiguous;
    }
  }
  // The test sees all of it.
  EXPECT_GT(num_placed - num_ambiguous, 1000);
  EXPECT_GT(num_ambiguous, 500);
}

TEST(OwnersTest, KnowsTheOutermostAndTheInnermost) {
  TestProfile test_profile;
  for (uint64_t id = 1; id <= 5; ++id) {
    const auto begin = static_cast<int64_t>(id);
    test_profile.Add({"op", std::to_string(id), begin, 20 - begin, id, id - 1});
  }
  const Profile profile = test_profile.Build();
  const std::vector<bool> members = {false, true, false, true, false};
  EXPECT_EQ(MembersAround(profile, members), (std::vector<uint32_t>{kNoEvent, 1, 1, 1, 1}));
  EXPECT_EQ(MembersAround(profile, members, /*innermost=*/true),
            (std::vector<uint32_t>{kNoEvent, 1, 1, 3, 3}));
}

TEST(OwnersTest, HostileProfilesTakeNoTimeAndNoStack) {
  // A chain of parents as long as the profile, and owners that all overlap.
  TestProfile test_profile;
  constexpr uint64_t kSize = 20'000;
  for (uint64_t id = 1; id <= kSize; ++id) {
    const auto begin = static_cast<int64_t>(id);
    test_profile.Add({"layer", "l", begin, begin + 100'000, id, 0, {"Op", int64_t{0}}});
    test_profile.Add(
        {"graph.kernel", "k", begin + 50'000, begin + 60'000, kSize + id, kSize + id - 1});
  }
  const Profile profile = test_profile.Build();
  const Owners owners = FindOwners(profile);
  EXPECT_EQ(owners.layers.size(), kSize);
  EXPECT_EQ(owners.layer_of.size(), profile.events().size());
}

}  // namespace
}  // namespace tfrt::profiler
