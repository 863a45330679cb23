#include "page_reader.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <utility>

#include "text_lines.h"
#include "tfrt/support/str_cat.h"

namespace read_text {
namespace {

using tfrt::Status;
using tfrt::StatusOr;
using tfrt::StrCat;

constexpr int64_t kLineHeight = 48;
constexpr int64_t kDirectionWidth = 192;
constexpr float kTurnedProbability = 0.9f;
// Lines are padded to few widths, as each new one costs the runtime preparations.
constexpr int64_t kReadWidth = 320;
constexpr int64_t kReadWidthStep = 160;

class Stopwatch {
 public:
  double ms() const {
    auto passed = std::chrono::steady_clock::now() - start_;
    return std::chrono::duration<double, std::milli>(passed).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int64_t RoundUp(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// The width of a line that is scaled to the networks' height.
int64_t ScaledWidth(const Picture& line) {
  return RoundUp(kLineHeight * line.width, line.height) / line.height;
}

// Appends the picture three times, as red, green and blue, with values from -1 to 1; what is left
// of the width is 0.
void Append(const Picture& picture, int64_t scaled_width, int64_t height, int64_t width,
            std::vector<float>& elements) {
  std::vector<float> scaled = Scale(picture, scaled_width, height);
  for (int channel = 0; channel < 3; ++channel) {
    for (int64_t y = 0; y < height; ++y) {
      auto row = scaled.begin() + y * scaled_width;
      std::transform(row, row + scaled_width, std::back_inserter(elements),
                     [](float grey) { return grey / 127.5f - 1; });
      elements.insert(elements.end(), static_cast<size_t>(width - scaled_width), 0.0f);
    }
  }
}

Status CheckShape(std::string_view network, const Values& output,
                  const std::vector<int64_t>& expected) {
  bool fits = output.shape.size() == expected.size();
  for (size_t i = 0; fits && i < expected.size(); ++i) {
    fits = expected[i] < 0 || output.shape[i] == expected[i];
  }
  if (fits) return Status();
  std::string shape;
  for (int64_t dim : output.shape) shape += StrCat(shape.empty() ? "" : ",", dim);
  return tfrt::InvalidArgumentError(
      StrCat("the ", network, " gives values of shape [", shape, "], which do not fit its job"));
}

StatusOr<std::vector<Box>> Find(const Network& detector, const Picture& page) {
  auto side = [](int64_t pixels) { return std::max<int64_t>((pixels + 16) / 32 * 32, 32); };
  int64_t width = side(page.width);
  int64_t height = side(page.height);
  Values input{{1, 3, height, width}, {}};
  Append(page, width, height, width, input.elements);
  TFRT_ASSIGN_OR_RETURN(Values map, detector(input));
  TFRT_RETURN_IF_ERROR(CheckShape("detector", map, {1, 1, height, width}));
  return FindLines(map.elements, width, height, page.width, page.height);
}

// Which lines stand on their head.
StatusOr<std::vector<bool>> FindTurned(const Network& direction, std::span<const Picture> lines) {
  auto count = static_cast<int64_t>(lines.size());
  Values input{{count, 3, kLineHeight, kDirectionWidth}, {}};
  for (const Picture& line : lines) {
    Append(line, std::min(ScaledWidth(line), kDirectionWidth), kLineHeight, kDirectionWidth,
           input.elements);
  }
  TFRT_ASSIGN_OR_RETURN(Values output, direction(input));
  TFRT_RETURN_IF_ERROR(CheckShape("direction network", output, {count, 2}));
  std::vector<bool> turned;
  for (size_t i = 0; i < lines.size(); ++i) {
    turned.push_back(output.elements[2 * i + 1] > kTurnedProbability);
  }
  return turned;
}

StatusOr<Line> Read(const Networks& networks, const Picture& line) {
  int64_t scaled_width = ScaledWidth(line);
  int64_t width = std::max(RoundUp(scaled_width, kReadWidthStep), kReadWidth);
  Values input{{1, 3, kLineHeight, width}, {}};
  Append(line, scaled_width, kLineHeight, width, input.elements);
  TFRT_ASSIGN_OR_RETURN(Values steps, networks.recogniser(input));
  return Decode(steps, networks.alphabet);
}

}  // namespace

std::vector<std::string> ParseAlphabet(std::string_view lines) {
  std::vector<std::string> alphabet = {""};
  while (!lines.empty()) {
    size_t end = std::min(lines.find('\n'), lines.size());
    alphabet.emplace_back(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  alphabet.emplace_back(" ");
  return alphabet;
}

StatusOr<Line> Decode(const Values& steps, std::span<const std::string> alphabet) {
  auto characters = static_cast<int64_t>(alphabet.size());
  TFRT_RETURN_IF_ERROR(CheckShape("recogniser", steps, {1, -1, characters}));
  Line line;
  int64_t before = 0;
  int64_t count = 0;
  for (int64_t step = 0; step < steps.shape[1]; ++step) {
    auto begin = steps.elements.begin() + step * characters;
    auto best = std::max_element(begin, begin + characters);
    int64_t character = best - begin;
    if (character != 0 && character != before) {
      line.text += alphabet[static_cast<size_t>(character)];
      line.confidence += *best;
      ++count;
    }
    before = character;
  }
  if (count > 0) line.confidence /= static_cast<double>(count);
  return line;
}

StatusOr<Page> ReadPage(const Networks& networks, const Picture& picture) {
  Page page;
  Stopwatch find;
  TFRT_ASSIGN_OR_RETURN(std::vector<Box> boxes, Find(networks.detector, picture));
  page.find_ms = find.ms();
  if (boxes.empty()) return page;

  Stopwatch turn;
  std::vector<Picture> pictures;
  for (const Box& box : boxes) pictures.push_back(Cut(picture, box));
  TFRT_ASSIGN_OR_RETURN(std::vector<bool> turned, FindTurned(networks.direction, pictures));
  page.turn_ms = turn.ms();

  Stopwatch read;
  for (size_t i = 0; i < boxes.size(); ++i) {
    TFRT_ASSIGN_OR_RETURN(Line line, Read(networks, turned[i] ? Turn(pictures[i]) : pictures[i]));
    line.box = boxes[i];
    line.turned = turned[i];
    page.lines.push_back(std::move(line));
  }
  page.read_ms = read.ms();
  return page;
}

}  // namespace read_text
