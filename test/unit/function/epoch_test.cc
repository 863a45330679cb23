// Epochs: what readers see is there as long as they look. Meant for the thread sanitizer, too.

#include "lib/api/function/epoch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tfrt::function {
namespace {

struct Pair {
  uint64_t first;
  uint64_t second;  // as the first, while it is there
};

TEST(Epoch, ReadersNeverSeeWhatIsFreed) {
  std::atomic<const Pair*> shared{new Pair{0, 0}};
  std::atomic<bool> is_over{false};
  std::atomic<uint64_t> wrong{0}, reads{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      uint64_t last = 0;
      while (!is_over.load(std::memory_order_relaxed)) {
        EpochReader reader;
        const Pair* pair = shared.load(std::memory_order_seq_cst);
        wrong += pair->first != pair->second || pair->first < last;
        last = pair->first;
        ++reads;
      }
    });
  }
  while (reads.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  {
    EpochGarbage garbage;
    for (uint64_t i = 1; i <= 2000; ++i) {
      const Pair* old = shared.exchange(new Pair{i, i}, std::memory_order_seq_cst);
      garbage.Add([old] {
        const_cast<Pair*>(old)->second = ~old->first;
        delete old;
      });
      garbage.Collect();
    }
    is_over = true;
    for (std::thread& reader : readers) reader.join();
    garbage.Collect();
    EXPECT_EQ(garbage.size(), 0u);
  }
  EXPECT_EQ(wrong.load(), 0u);
  delete shared.load();
}

TEST(Epoch, AReaderKeepsWhatWasTakenAwayMeanwhile) {
  bool is_freed = false;
  EpochGarbage garbage;
  {
    EpochReader reader;
    std::thread other([&] {
      garbage.Add([&] { is_freed = true; });
      garbage.Collect();
    });
    other.join();
    EXPECT_FALSE(is_freed);
  }
  garbage.Collect();
  EXPECT_TRUE(is_freed);
}

}  // namespace
}  // namespace tfrt::function
