// SqliteDatabase, SqliteStatement: own SQLite's objects and convert its codes to Status.
#ifndef TFRT_LIB_PROFILER_FILES_SQLITE_DATABASE_H_
#define TFRT_LIB_PROFILER_FILES_SQLITE_DATABASE_H_

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/support/status.h"

namespace tfrt::profiler {

// "TFRT" in the header of databases that CreateSqliteWriter made, and the version of their tables.
inline constexpr int64_t kSqliteMark = 0x54465254;
inline constexpr int64_t kSqliteVersion = 1;

class SqliteDatabase {
 public:
  enum class Access : uint8_t { kReadOnly, kNew };

  // Opens a database without trusting the file: no functions with effects, no other files, no texts
  // beyond 64 MiB. Data that are read later may still be damaged.
  static StatusOr<SqliteDatabase> Open(const std::string& path, Access access);
  SqliteDatabase(SqliteDatabase&& other) noexcept;
  SqliteDatabase& operator=(SqliteDatabase&&) = delete;
  ~SqliteDatabase();

  // Runs statements that have no results.
  Status Run(const char* sql);
  // Returns the error of the last call, with the file `path`.
  Status Error() const;
  sqlite3* get() const { return database_; }

 private:
  SqliteDatabase(sqlite3* database, std::string path)
      : database_(database), path_(std::move(path)) {}
  sqlite3* database_;
  std::string path_;
};

// A statement, prepared once and run many times.
class SqliteStatement {
 public:
  SqliteStatement() = default;
  // Makes an empty statement if it cannot be prepared: `database.Error()` has the reason.
  SqliteStatement(const SqliteDatabase& database, std::string_view sql);
  SqliteStatement(SqliteStatement&& other) noexcept;
  SqliteStatement& operator=(SqliteStatement&& other) noexcept;
  ~SqliteStatement();

  explicit operator bool() const { return statement_ != nullptr; }
  sqlite3_stmt* get() const { return statement_; }

  // Bind parameters, numbered from 1. Texts must live until Run or Reset.
  void Bind(int parameter, int64_t value) { sqlite3_bind_int64(statement_, parameter, value); }
  void Bind(int parameter, std::string_view text);
  void Bind(int parameter, double value) { sqlite3_bind_double(statement_, parameter, value); }
  void Bind(int parameter, std::optional<int64_t> value);  // NULL: none
  // Runs to the end. Returns SQLite's code, SQLITE_OK on success. The statement can be bound again.
  int Run();

  // Returns SQLITE_ROW, SQLITE_DONE or an error.
  int Step() { return sqlite3_step(statement_); }
  bool IsNull(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  int64_t Integer(int column) const { return sqlite3_column_int64(statement_, column); }
  double Real(int column) const { return sqlite3_column_double(statement_, column); }
  // Valid until the next Step.
  std::string_view Text(int column) const;

 private:
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_SQLITE_DATABASE_H_
