// Profiles as SQLite databases, and queries to them.
//
// Tables: property(key, value), problem(kind, count, text), string(id, text), type(id, name, level,
// kind, is_op), type_argument(type, position, name, kind), track(id, kind, name, process_id,
// number). Further tables: event(number, type, name, track, id, parent_id, op_id, correlation_id,
// begin_ns, end_ns, ready, ready_ns), argument(event, position, value), ready(id, ready_ns). Ids
// that are not known are NULL; those from 2^63 on are negative. Views with names instead of
// numbers: span, kernel, layer, copy, counter, run, named_argument; docs/profiling.md describes
// their columns.
#ifndef TFRT_LIB_PROFILER_SQLITE_PROFILE_H_
#define TFRT_LIB_PROFILER_SQLITE_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "lib/profiler/files/export_profile.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Creates the writer of a new database. Its memory does not grow with the profile, except for its
// types. The file exists when Finish returns OK; until then it has another name beside it. Fails
// with Internal if no file can be made in the path's folder.
StatusOr<std::unique_ptr<ProfileConsumer>> CreateSqliteWriter(const std::string& path);

// Returns whether a file that begins with these bytes, 16 or more, is an SQLite database of any
// kind.
bool LooksLikeSqlite(std::string_view first_bytes);

// Reads files of CreateSqliteWriter. Fails with InvalidArgument for other databases. A damaged file
// is read up to the damage, which is reported as a problem.
Status ReadSqlite(const std::string& path, ProfileConsumer& consumer);

struct QueryOptions {
  int64_t max_milliseconds = 0;  // 0: no limit
  size_t max_rows = 1'000'000;   // further rows are left out, and a doubt reports it
};

// Returns the rows of one SELECT (or EXPLAIN, or a PRAGMA that changes nothing), of any database.
// Only that file is opened, for reading only. Fails with DeadlineExceeded, or with InvalidArgument
// and SQLite's message and its position in the text.
StatusOr<Table> QuerySqlite(const std::string& path, std::string_view sql,
                            const QueryOptions& options = {});

// A database of a profile: the file itself if it is one, otherwise a temporary copy, which is
// deleted with the object.
class ProfileDatabase {
 public:
  static StatusOr<ProfileDatabase> Open(const std::string& path, const ProfileReader& read);
  ProfileDatabase(ProfileDatabase&& other) noexcept;
  ProfileDatabase& operator=(ProfileDatabase&&) = delete;
  ~ProfileDatabase();

  const std::string& path() const { return path_; }
  bool is_temporary() const { return !folder_.empty(); }

 private:
  explicit ProfileDatabase(std::string path) : path_(std::move(path)) {}
  std::string path_;
  std::string folder_;  // that was made for it
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_SQLITE_PROFILE_H_
