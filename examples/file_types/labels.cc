#include "labels.h"

#include <algorithm>
#include <cassert>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tfrt/support/str_cat.h"

namespace file_types {
namespace {

using nlohmann::json;
using tfrt::InvalidArgumentError;
using tfrt::StatusOr;
using tfrt::StrCat;

StatusOr<json> ReadObject(const std::string& path) {
  std::ifstream file(path);
  if (!file) return tfrt::NotFoundError(StrCat("cannot open ", path));
  json object = json::parse(file, /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return InvalidArgumentError(StrCat(path, " is not a JSON object"));
  return object;
}

// A member of an object that must be there and have this type.
StatusOr<json> Member(const json& object, const char* name, json::value_t type) {
  auto member = object.find(name);
  if (member == object.end() || member->type() != type) {
    return InvalidArgumentError(StrCat("the configuration lacks '", name, "'"));
  }
  return *member;
}

}  // namespace

StatusOr<Labels> Labels::Read(const std::string& config_path,
                              const std::string& content_types_path) {
  TFRT_ASSIGN_OR_RETURN(json config, ReadObject(config_path));
  TFRT_ASSIGN_OR_RETURN(json types, ReadObject(content_types_path));
  Labels labels;
  FeatureSizes& sizes = labels.feature_sizes_;
  auto take = [&](const char* name, auto& number) -> tfrt::Status {
    TFRT_ASSIGN_OR_RETURN(json value, Member(config, name, json::value_t::number_unsigned));
    uint64_t found = value.get<uint64_t>();
    if (found > 1 << 20) return InvalidArgumentError(StrCat("'", name, "' is too large: ", found));
    number = static_cast<std::remove_reference_t<decltype(number)>>(found);
    return {};
  };
  TFRT_RETURN_IF_ERROR(take("block_size", sizes.block_size));
  TFRT_RETURN_IF_ERROR(take("beg_size", sizes.begin_size));
  TFRT_RETURN_IF_ERROR(take("end_size", sizes.end_size));
  TFRT_RETURN_IF_ERROR(take("padding_token", sizes.padding_token));
  TFRT_RETURN_IF_ERROR(take("min_file_size_for_dl", sizes.min_file_size));
  TFRT_ASSIGN_OR_RETURN(json threshold,
                        Member(config, "medium_confidence_threshold", json::value_t::number_float));
  labels.default_threshold_ = threshold.get<double>();

  TFRT_ASSIGN_OR_RETURN(json names, Member(config, "target_labels_space", json::value_t::array));
  for (const json& name : names) {
    if (!name.is_string()) return InvalidArgumentError("a label is not a string");
    labels.names_.push_back(name.get<std::string>());
  }
  TFRT_ASSIGN_OR_RETURN(json thresholds, Member(config, "thresholds", json::value_t::object));
  for (const auto& [name, value] : thresholds.items()) {
    if (value.is_number()) labels.thresholds_[name] = value.get<double>();
  }
  TFRT_ASSIGN_OR_RETURN(json overwritten, Member(config, "overwrite_map", json::value_t::object));
  for (const auto& [name, value] : overwritten.items()) {
    if (value.is_string()) labels.overwritten_[name] = value.get<std::string>();
  }
  for (const auto& [name, type] : types.items()) {
    auto is_text = type.find("is_text");
    if (is_text != type.end() && *is_text == true) labels.texts_.insert(name);
  }
  return labels;
}

Named Labels::Name(std::span<const float> scores) const {
  assert(scores.size() == names_.size());
  auto best = std::max_element(scores.begin(), scores.end());
  const std::string& label = names_[static_cast<size_t>(best - scores.begin())];
  auto threshold = thresholds_.find(label);
  bool trusted = *best >= (threshold == thresholds_.end() ? default_threshold_ : threshold->second);
  auto other = overwritten_.find(label);
  const std::string& output = other == overwritten_.end() ? label : other->second;
  if (trusted) return {output, *best};
  return {texts_.contains(output) ? "txt" : "unknown", *best};
}

Named Labels::NameSmall(const FileEnds& ends) {
  if (ends.size == 0) return {"empty", 1};
  return {IsUtf8(ends.first) ? "txt" : "unknown", 1};
}

}  // namespace file_types
