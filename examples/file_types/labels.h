// The names of the network's outputs, and when they are trusted.
#ifndef TFRT_EXAMPLES_FILE_TYPES_LABELS_H_
#define TFRT_EXAMPLES_FILE_TYPES_LABELS_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "file_features.h"
#include "tfrt/support/status.h"

namespace file_types {

struct Named {
  std::string label;
  double score = 0;
};

class Labels {
 public:
  // Reads config.min.json and content_types_kb.min.json of Magika's package. NotFound, or
  // InvalidArgument naming what is missing in them.
  static tfrt::StatusOr<Labels> Read(const std::string& config_path,
                                     const std::string& content_types_path);

  const FeatureSizes& feature_sizes() const { return feature_sizes_; }
  size_t num_outputs() const { return names_.size(); }

  // What the network's outputs for one file mean: the most probable type; "txt" or "unknown" if it
  // is not probable enough. `scores` has num_outputs() elements.
  Named Name(std::span<const float> scores) const;
  // What a file is that is too small for the network.
  static Named NameSmall(const FileEnds& ends);

 private:
  FeatureSizes feature_sizes_;
  std::vector<std::string> names_;
  std::map<std::string, double> thresholds_;
  double default_threshold_ = 0;
  std::map<std::string, std::string> overwritten_;
  std::set<std::string> texts_;  // types that people can read
};

}  // namespace file_types

#endif  // TFRT_EXAMPLES_FILE_TYPES_LABELS_H_
