#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/profiler/sqlite_profile.h"
#include "sqlite_database.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Clock = std::chrono::steady_clock;

// How many of its steps SQLite makes between two looks at the clock: some microseconds.
constexpr int kStepsBetweenLooks = 1000;

Cell CellOf(sqlite3_stmt* row, int column) {
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
      return int64_t{sqlite3_column_int64(row, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(row, column);
    case SQLITE_NULL:
      return {};
    default: {
      const auto* text = static_cast<const char*>(sqlite3_column_blob(row, column));
      const size_t size = static_cast<size_t>(sqlite3_column_bytes(row, column));
      return std::string(text ? text : "", text ? size : 0);
    }
  }
}

// Returns the kind of a column's values.
Column::Kind KindOf(const Table& table, size_t column) {
  bool has_real = false, has_integer = false;
  for (const std::vector<Cell>& row : table.rows) {
    if (std::holds_alternative<std::string>(row[column])) return Column::Kind::kText;
    has_real = has_real || std::holds_alternative<double>(row[column]);
    has_integer = has_integer || std::holds_alternative<int64_t>(row[column]);
  }
  if (has_real) return Column::Kind::kReal;
  return has_integer ? Column::Kind::kInteger : Column::Kind::kText;
}

// In a column of reals, integers are reals, too; beside texts all are texts.
void Unify(Table& table) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    table.columns[i].kind = KindOf(table, i);
    for (std::vector<Cell>& row : table.rows) {
      Cell& cell = row[i];
      if (const int64_t* integer = std::get_if<int64_t>(&cell)) {
        if (table.columns[i].kind == Column::Kind::kReal) cell = static_cast<double>(*integer);
        if (table.columns[i].kind == Column::Kind::kText) cell = StrCat(*integer);
      } else if (const double* real = std::get_if<double>(&cell)) {
        if (table.columns[i].kind == Column::Kind::kText) cell = StrCat(*real);
      }
    }
  }
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n;") == std::string_view::npos;
}

Status QueryError(const SqliteDatabase& database, std::string_view sql) {
  std::string message(database.Error().message());
  const int offset = sqlite3_error_offset(database.get());
  if (offset >= 0 && static_cast<size_t>(offset) <= sql.size()) {
    // Where in the text: what stands there says it better than a number.
    std::string_view rest = sql.substr(static_cast<size_t>(offset));
    message +=
        StrCat(", at character ", offset + 1,
               " of the query: ", rest.empty() ? std::string_view("its end") : rest.substr(0, 40));
  }
  return InvalidArgumentError(message);
}

}  // namespace

StatusOr<Table> QuerySqlite(const std::string& path, std::string_view sql,
                            const QueryOptions& options) {
  TFRT_ASSIGN_OR_RETURN(SqliteDatabase database,
                        SqliteDatabase::Open(path, SqliteDatabase::Access::kReadOnly));
  Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(options.max_milliseconds);
  if (options.max_milliseconds > 0) {
    auto is_late = [](void* until) {
      return static_cast<int>(Clock::now() > *static_cast<Clock::time_point*>(until));
    };
    sqlite3_progress_handler(database.get(), kStepsBetweenLooks, is_late, &deadline);
  }
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const std::string text(sql);  // with a zero behind it
  if (text.size() > size_t{1} << 20) {
    return InvalidArgumentError(
        StrCat("the query has ", text.size(), " characters, more than 2^20"));
  }
  const int prepared = sqlite3_prepare_v2(database.get(), text.c_str(),
                                          static_cast<int>(text.size() + 1), &raw, &tail);
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  if (prepared != SQLITE_OK) return QueryError(database, sql);
  if (!raw) return InvalidArgumentError("the query is empty");
  if (!IsBlank(tail)) {
    return InvalidArgumentError(StrCat("one query at a time; what follows the first is '",
                                       std::string_view(tail).substr(0, 40), "'"));
  }
  if (!sqlite3_stmt_readonly(raw) || sqlite3_column_count(raw) == 0) {
    return InvalidArgumentError("the query has no rows for an answer: only SELECT has");
  }
  Table table{.id = "query", .title = "Query", .source = path};
  for (int i = 0; i < sqlite3_column_count(raw); ++i) {
    table.columns.push_back({.name = sqlite3_column_name(raw, i)});
  }
  int code;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
    if (table.rows.size() >= options.max_rows) {
      table.doubts.push_back(StrCat("there are more than these ", options.max_rows, " rows"));
      code = SQLITE_DONE;
      break;
    }
    std::vector<Cell>& row = table.rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(raw); ++i) row.push_back(CellOf(raw, i));
  }
  if ((code & 0xFF) == SQLITE_INTERRUPT) {
    return DeadlineExceededError(
        StrCat("the query takes longer than the ", options.max_milliseconds, " ms it may take"));
  }
  if (code != SQLITE_DONE) return database.Error();
  Unify(table);
  return table;
}

StatusOr<ProfileDatabase> ProfileDatabase::Open(const std::string& path,
                                                const ProfileReader& read) {
  char start[16] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof(start));
  if (LooksLikeSqlite(std::string_view(start, sizeof(start)))) return ProfileDatabase(path);
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  std::string folder = StrCat(error ? "/tmp" : temporary.string(), "/tfrt_trace.XXXXXX");
  if (!mkdtemp(folder.data())) {
    return InternalError(StrCat("cannot make a folder '", folder, "': ", std::strerror(errno)));
  }
  ProfileDatabase database(folder + "/profile.sqlite");
  database.folder_ = folder;
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ProfileConsumer> writer,
                        CreateSqliteWriter(database.path_));
  TFRT_RETURN_IF_ERROR(read(path, *writer));
  return database;
}

ProfileDatabase::ProfileDatabase(ProfileDatabase&& other) noexcept
    : path_(std::move(other.path_)), folder_(std::exchange(other.folder_, {})) {}

ProfileDatabase::~ProfileDatabase() {
  if (folder_.empty()) return;
  unlink(path_.c_str());
  rmdir(folder_.c_str());
}

}  // namespace tfrt::profiler
