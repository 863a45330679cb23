// ModelRepository: the models of a folder, by name and version, while their files change.
#ifndef TFRT_LIB_SERVE_MODELS_MODEL_REPOSITORY_H_
#define TFRT_LIB_SERVE_MODELS_MODEL_REPOSITORY_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/models/served_model.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostContext;
}

namespace tfrt::serve {

struct RepositoryOptions {
  std::string folder;
  // How often the folder is looked at for changes; 0: only at the start, and when Load is called.
  std::chrono::milliseconds poll_interval{0};
  // Whether all models are loaded at the start. Otherwise those of `load` are, and Load loads.
  bool load_all = true;
  std::vector<std::string> load = {};
  ModelLimits limits;
  // Receives a line for each model that was loaded, unloaded, or cannot be; on the loader's thread.
  std::function<void(const std::string&)> log;
};

// A version and how it is. For an index.
struct VersionInfo {
  enum class State : uint8_t { kLoading, kReady, kUnavailable };

  std::string name;
  std::string version;  // empty: of a model without any version that could be looked at
  State state = State::kUnavailable;
  std::string reason;  // why it is not ready, or why its newest files are not served
};

// A model that answers, and its full name.
struct FoundModel {
  std::shared_ptr<ServedModel> model;
  std::string name;
  std::string version;
};

// Thread-safe. One thread looks at the folder and loads, so Load and Unload are ordered.
//
// A new or changed version is loaded beside the old one, which answers until the new one is ready.
// Requests in flight keep the version that they were submitted to. If the new files cannot be
// loaded, the old version goes on, and the index says why. A model file that is in use must be
// replaced by a rename. It is mapped, and bytes written into it would change the results.
class ModelRepository {
 public:
  // Starts loading and returns at once. Fails with NotFound or Internal if the folder cannot be
  // read, and with ResourceExhausted without a thread. The host must outlive the repository, and
  // have the kernels of models.
  static StatusOr<std::unique_ptr<ModelRepository>> Open(HostContext* host,
                                                         RepositoryOptions options);
  ModelRepository(const ModelRepository&) = delete;
  ModelRepository& operator=(const ModelRepository&) = delete;
  // Waits for a model that is being loaded. Models are destroyed when their requests are answered.
  ~ModelRepository();

  // Returns true when every model of the start has been tried. Models that failed do not count.
  bool is_ready() const;
  // Blocks until then.
  void AwaitReady();

  // Finds a version that is ready; an empty `version` is the highest of these. Fails with NotFound
  // for an unknown model or version, and with Unavailable, and the reason, if it is not ready.
  StatusOr<FoundModel> Find(std::string_view name, std::string_view version) const;
  // Returns the versions that are ready, ascending.
  std::vector<std::string> ReadyVersions(std::string_view name) const;
  // Returns all versions of all models, by name and version.
  std::vector<VersionInfo> Index() const;
  // Returns all versions that are ready, by name and version.
  std::vector<FoundModel> Ready() const;

  // Called with the outcome, on the loader's thread. Must not block.
  using Done = std::function<void(Status)>;
  // Loads the newest files of a model, or those that have changed. Fails with NotFound if the
  // folder has no such model, and with InvalidArgument for a name that IsModelName refuses.
  // Otherwise fails with the first error of a version.
  void Load(const std::string& name, Done done);
  // Requests find the model no more; those in flight are answered. Polling does not load it again.
  // Fails with NotFound if it is not loaded.
  void Unload(const std::string& name, Done done);

 private:
  struct Impl;
  explicit ModelRepository(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_MODEL_REPOSITORY_H_
