// Profiles as databases: exact, asked, and hostile ones.
#include "lib/profiler/sqlite_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/profiler/files/export_profile.h"
#include "lib/profiler/files/json_profile.h"
#include "lib/profiler/pprof.h"
#include "profile_text.h"
#include "tfrt/profiler/event_stream.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using ::testing::HasSubstr;

Profile Random(uint32_t seed, int num_events) {
  ProfileBuilder builder;
  TellRandomStream(seed, num_events, builder);
  return builder.Build();
}

Status Write(const std::string& path, uint32_t seed, int num_events) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ProfileConsumer> writer, CreateSqliteWriter(path));
  TellRandomStream(seed, num_events, *writer);
  return writer->Finish();
}

TEST(SqliteProfileTest, GivesBackWhatWasWritten) {
  const std::string path = TestPath("random.sqlite");
  for (uint32_t seed = 0; seed < 15; ++seed) {
    const int num_events = static_cast<int>(seed) * 6;
    ASSERT_EQ(Write(path, seed, num_events), OkStatus());
    StatusOr<Profile> profile = ReadWith(ReadSqlite, path);
    ASSERT_TRUE(profile.ok()) << profile.status().message();
    ASSERT_EQ(TextOf(*profile), TextOf(Random(seed, num_events))) << seed;
  }
  EXPECT_TRUE(LooksLikeSqlite(ReadBytes(path).substr(0, 16)));
  EXPECT_FALSE(LooksLikeSqlite("SQLite format 4"));
}

TEST(SqliteProfileTest, HasViewsForQuestions) {
  const std::string path = TestPath("onnxruntime.sqlite");
  ASSERT_EQ(
      ExportProfile(TFRT_TRACES_DIR "/onnxruntime.json", path, ReadJsonProfile, CreateSqliteWriter),
      OkStatus());
  StatusOr<Table> layers =
      QuerySqlite(path,
                  "SELECT name, op, sum(duration_ns) / 1000 AS us FROM layer GROUP BY name, op "
                  "ORDER BY us DESC LIMIT 2");
  ASSERT_TRUE(layers.ok()) << layers.status().message();
  ASSERT_EQ(layers->rows.size(), 2u);
  EXPECT_EQ(layers->rows[0], (std::vector<Cell>{"r_nchwc", "Conv", int64_t{143}}));
  EXPECT_EQ(layers->columns[2].name, "us");
  EXPECT_EQ(layers->columns[2].kind, Column::Kind::kInteger);
  auto rows = [&](std::string_view sql) { return QuerySqlite(path, sql)->rows; };
  using Rows = std::vector<std::vector<Cell>>;
  EXPECT_EQ(rows("SELECT batch, duration_ns FROM run"),
            (Rows{{int64_t{4}, int64_t{219'000}}, {int64_t{4}, int64_t{73'000}}}));
  EXPECT_EQ(rows("SELECT count(*), sum(duration_ns) FROM kernel"),
            (Rows{{int64_t{10}, int64_t{210'000}}}));
  EXPECT_EQ(rows("SELECT value FROM property WHERE key = 'producer'"), (Rows{{"onnxruntime"}}));
  EXPECT_EQ(rows("SELECT value FROM counter WHERE counter = 'bytes_written' LIMIT 1"),
            (Rows{{int64_t{9216}}}));
  EXPECT_EQ(rows("SELECT count(*) FROM copy"), (Rows{{int64_t{0}}}));
  EXPECT_EQ(rows("SELECT 1, 'a' UNION SELECT 2.5, NULL"), (Rows{{1.0, "a"}, {2.5, Cell()}}));
}

TEST(SqliteProfileTest, KnowsWhatKernelsCounted) {
  const std::string path = TestPath("counted.sqlite");
  StatusOr<std::unique_ptr<ProfileConsumer>> writer = CreateSqliteWriter(path);
  ASSERT_TRUE(writer.ok()) << writer.status().message();
  EventStream stream(writer->get());
  const TypeId kernel = stream.Type({.name = "kernel", .level = StackLevel::kKernel});
  const TypeId faults = stream.Type({.name = "cpu.system",
                                     .level = StackLevel::kKernel,
                                     .kind = RecordKind::kEvent,
                                     .arguments = {{"page_faults"}, {"context_switches"}}});
  const TypeId other = stream.Type({.name = "graph.call",
                                    .level = StackLevel::kOp,
                                    .kind = RecordKind::kEvent,
                                    .arguments = {{"bytes_read"}}});
  const TrackId track = stream.TrackOf({.number = 7});
  const StringId conv = stream.String("conv");
  const uint64_t counts[] = {41, 2};
  (*writer)->AddEvent(
      {.type = kernel, .name = conv, .track = track, .id = 5, .begin_ns = 10, .end_ns = 30});
  (*writer)->AddEvent({.type = faults,
                       .name = conv,
                       .track = track,
                       .id = 6,
                       .parent_id = 5,
                       .begin_ns = 30,
                       .end_ns = 30,
                       .arguments = counts});
  (*writer)->AddEvent({.type = other,
                       .name = conv,
                       .track = track,
                       .id = 7,
                       .parent_id = 5,
                       .begin_ns = 20,
                       .end_ns = 20,
                       .arguments = {counts, 1}});
  ASSERT_EQ((*writer)->Finish(), OkStatus());
  StatusOr<Table> rows =
      QuerySqlite(path,
                  "SELECT type, name, begin_ns, duration_ns, counter, value FROM kernel_counter "
                  "ORDER BY value");
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  using Rows = std::vector<std::vector<Cell>>;
  EXPECT_EQ(rows->rows,
            (Rows{{"kernel", "conv", int64_t{10}, int64_t{20}, "context_switches", int64_t{2}},
                  {"kernel", "conv", int64_t{10}, int64_t{20}, "page_faults", int64_t{41}}}));
}

TEST(SqliteProfileTest, SaysWhatIsWrongWithAQuestion) {
  const std::string path = TestPath("asked.sqlite");
  ASSERT_EQ(Write(path, 3, 20), OkStatus());
  auto error = [&](std::string_view sql, const QueryOptions& options = {}) {
    StatusOr<Table> table = QuerySqlite(path, sql, options);
    return std::string(table.status().message());
  };
  EXPECT_EQ(error("SELECT absent FROM span"),
            path + ": no such column: absent, at character 8 of the query: absent FROM span");
  EXPECT_EQ(error("SELEC 1"),
            path + ": near \"SELEC\": syntax error, at character 1 of the query: SELEC 1");
  EXPECT_EQ(error(""), "the query is empty");
  EXPECT_EQ(error("SELECT 1; SELECT 2"),
            "one query at a time; what follows the first is ' SELECT 2'");
  EXPECT_EQ(error("DELETE FROM event"), "the query has no rows for an answer: only SELECT has");
  EXPECT_THAT(error("ATTACH '/tmp/x' AS x"), HasSubstr("only SELECT has"));
  EXPECT_EQ(error(std::string((size_t{1} << 20) + 1, ' ')),
            "the query has 1048577 characters, more than 2^20");
  constexpr std::string_view kEndless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  EXPECT_EQ(error(kEndless, {.max_milliseconds = 5}),
            "the query takes longer than the 5 ms it may take");
  StatusOr<Table> cut = QuerySqlite(path, "SELECT number FROM span", {.max_rows = 3});
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(cut->rows.size(), 3u);
  EXPECT_EQ(cut->doubts, std::vector<std::string>{"there are more than these 3 rows"});
}

TEST(SqliteProfileTest, MakesADatabaseOfOtherProfiles) {
  std::string temporary;
  {
    StatusOr<ProfileDatabase> database =
        ProfileDatabase::Open(TFRT_TRACES_DIR "/onnxruntime.json", ReadJsonProfile);
    ASSERT_TRUE(database.ok()) << database.status().message();
    EXPECT_TRUE(database->is_temporary());
    temporary = database->path();
    EXPECT_EQ(QuerySqlite(temporary, "SELECT count(*) FROM run")->rows[0][0], Cell(int64_t{2}));
  }
  struct stat info;
  EXPECT_NE(stat(temporary.c_str(), &info), 0);
  const std::string path = TestPath("itself.sqlite");
  ASSERT_EQ(Write(path, 3, 2), OkStatus());
  StatusOr<ProfileDatabase> itself = ProfileDatabase::Open(path, ReadJsonProfile);
  ASSERT_TRUE(itself.ok());
  EXPECT_EQ(itself->path(), path);
  EXPECT_FALSE(itself->is_temporary());
  EXPECT_EQ(ProfileDatabase::Open("/no/such", ReadJsonProfile).status().code(),
            StatusCode::kNotFound);
}

TEST(SqliteProfileTest, IsThereWholeOrNotAtAll) {
  const std::string path = TestPath("absent.sqlite");
  {
    StatusOr<std::unique_ptr<ProfileConsumer>> writer = CreateSqliteWriter(path);
    ASSERT_TRUE(writer.ok());
    TellRandomStream(1, 5, **writer);
  }
  struct stat info;
  EXPECT_NE(stat(path.c_str(), &info), 0);
  EXPECT_EQ(CreateSqliteWriter("/no/such/folder/t").status().message(),
            "cannot write '/no/such/folder/t': No such file or directory");
}

TEST(SqliteProfileTest, StandsHostileDatabases) {
  const std::string path = TestPath("hostile.sqlite"), good = TestPath("good.sqlite");
  EXPECT_EQ(ReadWith(ReadSqlite, "/no/such").status().message(),
            "/no/such: unable to open database file");
  WriteBytes(path, "SQLite format 3");
  EXPECT_EQ(ReadWith(ReadSqlite, path).status().message(), path + ": file is not a database");
  WriteBytes(path, "");
  EXPECT_EQ(ReadWith(ReadSqlite, path).status().message(),
            path + ": a database, but no profile that was written by tfrt");
  ASSERT_EQ(Write(good, 4, 20), OkStatus());
  const std::string whole = ReadBytes(good);
  WriteBytes(path, std::string_view(whole).substr(0, whole.size() / 2));
  StatusOr<Profile> cut = ReadWith(ReadSqlite, path);
  if (cut.ok()) {
    EXPECT_THAT(TextOf(*cut), HasSubstr("; what follows is not read"));
  }
  for (size_t i = 0; i < whole.size(); i += 977) {
    std::string changed = whole;
    for (size_t j = i; j < i + 40 && j < whole.size(); ++j) changed[j] = static_cast<char>(j * 7);
    WriteBytes(path, changed);
    StatusOr<Profile> profile = ReadWith(ReadSqlite, path);
    if (!profile.ok()) EXPECT_FALSE(profile.status().message().empty());
  }
}

TEST(ExportProfileTest, GoesFromEachFormatToEach) {
  const std::string json = TestPath("a.json"), sqlite = TestPath("a.sqlite"),
                    back = TestPath("b.json"), pprof = TestPath("a.pb.gz");
  StatusOr<std::unique_ptr<ProfileConsumer>> writer = CreateChromeJsonWriter(json);
  ASSERT_TRUE(writer.ok());
  TellRandomStream(11, 60, **writer);
  ASSERT_EQ((*writer)->Finish(), OkStatus());
  ASSERT_EQ(ExportProfile(json, sqlite, ReadJsonProfile, CreateSqliteWriter), OkStatus());
  ASSERT_EQ(ExportProfile(sqlite, back, ReadSqlite, CreateChromeJsonWriter), OkStatus());
  EXPECT_EQ(TextOf(*ReadWith(ReadJsonProfile, back)), TextOf(*ReadWith(ReadJsonProfile, json)));
  ASSERT_EQ(ExportProfile(sqlite, pprof, ReadSqlite, CreatePprofWriter), OkStatus());
  EXPECT_TRUE(ReadPprof(pprof).ok());
  EXPECT_EQ(ExportProfile(json, json, ReadJsonProfile, CreateSqliteWriter).message(),
            "'" + json + "' is the file that is read");
  // What was there stays if the profile cannot be read.
  const std::string before = ReadBytes(back);
  EXPECT_FALSE(ExportProfile("/no/such", back, ReadJsonProfile, CreateChromeJsonWriter).ok());
  EXPECT_EQ(ReadBytes(back), before);
}

}  // namespace
}  // namespace tfrt::profiler
