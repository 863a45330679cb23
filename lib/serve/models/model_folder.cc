#include "model_folder.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "lib/base/support/read_file.h"
#include "lib/serve/models/compile_model.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::serve {
namespace {

constexpr const char* kModelFile = "model.bef";
constexpr const char* kOnnxFile = "model.onnx";
constexpr const char* kConfigFile = "config.pbtxt";

// A file beside model.bef that says that the server wrote it, and of which model.onnx.
constexpr const char* kSourceFile = ".model.bef.source";

std::string ReasonOf(int code) {
  char buffer[128];
  return strerror_r(code, buffer, sizeof(buffer));
}

StatusOr<std::vector<std::string>> ListFolder(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), &closedir);
  if (!folder) {
    const int code = errno;
    const std::string what = StrCat("cannot read the folder '", path, "': ", ReasonOf(code));
    return code == ENOENT || code == ENOTDIR ? NotFoundError(what) : InternalError(what);
  }
  std::vector<std::string> names;
  // The stream is this function's own.
  while (const dirent* entry = readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

bool IsFolder(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// Returns a text that changes with the file's contents; nullopt: there is no such file.
std::optional<std::string> StampOf(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return StrCat(status.st_size, " ", status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec, " ",
                status.st_ino);
}

std::optional<int64_t> VersionOf(const std::string& name) {
  int64_t version = 0;
  const char* end = name.data() + name.size();
  auto [stop, error] = std::from_chars(name.data(), end, version);
  if (error != std::errc() || stop != end || version < 0) return std::nullopt;
  // "01" and "1" would be one version.
  return StrCat(version) == name ? std::optional(version) : std::nullopt;
}

// The files from which model.bef is compiled: model.onnx and its weights beside it.
std::string SourceOf(const std::string& folder, const std::vector<std::string>& names) {
  std::string source;
  for (const std::string& name : names) {
    if (name.starts_with('.') || name.starts_with(kModelFile)) continue;
    if (auto stamp = StampOf(StrCat(folder, "/", name))) {
      source += StrCat(name, " ", *stamp, "\n");
    }
  }
  return source;
}

Status WriteText(const std::string& path, std::string_view text) {
  return WriteFile(path, [&](const ByteSink& sink) {
    return sink(text.data(), text.size()) ? OkStatus()
                                          : InternalError(StrCat("cannot write ", path));
  });
}

// A folder of a version, as the fingerprint of ModelFolder; empty if it has no model.
std::string FingerprintOf(const std::string& folder) {
  StatusOr<std::vector<std::string>> names = ListFolder(folder);
  if (!names.ok()) return "";
  std::string source = SourceOf(folder, *names);
  const std::string model = StrCat(folder, "/", kModelFile);
  // The file that the server wrote changes with its source, and is no change of its own.
  if (StampOf(StrCat(folder, "/", kOnnxFile)) && StampOf(StrCat(folder, "/", kSourceFile))) {
    return source;
  }
  const auto stamp = StampOf(model);
  if (stamp) return StrCat(source, kModelFile, " ", *stamp, "\n");
  return StampOf(StrCat(folder, "/", kOnnxFile)) ? source : "";
}

Status Keep(const std::string& folder, const std::string& source, const FileBytes& bytes) {
  // In this order: a model.bef without its source would never be compiled again.
  TFRT_RETURN_IF_ERROR(WriteText(StrCat(folder, "/", kSourceFile), StrCat(source, "incomplete\n")));
  TFRT_RETURN_IF_ERROR(
      WriteFile(StrCat(folder, "/", kModelFile), [&](const ByteSink& sink) -> Status {
        if (sink(bytes.bytes().data(), bytes.bytes().size())) return OkStatus();
        return InternalError(StrCat("cannot write ", folder, "/", kModelFile));
      }));
  return WriteText(StrCat(folder, "/", kSourceFile), source);
}

}  // namespace

bool IsModelName(std::string_view name) {
  if (name.empty() || name.size() > 255 || name.front() == '.') return false;
  return std::ranges::all_of(
      name, [](char c) { return c != '/' && static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
}

StatusOr<std::vector<std::string>> ListModels(const std::string& root) {
  TFRT_ASSIGN_OR_RETURN(std::vector<std::string> names, ListFolder(root));
  std::erase_if(names, [&](const std::string& name) {
    return !IsModelName(name) || !ReadModelFolder(StrCat(root, "/", name)).ok();
  });
  return names;
}

StatusOr<ModelFolder> ReadModelFolder(const std::string& folder) {
  TFRT_ASSIGN_OR_RETURN(std::vector<std::string> names, ListFolder(folder));
  ModelFolder found;
  for (const std::string& name : names) {
    const std::optional<int64_t> version = VersionOf(name);
    const std::string path = StrCat(folder, "/", name);
    if (version && IsFolder(path)) found.versions[*version] = FingerprintOf(path);
  }
  if (found.versions.empty()) {
    return NotFoundError(
        StrCat("the folder '", folder, "' has no folder of a version, such as '1'"));
  }
  found.config = StampOf(StrCat(folder, "/", kConfigFile)).value_or("");
  return found;
}

StatusOr<ModelConfig> ReadConfig(const std::string& folder, const std::string& name) {
  const std::string path = StrCat(folder, "/", kConfigFile);
  if (!StampOf(path)) return ModelConfig();
  TFRT_ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  return ParseModelConfig(text, name);
}

std::vector<int64_t> ChooseVersions(const ModelFolder& folder, const ModelConfig& config) {
  std::vector<int64_t> chosen;
  for (const auto& [version, fingerprint] : folder.versions) chosen.push_back(version);
  if (!config.versions.empty()) {
    std::erase_if(chosen, [&](int64_t version) {
      return std::ranges::find(config.versions, version) == config.versions.end();
    });
  } else if (!config.all_versions) {
    const size_t num_latest = static_cast<size_t>(config.num_latest);
    if (chosen.size() > num_latest) {
      chosen.erase(chosen.begin(), chosen.end() - static_cast<ptrdiff_t>(num_latest));
    }
  }
  return chosen;
}

StatusOr<Model> OpenVersion(const std::string& version_folder, HostContext* host,
                            const std::string& name, std::string* note) {
  const std::string model = StrCat(version_folder, "/", kModelFile);
  const std::string onnx = StrCat(version_folder, "/", kOnnxFile);
  const bool has_model = StampOf(model).has_value();
  const ModelOptions options{.name = name};
  if (!StampOf(onnx)) {
    if (has_model) return Model::Open(model, host, options);
    return NotFoundError(
        StrCat("there is neither ", kModelFile, " nor ", kOnnxFile, " in '", version_folder, "'"));
  }
  TFRT_ASSIGN_OR_RETURN(std::vector<std::string> names, ListFolder(version_folder));
  const std::string source = SourceOf(version_folder, names);
  if (has_model) {
    // A model.bef beside a model.onnx that the server did not write is the user's choice.
    StatusOr<std::string> made_of = ReadFile(StrCat(version_folder, "/", kSourceFile));
    if (!made_of.ok() || *made_of == source) return Model::Open(model, host, options);
  }
  TFRT_ASSIGN_OR_RETURN(FileBytes bytes, CompileModel(onnx));
  Status kept = Keep(version_folder, source, bytes);
  if (kept.ok()) return Model::Open(model, host, options);
  *note = StrCat("the compiled model is not kept: ", kept.message());
  return Model::FromBytes(std::move(bytes), host, options);
}

}  // namespace tfrt::serve
