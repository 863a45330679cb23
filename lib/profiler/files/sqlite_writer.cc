#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/kind_names.h"
#include "lib/profiler/sqlite_profile.h"
#include "lib/profiler/stream_check.h"
#include "sqlite_database.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::profiler {
namespace {

// The file is thrown away if it is not finished, so nothing has to be undone or to survive.
constexpr char kTables[] = R"(
PRAGMA page_size = 8192;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA temp_store = FILE;
PRAGMA cache_size = -65536;
BEGIN;
CREATE TABLE property(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE problem(kind TEXT, count INTEGER, text TEXT);
CREATE TABLE string(id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE type(id INTEGER PRIMARY KEY, name TEXT, level TEXT, kind TEXT, is_op INTEGER);
CREATE TABLE type_argument(type INTEGER, position INTEGER, name TEXT, kind TEXT,
  PRIMARY KEY(type, position)) WITHOUT ROWID;
CREATE TABLE track(id INTEGER PRIMARY KEY, kind TEXT, name TEXT, process_id INTEGER,
  number INTEGER);
CREATE TABLE event(number INTEGER PRIMARY KEY, type INTEGER, name INTEGER, track INTEGER,
  id INTEGER, parent_id INTEGER, op_id INTEGER, correlation_id INTEGER, begin_ns INTEGER,
  end_ns INTEGER, ready TEXT, ready_ns INTEGER);
CREATE TABLE argument(event INTEGER, position INTEGER, value, PRIMARY KEY(event, position))
  WITHOUT ROWID;
CREATE TABLE ready(number INTEGER PRIMARY KEY, id INTEGER, ready_ns INTEGER);
)";

// In `span`, results that were to come and never did have no ready_ns.
constexpr char kIndices[] = R"(
CREATE INDEX event_by_id ON event(id) WHERE id IS NOT NULL;
CREATE INDEX event_by_parent ON event(parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX event_by_correlation ON event(correlation_id) WHERE correlation_id IS NOT NULL;
CREATE INDEX event_by_type ON event(type, begin_ns);
CREATE INDEX event_by_begin ON event(begin_ns);
CREATE INDEX ready_by_id ON ready(id, ready_ns);
CREATE VIEW span AS SELECT event.number AS number, event.id AS id, event.parent_id AS parent_id,
  event.op_id AS op_id, event.correlation_id AS correlation_id, type.name AS type,
  type.level AS level, type.kind AS kind, string.text AS name, event.track AS track,
  track.name AS track_name, event.begin_ns AS begin_ns, event.end_ns AS end_ns,
  event.end_ns - event.begin_ns AS duration_ns,
  CASE event.ready WHEN 'end' THEN event.end_ns WHEN 'at' THEN event.ready_ns
    ELSE (SELECT max(ready.ready_ns) FROM ready WHERE ready.id = event.id) END AS ready_ns
  FROM event JOIN type ON type.id = event.type JOIN string ON string.id = event.name
  JOIN track ON track.id = event.track;
CREATE VIEW named_argument AS SELECT argument.event AS event, type_argument.name AS name,
  CASE type_argument.kind WHEN 'name'
    THEN (SELECT string.text FROM string WHERE string.id = argument.value)
    ELSE argument.value END AS value
  FROM argument JOIN event ON event.number = argument.event
  JOIN type_argument ON type_argument.type = event.type
    AND type_argument.position = argument.position;
CREATE VIEW run AS SELECT span.*,
  (SELECT value FROM named_argument WHERE event = span.number AND name = 'batch') AS batch
  FROM span WHERE span.type = 'model.run';
CREATE VIEW layer AS SELECT span.*,
  (SELECT value FROM named_argument WHERE event = span.number AND name = 'op') AS op,
  (SELECT value FROM named_argument WHERE event = span.number AND name = 'number') AS layer_number
  FROM span WHERE span.type = 'layer';
CREATE VIEW kernel AS SELECT * FROM span
  WHERE level IN ('kernel', 'device') AND kind = 'scope';
CREATE VIEW copy AS SELECT span.*,
  (SELECT value FROM named_argument WHERE event = span.number AND name = 'bytes') AS bytes,
  (SELECT value FROM named_argument WHERE event = span.number AND name = 'from') AS source,
  (SELECT value FROM named_argument WHERE event = span.number AND name = 'to') AS destination
  FROM span WHERE span.kind = 'copy';
CREATE VIEW counter AS SELECT span.begin_ns AS time_ns, span.type AS type, span.name AS name,
  span.track AS track, named_argument.name AS counter, named_argument.value AS value
  FROM span JOIN named_argument ON named_argument.event = span.number
  WHERE span.kind IN ('event', 'queue', 'allocation')
    AND typeof(named_argument.value) IN ('integer', 'real');
CREATE VIEW kernel_counter AS SELECT kernel.number AS kernel, kernel.type AS type,
  kernel.name AS name, kernel.track AS track, kernel.begin_ns AS begin_ns,
  kernel.duration_ns AS duration_ns, named_argument.name AS counter, named_argument.value AS value
  FROM span AS counted JOIN span AS kernel ON kernel.id = counted.parent_id
  JOIN named_argument ON named_argument.event = counted.number
  WHERE counted.type IN ('cpu.counters', 'cpu.system');
COMMIT;
)";

// NULL for 0.
std::optional<int64_t> IdOrNull(uint64_t id) {
  return id == 0 ? std::nullopt : std::optional(static_cast<int64_t>(id));
}

// The database and its statements, which go before it.
struct Tables {
  explicit Tables(SqliteDatabase opened) : database(std::move(opened)) {}

  SqliteDatabase database;
  SqliteStatement property{database, "INSERT OR REPLACE INTO property VALUES(?,?)"};
  SqliteStatement problem{database, "INSERT INTO problem VALUES(?,?,?)"};
  SqliteStatement string{database, "INSERT INTO string VALUES(?,?)"};
  SqliteStatement type{database, "INSERT INTO type VALUES(?,?,?,?,?)"};
  SqliteStatement type_argument{database, "INSERT INTO type_argument VALUES(?,?,?,?)"};
  SqliteStatement track{database, "INSERT INTO track VALUES(?,?,?,?,?)"};
  SqliteStatement event{database, "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"};
  SqliteStatement argument{database, "INSERT INTO argument VALUES(?,?,?)"};
  SqliteStatement ready{database, "INSERT INTO ready(id, ready_ns) VALUES(?,?)"};
};

class SqliteWriter final : public ProfileConsumer {
 public:
  // The database has the tables.
  SqliteWriter(NewFile file, SqliteDatabase database) : file_(std::move(file)) {
    tables_.emplace(std::move(database));
  }

  void AddProperty(std::string_view key, std::string_view value) override {
    Insert(tables_->property, key, value);
  }
  void AddString(std::string_view text) override {
    Insert(tables_->string, static_cast<int64_t>(check_.num_strings++), text);
  }
  void AddType(const EventType& type) override;
  void AddTrack(const Track& track) override {
    Insert(tables_->track, static_cast<int64_t>(check_.num_tracks++), NameOf(track.kind),
           std::string_view(track.name), track.process_id, track.number);
  }
  void AddEvent(const EventFields& event) override;
  void AddReady(uint64_t id, int64_t ready_ns) override {
    Insert(tables_->ready, IdOrNull(id), ready_ns);
  }
  void AddProblem(const Problem& problem) override {
    Insert(tables_->problem, NameOf(problem.kind), static_cast<int64_t>(problem.count),
           std::string_view(problem.text));
  }
  Status Finish() override;

 private:
  // After an error it does nothing. A statement that could not be prepared has an error, too.
  template <typename... Values>
  void Insert(SqliteStatement& row, const Values&... values) {
    if (!status_.ok()) return;
    int parameter = 0;
    (row.Bind(++parameter, values), ...);
    if (row.Run() != SQLITE_OK) status_ = tables_->database.Error();
  }

  NewFile file_;
  Status status_;
  StreamCheck check_;
  int64_t num_events_ = 0;
  std::optional<Tables> tables_;  // until Finish
};

void SqliteWriter::AddType(const EventType& type) {
  const auto id = static_cast<int64_t>(check_.types.size());
  check_.types.push_back(type);
  Insert(tables_->type, id, std::string_view(type.name), NameOf(type.level), NameOf(type.kind),
         int64_t{type.is_op});
  int64_t position = 0;
  for (const EventType::Argument& argument : type.arguments) {
    Insert(tables_->type_argument, id, position++, std::string_view(argument.name),
           NameOf(argument.type));
  }
}

void SqliteWriter::AddEvent(const EventFields& event) {
  if (!check_.IsGood(event)) return;
  using Ready = EventFields::Ready;
  const bool is_at = event.ready == Ready::kAt;
  const std::string_view ready = event.ready == Ready::kAtEnd ? "end" : is_at ? "at" : "later";
  Insert(tables_->event, num_events_, int64_t{event.type}, int64_t{event.name},
         int64_t{event.track}, IdOrNull(event.id), IdOrNull(event.parent_id), IdOrNull(event.op_id),
         IdOrNull(event.correlation_id), event.begin_ns, event.end_ns, ready,
         is_at ? std::optional(event.ready_ns) : std::nullopt);
  const std::vector<EventType::Argument>& specs = check_.types[event.type].arguments;
  for (size_t i = 0; i < specs.size(); ++i) {
    const auto position = static_cast<int64_t>(i);
    if (specs[i].type == ArgumentType::kReal) {  // NULL: no number
      Insert(tables_->argument, num_events_, position, std::bit_cast<double>(event.arguments[i]));
    } else {
      Insert(tables_->argument, num_events_, position, static_cast<int64_t>(event.arguments[i]));
    }
  }
  ++num_events_;
}

Status SqliteWriter::Finish() {
  if (!tables_) return status_;
  if (check_.num_malformed > 0) AddProblem(check_.MakeProblem());
  if (status_.ok()) status_ = tables_->database.Run(kIndices);
  tables_.reset();
  if (status_.ok()) status_ = file_.Keep();
  return status_;
}

}  // namespace

StatusOr<std::unique_ptr<ProfileConsumer>> CreateSqliteWriter(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(NewFile file, NewFile::Create(path));
  TFRT_ASSIGN_OR_RETURN(SqliteDatabase database,
                        SqliteDatabase::Open(file.name(), SqliteDatabase::Access::kNew));
  TFRT_RETURN_IF_ERROR(database.Run(kTables));
  TFRT_RETURN_IF_ERROR(database.Run(
      StrCat("PRAGMA application_id = ", kSqliteMark, "; PRAGMA user_version = ", kSqliteVersion)
          .c_str()));
  return std::unique_ptr<ProfileConsumer>(
      std::make_unique<SqliteWriter>(std::move(file), std::move(database)));
}

}  // namespace tfrt::profiler
