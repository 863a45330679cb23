#include "picture.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>

#include "tfrt/support/str_cat.h"

namespace read_text {
namespace {

using tfrt::InvalidArgumentError;
using tfrt::StatusOr;
using tfrt::StrCat;

constexpr int64_t kMaxSide = 1 << 14;

// A number of the header; spaces and comments may stand before it. -1 if there is none.
int64_t TakeNumber(const std::string& bytes, size_t& position) {
  while (position < bytes.size()) {
    if (bytes[position] == '#') {
      position = std::min(bytes.find('\n', position), bytes.size());
    } else if (std::isspace(static_cast<unsigned char>(bytes[position]))) {
      ++position;
    } else {
      break;
    }
  }
  int64_t number = -1;
  while (position < bytes.size() && std::isdigit(static_cast<unsigned char>(bytes[position]))) {
    number = std::min<int64_t>(std::max<int64_t>(number, 0) * 10 + (bytes[position++] - '0'),
                               kMaxSide + 1);
  }
  return number;
}

// Where the pixel's centre lies between the pixels of a side of another length.
struct Mix {
  int64_t first;
  int64_t second;
  float share_of_second;
};
std::vector<Mix> MixesOf(int64_t size, int64_t new_size) {
  std::vector<Mix> mixes;
  for (int64_t i = 0; i < new_size; ++i) {
    double centre =
        (static_cast<double>(i) + 0.5) * static_cast<double>(size) / static_cast<double>(new_size) -
        0.5;
    centre = std::clamp(centre, 0.0, static_cast<double>(size - 1));
    auto first = static_cast<int64_t>(centre);
    mixes.push_back(
        {first, std::min(first + 1, size - 1), static_cast<float>(centre - std::floor(centre))});
  }
  return mixes;
}

}  // namespace

StatusOr<Picture> ParsePicture(const std::string& bytes, const std::string& name) {
  bool colours = bytes.starts_with("P6");
  if (!colours && !bytes.starts_with("P5")) {
    return InvalidArgumentError(StrCat(name, ": expected a PGM or PPM file (P5 or P6)"));
  }
  size_t position = 2;
  Picture picture;
  picture.width = TakeNumber(bytes, position);
  picture.height = TakeNumber(bytes, position);
  int64_t largest = TakeNumber(bytes, position);
  if (picture.width < 1 || picture.height < 1 || picture.width > kMaxSide ||
      picture.height > kMaxSide || largest != 255) {
    return InvalidArgumentError(
        StrCat(name, ": expected sides of 1 to ", kMaxSide, " pixels and values up to 255"));
  }
  ++position;  // one space ends the header
  size_t values = colours ? 3 : 1;
  size_t pixels = static_cast<size_t>(picture.width * picture.height);
  size_t rest = bytes.size() - std::min(position, bytes.size());
  if (rest < pixels * values) {
    return InvalidArgumentError(StrCat(name, ": ", picture.width, " by ", picture.height,
                                       " pixels take ", pixels * values, " bytes, but there are ",
                                       rest));
  }
  picture.greys.resize(pixels);
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data()) + position;
  for (size_t i = 0; i < pixels; ++i) {
    // Rec. 601.
    picture.greys[i] =
        colours
            ? static_cast<uint8_t>(
                  (299 * data[3 * i] + 587 * data[3 * i + 1] + 114 * data[3 * i + 2] + 500) / 1000)
            : data[i];
  }
  return picture;
}

StatusOr<Picture> ReadPicture(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return tfrt::NotFoundError(StrCat("cannot open ", path));
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return ParsePicture(bytes, path);
}

Picture Cut(const Picture& picture, const Box& box) {
  Picture part{box.width(), box.height(), {}};
  for (int64_t y = box.top; y < box.bottom; ++y) {
    auto row = picture.greys.begin() + y * picture.width;
    part.greys.insert(part.greys.end(), row + box.left, row + box.right);
  }
  return part;
}

Picture Turn(const Picture& picture) {
  Picture turned = picture;
  std::reverse(turned.greys.begin(), turned.greys.end());
  return turned;
}

std::vector<float> Scale(const Picture& picture, int64_t width, int64_t height) {
  std::vector<Mix> columns = MixesOf(picture.width, width);
  std::vector<float> result;
  result.reserve(static_cast<size_t>(width * height));
  for (const Mix& row : MixesOf(picture.height, height)) {
    for (const Mix& column : columns) {
      auto mix = [&](int64_t y) {
        float first = picture.at(y, column.first);
        float second = picture.at(y, column.second);
        return first + (second - first) * column.share_of_second;
      };
      float upper = mix(row.first);
      result.push_back(upper + (mix(row.second) - upper) * row.share_of_second);
    }
  }
  return result;
}

}  // namespace read_text
