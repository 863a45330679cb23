// Pages as bytes; what a browser makes of them is for test/profiler/check_report.py.
#include "lib/profiler/report/html_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "test/unit/profiler/report/sample_report.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {
namespace {

using Json = nlohmann::json;

std::string PathFor(const std::string& name) {
  return testing::TempDir() + "tfrt_html_report_test_" + name + ".html";
}

std::string PageOf(const Report& report, const std::string& name) {
  const std::string path = PathFor(name);
  const Status status = WriteHtmlReport(report, path);
  EXPECT_TRUE(status.ok()) << status.message();
  std::ifstream file(path, std::ios::binary);
  std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::filesystem::remove(path);
  return page;
}

std::string DataOf(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const size_t begin = page.find(open);
  EXPECT_NE(begin, page.npos);
  const size_t end = page.find("</script>", begin);
  return page.substr(begin + open.size(), end - begin - open.size());
}

size_t NumOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class HtmlReportTest : public testing::Test {
 protected:
  void SetUp() override {
#if !TFRT_REPORT_HAS_HTML
    GTEST_SKIP() << "libjs-vega is not installed";
#endif
  }
};

#if !TFRT_REPORT_HAS_HTML
TEST(HtmlUnavailableTest, NamesThePackage) {
  const Status status = WriteHtmlReport({}, PathFor("none"));
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
  EXPECT_EQ(status.message(),
            "this build writes no HTML reports: libjs-vega was not installed when it was "
            "configured");
}
#endif

TEST_F(HtmlReportTest, IsTheSameForTheSameReport) {
  EXPECT_EQ(PageOf(SampleReport(), "a"), PageOf(SampleReport(), "b"));
}

TEST_F(HtmlReportTest, ForbidsTheNetworkAndHoldsTheLicence) {
  const std::string page = PageOf(SampleReport(), "policy");
  EXPECT_NE(page.find("content=\"default-src 'none'; script-src 'nonce-"), page.npos);
  EXPECT_EQ(page.find("sourceMappingURL"), page.npos);
  EXPECT_EQ(page.find("{{"), page.find("{{", page.find("vegaModules")));  // no placeholder is left
  EXPECT_NE(page.find("THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS"), page.npos);
  EXPECT_EQ(NumOf(page, "-->"), 1u);
}

TEST_F(HtmlReportTest, LetsNoNameBecomeMarkup) {
  const std::string page = PageOf(HostileReport(), "hostile");
  EXPECT_EQ(page.find("<img"), page.npos);
  EXPECT_EQ(NumOf(page, "</script>"), 3u);
  EXPECT_NE(page.find("<title>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"), page.npos);
  const Json data = Json::parse(DataOf(page), nullptr, false);
  ASSERT_FALSE(data.is_discarded());
  EXPECT_EQ(data["title"], "</script><img src=x onerror=alert(1)><script>alert(2)</script>");
}

TEST_F(HtmlReportTest, SaysWhyThereIsNoChart) {
  const Json data = Json::parse(DataOf(PageOf(HostileReport(), "charts")));
  std::map<std::string, std::string> notes;
  for (const Json& chart : data["sections"][0]["charts"]) {
    if (chart["spec"].is_null()) notes[chart["title"].get<std::string>()] = chart["note"];
  }
  EXPECT_EQ(notes["of no table"], "there is no table 'missing'");
  EXPECT_EQ(notes["of no rows"], "there are no rows");
  EXPECT_NE(notes["of columns that are not there"].find("has no column 'nothing' for x"),
            std::string::npos);
}

std::string NoteOf(const Chart& chart, const Table& table) {
  Report report;
  report.sections = {{.tables = {table}, .charts = {chart}}};
  return Json::parse(DataOf(PageOf(report, "note")))["sections"][0]["charts"][0]["note"];
}

TEST_F(HtmlReportTest, ExplainsChartsThatCannotBe) {
  using Kind = Chart::Kind;
  Table table{.id = "t", .columns = {{.name = "x"}, {.name = "n", .kind = Column::Kind::kText}}};
  table.rows = {{1.0, "a"}, {2.0, "b"}};
  auto chart = [](Kind kind) { return Chart{.kind = kind, .table = "t", .x = "x", .y = "x"}; };
  EXPECT_EQ(NoteOf(chart(Kind::kBoxes), table), "a chart of boxes needs five columns");
  EXPECT_EQ(NoteOf(chart(Kind::kHeatMap), table), "a heat map needs a column for its colours");
  EXPECT_EQ(NoteOf(chart(Kind::kIntervals), table), "a timeline needs a column for the ends");
  Chart lanes = chart(Kind::kIntervals);
  lanes.until = "x";
  EXPECT_EQ(NoteOf(lanes, table), "the lanes of a timeline are texts");
  Chart groups = chart(Kind::kBars);
  groups.group = "x";
  EXPECT_EQ(NoteOf(groups, table),
            "the groups of a chart are texts or integers, and 'x' is neither");
  table.rows = {{-1.0, "a"}};
  EXPECT_EQ(NoteOf(chart(Kind::kRoofline), table), "there are no numbers above zero to show");
  table.rows = {{Cell(), "a"}};
  EXPECT_EQ(NoteOf(chart(Kind::kLines), table), "there are no numbers to show");
}

TEST_F(HtmlReportTest, RefusesChartsThatNobodyCouldRead) {
  Table table{.id = "t", .columns = {{.name = "x"}}};
  for (int i = 0; i < 300; ++i) table.rows.push_back({1.0 * i});
  const Chart map = {.kind = Chart::Kind::kHeatMap, .table = "t", .x = "x", .y = "x", .size = "x"};
  EXPECT_EQ(NoteOf(map, table), "a heat map of 300 x 300 fields is too large");
  table.rows.resize(20'001, {1.0});
  const Chart stack = {.kind = Chart::Kind::kStack, .table = "t", .x = "x", .y = "x"};
  EXPECT_EQ(NoteOf(stack, table), "a stack of 20001 rows cannot be read");
}

TEST_F(HtmlReportTest, ShowsTheFirstOfManyBarsWithNames) {
  Table table{.id = "t", .columns = {{.name = "n", .kind = Column::Kind::kText}, {.name = "y"}}};
  for (int i = 0; i < 120; ++i) table.rows.push_back({std::to_string(i), 1.0 * i});
  EXPECT_EQ(NoteOf({.kind = Chart::Kind::kBars, .table = "t", .x = "n", .y = "y"}, table),
            "the first 40 of 120 bars");
}

TEST_F(HtmlReportTest, ThinsVeryLongTablesAndKeepsTheShapeOfLines) {
  Report report;
  Section section;
  Table table{.id = "t", .columns = {{.name = "x", .kind = Column::Kind::kInteger}, {.name = "y"}}};
  const auto num_rows = static_cast<int64_t>(kMaxHtmlRows) + 10'000;
  for (int64_t i = 0; i < num_rows; ++i) table.rows.push_back({i, i == 123'457 ? 9.0 : 1.0});
  section.tables = {table};
  section.charts = {{.kind = Chart::Kind::kSteps, .table = "t", .x = "x", .y = "y"}};
  report.sections = {section};
  const Json data = Json::parse(DataOf(PageOf(report, "thin")));
  const Json& thin = data["sections"][0]["tables"][0];
  const Json& values = thin["columns"][1]["data"]["values"];
  EXPECT_LE(values.size(), kMaxHtmlRows);
  EXPECT_NE(std::find(values.begin(), values.end(), 9.0), values.end());
  EXPECT_EQ(thin["columns"][0]["data"]["values"].back(), num_rows - 1);
  EXPECT_NE(thin["note"].get<std::string>().find(" of 210000 rows"), std::string::npos);
}

TEST_F(HtmlReportTest, GivesLargeIntegersAsTexts) {
  Report report;
  report.sections = {{.tables = {{.columns = {{.name = "n", .kind = Column::Kind::kInteger}},
                                  .rows = {{int64_t{9007199254740993}}, {int64_t{5}}}}}}};
  const Json data = Json::parse(DataOf(PageOf(report, "integers")));
  EXPECT_EQ(data["sections"][0]["tables"][0]["columns"][0]["data"]["values"].dump(),
            "[\"9007199254740993\",5]");
}

TEST_F(HtmlReportTest, SaysWhichFileItCannotWrite) {
  const Status status = WriteHtmlReport({}, "/nowhere/report.html");
  EXPECT_EQ(status.message(), "cannot write '/nowhere/report.html': No such file or directory");
}

}  // namespace
}  // namespace tfrt::profiler
