// What Magika's network looks at: the first and the last bytes of a file. As its package documents
// ("features extraction v2" in magika/magika.py, Apache-2.0).
#ifndef TFRT_EXAMPLES_FILE_TYPES_FILE_FEATURES_H_
#define TFRT_EXAMPLES_FILE_TYPES_FILE_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"

namespace file_types {

// How many bytes are looked at; from the network's configuration.
struct FeatureSizes {
  size_t block_size = 0;  // bytes read at each end
  size_t begin_size = 0;  // of these, bytes that the network sees
  size_t end_size = 0;
  int32_t padding_token = 0;  // stands where a file has no more bytes
  size_t min_file_size = 0;   // smaller files are not shown to the network
};

// The ends of a file; they overlap if it is small.
struct FileEnds {
  uint64_t size = 0;
  std::string first;  // the first bytes, at most block_size
  std::string last;   // the last bytes, at most block_size
};
// NotFound if it cannot be opened, InvalidArgument for folders and other things without bytes.
tfrt::StatusOr<FileEnds> ReadEnds(const std::string& path, size_t block_size);

// The network's input: the first bytes without the white space before them, padded at their end;
// then the last bytes without the white space after them, padded at their begin. Empty if there is
// too little to show to the network.
std::vector<int32_t> ExtractFeatures(const FileEnds& ends, const FeatureSizes& sizes);

// Whether these bytes are text in UTF-8.
bool IsUtf8(std::string_view bytes);

}  // namespace file_types

#endif  // TFRT_EXAMPLES_FILE_TYPES_FILE_FEATURES_H_
