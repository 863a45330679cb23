#include "pick.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "element_size.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::cpu {
namespace {

bool IsWhole(const PickedDim& dim, int64_t size) {
  return dim.pieces.size() == 1 && dim.pieces[0].from == 0 && dim.pieces[0].step == 1 &&
         dim.pieces[0].count == size;
}

// `count` units of kUnit bytes, `step` units apart. Units may have the alignment of their elements
// only.
template <size_t kUnit>
void CopyUnits(const char* in, int64_t step, int64_t count, char* out) {
  constexpr auto kBytes = static_cast<int64_t>(kUnit);
  if (step == -1) {  // in reverse order, by vectors
    for (int64_t i = 0; i < count; ++i) std::memcpy(out + i * kBytes, in - i * kBytes, kUnit);
    return;
  }
  const int64_t stride = step * kBytes;
  for (int64_t i = 0; i < count; ++i, in += stride, out += kUnit) std::memcpy(out, in, kUnit);
}

void CopyUnits(const char* in, int64_t step, int64_t count, size_t unit_bytes, char* out) {
  if (step == 1) {
    std::memcpy(out, in, static_cast<size_t>(count) * unit_bytes);
    return;
  }
  switch (unit_bytes) {
    case 1:
      return CopyUnits<1>(in, step, count, out);
    case 2:
      return CopyUnits<2>(in, step, count, out);
    case 4:
      return CopyUnits<4>(in, step, count, out);
    case 8:
      return CopyUnits<8>(in, step, count, out);
    default: {
      const int64_t stride = step * static_cast<int64_t>(unit_bytes);
      for (int64_t i = 0; i < count; ++i, in += stride, out += unit_bytes) {
        std::memcpy(out, in, unit_bytes);
      }
    }
  }
}

void Fill(const void* constant, size_t element_size, size_t bytes, char* out) {
  WithElementOfSize(element_size, [&]<typename T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, constant, sizeof(T));
    std::fill_n(reinterpret_cast<T*>(out), bytes / sizeof(T), value);
  });
}

// How often each unit is there if the dimension is all of them in their order; 0: it is something
// else.
int64_t RepeatsOf(const PickedDim& dim) {
  const int64_t repeats = dim.pieces.empty() ? 0 : dim.pieces[0].count;
  for (size_t i = 0; i < dim.pieces.size(); ++i) {
    const PickedDim::Piece& piece = dim.pieces[i];
    if (piece.from != static_cast<int64_t>(i) || piece.step != 0 || piece.count != repeats)
      return 0;
  }
  return repeats;
}

// Units of kUnit bytes; 0: as many as `unit_bytes` says.
template <size_t kUnit>
void RepeatUnits(const char* in, int64_t count, int64_t repeats, size_t unit_bytes, char* out) {
  const size_t bytes = kUnit == 0 ? unit_bytes : kUnit;
  for (int64_t i = 0; i < count; ++i, in += bytes) {
    for (int64_t k = 0; k < repeats; ++k, out += bytes) std::memcpy(out, in, bytes);
  }
}

void RepeatUnits(const char* in, int64_t count, int64_t repeats, size_t unit_bytes, char* out) {
  switch (unit_bytes) {
    case 1:
      return RepeatUnits<1>(in, count, repeats, unit_bytes, out);
    case 2:
      return RepeatUnits<2>(in, count, repeats, unit_bytes, out);
    case 4:
      // The factor of most models.
      return repeats == 2 ? RepeatUnits<4>(in, count, 2, 4, out)
                          : RepeatUnits<4>(in, count, repeats, 4, out);
    case 8:
      return RepeatUnits<8>(in, count, repeats, unit_bytes, out);
    default:
      return RepeatUnits<0>(in, count, repeats, unit_bytes, out);
  }
}

void PickRow(const PickPlan& plan, const char* in, const void* constant, char* out) {
  if (plan.repeats > 0) {
    const auto count = static_cast<int64_t>(plan.row.pieces.size());
    return RepeatUnits(in, count, plan.repeats, plan.unit_bytes, out);
  }
  for (const PickedDim::Piece& piece : plan.row.pieces) {
    const size_t bytes = static_cast<size_t>(piece.count) * plan.unit_bytes;
    if (piece.from == PickedDim::kNowhere) {
      Fill(constant, plan.element_size, bytes, out);
    } else {
      CopyUnits(in + piece.from * static_cast<int64_t>(plan.unit_bytes), piece.step, piece.count,
                plan.unit_bytes, out);
    }
    out += bytes;
  }
}

}  // namespace

void PickedDim::Add(Piece piece) {
  if (piece.count <= 0) return;
  if (pieces.empty() || (pieces.back().from == kNowhere) != (piece.from == kNowhere)) {
    pieces.push_back(piece);
    return;
  }
  Piece& last = pieces.back();
  if (piece.from == kNowhere) {
    last.count += piece.count;
    return;
  }
  // A last piece of one element can go on with any step.
  const int64_t step = last.count == 1 ? piece.from - last.from : last.step;
  const bool goes_on = piece.from == last.from + last.count * step;
  if (goes_on && (piece.count == 1 || piece.step == step)) {
    last.count += piece.count;
    last.step = step;
  } else {
    pieces.push_back(piece);
  }
}

int64_t PickedDim::size() const {
  int64_t size = 0;
  for (const Piece& piece : pieces) size += piece.count;
  return size;
}

PickPlan::PickPlan(const TensorShape& in, std::vector<PickedDim> dims, size_t element_size)
    : unit_bytes(element_size), element_size(element_size) {
  assert(dims.size() == in.rank());
  // Dimensions that are as they were, at the end, stay together.
  while (!dims.empty() && IsWhole(dims.back(), in.dim(dims.size() - 1))) {
    unit_bytes *= static_cast<size_t>(in.dim(dims.size() - 1));
    dims.pop_back();
  }
  if (dims.empty()) {
    row.Add({0, 1, 1});
    row_bytes = unit_bytes;
    return;
  }
  row = std::move(dims.back());
  repeats = RepeatsOf(row);
  row_bytes = static_cast<size_t>(row.size()) * unit_bytes;
  auto stride = static_cast<int64_t>(unit_bytes) * in.dim(dims.size() - 1);
  dims.pop_back();
  outer.resize(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    std::vector<int64_t>& offsets = outer[i].offsets;
    for (const PickedDim::Piece& piece : dims[i].pieces) {
      for (int64_t k = 0; k < piece.count; ++k) {
        offsets.push_back(piece.from == PickedDim::kNowhere
                              ? PickedDim::kNowhere
                              : (piece.from + k * piece.step) * stride);
      }
    }
    num_rows *= static_cast<int64_t>(offsets.size());
    stride *= in.dim(i);
  }
}

void Pick(const PickPlan& plan, const void* in, const void* constant, void* out, int64_t begin,
          int64_t end) {
  char* to = static_cast<char*>(out) + static_cast<size_t>(begin) * plan.row_bytes;
  int64_t before = PickedDim::kNowhere;
  for (int64_t i = begin; i < end; ++i, to += plan.row_bytes) {
    int64_t rest = i, offset = 0;
    for (size_t d = plan.outer.size(); d-- > 0 && offset != PickedDim::kNowhere;) {
      const auto size = static_cast<int64_t>(plan.outer[d].offsets.size());
      const int64_t at = plan.outer[d].offsets[static_cast<size_t>(rest % size)];
      rest /= size;
      offset = at == PickedDim::kNowhere ? at : offset + at;
    }
    if (offset == PickedDim::kNowhere) {
      Fill(constant, plan.element_size, plan.row_bytes, to);
    } else if (i > begin && offset == before) {
      std::memcpy(to, to - plan.row_bytes, plan.row_bytes);
    } else {
      PickRow(plan, static_cast<const char*>(in) + offset, constant, to);
    }
    before = offset;
  }
}

StatusOr<PadMode> PadModeOf(std::string_view name) {
  if (name == "constant") return PadMode::kConstant;
  if (name == "reflect") return PadMode::kReflect;
  if (name == "edge") return PadMode::kEdge;
  if (name == "wrap") return PadMode::kWrap;
  return InvalidArgumentError(StrCat("pad: unknown mode '", name, "'"));
}

StatusOr<PickedDim> PaddedDim(int64_t size, int64_t before, int64_t after, PadMode mode) {
  constexpr int64_t kLimit = int64_t{1} << 61;  // so that sums of these fit
  const bool fits = std::abs(std::max(before, -kLimit - 1)) <= kLimit &&
                    std::abs(std::max(after, -kLimit - 1)) <= kLimit && size <= kLimit;
  const int64_t whole = fits ? size + before + after : -1;
  if (whole < 0) {
    return InvalidArgumentError(StrCat("pad: a dimension of ", size, " cannot have ", before,
                                       " positions before and ", after, " after it"));
  }
  // The input keeps positions [first, first + left).
  const int64_t first = std::max<int64_t>(0, -before);
  const int64_t left = std::max<int64_t>(0, size + std::min<int64_t>(0, after) - first);
  PickedDim result;
  if (mode == PadMode::kConstant) {
    const int64_t leading = left > 0 ? first + before : whole;
    result.Add({PickedDim::kNowhere, leading, 0});
    result.Add({first, left, 1});
    result.Add({PickedDim::kNowhere, whole - leading - left, 0});
    return result;
  }
  if (whole == 0) return result;
  if (left == 0) {
    return InvalidArgumentError(
        StrCat("pad: nothing of a dimension of ", size, " is left to take what is around it from"));
  }
  before = std::max<int64_t>(before, 0);
  after = std::max<int64_t>(after, 0);
  const int64_t last = first + left - 1;
  if (mode == PadMode::kEdge || left == 1) {
    result.Add({first, before, 0});
    result.Add({first, left, 1});
    result.Add({last, after, 0});
    return result;
  }
  // Walks over the positions again and again, with a period.
  const int64_t period = mode == PadMode::kWrap ? left : 2 * left - 2;
  for (int64_t i = -before; i < left + after;) {
    const int64_t at = ((i % period) + period) % period;
    const bool back = at >= left;
    const int64_t count = std::min(left + after - i, back ? period - at : left - at);
    result.Add({back ? last - (at - left + 1) : first + at, count, back ? -1 : 1});
    i += count;
  }
  return result;
}

}  // namespace tfrt::cpu
