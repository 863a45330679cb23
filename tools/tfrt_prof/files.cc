#include "files.h"

#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/files/export_trace.h"
#include "lib/profiler/perfetto/perfetto_writer.h"
#include "lib/profiler/pprof.h"
#include "lib/profiler/sqlite_trace.h"
#include "tfrt/profiler/read_trace.h"
#include "tfrt/profiler/trace.h"
#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::profiler {
namespace {

// A profile, or that of a trace.
StatusOr<Profile> ReadAnyProfile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string first(512, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<size_t>(file.gcount()));
  if (LooksLikeProfile(first)) {
    // Both are packed by gzip or not: a trace is no profile.
    StatusOr<Profile> profile = ReadProfile(path);
    if (profile.ok()) return profile;
  }
  StatusOr<Trace> trace = LoadTrace(path);
  if (trace.ok()) return ProfileOf(*trace);
  return Status(trace.status().code(),
                StrCat("neither a profile nor a trace: ", trace.status().message()));
}

// By the file's ending where the command line does not say.
StatusOr<std::string> FormatOf(const CommandLine& line) {
  if (!line.format.empty()) return line.format;
  for (auto [ending, format] :
       {std::pair(".pftrace", "perfetto"), std::pair(".json", "chrome"), std::pair(".db", "sqlite"),
        std::pair(".sqlite", "sqlite"), std::pair(".pb.gz", "pprof")}) {
    if (line.output.ends_with(ending)) return std::string(format);
  }
  return InvalidArgumentError(StrCat("'", line.output, "' may be of any format: say --format"));
}

// Tells `consumer` of a trace and of some facts, which win over those that the trace holds.
class FactSetter final : public ForwardingConsumer {
 public:
  FactSetter(TraceConsumer& consumer, const std::vector<std::string>& facts)
      : ForwardingConsumer(&consumer) {
    for (const std::string& fact : facts) {
      const size_t equals = fact.find('=');
      facts_[fact.substr(0, equals)] = fact.substr(equals + 1);
    }
    for (const auto& [key, value] : facts_) ForwardingConsumer::AddProperty(key, value);
  }
  void AddProperty(std::string_view key, std::string_view value) override {
    if (!facts_.contains(key)) ForwardingConsumer::AddProperty(key, value);
  }

 private:
  std::map<std::string, std::string, std::less<>> facts_;
};

Report OneTable(std::string title, std::vector<Table> tables) {
  Section section{.id = "result", .title = title, .tables = std::move(tables)};
  return {.title = std::move(title), .sections = {std::move(section)}};
}

}  // namespace

StatusOr<Report> Query(const CommandLine& line) {
  TFRT_ASSIGN_OR_RETURN(TraceDatabase database, TraceDatabase::Open(line.inputs[0], &ReadTrace));
  StatusOr<Table> table =
      QuerySqlite(database.path(), line.sql, {.max_milliseconds = line.timeout_ms});
  if (!table.ok()) {
    // People asked the trace, not the database that is made of it.
    std::string message(table.status().message());
    if (message.starts_with(database.path())) {
      message.replace(0, database.path().size(), line.inputs[0]);
    }
    return Status(table.status().code(), std::move(message));
  }
  table->source = line.inputs[0];
  table->num_shown = 100;
  return OneTable(line.sql, {*std::move(table)});
}

Status Export(const CommandLine& line) {
  TFRT_ASSIGN_OR_RETURN(const std::string format, FormatOf(line));
  const std::string& from = line.inputs[0];
  TFRT_RETURN_IF_ERROR(CheckIsNotInput(line.output, from));
  const auto read = [&](const std::string& path, TraceConsumer& consumer) {
    FactSetter setter(consumer, line.properties);
    return ReadTrace(path, setter);
  };
  if (format == "chrome") return ExportTrace(from, line.output, read, TraceFormat::kChromeJson);
  if (format == "sqlite") return ExportTrace(from, line.output, read, TraceFormat::kSqlite);
  if (format == "pprof") return ExportTrace(from, line.output, read, TraceFormat::kPprof);
  TFRT_ASSIGN_OR_RETURN(NewFile file, NewFile::Create(line.output));
  TFRT_RETURN_IF_ERROR(
      ExportTrace(from, file.name(), read,
                  [](const std::string& path) -> StatusOr<std::unique_ptr<TraceConsumer>> {
                    TFRT_ASSIGN_OR_RETURN(auto writer, PerfettoWriter::Create(path));
                    return std::unique_ptr<TraceConsumer>(std::move(writer));
                  }));
  return file.Keep();
}

StatusOr<Report> CompareProfiles(const CommandLine& line) {
  if (line.command == Command::kFleetTop) {
    TFRT_ASSIGN_OR_RETURN(Profile profile, ReadAnyProfile(line.inputs[0]));
    TFRT_ASSIGN_OR_RETURN(Table owners, OwnerShares(profile));
    TFRT_ASSIGN_OR_RETURN(Table functions, TopFunctions(profile));
    return OneTable(line.inputs[0], {std::move(owners), std::move(functions)});
  }
  if (line.inputs.size() < 2) return InvalidArgumentError("fleet diff needs two profiles or more");
  std::vector<NamedProfile> profiles;
  for (const std::string& path : line.inputs) {
    TFRT_ASSIGN_OR_RETURN(Profile profile, ReadAnyProfile(path));
    profiles.push_back({path, std::move(profile)});
  }
  TFRT_ASSIGN_OR_RETURN(Table table, DiffProfiles(profiles));
  return OneTable("Differences by call path", {std::move(table)});
}

Status MergeIntoProfile(const CommandLine& line) {
  std::vector<Profile> profiles;
  for (const std::string& path : line.inputs) {
    TFRT_ASSIGN_OR_RETURN(Profile profile, ReadAnyProfile(path));
    profiles.push_back(std::move(profile));
  }
  TFRT_ASSIGN_OR_RETURN(Profile merged, MergeProfiles(profiles));
  return WriteProfile(merged, line.output);
}

}  // namespace tfrt::profiler
