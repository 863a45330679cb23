#include "views.h"

#include <algorithm>

#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

std::optional<std::vector<Extent>> extentsOf(mlir::Value value, ValueFacts& facts) {
  const SymbolicShape& shape = facts.of(value).shape;
  if (!shape.has_rank()) return std::nullopt;
  std::vector<Extent> sizes;
  for (Dim dim : shape.dims()) sizes.emplace_back(dim);
  return sizes;
}

// The strides of the view with other sizes, if there are such: sizes of both are grouped so that
// each group has as many elements, and lies in one piece.
bool reshapeView(View& view, std::vector<Extent> sizes) {
  std::vector<Extent> strides(sizes.size());
  size_t i = 0, j = 0;
  while (true) {
    while (i < view.sizes.size() && view.sizes[i].is(1)) ++i;
    while (j < sizes.size() && sizes[j].is(1)) ++j;
    if (i == view.sizes.size() || j == sizes.size()) break;
    size_t old_end = i + 1, new_end = j + 1;
    Extent old_count = view.sizes[i], new_count = sizes[j];
    while (!(old_count == new_count)) {
      if (new_end < sizes.size() && new_count.divides(old_count)) {
        new_count = new_count * sizes[new_end++];
      } else if (old_end < view.sizes.size() && old_count.divides(new_count)) {
        old_count = old_count * view.sizes[old_end++];
      } else {
        return false;
      }
    }
    // Sizes of 1 lie nowhere.
    Extent inner = view.strides[old_end - 1], count = 1;
    bool has_inner = false;
    for (size_t k = old_end; k-- > i;) {
      if (view.sizes[k].is(1)) continue;
      if (!has_inner) inner = view.strides[k];
      has_inner = true;
      if (!(view.strides[k] == inner * count)) return false;
      count = count * view.sizes[k];
    }
    count = 1;
    for (size_t k = new_end; k-- > j;) {
      strides[k] = inner * count;
      count = count * sizes[k];
    }
    i = old_end;
    j = new_end;
  }
  if (i != view.sizes.size() || j != sizes.size()) return false;
  view.sizes = std::move(sizes);
  view.strides = std::move(strides);
  return true;
}

bool sliceView(View& view, SliceOp op, std::vector<Extent> sizes, ValueFacts& facts) {
  auto begin = facts.elementsOf(op.argument("begin"));
  if (!begin) return false;
  for (size_t i = 0; i < begin->size(); ++i) {
    if ((*begin)[i] == 0) continue;
    auto step = view.strides[i].number();
    if (!step) return false;
    view.offset += (*begin)[i] * *step;
  }
  view.sizes = std::move(sizes);
  return true;
}

}  // namespace

Extent::Extent(Dim dim) : number_(dim.is_known() ? dim.value() : 1) {
  if (dim.is_symbol()) symbols_.push_back(dim.symbol());
}

Extent operator*(const Extent& a, const Extent& b) {
  Extent product(a.number_ * b.number_);
  std::ranges::merge(a.symbols_, b.symbols_, std::back_inserter(product.symbols_));
  return product;
}

bool Extent::divides(const Extent& other) const {
  return number_ != 0 && other.number_ % number_ == 0 &&
         std::ranges::includes(other.symbols_, symbols_);
}

bool haveSameCount(const SymbolicShape& a, const SymbolicShape& b) {
  auto count_of = [](const SymbolicShape& shape) -> std::optional<Extent> {
    if (!shape.has_rank()) return std::nullopt;
    Extent count = 1;
    for (Dim dim : shape.dims()) {
      if (dim.is_unknown()) return std::nullopt;
      count = count * Extent(dim);
    }
    return count;
  };
  auto count = count_of(a);
  return count && count == count_of(b);
}

std::optional<View> viewOf(mlir::Value value, ValueFacts& facts) {
  auto sizes = extentsOf(value, facts);
  if (!sizes) return std::nullopt;
  mlir::Operation* op = made<ReshapeOp, ExpandDimsOp, SqueezeOp, TransposeOp, SliceOp>(value);
  if (op) {
    auto view = viewOf(op->getOperand(0), facts);
    if (auto slice = mlir::dyn_cast<SliceOp>(op)) {
      if (view && sliceView(*view, slice, *sizes, facts)) return view;
    } else if (mlir::isa<TransposeOp>(op)) {
      auto permutation = facts.elementsOf(op->getOperand(1));
      if (view && permutation) {
        View moved = *view;
        for (size_t i = 0; i < permutation->size(); ++i) {
          moved.sizes[i] = view->sizes[static_cast<size_t>((*permutation)[i])];
          moved.strides[i] = view->strides[static_cast<size_t>((*permutation)[i])];
        }
        return moved;
      }
    } else if (view && reshapeView(*view, *sizes)) {
      return view;
    }
  }
  View whole{value, *sizes, std::vector<Extent>(sizes->size())};
  Extent count = 1;
  for (size_t i = sizes->size(); i-- > 0;) {
    whole.strides[i] = count;
    count = count * (*sizes)[i];
  }
  return whole;
}

}  // namespace tfrt::compiler::graph
