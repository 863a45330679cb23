// Cells and reports as texts for terminals.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "test/unit/profiler/report/sample_report.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {
namespace {

TEST(CellTextTest, ShowsNumbersWithFourDigitsAndTheirUnit) {
  const Column ms = {.name = "latency", .unit = "ms"};
  EXPECT_EQ(CellText(1.23449, ms), "1.234 ms");
  EXPECT_EQ(CellText(1234.5678, ms), "1235 ms");
  EXPECT_EQ(CellText(0.000123456, ms), "0.0001235 ms");
  EXPECT_EQ(CellText(1.5e-9, ms), "1.500e-09 ms");
  EXPECT_EQ(CellText(-2.5e12, ms), "-2.500e+12 ms");
  EXPECT_EQ(CellText(0.0, ms), "0 ms");
  EXPECT_EQ(CellText(int64_t{64}, {.name = "batch", .kind = Column::Kind::kInteger}), "64");
  EXPECT_EQ(CellText(std::string("conv"), ms), "conv");
}

TEST(CellTextTest, ShowsSharesAsPercentages) {
  const Column share = {.name = "share", .kind = Column::Kind::kShare};
  EXPECT_EQ(CellText(0.30886, share), "30.9 %");
  EXPECT_EQ(CellText(0.00012, share), "0.012 %");
  EXPECT_EQ(CellText(int64_t{1}, share), "100 %");
  EXPECT_EQ(CellText(0.0, share), "0.0 %");
}

TEST(CellTextTest, ShowsWhatIsNotThereAsDash) {
  EXPECT_EQ(CellText(Cell(), {.name = "latency", .unit = "ms"}), "-");
  EXPECT_EQ(CellText(std::numeric_limits<double>::quiet_NaN(), {.name = "a", .unit = "ms"}), "-");
  EXPECT_EQ(CellText(std::numeric_limits<double>::infinity(), {.name = "a"}), "inf");
}

Report SmallReport() {
  Report report{.title = "resnet50"};
  report.properties = {{"model", "resnet50"}, {"processors", "2"}};
  report.doubts = {"the clock changed"};
  Section section{.id = "layers", .title = "Layers", .text = "By latency."};
  section.facts = {{"layers", "106"}};
  Table table{.id = "layers", .title = "Layers by latency", .source = "8 runs at level layer"};
  table.columns = {{.name = "name", .kind = Column::Kind::kText},
                   {.name = "latency", .unit = "ms"},
                   {.name = "share", .kind = Column::Kind::kShare, .base = "all layers"}};
  table.rows = {{"conv_1", 12.5, 0.8}, {"relu", 0.03125, 0.002}, {Cell(), Cell(), Cell()}};
  table.doubts = {"3 kernels left out"};
  table.num_shown = 2;
  section.tables = {table, {.id = "none", .title = "Nothing", .columns = table.columns}};
  report.sections = {section};
  return report;
}

TEST(ReportTextTest, AlignsColumnsUnderHeadersWithUnits) {
  EXPECT_EQ(ReportText(SmallReport()),
            "resnet50\n"
            "========\n"
            "  model       resnet50\n"
            "  processors  2\n"
            "! the clock changed\n"
            "\n"
            "Layers\n"
            "------\n"
            "By latency.\n"
            "  layers  106\n"
            "\n"
            "Layers by latency (8 runs at level layer)\n"
            "! 3 kernels left out\n"
            "  name    latency, ms  share, %\n"
            "  ------  -----------  --------\n"
            "  conv_1         12.5      80.0\n"
            "  relu          0.031      0.20\n"
            "  ... and 1 more rows\n"
            "  share: of all layers\n"
            "\n"
            "Nothing\n"
            "  no rows\n");
}

TEST(ReportTextTest, ShowsAllRowsOnRequest) {
  const std::string text = ReportText(SmallReport(), true);
  EXPECT_EQ(text.find("more rows"), std::string::npos);
  EXPECT_NE(text.find("  -                 -         -\n"), std::string::npos) << text;
}

TEST(ReportTextTest, LetsNoNameMoveTheCursorOrTurnTheText) {
  const std::string text = ReportText(HostileReport());
  for (char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int{c};
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
  EXPECT_NE(text.find("invalid \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd( utf-8"), std::string::npos);
}

TEST(ReportTextTest, ShortensLongNamesInTheMiddle) {
  Report report;
  Section section;
  Table table{.id = "t", .columns = {{.name = "name", .kind = Column::Kind::kText}}};
  table.rows = {{"begin" + std::string(300, 'x') + "end"}};
  section.tables = {table};
  report.sections = {section};
  const std::string text = ReportText(report);
  EXPECT_NE(text.find("  begin" + std::string(27, 'x') + "…" + std::string(28, 'x') + "end\n"),
            std::string::npos)
      << text;
}

TEST(ReportTextTest, CountsColumnsOfWideLetters) {
  Report report;
  Section section;
  Table table{.id = "t", .columns = {{.name = "name", .kind = Column::Kind::kText}, {.name = "n"}}};
  table.rows = {{"\xe5\xb1\x82", 1.0}, {"a\xcc\x81", 1.0}};
  section.tables = {table};
  report.sections = {section};
  const std::string text = ReportText(report);
  EXPECT_NE(text.find("  \xe5\xb1\x82    1.00\n  a\xcc\x81     1.00\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace tfrt::profiler
