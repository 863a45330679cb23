// The list of statements itself: as many as promised, each with a number and a reason of its own.
#include <algorithm>
#include <set>

#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

TEST(StatementsTest, AreNumberedAndSayWhy) {
  std::set<int> numbers;
  std::set<std::string> functions;
  for (const Statement& statement : AllStatements()) {
    EXPECT_TRUE(numbers.insert(statement.number).second) << statement.number << " occurs twice";
    EXPECT_GE(std::string(statement.promise).size(), 20u) << statement.name;
    functions.insert(statement.function);
  }
  EXPECT_GE(AllStatements().size(), 150u);
  EXPECT_GE(functions.size(), 90u);
}

// Every function that the runtime may call has a statement.
TEST(StatementsTest, CoverTheTable) {
  std::set<std::string> functions;
  for (const Statement& statement : AllStatements()) functions.insert(statement.function);
  for (const auto& function : cuda::kDriverFunctions) {
    EXPECT_TRUE(functions.contains(function.name)) << function.name << " has no statement";
  }
}

}  // namespace
}  // namespace tfrt::gpu::test
