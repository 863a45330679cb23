// Where the elements of a value lie in another one, from which movements alone made it.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_VIEWS_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_VIEWS_H_

#include <optional>
#include <vector>

#include "value_facts.h"

namespace tfrt::compiler::graph {

// A number times symbols: a size, or a distance between elements.
class Extent {
 public:
  Extent(int64_t number = 1) : number_(number) {}  // NOLINT: implicit by design
  // Needs a known size or a symbol.
  explicit Extent(Dim dim);

  friend Extent operator*(const Extent& a, const Extent& b);
  friend bool operator==(const Extent& a, const Extent& b) = default;
  bool divides(const Extent& other) const;
  // Without symbols.
  std::optional<int64_t> number() const {
    return symbols_.empty() ? std::optional(number_) : std::nullopt;
  }
  bool is(int64_t number) const { return symbols_.empty() && number_ == number; }

 private:
  int64_t number_;
  std::vector<uint32_t> symbols_ = {};  // sorted
};

// Whether both have as many elements, whatever the symbols of their sizes stand for.
bool haveSameCount(const SymbolicShape& a, const SymbolicShape& b);

// Element (i, j, ...) is element offset + i * strides[0] + j * strides[1] + ... of the base.
struct View {
  mlir::Value base;
  std::vector<Extent> sizes, strides;
  int64_t offset = 0;
};

// Through reshapes, transposes and parts, as far as strides can say where elements lie. Nothing for
// a value without a rank.
std::optional<View> viewOf(mlir::Value value, ValueFacts& facts);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_VIEWS_H_
