// The files of a model: NAME/config.pbtxt and NAME/VERSION/model.bef or model.onnx.
#ifndef TFRT_LIB_SERVE_MODELS_MODEL_FOLDER_H_
#define TFRT_LIB_SERVE_MODELS_MODEL_FOLDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/models/model_config.h"
#include "tfrt/model/model.h"
#include "tfrt/support/status.h"

namespace tfrt::serve {

// The contents of a model's folder. Two are equal if no file was replaced, added or removed.
struct ModelFolder {
  // By version: names, sizes and times of the files, without those that the server wrote.
  std::map<int64_t, std::string> versions;
  std::string config;  // of config.pbtxt; empty: none
  bool operator==(const ModelFolder&) const = default;
};

// Returns true for names that a folder of a model may have. They have 1 to 255 bytes, no '/', no
// control characters and no '.' at the beginning, so that none leaves the folder.
bool IsModelName(std::string_view name);

// Returns the names of the folders in `root` that have a folder of a version, in order. Fails with
// NotFound or Internal if `root` cannot be read.
StatusOr<std::vector<std::string>> ListModels(const std::string& root);

// Fails with NotFound if there is no folder `folder` with a version.
StatusOr<ModelFolder> ReadModelFolder(const std::string& folder);

// Parses the folder's config.pbtxt; without one returns the default.
StatusOr<ModelConfig> ReadConfig(const std::string& folder, const std::string& name);

// Returns the versions of the folder that the policy serves, ascending.
std::vector<int64_t> ChooseVersions(const ModelFolder& folder, const ModelConfig& config);

// Opens VERSION_FOLDER/model.bef. If there is a model.onnx that is newer, compiles it first and
// writes model.bef, so that the next start finds it. If that cannot be written, `note` says why,
// and the model is used without. Fails with the errors of Model::Open and CompileModel.
StatusOr<Model> OpenVersion(const std::string& version_folder, HostContext* host,
                            const std::string& name, std::string* note);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_MODEL_FOLDER_H_
