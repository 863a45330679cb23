#include "files.h"

#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/files/export_profile.h"
#include "lib/profiler/files/json_profile.h"
#include "lib/profiler/perfetto/perfetto_writer.h"
#include "lib/profiler/pprof.h"
#include "lib/profiler/sqlite_profile.h"
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/profiler/read_profile.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::profiler {
namespace {

// Reads a pprof file, or makes a Pprof of a profile.
StatusOr<Pprof> ReadAnyPprof(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string first(512, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<size_t>(file.gcount()));
  if (LooksLikePprof(first)) {
    // Both are packed by gzip or not: a profile is no pprof file.
    StatusOr<Pprof> profile = ReadPprof(path);
    if (profile.ok()) return profile;
  }
  StatusOr<Profile> profile = LoadProfile(path);
  if (profile.ok()) return PprofOf(*profile);
  return Status(profile.status().code(),
                StrCat("neither a pprof file nor a profile: ", profile.status().message()));
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

// Tells `consumer` of a profile and of some facts, which win over those that the profile holds.
class FactSetter final : public ForwardingConsumer {
 public:
  FactSetter(ProfileConsumer& consumer, const std::vector<std::string>& facts)
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
  TFRT_ASSIGN_OR_RETURN(ProfileDatabase database,
                        ProfileDatabase::Open(line.inputs[0], &ReadProfile));
  StatusOr<Table> table =
      QuerySqlite(database.path(), line.sql, {.max_milliseconds = line.timeout_ms});
  if (!table.ok()) {
    // People asked the profile, not the database that is made of it.
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
  const auto read = [&](const std::string& path, ProfileConsumer& consumer) {
    FactSetter setter(consumer, line.properties);
    return ReadProfile(path, setter);
  };
  if (format == "chrome") return ExportProfile(from, line.output, read, CreateChromeJsonWriter);
  if (format == "sqlite") return ExportProfile(from, line.output, read, CreateSqliteWriter);
  if (format == "pprof") return ExportProfile(from, line.output, read, CreatePprofWriter);
  TFRT_ASSIGN_OR_RETURN(NewFile file, NewFile::Create(line.output));
  TFRT_RETURN_IF_ERROR(
      ExportProfile(from, file.name(), read,
                    [](const std::string& path) -> StatusOr<std::unique_ptr<ProfileConsumer>> {
                      TFRT_ASSIGN_OR_RETURN(auto writer, PerfettoWriter::Create(path));
                      return std::unique_ptr<ProfileConsumer>(std::move(writer));
                    }));
  return file.Keep();
}

StatusOr<Report> ComparePprofs(const CommandLine& line) {
  if (line.command == Command::kFleetTop) {
    TFRT_ASSIGN_OR_RETURN(Pprof profile, ReadAnyPprof(line.inputs[0]));
    TFRT_ASSIGN_OR_RETURN(Table owners, OwnerShares(profile));
    TFRT_ASSIGN_OR_RETURN(Table functions, TopFunctions(profile));
    return OneTable(line.inputs[0], {std::move(owners), std::move(functions)});
  }
  if (line.inputs.size() < 2) return InvalidArgumentError("fleet diff needs two profiles or more");
  std::vector<NamedPprof> profiles;
  for (const std::string& path : line.inputs) {
    TFRT_ASSIGN_OR_RETURN(Pprof profile, ReadAnyPprof(path));
    profiles.push_back({path, std::move(profile)});
  }
  TFRT_ASSIGN_OR_RETURN(Table table, DiffPprofs(profiles));
  return OneTable("Differences by call path", {std::move(table)});
}

Status MergeIntoPprof(const CommandLine& line) {
  std::vector<Pprof> profiles;
  for (const std::string& path : line.inputs) {
    TFRT_ASSIGN_OR_RETURN(Pprof profile, ReadAnyPprof(path));
    profiles.push_back(std::move(profile));
  }
  TFRT_ASSIGN_OR_RETURN(Pprof merged, MergePprofs(profiles));
  return WritePprof(merged, line.output);
}

}  // namespace tfrt::profiler
