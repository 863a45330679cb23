// Random programs: the checker against the transitive closure of who waits for whom.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "test/support/order_checker/order_checker.h"

namespace tfrt {
namespace {

using Kind = TimelineObserver::AccessKind;
using Timeline = TimelineObserver::Timeline;

constexpr size_t kBytes = 64;

struct Step {
  int timeline;
  // What it waits for first: steps of other timelines.
  std::vector<int> waits;
  struct Range {
    Kind kind;
    size_t begin, end;
  };
  std::vector<Range> ranges;
};
using Program = std::vector<Step>;

// behind[i][j]: step j happens before step i.
using Behind = std::vector<std::vector<bool>>;

// The row of step i, from those before it: by its waits and the order of its timeline.
std::vector<bool> RowOf(const Program& program, const Behind& behind, size_t i) {
  std::vector<int> direct = program[i].waits;
  for (size_t j = 0; j < i; ++j) {
    if (program[j].timeline == program[i].timeline) direct.push_back(static_cast<int>(j));
  }
  std::vector<bool> row(program.size());
  for (int j : direct) {
    row[j] = true;
    for (int k = 0; k < j; ++k) row[k] = row[k] || behind[j][k];
  }
  return row;
}

bool Conflict(const Step& a, const Step& b) {
  for (const Step::Range& x : a.ranges) {
    for (const Step::Range& y : b.ranges) {
      bool overlap = x.begin < y.end && y.begin < x.end;
      if (overlap && (x.kind != Kind::kRead || y.kind != Kind::kRead)) return true;
    }
  }
  return false;
}

using Pairs = std::set<std::pair<int, int>>;  // (later, earlier)

Pairs UnorderedConflicts(const Program& program) {
  Behind behind;
  Pairs pairs;
  for (size_t i = 0; i < program.size(); ++i) {
    behind.push_back(RowOf(program, behind, i));
    for (size_t j = 0; j < i; ++j) {
      if (!behind[i][j] && Conflict(program[i], program[j])) pairs.insert({i, j});
    }
  }
  return pairs;
}

Pairs Check(const Program& program, int num_timelines) {
  OrderChecker checker;
  char memory[kBytes];
  std::vector<Timeline> timelines;
  for (int i = 0; i < num_timelines; ++i) timelines.push_back(checker.AddTimeline("t"));
  std::vector<TimelineObserver::Event> events;
  for (size_t i = 0; i < program.size(); ++i) {
    const Step& step = program[i];
    Timeline timeline = timelines[step.timeline];
    for (int wait : step.waits) checker.Wait(timeline, events[wait]);
    std::vector<TimelineObserver::Access> accesses;
    for (const Step::Range& range : step.ranges) {
      accesses.push_back({TimelineObserver::kHostMemory, range.kind, memory + range.begin,
                          range.end - range.begin});
    }
    checker.Use(timeline, std::to_string(i), accesses);
    events.push_back(checker.Record(timeline));
  }
  Pairs pairs;
  EXPECT_LE(checker.num_found(), OrderChecker::kMaxReports);
  for (const OrderReport& report : checker.TakeReports()) {
    EXPECT_EQ(report.defect, Defect::kUnordered);
    pairs.insert({std::stoi(report.operation), std::stoi(report.earlier_operation)});
  }
  return pairs;
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  int Below(int limit) { return static_cast<int>(random_() % static_cast<uint32_t>(limit)); }

  Step MakeStep(int num_timelines) {
    Step step{.timeline = Below(num_timelines)};
    for (int i = Below(3); i >= 0; --i) {
      size_t begin = static_cast<size_t>(Below(kBytes - 1));
      size_t end = begin + 1 + static_cast<size_t>(Below(static_cast<int>(kBytes - begin)));
      constexpr Kind kKinds[] = {Kind::kRead, Kind::kRead, Kind::kWrite, Kind::kReadWrite};
      step.ranges.push_back({kKinds[Below(4)], begin, end});
    }
    return step;
  }

  // Waits are right: each step waits, latest first, for what it conflicts with and is not behind.
  Program MakeOrdered(int num_steps, int num_timelines) {
    Program program;
    Behind behind;
    for (int i = 0; i < num_steps; ++i) {
      program.push_back(MakeStep(num_timelines));
      std::vector<bool> row = RowOf(program, behind, i);
      for (int j = i - 1; j >= 0; --j) {
        if (row[j] || !Conflict(program[i], program[j])) continue;
        program[i].waits.push_back(j);
        row = RowOf(program, behind, i);
      }
      behind.push_back(std::move(row));
    }
    return program;
  }

  // Waits for anything.
  Program MakeAny(int num_steps, int num_timelines) {
    Program program;
    for (int i = 0; i < num_steps; ++i) {
      program.push_back(MakeStep(num_timelines));
      for (int waits = Below(4); waits > 0 && i > 0; --waits) {
        program[i].waits.push_back(Below(i));
      }
    }
    return program;
  }

 private:
  std::mt19937 random_;
};

// All that is reported is unordered, and where something is, something is reported: of two that
// conflict with a third, the one behind the other may stand for both.
TEST(RandomOrderTest, AgreesWithTheClosureOfAllWaits) {
  int num_clean = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    Generator generator(seed);
    int num_timelines = 1 + generator.Below(5);
    Program program = generator.MakeAny(2 + generator.Below(10), num_timelines);
    Pairs wanted = UnorderedConflicts(program), found = Check(program, num_timelines);
    EXPECT_EQ(found.empty(), wanted.empty()) << "seed " << seed;
    for (const auto& pair : found) {
      EXPECT_TRUE(wanted.contains(pair))
          << "seed " << seed << ": " << pair.first << " and " << pair.second << " are ordered";
    }
    // Up to the first that is unordered nothing is hidden.
    if (!wanted.empty()) {
      EXPECT_EQ(found.begin()->first, wanted.begin()->first) << "seed " << seed;
    }
    num_clean += wanted.empty();
  }
  EXPECT_GT(num_clean, 20);
  EXPECT_LT(num_clean, 380);
}

TEST(RandomOrderTest, LongProgramsWithRightWaitsHaveNoReports) {
  for (uint32_t seed = 0; seed < 5; ++seed) {
    Generator generator(seed);
    Program program = generator.MakeOrdered(120, 6);
    EXPECT_EQ(Check(program, 6), Pairs()) << "seed " << seed;
  }
}

// Each wait that is dropped is found, unless another one still orders all that it did.
TEST(RandomOrderTest, EveryDroppedWaitThatIsNeededIsFound) {
  int num_needed = 0;
  for (uint32_t seed = 0; seed < 12; ++seed) {
    Generator generator(seed);
    Program program = generator.MakeOrdered(30, 4);
    for (size_t i = 0; i < program.size(); ++i) {
      for (size_t w = 0; w < program[i].waits.size(); ++w) {
        Program dropped = program;
        dropped[i].waits.erase(dropped[i].waits.begin() + static_cast<ptrdiff_t>(w));
        Pairs wanted = UnorderedConflicts(dropped);
        EXPECT_EQ(Check(dropped, 4).empty(), wanted.empty()) << "seed " << seed << " step " << i;
        num_needed += !wanted.empty();
      }
    }
  }
  EXPECT_GT(num_needed, 100);
}

}  // namespace
}  // namespace tfrt
