// The table of gpu/device_code/README.md has each row of the op table once, and no others.

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::gpu {
namespace {

TEST(RowsTest, TheTableNamesAllRows) {
  std::ifstream file(TFRT_DEVICE_CODE_PAGE);
  ASSERT_TRUE(file) << TFRT_DEVICE_CODE_PAGE;
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const size_t begin = text.find("## Rows of the op table");
  ASSERT_NE(begin, text.npos);
  const std::string table = text.substr(begin, text.find("\n## ", begin + 1) - begin);
  std::map<std::string, int, std::less<>> named;
  for (size_t at = table.find('`'); at != table.npos;) {
    const size_t end = table.find('`', at + 1);
    ++named[table.substr(at + 1, end - at - 1)];
    at = table.find('`', end + 1);
  }
  for (const OpDescription* op : AllOpDescriptions()) {
    auto found = named.find(op->name);
    if (found == named.end()) {
      ADD_FAILURE() << op->name << " is not in the table";
      continue;
    }
    EXPECT_EQ(found->second, 1) << op->name;
    named.erase(found);
  }
  for (const auto& [name, count] : named) ADD_FAILURE() << name << " is no row of the op table";
}

}  // namespace
}  // namespace tfrt::gpu
