#include "image_window_rules.h"

namespace tfrt::internal {
namespace {

bool EqualIgnoringCase(std::string_view a, std::string_view lower) {
  return std::ranges::equal(a, lower, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

}  // namespace

bool ParseImagePadding(std::string_view text, ImageWindowAttributes::Padding* padding) {
  using Padding = ImageWindowAttributes::Padding;
  if (EqualIgnoringCase(text, "same")) {
    *padding = Padding::kSame;
  } else if (EqualIgnoringCase(text, "explicit")) {
    *padding = Padding::kExplicit;
  } else if (EqualIgnoringCase(text, "valid")) {
    *padding = Padding::kValid;
  } else {
    return false;
  }
  return true;
}

Status SpatialNumbers(std::string_view name, std::span<const int64_t> numbers, bool channels_last,
                      int64_t (&values)[2]) {
  if (numbers.size() != 4 || numbers[0] != 1 || numbers[channels_last ? 3 : 1] != 1) {
    return InvalidArgumentError(
        StrCat(name, " are not four numbers with 1 for batch and channels"));
  }
  for (size_t i = 0; i < 2; ++i) {
    values[i] = numbers[(channels_last ? 1 : 2) + i];
    if (values[i] <= 0) return InvalidArgumentError(StrCat(name, " have the element ", values[i]));
  }
  return OkStatus();
}

Status ExplicitSums(std::span<const int64_t> numbers, ImageWindowAttributes* windows) {
  bool valid =
      numbers.size() == 8 && std::ranges::all_of(numbers, [](int64_t n) { return n >= 0; });
  for (size_t i = 0; valid && i < 2; ++i) {
    const size_t at = 2 * windows->spatial(i);
    valid = !__builtin_add_overflow(numbers[at], numbers[at + 1], &windows->padded[i]);
  }
  return valid ? OkStatus() : InvalidArgumentError("explicit_paddings are not eight sizes");
}

int64_t CountWindows(const ImageWindowAttributes& windows, size_t i, int64_t input,
                     int64_t filter) {
  // The product of two int64_t fits, and so do the few sums that follow.
  using Wide = __int128;
  const int64_t stride = windows.strides[i];
  if (windows.padding == ImageWindowAttributes::Padding::kSame) {
    return static_cast<int64_t>((Wide(input) + stride - 1) / stride);
  }
  const Wide extent = Wide(filter - 1) * windows.dilations[i] + 1;
  const Wide output = (Wide(input) + windows.padded[i] - extent + stride) / stride;
  return output < 0 || output > INT64_MAX ? -1 : static_cast<int64_t>(output);
}

Status WrongRank(std::string_view name, std::string_view shape) {
  return InvalidArgumentError(StrCat(name, " has the shape ", shape));
}

Status MustBeEqual(std::string_view what, std::string_view a, std::string_view b) {
  return InvalidArgumentError(StrCat(what, " that must be equal are ", a, " and ", b));
}

}  // namespace tfrt::internal
