#include "model_repository.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "lib/serve/models/model_folder.h"
#include "tfrt/support/os_thread.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

// Files that cannot be loaded are tried again after at most a thousand looks at the folder.
constexpr int kMaxDoublings = 10;

struct Version {
  std::shared_ptr<ServedModel> model;  // null: not ready
  bool is_loading = false;
  std::string fingerprint;  // of the files that were tried last
  Status problem;           // of these files
  int num_failures = 0;     // of these files
  int looks_to_skip = 0;    // until they are tried again
};

struct Entry {
  std::map<int64_t, Version> versions;
  std::string config;        // fingerprint of the options that were read last
  Status problem;            // of the options or the folder
  bool is_unloaded = false;  // by Unload
};

using Entries = std::map<std::string, Entry, std::less<>>;

Status Describe(std::string_view what, const Status& status) {
  return Status(status.code(), StrCat(what, ": ", status.message()));
}

}  // namespace

// The loader's thread alone writes the entries, with the mutex held, so that it may read them
// without. Models are loaded without the mutex.
struct ModelRepository::Impl {
  Impl(HostContext* host, RepositoryOptions options) : host(host), options(std::move(options)) {}

  void Work();
  void LookAtFolder();
  // `retries`: whether files that could not be loaded are tried again though they are the same.
  Status LoadModel(const std::string& name, bool retries);
  Status LoadVersions(const std::string& name, const ModelFolder& folder, bool retries);
  Status LoadVersion(const std::string& name, int64_t number, const ModelConfig& config,
                     const std::string& fingerprint);
  Status UnloadModel(const std::string& name);
  // Whether a look at the folder tries files again that could not be loaded, though they are the
  // same. The cause may be outside of them, as a lack of descriptors. After each failure twice as
  // many looks pass, because compiling may take long.
  bool TriesAgain(Version* version);
  // The entry exists.
  void SetProblem(const std::string& name, const Status& problem);
  void Log(const std::string& line) const {
    if (options.log) options.log(line);
  }
  std::string FolderOf(const std::string& name) const { return StrCat(options.folder, "/", name); }
  void AddTask(std::function<void()> task) {
    {
      std::lock_guard lock(mutex);
      tasks.push_back(std::move(task));
    }
    changed.notify_all();
  }

  HostContext* const host;
  const RepositoryOptions options;
  mutable std::mutex mutex;
  std::condition_variable changed;
  Entries entries;
  std::deque<std::function<void()>> tasks;
  bool is_ready = false;
  bool ends = false;
  OsThread thread;
};

void ModelRepository::Impl::Work() {
  if (options.load_all) LookAtFolder();
  for (const std::string& name : options.load) {
    const Status status = IsModelName(name) ? LoadModel(name, /*retries=*/false)
                                            : InvalidArgumentError("this is no name of a model");
    if (!status.ok()) Log(StrCat("model ", name, ": ", status.message()));
  }
  std::unique_lock lock(mutex);
  is_ready = true;
  changed.notify_all();
  auto next_poll = Clock::now() + options.poll_interval;
  while (true) {
    const auto has_work = [&] { return ends || !tasks.empty(); };
    if (options.poll_interval.count() == 0) {
      changed.wait(lock, has_work);
    } else if (!changed.wait_until(lock, next_poll, has_work)) {
      lock.unlock();
      LookAtFolder();
      lock.lock();
      next_poll = Clock::now() + options.poll_interval;
      continue;
    }
    if (tasks.empty()) return;  // it ends
    const std::function<void()> task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

void ModelRepository::Impl::LookAtFolder() {
  StatusOr<std::vector<std::string>> names = ListModels(options.folder);
  if (!names.ok()) return Log(std::string(names.status().message()));
  for (const std::string& name : *names) {
    const auto entry = entries.find(name);
    // Without load_all only what was loaded on demand is looked at again.
    if (entry == entries.end() ? !options.load_all : entry->second.is_unloaded) continue;
    {
      std::lock_guard lock(mutex);
      if (ends) return;
    }
    (void)LoadModel(name, /*retries=*/false);
  }
  std::vector<std::string> missing;
  for (const auto& [name, entry] : entries) {
    if (!std::ranges::binary_search(*names, name)) missing.push_back(name);
  }
  for (const std::string& name : missing) {
    // A folder that cannot be read at the moment is not gone.
    const Status found = ReadModelFolder(FolderOf(name)).status();
    if (found.code() != StatusCode::kNotFound) {
      SetProblem(name, found);
      continue;
    }
    Log(StrCat("model ", name, ": its folder is gone"));
    Entry old;  // destroyed without the lock
    std::lock_guard lock(mutex);
    std::swap(old, entries[name]);
    entries.erase(name);
  }
}

bool ModelRepository::Impl::TriesAgain(Version* version) {
  std::lock_guard lock(mutex);
  return version->looks_to_skip-- <= 0;
}

void ModelRepository::Impl::SetProblem(const std::string& name, const Status& problem) {
  if (entries[name].problem == problem) return;  // each poll finds it again
  if (!problem.ok()) Log(StrCat("model ", name, ": ", problem.message()));
  std::lock_guard lock(mutex);
  entries[name].problem = problem;
}

Status ModelRepository::Impl::LoadModel(const std::string& name, bool retries) {
  StatusOr<ModelFolder> folder = ReadModelFolder(FolderOf(name));
  if (!folder.ok()) return folder.status();
  return LoadVersions(name, *folder, retries);
}

Status ModelRepository::Impl::LoadVersions(const std::string& name, const ModelFolder& folder,
                                           bool retries) {
  const auto found = entries.find(name);
  const bool is_new = found == entries.end() || found->second.is_unloaded;
  const bool has_new_config = is_new || found->second.config != folder.config;
  StatusOr<ModelConfig> config = ReadConfig(FolderOf(name), name);
  {
    std::lock_guard lock(mutex);
    Entry& entry = entries[name];
    entry.is_unloaded = false;
    if (config.ok()) entry.config = folder.config;
  }
  if (!config.ok()) {
    SetProblem(name, config.status());
    return config.status();
  }
  const std::vector<int64_t> chosen = ChooseVersions(folder, *config);
  if (chosen.empty()) {
    const Status problem = NotFoundError("the folder has none of the versions of version_policy");
    SetProblem(name, problem);
    return problem;
  }
  SetProblem(name, OkStatus());
  Status first_problem;
  for (int64_t number : chosen) {
    auto& versions = entries.find(name)->second.versions;
    const auto version = versions.find(number);
    const std::string& fingerprint = folder.versions.at(number);
    const bool is_known =
        version != versions.end() && version->second.fingerprint == fingerprint &&
        (version->second.problem.ok() || !(retries || TriesAgain(&version->second)));
    const Status status = is_known && !has_new_config
                              ? version->second.problem
                              : LoadVersion(name, number, *config, fingerprint);
    if (first_problem.ok() && !status.ok()) first_problem = status;
  }
  // The others go when all chosen ones are there. A version that works does not end for one that
  // cannot be loaded.
  if (!first_problem.ok()) return first_problem;
  std::vector<Version> old;  // destroyed without the lock
  std::lock_guard lock(mutex);
  std::erase_if(entries[name].versions, [&](auto& version) {
    if (std::ranges::find(chosen, version.first) != chosen.end()) return false;
    old.push_back(std::move(version.second));
    return true;
  });
  return OkStatus();
}

Status ModelRepository::Impl::LoadVersion(const std::string& name, int64_t number,
                                          const ModelConfig& config,
                                          const std::string& fingerprint) {
  {
    std::lock_guard lock(mutex);
    Version& version = entries[name].versions[number];
    version.is_loading = true;
    if (version.fingerprint != fingerprint) version.num_failures = 0;
    version.fingerprint = fingerprint;
  }
  const auto begin = Clock::now();
  std::string note;
  const auto load = [&]() -> StatusOr<std::shared_ptr<ServedModel>> {
    TFRT_ASSIGN_OR_RETURN(Model model,
                          OpenVersion(StrCat(FolderOf(name), "/", number), host, name, &note));
    return ServedModel::Create(model, config, options.limits);
  };
  StatusOr<std::shared_ptr<ServedModel>> loaded = load();
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  const std::string title = StrCat("model ", name, " version ", number);
  std::shared_ptr<ServedModel> old;  // destroyed without the lock
  bool is_known_problem = false;
  {
    std::lock_guard lock(mutex);
    Version& version = entries[name].versions[number];
    version.is_loading = false;
    is_known_problem = version.num_failures > 0 && version.problem == loaded.status();
    version.problem = loaded.status();
    if (loaded.ok()) {
      version.num_failures = 0;
      old = std::exchange(version.model, *loaded);
    } else {
      version.looks_to_skip = 1 << std::min(version.num_failures++, kMaxDoublings);
    }
  }
  if (!note.empty()) Log(StrCat(title, ": ", note));
  if (loaded.ok()) {
    Log(StrCat(title, " is ready after ", took.count(), " ms"));
  } else if (!is_known_problem) {
    Log(StrCat(title, " cannot be loaded: ", loaded.status().message()));
  }
  return loaded.ok() ? OkStatus() : Describe(title, loaded.status());
}

Status ModelRepository::Impl::UnloadModel(const std::string& name) {
  std::map<int64_t, Version> old;  // destroyed without the lock
  {
    std::lock_guard lock(mutex);
    const auto found = entries.find(name);
    if (found == entries.end() || found->second.is_unloaded) {
      return NotFoundError(StrCat("the model ", name, " is not loaded"));
    }
    old.swap(found->second.versions);
    found->second.is_unloaded = true;
    found->second.problem = OkStatus();
  }
  Log(StrCat("model ", name, " is unloaded"));
  return OkStatus();
}

ModelRepository::ModelRepository(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ModelRepository::~ModelRepository() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->ends = true;
  }
  impl_->changed.notify_all();
  if (impl_->thread.joinable()) impl_->thread.Join();
}

StatusOr<std::unique_ptr<ModelRepository>> ModelRepository::Open(HostContext* host,
                                                                 RepositoryOptions options) {
  TFRT_RETURN_IF_ERROR(ListModels(options.folder).status());
  auto impl = std::make_unique<Impl>(host, std::move(options));
  Impl* loader = impl.get();
  if (!loader->thread.Start([loader] { loader->Work(); })) {
    return ResourceExhaustedError("the system has no thread for loading models");
  }
  return std::unique_ptr<ModelRepository>(new ModelRepository(std::move(impl)));
}

bool ModelRepository::is_ready() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->is_ready;
}

void ModelRepository::AwaitReady() {
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait(lock, [&] { return impl_->is_ready; });
}

StatusOr<FoundModel> ModelRepository::Find(std::string_view name, std::string_view version) const {
  std::lock_guard lock(impl_->mutex);
  const auto entry = impl_->entries.find(name);
  if (entry == impl_->entries.end()) {
    return NotFoundError(StrCat("the model '", name, "' is unknown"));
  }
  const auto& versions = entry->second.versions;
  auto chosen = versions.end();
  if (version.empty()) {
    // The highest that is ready, or else the highest, for its problem.
    for (auto it = versions.rbegin(); it != versions.rend(); ++it) {
      if (chosen == versions.end() || (it->second.model && !chosen->second.model)) {
        chosen = std::prev(it.base());
      }
    }
  } else {
    chosen = std::ranges::find_if(versions,
                                  [&](const auto& item) { return StrCat(item.first) == version; });
    if (chosen == versions.end() && entry->second.problem.ok()) {
      return NotFoundError(StrCat("the model '", name, "' has no version '", version, "'"));
    }
  }
  if (chosen != versions.end() && chosen->second.model) {
    return FoundModel{chosen->second.model, entry->first, StrCat(chosen->first)};
  }
  const Status& problem = chosen != versions.end() && !chosen->second.problem.ok()
                              ? chosen->second.problem
                              : entry->second.problem;
  std::string reason = "it is being loaded";
  if (!problem.ok()) {
    reason = std::string(problem.message());
  } else if (entry->second.is_unloaded) {
    reason = "it is unloaded";
  }
  return UnavailableError(StrCat("the model '", name, "' is not ready: ", reason));
}

std::vector<std::string> ModelRepository::ReadyVersions(std::string_view name) const {
  std::lock_guard lock(impl_->mutex);
  std::vector<std::string> ready;
  const auto entry = impl_->entries.find(name);
  if (entry == impl_->entries.end()) return ready;
  for (const auto& [number, version] : entry->second.versions) {
    if (version.model) ready.push_back(StrCat(number));
  }
  return ready;
}

std::vector<VersionInfo> ModelRepository::Index() const {
  std::lock_guard lock(impl_->mutex);
  std::vector<VersionInfo> index;
  using State = VersionInfo::State;
  for (const auto& [name, entry] : impl_->entries) {
    if (entry.versions.empty()) {
      const std::string reason =
          entry.is_unloaded ? "unloaded" : std::string(entry.problem.message());
      index.push_back({name, "", State::kUnavailable, reason});
    }
    for (const auto& [number, version] : entry.versions) {
      const Status& problem = version.problem.ok() ? entry.problem : version.problem;
      const State state = version.model        ? State::kReady
                          : version.is_loading ? State::kLoading
                                               : State::kUnavailable;
      index.push_back({name, StrCat(number), state, std::string(problem.message())});
    }
  }
  return index;
}

std::vector<FoundModel> ModelRepository::Ready() const {
  std::lock_guard lock(impl_->mutex);
  std::vector<FoundModel> ready;
  for (const auto& [name, entry] : impl_->entries) {
    for (const auto& [number, version] : entry.versions) {
      if (version.model) ready.push_back({version.model, name, StrCat(number)});
    }
  }
  return ready;
}

void ModelRepository::Load(const std::string& name, Done done) {
  Impl* impl = impl_.get();
  impl->AddTask([impl, name, done = std::move(done)] {
    if (!IsModelName(name)) {
      return done(InvalidArgumentError("this is no name of a model"));
    }
    done(impl->LoadModel(name, /*retries=*/true));
  });
}

void ModelRepository::Unload(const std::string& name, Done done) {
  Impl* impl = impl_.get();
  impl->AddTask([impl, name, done = std::move(done)] { done(impl->UnloadModel(name)); });
}

}  // namespace tfrt::serve
