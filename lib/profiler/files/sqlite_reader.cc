#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/kind_names.h"
#include "lib/profiler/sqlite_profile.h"
#include "sqlite_database.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// Reads the tables one after the other. A database may hold anything in any of them.
class SqliteReader {
 public:
  SqliteReader(const SqliteDatabase& database, ProfileConsumer& consumer)
      : database_(database), consumer_(consumer) {}

  Status Read() {
    for (auto part :
         {&SqliteReader::ReadProperties, &SqliteReader::ReadProblems, &SqliteReader::ReadStrings,
          &SqliteReader::ReadTypes, &SqliteReader::ReadTracks, &SqliteReader::ReadReady,
          &SqliteReader::ReadEvents}) {
      TFRT_RETURN_IF_ERROR((this->*part)());
    }
    if (num_malformed_ > 0) {
      consumer_.AddProblem(
          {.kind = Problem::Kind::kUnreadable,
           .count = num_malformed_,
           .text = StrCat(num_malformed_, " rows are not as this version writes them")});
    }
    return OkStatus();
  }

 private:
  // Calls `row` for each; rows of which it says false are counted.
  template <typename Row>
  Status ForEach(std::string_view sql, Row row) {
    SqliteStatement statement(database_, sql);
    if (!statement) return database_.Error();
    int code;
    while ((code = statement.Step()) == SQLITE_ROW) {
      if (!row(statement)) ++num_malformed_;
    }
    return code == SQLITE_DONE ? OkStatus() : database_.Error();
  }

  Status ReadProperties() {
    return ForEach("SELECT key, value FROM property ORDER BY key", [&](SqliteStatement& row) {
      const std::string key(row.Text(0));
      consumer_.AddProperty(key, row.Text(1));
      return true;
    });
  }

  Status ReadProblems() {
    return ForEach("SELECT kind, count, text FROM problem ORDER BY rowid",
                   [&](SqliteStatement& row) {
                     Problem problem;
                     if (!ParseName(row.Text(0), &problem.kind)) return false;
                     problem.count = static_cast<uint64_t>(row.Integer(1));
                     problem.text = row.Text(2);
                     consumer_.AddProblem(problem);
                     return true;
                   });
  }

  // Numbers of strings, types and tracks are the order of their rows: a gap ends what can be used.
  Status ReadStrings() {
    return ForEach("SELECT id, text FROM string ORDER BY id", [&](SqliteStatement& row) {
      if (row.Integer(0) != static_cast<int64_t>(num_strings_)) return false;
      ++num_strings_;
      consumer_.AddString(row.Text(1));
      return true;
    });
  }

  Status ReadTypes() {
    std::vector<EventType> types;
    TFRT_RETURN_IF_ERROR(ForEach(
        "SELECT id, name, level, kind, is_op FROM type ORDER BY id", [&](SqliteStatement& row) {
          EventType type;
          type.name = row.Text(1);
          type.is_op = row.Integer(4) != 0;
          if (row.Integer(0) != static_cast<int64_t>(types.size()) ||
              !ParseName(row.Text(2), &type.level) || !ParseName(row.Text(3), &type.kind)) {
            return false;
          }
          types.push_back(std::move(type));
          return true;
        }));
    TFRT_RETURN_IF_ERROR(ForEach(
        "SELECT type, position, name, kind FROM type_argument ORDER BY type, position",
        [&](SqliteStatement& row) {
          const uint64_t type = static_cast<uint64_t>(row.Integer(0));
          if (type >= types.size()) return false;
          std::vector<EventType::Argument>& arguments = types[type].arguments;
          EventType::Argument argument;
          argument.name = row.Text(2);
          if (row.Integer(1) != static_cast<int64_t>(arguments.size()) ||
              arguments.size() >= kMaxEventArguments || !ParseName(row.Text(3), &argument.type)) {
            return false;
          }
          arguments.push_back(std::move(argument));
          return true;
        }));
    for (const EventType& type : types) consumer_.AddType(type);
    types_ = std::move(types);
    return OkStatus();
  }

  Status ReadTracks() {
    return ForEach("SELECT id, kind, name, process_id, number FROM track ORDER BY id",
                   [&](SqliteStatement& row) {
                     Track track;
                     if (row.Integer(0) != static_cast<int64_t>(num_tracks_) ||
                         !ParseName(row.Text(1), &track.kind)) {
                       return false;
                     }
                     ++num_tracks_;
                     track.name = row.Text(2);
                     track.process_id = row.Integer(3);
                     track.number = row.Integer(4);
                     consumer_.AddTrack(track);
                     return true;
                   });
  }

  Status ReadReady() {
    return ForEach("SELECT id, ready_ns FROM ready ORDER BY number", [&](SqliteStatement& row) {
      consumer_.AddReady(static_cast<uint64_t>(row.Integer(0)), row.Integer(1));
      return true;
    });
  }

  Status ReadEvents() {
    SqliteStatement arguments(database_,
                              "SELECT position, value FROM argument WHERE event = ? "
                              "ORDER BY position");
    if (!arguments) return database_.Error();
    return ForEach(
        "SELECT number, type, name, track, id, parent_id, op_id, correlation_id, begin_ns, "
        "end_ns, ready, ready_ns FROM event ORDER BY number",
        [&](SqliteStatement& row) {
          const uint64_t type = static_cast<uint64_t>(row.Integer(1));
          const uint64_t name = static_cast<uint64_t>(row.Integer(2));
          const uint64_t track = static_cast<uint64_t>(row.Integer(3));
          if (type >= types_.size() || name >= num_strings_ || track >= num_tracks_) return false;
          EventFields event;
          event.type = static_cast<TypeId>(type);
          event.name = static_cast<StringId>(name);
          event.track = static_cast<TrackId>(track);
          event.id = static_cast<uint64_t>(row.Integer(4));
          event.parent_id = static_cast<uint64_t>(row.Integer(5));
          event.op_id = static_cast<uint64_t>(row.Integer(6));
          event.correlation_id = static_cast<uint64_t>(row.Integer(7));
          event.begin_ns = row.Integer(8);
          event.end_ns = row.Integer(9);
          const std::string_view ready = row.Text(10);
          if (ready == "at") {
            event.ready = EventFields::Ready::kAt;
            event.ready_ns = row.Integer(11);
          } else if (ready == "later") {
            event.ready = EventFields::Ready::kLater;
          }
          std::array<uint64_t, kMaxEventArguments> values;
          const auto& specs = types_[type].arguments;
          if (!specs.empty() && !ReadArguments(arguments, row.Integer(0), specs, values)) {
            return false;
          }
          event.arguments = std::span(values).first(specs.size());
          consumer_.AddEvent(event);
          return true;
        });
  }

  bool ReadArguments(SqliteStatement& rows, int64_t event,
                     const std::vector<EventType::Argument>& specs,
                     std::array<uint64_t, kMaxEventArguments>& values) const {
    rows.Bind(1, event);
    size_t count = 0;
    bool is_good = true;
    while (rows.Step() == SQLITE_ROW && is_good) {
      is_good = count < specs.size() && rows.Integer(0) == static_cast<int64_t>(count);
      if (!is_good) break;
      if (specs[count].type == ArgumentType::kReal) {
        const double value =
            rows.IsNull(1) ? std::numeric_limits<double>::quiet_NaN() : rows.Real(1);
        values[count] = std::bit_cast<uint64_t>(value);
      } else {
        values[count] = static_cast<uint64_t>(rows.Integer(1));
        is_good = specs[count].type != ArgumentType::kName || values[count] < num_strings_;
      }
      ++count;
    }
    sqlite3_reset(rows.get());
    return is_good && count == specs.size();
  }

  const SqliteDatabase& database_;
  ProfileConsumer& consumer_;
  std::vector<EventType> types_;
  uint64_t num_strings_ = 0;
  uint64_t num_tracks_ = 0;
  uint64_t num_malformed_ = 0;
};

// -1: cannot be read.
int64_t Pragma(const SqliteDatabase& database, std::string_view sql) {
  SqliteStatement statement(database, sql);
  return statement && statement.Step() == SQLITE_ROW ? statement.Integer(0) : -1;
}

}  // namespace

bool LooksLikeSqlite(std::string_view first_bytes) {
  return first_bytes.starts_with(std::string_view("SQLite format 3\0", 16));
}

Status ReadSqlite(const std::string& path, ProfileConsumer& consumer) {
  TFRT_ASSIGN_OR_RETURN(SqliteDatabase database,
                        SqliteDatabase::Open(path, SqliteDatabase::Access::kReadOnly));
  const int64_t mark = Pragma(database, "PRAGMA application_id");
  if (mark < 0) return database.Error();
  if (mark != kSqliteMark) {
    return InvalidArgumentError(
        StrCat(path, ": a database, but no profile that was written by tfrt"));
  }
  const int64_t version = Pragma(database, "PRAGMA user_version");
  if (version > kSqliteVersion) {
    consumer.AddProblem(
        {.kind = Problem::Kind::kUnknown,
         .text = StrCat("the file is of version ", version, ", what is read is version ",
                        kSqliteVersion, ": what is new in it is not read")});
  }
  SqliteReader reader(database, consumer);
  if (Status status = reader.Read(); !status.ok()) {
    consumer.AddProblem({.kind = Problem::Kind::kUnreadable,
                         .text = StrCat(status.message(), "; what follows is not read")});
  }
  return consumer.Finish();
}

}  // namespace tfrt::profiler
