#include "compare.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/support/decimal_text.h"
#include "tensors.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

std::string TextOf(double number) { return DecimalText(number, std::chars_format::general, 4); }

Status CheckSameValues(std::span<const ModelValue> values, std::span<const ModelValue> others,
                       std::string_view kind, const CommandLine& line) {
  const std::string other = StrCat("'", line.compared, "'");
  if (values.size() != others.size()) {
    return InvalidArgumentError(StrCat("--compare: ", other, " has ", others.size(), " ", kind,
                                       others.size() == 1 ? "" : "s", ", but '", line.model,
                                       "' has ", values.size()));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].name != others[i].name) {
      return InvalidArgumentError(StrCat("--compare: ", kind, " ", i, " of ", other, " is ",
                                         others[i].name, ", but that of '", line.model, "' is ",
                                         values[i].name));
    }
    if (values[i].dtype != others[i].dtype) {
      return InvalidArgumentError(StrCat("--compare: ", kind, " ", values[i].name, " is ",
                                         DTypeName(others[i].dtype), " in ", other, ", but ",
                                         DTypeName(values[i].dtype), " in '", line.model, "'"));
    }
  }
  return OkStatus();
}

// The distance of two numbers: NaN from NaN and an infinity from itself are 0 apart, from any
// other number infinitely far.
double Distance(std::complex<double> a, std::complex<double> b) {
  auto distance = [](double x, double y) {
    if (x == y || (std::isnan(x) && std::isnan(y))) return 0.0;
    const double difference = std::abs(x - y);
    return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  };
  return std::hypot(distance(a.real(), b.real()), distance(a.imag(), b.imag()));
}

struct Distances {
  double largest = 0;
  int64_t where = 0;  // the element of the largest
  int64_t num_different = 0;
  double root_mean_square = 0;
  double reference = 0;  // the root mean square of the finite elements of the reference
};

// Empty if the elements are no numbers.
std::optional<Distances> Measure(const DenseHostTensor& actual, const DenseHostTensor& reference) {
  Distances result;
  double squares = 0, reference_squares = 0;
  const int64_t size = actual.num_elements();
  for (int64_t i = 0; i < size; ++i) {
    const auto a = Number(actual, i), b = Number(reference, i);
    if (!a || !b) return std::nullopt;
    const double distance = Distance(*a, *b);
    result.num_different += distance > 0;
    if (distance > result.largest) {
      result.largest = distance;
      result.where = i;
    }
    squares += distance * distance;
    const double square = std::norm(*b);
    if (std::isfinite(square)) reference_squares += square;
  }
  if (size > 0) {
    result.root_mean_square = std::sqrt(squares / static_cast<double>(size));
    result.reference = std::sqrt(reference_squares / static_cast<double>(size));
  }
  return result;
}

// The rows along the last axis of results that rank: floating-point numbers, at least two in a row.
bool HasRanks(const DenseHostTensor& tensor) {
  const TensorShape& shape = tensor.shape();
  return IsFloat(tensor.dtype()) && shape.rank() > 0 && shape.dim(shape.rank() - 1) > 1 &&
         tensor.num_elements() > 0;
}

// The place of the first largest number of a row; a NaN is larger than all numbers.
int64_t Argmax(const DenseHostTensor& tensor, int64_t begin, int64_t size) {
  int64_t place = 0;
  double largest = Number(tensor, begin)->real();
  for (int64_t i = 1; i < size && !std::isnan(largest); ++i) {
    const double number = Number(tensor, begin + i)->real();
    if (!(number <= largest)) {
      largest = number;
      place = i;
    }
  }
  return place;
}

std::string ArgmaxText(const DenseHostTensor& actual, const DenseHostTensor& reference) {
  const int64_t row = actual.shape().dim(actual.shape().rank() - 1);
  int64_t equal = 0;
  for (int64_t begin = 0; begin < actual.num_elements(); begin += row) {
    equal += Argmax(actual, begin, row) == Argmax(reference, begin, row);
  }
  const int64_t rows = actual.num_elements() / row;
  // Rounded down: 100 means all.
  const int64_t tenths = equal * 1000 / rows;
  return StrCat(", argmax equal in ", equal, " of ", rows, rows == 1 ? " row (" : " rows (",
                tenths / 10, ".", tenths % 10, " %)");
}

}  // namespace

StatusOr<Model> OpenCompared(const Model& model, const CommandLine& line) {
  TFRT_ASSIGN_OR_RETURN(Model other, Model::Open(line.compared, model.host()));
  TFRT_RETURN_IF_ERROR(CheckSameValues(model.inputs(), other.inputs(), "input", line));
  TFRT_RETURN_IF_ERROR(CheckSameValues(model.outputs(), other.outputs(), "result", line));
  return other;
}

StatusOr<bool> Compare(const Model& model, const std::vector<DenseHostTensor>& results,
                       const Model& other, std::span<const DenseHostTensor* const> inputs,
                       const CommandLine& line) {
  TFRT_ASSIGN_OR_RETURN(Session session, Session::Create(other));
  auto run = session.RunInOrder(inputs);
  if (!run.ok()) {
    return Status(run.status().code(),
                  StrCat("--compare: '", line.compared, "': ", run.status().message()));
  }
  const std::vector<DenseHostTensor>& others = *run;
  bool are_alike = true;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string& name = model.outputs()[i].name;
    if (results[i].metadata() != others[i].metadata()) {
      return InvalidArgumentError(StrCat("--compare: result ", name, " is ",
                                         DTypeName(others[i].dtype()), " ",
                                         others[i].shape().ToString(), " in '", line.compared,
                                         "', but ", DTypeName(results[i].dtype()), " ",
                                         results[i].shape().ToString(), " in '", line.model, "'"));
    }
    const std::optional<Distances> distances = Measure(results[i], others[i]);
    if (!distances) {
      return InvalidArgumentError(
          StrCat("cannot compare ", DTypeName(results[i].dtype()), ", the type of result ", name));
    }
    std::string text = StrCat(name, ": ");
    if (distances->num_different == 0) {
      text += StrCat("equal in all ", results[i].num_elements(), " elements");
    } else {
      text += StrCat("differs in ", distances->num_different, " of ", results[i].num_elements(),
                     " elements, at most by ", TextOf(distances->largest), " (element ",
                     distances->where, "), rms ", TextOf(distances->root_mean_square), " of ",
                     TextOf(distances->reference));
    }
    if (HasRanks(results[i])) text += ArgmaxText(results[i], others[i]);
    std::printf("%s\n", text.c_str());
    if (!line.has_tolerance) continue;
    TFRT_ASSIGN_OR_RETURN(std::string difference, Difference(results[i], others[i], line));
    are_alike &= difference.empty();
  }
  return are_alike;
}

}  // namespace tfrt
