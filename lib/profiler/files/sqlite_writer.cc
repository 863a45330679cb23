#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kind_names.h"
#include "lib/profiler/sqlite_profile.h"
#include "sqlite_database.h"
#include "stream_check.h"
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

}  // namespace

struct SqliteWriter::Impl {
  bool IsOk() const { return status.ok(); }
  void Check(int code) {
    if (code != SQLITE_OK && status.ok()) status = database->Error();
  }
  Status Prepare();
  void AddArguments(const EventFields& event);

  std::optional<NewFile> file;
  Status status;
  StreamCheck check;
  int64_t num_events = 0;
  std::optional<SqliteDatabase> database;
  // Before the database goes.
  SqliteStatement property, problem, string, type, type_argument, track, event, argument, ready;
};

Status SqliteWriter::Impl::Prepare() {
  TFRT_RETURN_IF_ERROR(database->Run(kTables));
  TFRT_RETURN_IF_ERROR(database->Run(
      StrCat("PRAGMA application_id = ", kSqliteMark, "; PRAGMA user_version = ", kSqliteVersion)
          .c_str()));
  struct {
    SqliteStatement& statement;
    std::string_view sql;
  } statements[] = {
      {property, "INSERT OR REPLACE INTO property VALUES(?,?)"},
      {problem, "INSERT INTO problem VALUES(?,?,?)"},
      {string, "INSERT INTO string VALUES(?,?)"},
      {type, "INSERT INTO type VALUES(?,?,?,?,?)"},
      {type_argument, "INSERT INTO type_argument VALUES(?,?,?,?)"},
      {track, "INSERT INTO track VALUES(?,?,?,?,?)"},
      {event, "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"},
      {argument, "INSERT INTO argument VALUES(?,?,?)"},
      {ready, "INSERT INTO ready(id, ready_ns) VALUES(?,?)"},
  };
  for (auto& [statement, sql] : statements) {
    statement = SqliteStatement(*database, sql);
    if (!statement) return database->Error();
  }
  return OkStatus();
}

SqliteWriter::SqliteWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SqliteWriter::~SqliteWriter() = default;

StatusOr<std::unique_ptr<SqliteWriter>> SqliteWriter::Create(const std::string& path) {
  auto impl = std::make_unique<Impl>();
  TFRT_ASSIGN_OR_RETURN(NewFile file, NewFile::Create(path));
  impl->file.emplace(std::move(file));
  TFRT_ASSIGN_OR_RETURN(SqliteDatabase database,
                        SqliteDatabase::Open(impl->file->name(), SqliteDatabase::Access::kNew));
  impl->database.emplace(std::move(database));
  TFRT_RETURN_IF_ERROR(impl->Prepare());
  return std::unique_ptr<SqliteWriter>(new SqliteWriter(std::move(impl)));
}

void SqliteWriter::AddProperty(std::string_view key, std::string_view value) {
  if (!impl_->IsOk()) return;
  impl_->property.Bind(1, key);
  impl_->property.Bind(2, value);
  impl_->Check(impl_->property.Run());
}

void SqliteWriter::AddString(std::string_view text) {
  if (!impl_->IsOk()) return;
  impl_->string.Bind(1, static_cast<int64_t>(impl_->check.num_strings++));
  impl_->string.Bind(2, text);
  impl_->Check(impl_->string.Run());
}

void SqliteWriter::AddType(const EventType& type) {
  if (!impl_->IsOk()) return;
  const int64_t id = static_cast<int64_t>(impl_->check.types.size());
  impl_->check.types.push_back(type);
  impl_->type.Bind(1, id);
  impl_->type.Bind(2, type.name);
  impl_->type.Bind(3, NameOf(type.level));
  impl_->type.Bind(4, NameOf(type.kind));
  impl_->type.Bind(5, int64_t{type.is_op});
  impl_->Check(impl_->type.Run());
  int64_t position = 0;
  for (const EventType::Argument& argument : type.arguments) {
    impl_->type_argument.Bind(1, id);
    impl_->type_argument.Bind(2, position++);
    impl_->type_argument.Bind(3, argument.name);
    impl_->type_argument.Bind(4, NameOf(argument.type));
    impl_->Check(impl_->type_argument.Run());
  }
}

void SqliteWriter::AddTrack(const Track& track) {
  if (!impl_->IsOk()) return;
  impl_->track.Bind(1, static_cast<int64_t>(impl_->check.num_tracks++));
  impl_->track.Bind(2, NameOf(track.kind));
  impl_->track.Bind(3, track.name);
  impl_->track.Bind(4, track.process_id);
  impl_->track.Bind(5, track.number);
  impl_->Check(impl_->track.Run());
}

void SqliteWriter::Impl::AddArguments(const EventFields& fields) {
  const auto& specs = check.types[fields.type].arguments;
  for (size_t i = 0; i < specs.size(); ++i) {
    argument.Bind(1, num_events);
    argument.Bind(2, static_cast<int64_t>(i));
    if (specs[i].type == ArgumentType::kReal) {
      argument.BindReal(3, std::bit_cast<double>(fields.arguments[i]));  // NULL: no number
    } else {
      argument.Bind(3, static_cast<int64_t>(fields.arguments[i]));
    }
    Check(argument.Run());
  }
}

void SqliteWriter::AddEvent(const EventFields& fields) {
  if (!impl_->IsOk() || !impl_->check.IsGood(fields)) return;
  using Ready = EventFields::Ready;
  SqliteStatement& event = impl_->event;
  event.Bind(1, impl_->num_events);
  event.Bind(2, int64_t{fields.type});
  event.Bind(3, int64_t{fields.name});
  event.Bind(4, int64_t{fields.track});
  event.BindId(5, fields.id);
  event.BindId(6, fields.parent_id);
  event.BindId(7, fields.op_id);
  event.BindId(8, fields.correlation_id);
  event.Bind(9, fields.begin_ns);
  event.Bind(10, fields.end_ns);
  event.Bind(11, std::string_view(fields.ready == Ready::kAtEnd ? "end"
                                  : fields.ready == Ready::kAt  ? "at"
                                                                : "later"));
  if (fields.ready == Ready::kAt) {
    event.Bind(12, fields.ready_ns);
  } else {
    event.BindId(12, 0);
  }
  impl_->Check(event.Run());
  impl_->AddArguments(fields);
  ++impl_->num_events;
}

void SqliteWriter::AddReady(uint64_t id, int64_t ready_ns) {
  if (!impl_->IsOk()) return;
  impl_->ready.BindId(1, id);
  impl_->ready.Bind(2, ready_ns);
  impl_->Check(impl_->ready.Run());
}

void SqliteWriter::AddProblem(const Problem& problem) {
  if (!impl_->IsOk()) return;
  impl_->problem.Bind(1, NameOf(problem.kind));
  impl_->problem.Bind(2, static_cast<int64_t>(problem.count));
  impl_->problem.Bind(3, problem.text);
  impl_->Check(impl_->problem.Run());
}

Status SqliteWriter::Finish() {
  Impl& impl = *impl_;
  if (impl.check.num_malformed > 0) AddProblem(impl.check.MakeProblem());
  if (impl.IsOk()) impl.status = impl.database->Run(kIndices);
  if (!impl.IsOk()) return impl.status;
  for (SqliteStatement* statement :
       {&impl.property, &impl.problem, &impl.string, &impl.type, &impl.type_argument, &impl.track,
        &impl.event, &impl.argument, &impl.ready}) {
    *statement = SqliteStatement();
  }
  impl.database.reset();
  return impl.status = impl.file->Keep();
}

}  // namespace tfrt::profiler
