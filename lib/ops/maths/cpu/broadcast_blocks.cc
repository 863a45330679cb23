#include "broadcast_blocks.h"

#include <cassert>

namespace tfrt::cpu {
namespace {

// Shorter rows are not worth a call each.
constexpr int64_t kLongRow = 256;

struct MergedDim {
  int64_t size;
  std::vector<int64_t> strides;  // of each operand
};

// The output's dimensions with the operands' strides, innermost first, as few as their layouts
// allow.
std::vector<MergedDim> Merge(std::span<const BroadcastBlocks::Operand> operands,
                             const TensorShape& out) {
  std::vector<MergedDim> dims;
  std::vector<int64_t> next(operands.size(), 1);
  for (size_t i = 0; i < out.rank(); ++i) {
    MergedDim dim{out.dim(out.rank() - 1 - i), std::vector<int64_t>(operands.size())};
    for (size_t t = 0; t < operands.size(); ++t) {
      const TensorShape& shape = operands[t].shape;
      const int64_t size = i < shape.rank() ? shape.dim(shape.rank() - 1 - i) : 1;
      if (size != 1) dim.strides[t] = next[t];
      next[t] *= size;
    }
    if (dim.size == 1) continue;
    bool continues = !dims.empty();
    for (size_t t = 0; continues && t < operands.size(); ++t) {
      continues = dim.strides[t] == dims.back().strides[t] * dims.back().size;
    }
    if (continues) {
      dims.back().size *= dim.size;
    } else {
      dims.push_back(std::move(dim));
    }
  }
  return dims;
}

}  // namespace

BroadcastBlocks::BroadcastBlocks(std::span<const Operand> operands, const TensorShape& out) {
  std::vector<MergedDim> dims = Merge(operands, out);
  if (!dims.empty()) row_ = dims[0].size;
  for (size_t i = dims.size(); i-- > 1;) outer_.push_back(dims[i].size);
  for (size_t t = 0; t < operands.size(); ++t) {
    Layout layout{.kind = Layout::Kind::kOneElement,
                  .element_size = static_cast<uint8_t>(operands[t].element_size)};
    bool is_like_output = true;
    int64_t dense = 1;
    for (const MergedDim& dim : dims) {
      if (dim.strides[t] != 0) layout.kind = Layout::Kind::kRows;
      is_like_output &= dim.strides[t] == dense;
      dense *= dim.size;
    }
    if (!dims.empty() && is_like_output) layout.kind = Layout::Kind::kLikeOutput;
    if (layout.kind == Layout::Kind::kRows) {
      has_rows_ = true;
      layout.repeats = dims[0].strides[t] == 0;
      layout.same_rows = true;
      for (size_t i = dims.size(); i-- > 1;) {
        layout.strides.push_back(dims[i].strides[t]);
        layout.same_rows &= dims[i].strides[t] == 0;
      }
    }
    operands_.push_back(std::move(layout));
  }
  has_short_rows_ = has_rows_ && row_ < kLongRow;
  for (Layout& layout : operands_) {
    if (!has_short_rows_ || layout.kind != Layout::Kind::kRows) continue;
    layout.scratch_offset = scratch_bytes_;
    scratch_bytes_ += static_cast<size_t>(kPart) * layout.element_size;
  }
}

BroadcastBlocks::Walk::Walk(const BroadcastBlocks& blocks, std::span<const void* const> data,
                            std::byte* scratch, int64_t begin)
    : blocks_(blocks), data_(data), scratch_(scratch), position_(begin) {
  for (size_t t = 0; t < blocks.num_operands(); ++t) {
    views_.push_back({data[t], blocks.operands_[t].kind == Layout::Kind::kOneElement});
  }
  if (!blocks.has_rows_) return;
  places_.resize(blocks.num_operands());
  for (size_t t = 0; t < places_.size(); ++t) {
    const Layout& layout = blocks.operands_[t];
    if (layout.kind != Layout::Kind::kRows) continue;
    Place& place = places_[t];
    place.counts.resize(layout.strides.size());
    int64_t row = begin / blocks.row_;
    for (size_t i = place.counts.size(); i-- > 0;) {
      place.counts[i] = row % blocks.outer_[i];
      row /= blocks.outer_[i];
      place.offset += place.counts[i] * layout.strides[i];
    }
  }
}

void BroadcastBlocks::Walk::AdvanceRow(size_t operand) {
  Place& place = places_[operand];
  const std::vector<int64_t>& strides = blocks_.operands_[operand].strides;
  for (size_t i = place.counts.size(); i-- > 0;) {
    if (++place.counts[i] < blocks_.outer_[i]) {
      place.offset += strides[i];
      return;
    }
    place.offset -= (blocks_.outer_[i] - 1) * strides[i];
    place.counts[i] = 0;
  }
}

// `size` output elements from column `column` of the current row on.
template <typename T>
void BroadcastBlocks::Walk::Spread(size_t operand, int64_t column, int64_t size, T* out) {
  Place& place = places_[operand];
  const bool repeats = blocks_.operands_[operand].repeats;
  auto* data = static_cast<const T*>(data_[operand]);
  while (size > 0) {
    const int64_t count = std::min(blocks_.row_ - column, size);
    const T* row = data + place.offset;
    if (repeats) {
      for (int64_t i = 0; i < count; ++i) out[i] = *row;
    } else {
      for (int64_t i = 0; i < count; ++i) out[i] = row[column + i];
    }
    out += count;
    size -= count;
    column += count;
    if (column < blocks_.row_) return;
    column = 0;
    AdvanceRow(operand);
  }
}

int64_t BroadcastBlocks::Walk::Next(int64_t most) {
  const int64_t row = blocks_.row_, column = position_ % row;
  int64_t size = most;
  if (blocks_.has_short_rows_) {
    // Whole rows, so that operands of which all rows are one are spread once.
    const int64_t whole = kPart / row * row - column;
    size = std::min(size, whole);
  } else if (blocks_.has_rows_) {
    size = std::min(size, row - column);
  }
  for (size_t t = 0; t < views_.size(); ++t) {
    const Layout& layout = blocks_.operands_[t];
    auto* data = static_cast<const std::byte*>(data_[t]);
    if (layout.kind == Layout::Kind::kLikeOutput) {
      views_[t].data = data + position_ * layout.element_size;
    }
    if (layout.kind != Layout::Kind::kRows) continue;
    Place& place = places_[t];
    if (!blocks_.has_short_rows_) {
      const int64_t offset = place.offset + (layout.repeats ? 0 : column);
      views_[t] = {data + offset * layout.element_size, layout.repeats};
      if (column + size == row) AdvanceRow(t);
      continue;
    }
    std::byte* spread = scratch_ + layout.scratch_offset;
    views_[t] = {spread, false};
    if (layout.same_rows && place.spread_column == column && place.spread_size >= size) continue;
    place.spread_column = column;
    place.spread_size = size;
    switch (layout.element_size) {
      case 1:
        Spread(t, column, size, reinterpret_cast<uint8_t*>(spread));
        break;
      case 2:
        Spread(t, column, size, reinterpret_cast<uint16_t*>(spread));
        break;
      case 4:
        Spread(t, column, size, reinterpret_cast<uint32_t*>(spread));
        break;
      case 8:
        Spread(t, column, size, reinterpret_cast<uint64_t*>(spread));
        break;
      default:
        assert(layout.element_size == 16);
        Spread(t, column, size, reinterpret_cast<unsigned __int128*>(spread));
    }
  }
  position_ += size;
  return size;
}

}  // namespace tfrt::cpu
