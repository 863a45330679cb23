// Pictures as far as this example needs them: grey, read from PGM and PPM files, cut and scaled.
#ifndef TFRT_EXAMPLES_READ_TEXT_PICTURE_H_
#define TFRT_EXAMPLES_READ_TEXT_PICTURE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tfrt/support/status.h"

namespace read_text {

struct Picture {
  int64_t width = 0;
  int64_t height = 0;
  std::vector<uint8_t> greys;  // [height,width], 0 is black

  uint8_t at(int64_t y, int64_t x) const { return greys[static_cast<size_t>(y * width + x)]; }
};

// Part of a picture, in pixels; right and bottom are the first that do not belong to it.
struct Box {
  int64_t left = 0;
  int64_t top = 0;
  int64_t right = 0;
  int64_t bottom = 0;

  int64_t width() const { return right - left; }
  int64_t height() const { return bottom - top; }
};

// Reads a PGM (P5) or PPM (P6) file with 8 bits a value; colours become grey. NotFound, or
// InvalidArgument for other files and such that are cut off.
tfrt::StatusOr<Picture> ReadPicture(const std::string& path);
tfrt::StatusOr<Picture> ParsePicture(const std::string& bytes, const std::string& name);

// A copy of the pixels in `box`, which lies inside of the picture.
Picture Cut(const Picture& picture, const Box& box);
// The same picture turned by 180 degrees.
Picture Turn(const Picture& picture);
// The picture in another size: each pixel is mixed from the four that are nearest to its centre.
// Values stay between 0 and 255, but are no longer whole.
std::vector<float> Scale(const Picture& picture, int64_t width, int64_t height);

}  // namespace read_text

#endif  // TFRT_EXAMPLES_READ_TEXT_PICTURE_H_
