#include "lib/profiler/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace tfrt::profiler {
namespace {

struct Slice {
  int64_t begin, end;
  uint64_t parent_id = 0;
};

// What Perfetto makes of a lane: packets by time, those of one time in the order of the file, a
// begin pushes, an end pops. Checks that each slice gets its own end.
class Model {
 public:
  void Add(size_t lane, int64_t begin, int64_t end) {
    auto& packets = lanes_[lane];
    packets.push_back({begin, true, end});
    packets.push_back({end, false, end});
  }
  void Check() {
    for (auto& [lane, packets] : lanes_) {
      std::ranges::stable_sort(packets, {}, &Packet::time);
      std::vector<int64_t> stack;
      for (const Packet& packet : packets) {
        if (packet.is_begin) {
          stack.push_back(packet.end);
          continue;
        }
        ASSERT_FALSE(stack.empty());
        ASSERT_EQ(stack.back(), packet.time) << "lane " << lane;
        stack.pop_back();
      }
      ASSERT_TRUE(stack.empty());
    }
  }
  size_t num_lanes() const { return lanes_.size(); }

 private:
  struct Packet {
    int64_t time;
    bool is_begin;
    int64_t end;
  };
  std::map<size_t, std::vector<Packet>> lanes_;
};

struct Outcome {
  size_t num_lanes = 0, num_outside = 0, num_earlier = 0, num_refused = 0;
};

Outcome Place(const std::vector<Slice>& slices) {
  TrackLanes lanes;
  Model model;
  Outcome outcome;
  for (const Slice& slice : slices) {
    auto place = lanes.Find(slice.begin, slice.end, slice.parent_id);
    if (!place) {
      ++outcome.num_refused;
      continue;
    }
    EXPECT_LE(place->begin, slice.begin);
    EXPECT_LE(slice.begin - place->begin, Lane::kMaxEarlier);
    outcome.num_earlier += place->begin != slice.begin;
    outcome.num_outside += place->lane != 0;
    model.Add(place->lane, place->begin, slice.end);
  }
  model.Check();
  outcome.num_lanes = model.num_lanes();
  return outcome;
}

// A tree of scopes, each of which has room around the ones inside: in the order of their ends.
void MakeTree(std::mt19937_64& random, int depth, int64_t* now, uint64_t* last_id, uint64_t parent,
              int64_t gap, std::vector<Slice>* out) {
  const int64_t begin = *now += gap;
  const uint64_t id = ++*last_id;
  const uint64_t num_inside = depth == 0 ? 0 : random() % 5;
  for (uint64_t i = 0; i < num_inside; ++i) {
    MakeTree(random, depth - 1, now, last_id, id, gap, out);
  }
  *now += gap;
  out->push_back({begin, *now, parent});
}

TEST(LanesTest, ScopesByTheirEndsNeedOneLane) {
  std::mt19937_64 random(1);
  std::vector<Slice> slices;
  int64_t now = 0;
  uint64_t last_id = 0;
  for (int i = 0; i < 200; ++i) MakeTree(random, 6, &now, &last_id, 0, 1, &slices);
  ASSERT_GT(slices.size(), 10000u);
  const Outcome outcome = Place(slices);
  EXPECT_EQ(outcome.num_lanes, 1u);
  EXPECT_EQ(outcome.num_earlier, 0u);
}

TEST(LanesTest, ScopesByTheirBeginsNeedOneLane) {
  std::mt19937_64 random(2);
  std::vector<Slice> slices;
  int64_t now = 0;
  uint64_t last_id = 0;
  for (int i = 0; i < 200; ++i) MakeTree(random, 6, &now, &last_id, 0, i % 2, &slices);
  std::ranges::stable_sort(slices, [](const Slice& a, const Slice& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  EXPECT_EQ(Place(slices).num_lanes, 1u);
}

TEST(LanesTest, ManySiblingsNeedOneLaneIfTheirParentIsKnown) {
  std::vector<Slice> slices;
  for (int64_t run = 0; run < 5; ++run) {
    const int64_t at = run * 1'000'000;
    const auto run_id = static_cast<uint64_t>(run + 1);
    for (int64_t i = 0; i < 50000; ++i)
      slices.push_back({at + 10 * i + 5, at + 10 * i + 9, run_id});
    slices.push_back({at, at + 900'000, 0});
  }
  EXPECT_EQ(Place(slices).num_lanes, 1u);
}

TEST(LanesTest, WhatBeginsTogetherIsPutInOrder) {
  // The inner one first, as when both end.
  EXPECT_EQ(Place({{10, 15}, {10, 20}, {10, 30}}).num_earlier, 2u);
  EXPECT_EQ(Place({{10, 15}, {10, 20}, {10, 30}}).num_lanes, 1u);
  // No room before it.
  EXPECT_EQ(Place({{5, 10}, {10, 15}, {10, 20}}).num_lanes, 2u);
  EXPECT_EQ(Place({{0, 5}, {0, 8}}).num_lanes, 2u);
  // Ends together, and one that begins there.
  EXPECT_EQ(Place({{12, 20}, {11, 20}, {20, 25}}).num_lanes, 1u);
  EXPECT_EQ(Place({{10, 20}, {11, 20}, {20, 25}}).num_lanes, 1u);
}

TEST(LanesTest, WhatHasNoLengthFitsAnywhere) {
  EXPECT_EQ(Place({{5, 5}, {5, 5}, {5, 9}, {9, 9}, {9, 12}, {4, 13}}).num_lanes, 1u);
}

TEST(LanesTest, GivesRowsToWhatOverlaps) {
  TrackLanes lanes;
  std::vector<size_t> rows;
  // Inside of the next; overlaps it; begins where it ends; without a length.
  for (const auto& [begin, end] : {std::pair(5, 8), {0, 10}, {8, 12}, {10, 11}, {20, 20}}) {
    rows.push_back(lanes.Find(begin, end, 0)->lane);
  }
  EXPECT_EQ(rows, (std::vector<size_t>{0, 0, 1, 0, 0}));
}

TEST(LanesTest, WhatCrossesGetsLanes) {
  const Outcome outcome = Place({{0, 10}, {5, 15}, {12, 20}, {18, 30}});
  EXPECT_EQ(outcome.num_lanes, 2u);
  EXPECT_EQ(outcome.num_outside, 2u);
}

TEST(LanesTest, ThereAreNotMoreLanesThanSome) {
  std::vector<Slice> slices;
  for (int64_t i = 0; i < 200; ++i) slices.push_back({i, 1000 + i});
  const Outcome outcome = Place(slices);
  EXPECT_EQ(outcome.num_lanes, TrackLanes::kMaxLanes);
  EXPECT_EQ(outcome.num_refused, 200 - TrackLanes::kMaxLanes);
}

TEST(LanesTest, AnySlicesInAnyOrderAreLegal) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const uint64_t span = 5 + random() % 3000, length = 1 + random() % 40;
    std::vector<Slice> slices;
    for (int i = 0; i < 400; ++i) {
      const auto begin = static_cast<int64_t>(random() % span);
      slices.push_back({begin, begin + static_cast<int64_t>(random() % length), random() % 4});
    }
    const uint64_t order = random() % 3;
    if (order == 1) std::ranges::stable_sort(slices, {}, &Slice::end);
    if (order == 2) std::ranges::stable_sort(slices, {}, &Slice::begin);
    Place(slices);
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(LanesTest, WhatIsForgottenIsNotCrossed) {
  // More than is remembered, without parents; then slices from anywhere over it.
  std::mt19937_64 random(7);
  std::vector<Slice> slices;
  for (int64_t i = 0; i < 20000; ++i) {
    slices.push_back({i * 10, i * 10 + 7});
    if (i % 100 == 0) {
      const auto begin = static_cast<int64_t>(random() % static_cast<uint64_t>(i * 10 + 1));
      slices.push_back({begin, i * 10 + 8});
    }
  }
  Place(slices);
}

}  // namespace
}  // namespace tfrt::profiler
