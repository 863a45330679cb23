// Where the lines of text are, from what the detector says of each pixel.
#ifndef TFRT_EXAMPLES_READ_TEXT_TEXT_LINES_H_
#define TFRT_EXAMPLES_READ_TEXT_TEXT_LINES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "picture.h"

namespace read_text {

// The lines in a map [height,width] of probabilities that a pixel belongs to text, as boxes in a
// page of page_width by page_height pixels, in reading order: row by row, each from left to right.
//
// A line is a set of neighbouring pixels of more than 0.3, with a mean of at least 0.5. The map
// marks the core of a line only; so a box is widened on each side by 1.6 times its area over its
// circumference, as the detector was trained for (Liao et al., "Real-time Scene Text Detection with
// Differentiable Binarization", 2020, equation 10).
std::vector<Box> FindLines(std::span<const float> map, int64_t width, int64_t height,
                           int64_t page_width, int64_t page_height);

// Puts boxes in reading order. Two are of one row if the middle of one lies within the other.
void SortForReading(std::vector<Box>& boxes);

}  // namespace read_text

#endif  // TFRT_EXAMPLES_READ_TEXT_TEXT_LINES_H_
