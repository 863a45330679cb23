// Reads the text of a page with three networks: one finds the lines, one tells which stand on their
// head, one reads them.
#ifndef TFRT_EXAMPLES_READ_TEXT_PAGE_READER_H_
#define TFRT_EXAMPLES_READ_TEXT_PAGE_READER_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "picture.h"
#include "tfrt/support/status.h"

namespace read_text {

struct Values {
  std::vector<int64_t> shape;
  std::vector<float> elements;
};
// A network with one input and one output.
using Network = std::function<tfrt::StatusOr<Values>(const Values& input)>;

struct Networks {
  Network detector;                   // [1,3,H,W] -> [1,1,H,W], sides are multiples of 32
  Network direction;                  // [N,3,48,192] -> [N,2], upright and turned
  Network recogniser;                 // [1,3,48,W] -> [1,T,characters]
  std::vector<std::string> alphabet;  // what the recogniser's characters are; the first is none
};

// The alphabet that the recogniser's file carries as metadata: one character a line. The network
// has one more before them, for "none", and the space after them.
std::vector<std::string> ParseAlphabet(std::string_view lines);

struct Line {
  Box box;
  bool turned = false;  // stood on its head
  std::string text;
  double confidence = 0;  // mean of the characters' probabilities
};

struct Page {
  std::vector<Line> lines;  // in reading order
  // How long each network and what surrounds it took.
  double find_ms = 0;
  double turn_ms = 0;
  double read_ms = 0;
};

// Reads a page. What a network gives as error, or InvalidArgument if one does not fit its job.
tfrt::StatusOr<Page> ReadPage(const Networks& networks, const Picture& picture);

// The text in the recogniser's output [1,T,characters]: the most probable character of each step,
// repeated ones once (connectionist temporal classification).
tfrt::StatusOr<Line> Decode(const Values& steps, std::span<const std::string> alphabet);

}  // namespace read_text

#endif  // TFRT_EXAMPLES_READ_TEXT_PAGE_READER_H_
