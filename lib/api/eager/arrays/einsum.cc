// Sums of products whose axes letters name: each two operands become one product of matrices.

#include <algorithm>
#include <utility>

#include "array_call.h"
#include "multiply.h"
#include "tfrt/eager/arrays/products.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

// A letter; or kHidden + n for the axis of `...` that is n-th from the end.
using Label = int;
using Labels = std::vector<Label>;
constexpr Label kHidden = 256;

struct Term {
  Array array;
  Labels labels;  // one for each axis
};

struct Subscripts {
  std::vector<Labels> inputs;
  Labels output;
};

bool Contains(std::span<const Label> labels, Label label) {
  return std::ranges::find(labels, label) != labels.end();
}

std::string TextOfLabel(Label label) {
  return label < kHidden ? std::string(1, static_cast<char>(label)) : "...";
}

void AddHidden(size_t count, Labels& labels) {
  for (size_t place = count; place > 0; --place)
    labels.push_back(kHidden + static_cast<int>(place));
}

// The labels of one operand, `...` being kHidden.
StatusOr<Labels> LettersOf(std::string_view part) {
  Labels letters;
  while (!part.empty()) {
    if (part.starts_with("...") && !Contains(letters, kHidden)) {
      letters.push_back(kHidden);
      part.remove_prefix(3);
      continue;
    }
    const char letter = part[0];
    if ((letter < 'a' || letter > 'z') && (letter < 'A' || letter > 'Z')) {
      return InvalidArgumentError(StrCat("'", part.substr(0, 1), "' in subscripts is no letter"));
    }
    letters.push_back(letter);
    part.remove_prefix(1);
  }
  return letters;
}

// The labels with those of as many axes in place of `...`.
Labels WithHidden(const Labels& letters, size_t count) {
  Labels labels;
  for (Label letter : letters) {
    letter == kHidden ? AddHidden(count, labels) : labels.push_back(letter);
  }
  return labels;
}

// Without an arrow: those that are there once, in alphabetical order.
Labels OutputOf(const std::vector<Labels>& letters, size_t most) {
  Labels all, output;
  for (const Labels& each : letters) all.insert(all.end(), each.begin(), each.end());
  AddHidden(most, output);
  std::ranges::sort(all);
  for (Label letter : all) {
    if (letter != kHidden && std::ranges::count(all, letter) == 1) output.push_back(letter);
  }
  return output;
}

StatusOr<Subscripts> Parse(std::string_view text, std::span<const Array> operands) {
  std::string compact;
  std::ranges::copy_if(text, std::back_inserter(compact), [](char c) { return c != ' '; });
  std::string_view left = compact;
  const size_t arrow = left.find("->");
  std::vector<Labels> letters;
  Subscripts parsed;
  std::string_view rest = left.substr(0, arrow);
  while (true) {
    const size_t comma = rest.find(',');
    TFRT_ASSIGN_OR_RETURN(Labels part, LettersOf(rest.substr(0, comma)));
    letters.push_back(std::move(part));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (letters.size() != operands.size()) {
    return InvalidArgumentError(StrCat("subscripts '", text, "' are for ", letters.size(),
                                       " operands, not ", operands.size()));
  }
  size_t most = 0;
  Labels known;
  for (size_t i = 0; i < letters.size(); ++i) {
    const bool has_hidden = Contains(letters[i], kHidden);
    const size_t named = letters[i].size() - (has_hidden ? 1 : 0);
    const size_t rank = operands[i].rank();
    if (named > rank || (named < rank && !has_hidden)) {
      return InvalidArgumentError(StrCat("subscripts '", text, "' name ", named,
                                         " axes of operands[", i, "], which has ", rank,
                                         " dimensions"));
    }
    most = std::max(most, rank - named);
    parsed.inputs.push_back(WithHidden(letters[i], rank - named));
    known.insert(known.end(), parsed.inputs.back().begin(), parsed.inputs.back().end());
  }
  if (arrow == std::string_view::npos) {
    parsed.output = OutputOf(letters, most);
    return parsed;
  }
  TFRT_ASSIGN_OR_RETURN(Labels output, LettersOf(left.substr(arrow + 2)));
  parsed.output = WithHidden(output, most);
  for (Label label : parsed.output) {
    if (std::ranges::count(parsed.output, label) > 1) {
      return InvalidArgumentError(
          StrCat("the result of subscripts '", text, "' has '", TextOfLabel(label), "' twice"));
    }
    if (!Contains(known, label)) {
      return InvalidArgumentError(StrCat("the result of subscripts '", text, "' has '",
                                         TextOfLabel(label), "', which no operand has"));
    }
  }
  return parsed;
}

// Computes one call.
class Contraction {
 public:
  explicit Contraction(ArrayCall& call) : call_(call) {}

  StatusOr<Tensor> Run(std::vector<Array> operands, const Subscripts& subscripts) {
    std::vector<Term> terms;
    for (size_t i = 0; i < operands.size(); ++i) {
      TFRT_ASSIGN_OR_RETURN(Term term,
                            WithoutTwice({std::move(operands[i]), subscripts.inputs[i]}));
      terms.push_back(std::move(term));
    }
    TFRT_RETURN_IF_ERROR(LeaveOutOnes(terms));
    while (terms.size() > 1) {
      // From the left, as they are written.
      Labels needed = subscripts.output;
      for (size_t i = 2; i < terms.size(); ++i) {
        needed.insert(needed.end(), terms[i].labels.begin(), terms[i].labels.end());
      }
      TFRT_ASSIGN_OR_RETURN(terms[1], Contracted(terms[0], terms[1], needed));
      terms.erase(terms.begin());
    }
    TFRT_ASSIGN_OR_RETURN(Term last, Without(terms[0], subscripts.output));
    return InOrder(last, subscripts.output);
  }

 private:
  // Takes the diagonal of two axes with one label, until each label is there once.
  StatusOr<Term> WithoutTwice(Term term) {
    for (size_t i = 0; i < term.labels.size(); ++i) {
      const Label label = term.labels[i];
      const auto again = std::find(term.labels.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                   term.labels.end(), label);
      if (again == term.labels.end()) continue;
      const auto j = static_cast<size_t>(again - term.labels.begin());
      TFRT_ASSIGN_OR_RETURN(int64_t size, call_.KnownSize(term.array, i));
      TFRT_ASSIGN_OR_RETURN(int64_t other, call_.KnownSize(term.array, j));
      if (size != other) {
        return InvalidArgumentError(StrCat("'", TextOfLabel(label), "' has the sizes ", size,
                                           " and ", other, " in one operand"));
      }
      std::vector<size_t> order;
      Labels labels;
      Sizes sizes;
      for (size_t axis = 0; axis < term.labels.size(); ++axis) {
        if (axis == i || axis == j) continue;
        order.push_back(axis);
        labels.push_back(term.labels[axis]);
        sizes.push_back(call_.SizeOf(term.array, axis));
      }
      order.insert(order.end(), {i, j});
      labels.push_back(label);
      sizes.emplace_back(size * size);
      // In the row-major matrix the next one is a row and a column further.
      Tensor rows = call_.Reshaped(call_.Transposed(term.array.tensor, order), sizes);
      Tensor diagonal = call_.Piece(rows, labels.size() - 1, std::nullopt, std::nullopt, size + 1);
      TFRT_ASSIGN_OR_RETURN(Array array, call_.Read(diagonal));
      return WithoutTwice({std::move(array), std::move(labels)});
    }
    return term;
  }

  // Leaves axes of size 1 out where another operand has a larger one of the label.
  Status LeaveOutOnes(std::vector<Term>& terms) {
    for (Term& term : terms) {
      std::vector<int64_t> ones;
      Labels labels;
      for (size_t axis = 0; axis < term.labels.size(); ++axis) {
        const Label label = term.labels[axis];
        const Dim size = term.array.dims[axis];
        bool is_left_out = false;
        for (const Term& other : terms) {
          const auto found = std::ranges::find(other.labels, label);
          if (found == other.labels.end()) continue;
          const Dim theirs = other.array.dims[static_cast<size_t>(found - other.labels.begin())];
          if (!size.Contradicts(theirs) || theirs.is(1)) continue;
          if (!size.is(1)) {
            return InvalidArgumentError(StrCat("'", TextOfLabel(label), "' has the sizes ",
                                               size.value(), " and ", theirs.value()));
          }
          is_left_out = true;
        }
        is_left_out ? ones.push_back(static_cast<int64_t>(axis)) : labels.push_back(label);
      }
      if (ones.empty()) continue;
      TFRT_ASSIGN_OR_RETURN(
          term.array,
          call_.Read(ops::Squeeze(term.array.tensor, {.squeeze_dims = ones}, call_.where())));
      term.labels = std::move(labels);
    }
    return OkStatus();
  }

  // Sums over the axes that are not needed.
  StatusOr<Term> Without(const Term& term, std::span<const Label> needed) {
    std::vector<size_t> axes;
    Labels kept;
    for (size_t axis = 0; axis < term.labels.size(); ++axis) {
      const bool is_kept = Contains(needed, term.labels[axis]);
      is_kept ? kept.push_back(term.labels[axis]) : axes.push_back(axis);
    }
    if (axes.empty()) return term;
    Tensor sum = Summed(call_, term.array.tensor, axes, term.array.dtype);
    TFRT_ASSIGN_OR_RETURN(Array array, call_.Read(sum));
    return Term{std::move(array), std::move(kept)};
  }

  // The product of two operands, summed over the labels that are not needed.
  StatusOr<Term> Contracted(const Term& first, const Term& second, const Labels& needed) {
    auto with = [&](const Labels& more) {
      Labels labels = needed;
      labels.insert(labels.end(), more.begin(), more.end());
      return labels;
    };
    TFRT_ASSIGN_OR_RETURN(Term x, Without(first, with(second.labels)));
    TFRT_ASSIGN_OR_RETURN(Term y, Without(second, with(x.labels)));
    Labels batch, common, left, right;
    for (Label label : x.labels) {
      Labels& group = !Contains(y.labels, label) ? left : Contains(needed, label) ? batch : common;
      group.push_back(label);
    }
    for (Label label : y.labels) {
      if (!Contains(x.labels, label)) right.push_back(label);
    }
    const DType dtype = x.array.dtype;
    Labels result = Joined({batch, left, right});
    const Sizes of_batch = SizesOf(x, batch);
    auto matrices = [&](const Term& term, const Labels& rows, const Labels& columns) {
      Sizes sizes = of_batch;
      sizes.push_back(ProductOf(SizesOf(term, rows)));
      sizes.push_back(ProductOf(SizesOf(term, columns)));
      return call_.Reshaped(InOrder(term, Joined({batch, rows, columns})), sizes);
    };
    Tensor product = Products(call_, matrices(x, left, common), matrices(y, common, right), dtype,
                              batch.empty());
    Sizes sizes = of_batch;
    for (const Size& size : SizesOf(x, left)) sizes.push_back(size);
    for (const Size& size : SizesOf(y, right)) sizes.push_back(size);
    TFRT_ASSIGN_OR_RETURN(Array array, call_.Read(call_.Reshaped(product, sizes)));
    return Term{std::move(array), std::move(result)};
  }

  static Labels Joined(std::initializer_list<Labels> groups) {
    Labels labels;
    for (const Labels& group : groups) labels.insert(labels.end(), group.begin(), group.end());
    return labels;
  }

  Sizes SizesOf(const Term& term, const Labels& labels) {
    Sizes sizes;
    for (Label label : labels) sizes.push_back(call_.SizeOf(term.array, AxisOf(term, label)));
    return sizes;
  }

  Size ProductOf(const Sizes& sizes) {
    Size product = 1;
    for (const Size& size : sizes) product = call_.Times(product, size);
    return product;
  }

  static size_t AxisOf(const Term& term, Label label) {
    return static_cast<size_t>(std::ranges::find(term.labels, label) - term.labels.begin());
  }

  Tensor InOrder(const Term& term, const Labels& order) {
    if (term.labels == order) return term.array.tensor;
    std::vector<size_t> axes;
    for (Label label : order) axes.push_back(AxisOf(term, label));
    return call_.Transposed(term.array.tensor, axes);
  }

  ArrayCall& call_;
};

}  // namespace

Tensor Einsum(std::string_view subscripts, TensorList operands, Location where) {
  return CallArrays("einsum", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    if (operands.span().empty()) {
      return InvalidArgumentError("operands has no array, but needs one");
    }
    std::vector<Array> arrays;
    for (const Tensor& tensor : operands.span()) {
      TFRT_ASSIGN_OR_RETURN(Array array, call.Read(tensor));
      arrays.push_back(std::move(array));
    }
    TFRT_ASSIGN_OR_RETURN(Subscripts parsed, Parse(subscripts, arrays));
    TFRT_RETURN_IF_ERROR(call.Promote(arrays));
    return Contraction(call).Run(std::move(arrays), parsed);
  });
}

}  // namespace tfrt::eager::arrays
