// The JSON documents about models and the server: metadata, options, statistics, index.
#ifndef TFRT_LIB_SERVE_PROTOCOL_DOCUMENTS_H_
#define TFRT_LIB_SERVE_PROTOCOL_DOCUMENTS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/models/model_repository.h"
#include "lib/serve/models/shared_regions.h"
#include "tfrt/model/model.h"

namespace tfrt::serve {

std::string ErrorDocument(std::string_view message);
std::string ServerDocument(std::string_view version, bool has_regions);
// The inputs and results of a model; `versions` are those that are ready.
std::string ModelDocument(const FoundModel& found, std::span<const std::string> versions);
// The options that the model runs with, under the names of its config.pbtxt.
std::string ConfigDocument(const FoundModel& found);
std::string StatisticsDocument(std::span<const FoundModel> models);
std::string RegionsDocument(std::span<const RegionInfo> regions);
std::string IndexDocument(std::span<const VersionInfo> index, bool only_ready);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_PROTOCOL_DOCUMENTS_H_
