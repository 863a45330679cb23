#include "lib/serve/http/log_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "test/unit/http/raw_client.h"

namespace tfrt::serve::http {
namespace {

TEST(LogWriterTest, LinesStayWhole) {
  const std::string path = StrCat(testing::TempDir(), "tfrt_log_writer_test_", getpid());
  {
    auto log = LogWriter::Open(path);
    ASSERT_TRUE(log.ok()) << log.status().ToString();
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i) (*log)->Add(StrCat("line of ", t, "\n"));
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ((*log)->num_dropped(), 0u);
  }
  std::ifstream stream(path);
  std::vector<int> counts(3);
  std::string line;
  while (std::getline(stream, line)) {
    ASSERT_EQ(line.substr(0, 8), "line of ");
    ASSERT_EQ(line.size(), 9u);
    ++counts.at(static_cast<size_t>(line[8] - '0'));
  }
  EXPECT_EQ(counts, std::vector<int>({100, 100, 100}));
  unlink(path.c_str());
}

TEST(LogWriterTest, LinesThatDoNotFitAreCounted) {
  auto log = LogWriter::Open("/dev/full", 300);
  ASSERT_TRUE(log.ok());
  (*log)->Add(std::string(400, 'x'));  // never fits
  EXPECT_EQ((*log)->num_dropped(), 1u);
  (*log)->Add("fits, but the disk is full\n");
  WaitUntil([&] { return (*log)->num_dropped() == 2; });
  EXPECT_EQ(LogWriter::Open("/no/such/folder/log").status().ToString(),
            "UNAVAILABLE: cannot open the log '/no/such/folder/log': No such file or directory");
}

}  // namespace
}  // namespace tfrt::serve::http
