#include "sqlite_database.h"

#include <cstddef>
#include <string>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr int kMaxTextBytes = 64 << 20;

}  // namespace

StatusOr<SqliteDatabase> SqliteDatabase::Open(const std::string& path, Access access) {
  const int flags = access == Access::kReadOnly ? SQLITE_OPEN_READONLY
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags | SQLITE_OPEN_PRIVATECACHE, nullptr);
  SqliteDatabase database(raw, path);
  if (!raw) return ResourceExhaustedError(StrCat("cannot open '", path, "': out of memory"));
  if (code != SQLITE_OK) return database.Error();
  // A new one is written without a journal, which this forbids.
  const int is_defensive = access == Access::kReadOnly;
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, is_defensive, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kMaxTextBytes);
  sqlite3_limit(raw, SQLITE_LIMIT_EXPR_DEPTH, 200);
  sqlite3_limit(raw, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_extended_result_codes(raw, 1);
  return database;
}

SqliteDatabase::SqliteDatabase(SqliteDatabase&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)), path_(std::move(other.path_)) {}

SqliteDatabase::~SqliteDatabase() {
  if (database_) sqlite3_close(database_);
}

Status SqliteDatabase::Run(const char* sql) {
  return sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK ? OkStatus()
                                                                              : Error();
}

Status SqliteDatabase::Error() const {
  const std::string message = StrCat(path_, ": ", sqlite3_errmsg(database_));
  switch (sqlite3_errcode(database_)) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return DataLossError(message);
    case SQLITE_NOMEM:
    case SQLITE_FULL:
    case SQLITE_TOOBIG:
      return ResourceExhaustedError(message);
    case SQLITE_ERROR:
      return InvalidArgumentError(message);
    default:
      return InternalError(message);
  }
}

SqliteStatement::SqliteStatement(const SqliteDatabase& database, std::string_view sql) {
  sqlite3_prepare_v3(database.get(), sql.data(), static_cast<int>(sql.size()),
                     SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
}

SqliteStatement::SqliteStatement(SqliteStatement&& other) noexcept
    : statement_(std::exchange(other.statement_, nullptr)) {}

SqliteStatement& SqliteStatement::operator=(SqliteStatement&& other) noexcept {
  std::swap(statement_, other.statement_);
  return *this;
}

SqliteStatement::~SqliteStatement() { sqlite3_finalize(statement_); }

void SqliteStatement::Bind(int parameter, std::string_view text) {
  // Without memory, so never null.
  sqlite3_bind_text64(statement_, parameter, text.data() ? text.data() : "", text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
}

void SqliteStatement::Bind(int parameter, std::optional<int64_t> value) {
  if (value) {
    Bind(parameter, *value);
  } else {
    sqlite3_bind_null(statement_, parameter);
  }
}

int SqliteStatement::Run() {
  int code = sqlite3_step(statement_);
  while (code == SQLITE_ROW) code = sqlite3_step(statement_);
  sqlite3_reset(statement_);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

std::string_view SqliteStatement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text
             ? std::string_view(text, static_cast<size_t>(sqlite3_column_bytes(statement_, column)))
             : std::string_view();
}

}  // namespace tfrt::profiler
