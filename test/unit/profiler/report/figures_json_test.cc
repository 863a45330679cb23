// Reports as JSON: exact, in a stable order, valid whatever names hold.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "test/unit/profiler/report/sample_report.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {
namespace {

using Json = nlohmann::json;

TEST(ReportJsonTest, HoldsAllInAStableOrder) {
  Report report{.title = "t", .properties = {{"model", "m"}}, .doubts = {"d"}};
  Section section{.id = "s", .title = "S", .text = "x", .facts = {{"a", "b"}}};
  Table table{.id = "i", .title = "T", .source = "8 runs"};
  table.columns = {
      {.name = "n", .kind = Column::Kind::kShare, .unit = "u", .base = "b", .help = "h"}};
  table.rows = {{0.1}, {Cell()}, {int64_t{-9223372036854775807}}, {"a\"b"}};
  table.doubts = {"q"};
  table.num_shown = 3;
  section.tables = {table};
  section.charts = {{.kind = Chart::Kind::kHeatMap,
                     .title = "C",
                     .table = "i",
                     .x = "n",
                     .y = "n",
                     .more = {"n"},
                     .x_is_log = true,
                     .roofs = {{"r", 1.5, 2}},
                     .bands = {{"k", 0, 1}}}};
  report.sections = {section};
  EXPECT_EQ(ReportJson(report),
            R"({"format":1,"title":"t","properties":[{"name":"model","value":"m"}],"doubts":["d"],)"
            R"("sections":[
{"id":"s","title":"S","text":"x","facts":[{"name":"a","value":"b"}],"tables":[)"
            R"({"id":"i","title":"T","source":"8 runs","doubts":["q"],"num_shown":3,"columns":[)"
            R"({"name":"n","kind":"share","unit":"u","base":"b","help":"h"}],"rows":[
[0.1],
[null],
[-9223372036854775807],
["a\"b"]]}],"charts":[{"kind":"heat_map","title":"C","table":"i","x":"n","y":"n",)"
            R"("group":"","size":"",)"
            R"("until":"","more":["n"],"x_is_log":true,"y_is_log":false,)"
            R"("roofs":[{"name":"r","peak":1.5,"bandwidth":2}],)"
            R"("bands":[{"name":"k","begin":0,"end":1}]}]}]}
)");
}

TEST(ReportJsonTest, GivesTheSameNumbersBack) {
  for (double number : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e22}) {
    Report report;
    report.sections = {{.tables = {{.columns = {{.name = "n"}}, .rows = {{number}}}}}};
    const Json json = Json::parse(ReportJson(report));
    EXPECT_EQ(json["sections"][0]["tables"][0]["rows"][0][0].get<double>(), number);
  }
}

TEST(ReportJsonTest, HasNoNumberForWhatIsNone) {
  Report report;
  report.sections = {{.tables = {{.columns = {{.name = "n"}},
                                  .rows = {{std::numeric_limits<double>::quiet_NaN(),
                                            std::numeric_limits<double>::infinity()}}}}}};
  EXPECT_NE(ReportJson(report).find("[null,null]"), std::string::npos);
}

TEST(ReportJsonTest, IsValidWhateverNamesHold) {
  const Json json = Json::parse(ReportJson(HostileReport()), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["doubts"][1], "invalid \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd( utf-8");
}

TEST(ReportJsonTest, IsTheSameForTheSameReport) {
  EXPECT_EQ(ReportJson(SampleReport()), ReportJson(SampleReport()));
}

TEST(ReportJsonTest, OfNothingIsAnObject) {
  EXPECT_EQ(ReportJson({}),
            "{\"format\":1,\"title\":\"\",\"properties\":[],\"doubts\":[],\"sections\":[]}\n");
}

}  // namespace
}  // namespace tfrt::profiler
