// Einsum, as transposes, products and sums.

#include <algorithm>
#include <string>

#include "llvm/ADT/StringExtras.h"
#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// A value and what its dimensions are called: letters, and characters from kDots on for those that
// `...` stands for, the last of which is kDots.
struct Term {
  Value value;
  std::string labels;
};
constexpr char kDots = '\x01';

bool has(llvm::StringRef labels, char label) { return labels.contains(label); }

std::string labelsOf(llvm::StringRef text, size_t num_dots) {
  std::string labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '.') {
      labels += text[i];
      continue;
    }
    for (size_t dot = num_dots; dot-- > 0;) labels += static_cast<char>(kDots + dot);
    i += 2;
  }
  return labels;
}

// With its dimensions in another order.
Term ordered(Node& node, const Term& term, llvm::StringRef labels) {
  llvm::SmallVector<int64_t> permutation;
  for (char label : labels) permutation.push_back(static_cast<int64_t>(term.labels.find(label)));
  return {transpose(node, term.value, permutation), labels.str()};
}

// Without the dimensions that nobody needs.
Term summed(Node& node, Term term, llvm::StringRef needed) {
  llvm::SmallVector<int64_t> axes;
  std::string left;
  for (auto [i, label] : llvm::enumerate(term.labels)) {
    if (has(needed, label)) {
      left += label;
    } else {
      axes.push_back(static_cast<int64_t>(i));
    }
  }
  if (axes.empty()) return term;
  return {reduce(node, "reduce_sum", term.value, axes, false), left};
}

// A label that is there twice is the diagonal: places that are a row and one apart.
Term diagonal(Node& node, Term term) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const char label = term.labels[i];
    size_t again = term.labels.find(label, i + 1);
    if (again == std::string::npos) continue;
    std::string others;
    llvm::SmallVector<int64_t> permutation;
    for (size_t d = 0; d < term.labels.size(); ++d) {
      if (d == i || d == again) continue;
      others += term.labels[d];
      permutation.push_back(static_cast<int64_t>(d));
    }
    permutation.append({static_cast<int64_t>(i), static_cast<int64_t>(again)});
    Value square = transpose(node, term.value, permutation);
    const size_t rank = others.size();
    const SymbolicShape shape = node.graph.typeOf(square).shape;
    if (shape.dim(rank).Contradicts(shape.dim(rank + 1))) {
      (void)node.fail("the label '" + llvm::Twine(label) + "' is of the sizes " +
                      shape.dim(rank).ToString() + " and " + shape.dim(rank + 1).ToString());
      return term;
    }
    Value size = sizeOf(node, square, rank), columns = size;
    if (!shape.dim(rank).IsSameAs(shape.dim(rank + 1))) {
      // Where the sizes differ one of these places is outside of the rectangle.
      columns = sizeOf(node, square, rank + 1);
      size = node.make("maximum", {size, columns});
    }
    Value sizes = concat(node,
                         {pieceOf(node, shapeOf(node, square), 0, static_cast<int64_t>(rank)),
                          node.graph.integers({-1})},
                         0);
    Value flat = node.make("reshape", {square, sizes});
    Value places =
        node.make("mul", {range(node, size), node.make("add", {columns, node.graph.integer(1)})});
    term = {node.make("gather", {flat, places, node.graph.integer(static_cast<int64_t>(rank))}),
            others + label};
    i = static_cast<size_t>(-1);  // once more from the start
  }
  return term;
}

// As matrices: `batch` dimensions, and then so many as rows and the others as columns.
Value matrices(Node& node, Value value, size_t batch, size_t rows, size_t columns) {
  if (rows == 1 && columns == 1) return value;
  Value sizes =
      concat(node,
             {pieceOf(node, shapeOf(node, value), 0, static_cast<int64_t>(batch)),
              productOf(node, value, batch, rows), productOf(node, value, batch + rows, columns)},
             0);
  return node.make("reshape", {value, sizes});
}

// Both with the same dimensions, of size 1 where one has none, multiplied.
Term broadcastProduct(Node& node, const Term& a, const Term& b) {
  std::string all = a.labels;
  for (char label : b.labels) {
    if (!has(all, label)) all += label;
  }
  auto widened = [&](const Term& term) {
    std::string present;
    llvm::SmallVector<int64_t> missing;
    for (auto [i, label] : llvm::enumerate(all)) {
      if (has(term.labels, label)) {
        present += label;
      } else {
        missing.push_back(static_cast<int64_t>(i));
      }
    }
    return expand(node, ordered(node, term, present).value, missing);
  };
  return {node.make("mul", {widened(a), widened(b)}), all};
}

Term product(Node& node, Term a, Term b, llvm::StringRef needed) {
  a = summed(node, a, needed.str() + b.labels);
  b = summed(node, b, needed.str() + a.labels);
  std::string batch, rows, inner, columns;
  for (char label : a.labels) {
    bool both = has(b.labels, label);
    (!both ? rows : has(needed, label) ? batch : inner) += label;
  }
  for (char label : b.labels) {
    if (!has(a.labels, label)) columns += label;
  }
  // Sizes of 1 that are broadcast must not become a part of rows, columns or sums.
  auto is_dots = [](char label) { return label < 'A'; };
  if (inner.empty() || std::ranges::any_of(inner + rows + columns, is_dots)) {
    return summed(node, broadcastProduct(node, a, b), needed);
  }
  a = ordered(node, a, batch + rows + inner);
  b = ordered(node, b, batch + inner + columns);
  Value matrix = node.make("batch_matmul",
                           {matrices(node, a.value, batch.size(), rows.size(), inner.size()),
                            matrices(node, b.value, batch.size(), inner.size(), columns.size())});
  std::string labels = batch + rows + columns;
  if (rows.size() == 1 && columns.size() == 1) return {matrix, labels};
  auto piece = [&](Value value, size_t first, size_t count) {
    return pieceOf(node, shapeOf(node, value), static_cast<int64_t>(first),
                   static_cast<int64_t>(count));
  };
  Value sizes = concat(node,
                       {piece(matrix, 0, batch.size()), piece(a.value, batch.size(), rows.size()),
                        piece(b.value, batch.size() + inner.size(), columns.size())},
                       0);
  return {node.make("reshape", {matrix, sizes}), labels};
}

// The terms of the equation, and what is asked for. Failure for other text.
llvm::LogicalResult parse(Node& node, std::vector<Term>& terms, std::string& result) {
  std::string equation = node.text("equation", "");
  llvm::erase(equation, ' ');
  auto [left, right] = llvm::StringRef(equation).split("->");
  const bool is_explicit = llvm::StringRef(equation).contains("->");
  llvm::SmallVector<llvm::StringRef> texts;
  left.split(texts, ',');
  if (texts.size() != node.num_inputs()) {
    return node.fail("the equation '" + equation + "' has " + llvm::Twine(texts.size()) +
                     " terms for " + llvm::Twine(node.num_inputs()) + " inputs");
  }
  size_t num_dots = 0;
  for (auto [text, input] : llvm::zip(texts, node.inputs())) {
    auto rank = input ? node.rank(input) : std::nullopt;
    if (!rank) return node.fail("an input is left out");
    auto letters = static_cast<size_t>(llvm::count_if(text, llvm::isAlpha));
    bool has_dots = text.contains("...");
    if (letters + (has_dots ? 3 : 0) != text.size() || (!has_dots && letters != *rank) ||
        letters > *rank) {
      return node.fail("the term '" + text + "' of the equation does not fit an input of rank " +
                       llvm::Twine(*rank));
    }
    terms.push_back({input, labelsOf(text, *rank - letters)});
    num_dots = std::max(num_dots, *rank - letters);
  }
  if (!is_explicit) {
    // Dots, and letters that are there once, in alphabetical order.
    std::string all;
    for (const Term& term : terms) all += term.labels;
    result = labelsOf("...", num_dots);
    std::string letters = all;
    llvm::sort(letters);
    for (char label : letters) {
      if (llvm::isAlpha(label) && llvm::count(all, label) == 1) result += label;
    }
    return mlir::success();
  }
  result = labelsOf(right, num_dots);
  for (char label : result) {
    bool is_made = llvm::any_of(terms, [&](const Term& term) { return has(term.labels, label); });
    if (!is_made || llvm::count(result, label) != 1) {
      return node.fail("the result '" + right + "' of the equation does not follow from its terms");
    }
  }
  return mlir::success();
}

llvm::LogicalResult einsum(Node& node) {
  std::vector<Term> terms;
  std::string result;
  if (mlir::failed(parse(node, terms, result))) return mlir::failure();
  Term all = diagonal(node, terms[0]);
  for (size_t i = 1; i < terms.size(); ++i) {
    std::string needed = result;
    for (size_t j = i + 1; j < terms.size(); ++j) needed += terms[j].labels;
    all = product(node, all, diagonal(node, terms[i]), needed);
  }
  return node.give(ordered(node, summed(node, all, result), result).value);
}

constexpr NodeRow kEinsumRows[] = {
    {"Einsum", 12, einsum, kAllInputs},
};

}  // namespace

llvm::ArrayRef<NodeRow> einsumRows() { return kEinsumRows; }

}  // namespace tfrt::compiler::import
