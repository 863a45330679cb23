// kissfft computes with f64 whatever the dtype, so that there is one instance of its templates.
//
// Its time grows with the factors of the size. Sizes with a large prime factor are transformed by
// Bluestein's algorithm: with w[k] = exp(-pi i k^2 / n) the transform is
//   y[k] = w[k] sum over j of (x[j] w[j]) conj(w[k - j]),
// because -2jk = (k - j)^2 - j^2 - k^2. The sum is a convolution, which transforms of a size with
// small factors compute. Bluestein, "A linear filtering approach to the computation of discrete
// Fourier transform" (1970).

#include "fourier.h"

#define EIGEN_MPL2_ONLY
#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>
#include <type_traits>
#include <unsupported/Eigen/FFT>
#include <utility>
#include <vector>

#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/shapes/axes.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

// Measured: from here on Bluestein's algorithm is the faster one.
constexpr int64_t kLargeFactor = 64;

int64_t LargestPrimeFactor(int64_t n) {
  int64_t largest = 1;
  for (int64_t factor = 2; factor * factor <= n; ++factor) {
    while (n % factor == 0) largest = factor, n /= factor;
  }
  return std::max(largest, n);
}

// Returns the least size from `least` on that is a power of two times 1, 3, 5, 9 or 15.
int64_t SizeOfSmallFactors(int64_t least) {
  int64_t best = std::numeric_limits<int64_t>::max();
  for (int64_t size : {1, 3, 5, 9, 15}) {
    while (size < least) size *= 2;
    best = std::min(best, size);
  }
  return best;
}

// kissfft and its tables for one thread.
using Fourier = Eigen::FFT<double>;

// Transforms of one size. Immutable: several threads may use it.
class Transform {
 public:
  explicit Transform(int64_t size) : size_(size) {
    if (LargestPrimeFactor(size) <= kLargeFactor) {
      // kissfft makes its tables in the first run.
      Numbers zeros(static_cast<size_t>(size)), transformed(zeros.size());
      if (size > 1) fourier_.fwd(transformed.data(), zeros.data(), size);
      return;
    }
    padded_ = SizeOfSmallFactors(2 * size - 1);
    chirp_.resize(static_cast<size_t>(size));
    Numbers kernel(static_cast<size_t>(padded_));
    for (int64_t k = 0; k < size; ++k) {
      // The angle's remainder is exact in integers.
      const auto square = static_cast<int64_t>(static_cast<__int128>(k) * k % (2 * size));
      const double angle = std::numbers::pi * static_cast<double>(square) / double(size);
      const auto at = static_cast<size_t>(k);
      chirp_[at] = Complex(std::cos(angle), -std::sin(angle));
      kernel[at] = std::conj(chirp_[at]);
      if (k > 0) kernel[static_cast<size_t>(padded_ - k)] = kernel[at];
    }
    kernel_.resize(kernel.size());
    fourier_.fwd(kernel_.data(), kernel.data(), padded_);
  }

  int64_t size() const { return size_; }
  // The number of complex numbers in its tables.
  int64_t num_numbers() const { return 2 * size_ + 2 * padded_; }
  // A copy for one thread, which has the tables.
  Fourier fourier() const { return fourier_; }

  // Replaces `size` numbers by their transform. `work` is memory that later calls use again.
  void Run(Fourier& fourier, Numbers& numbers, Numbers& work) const {
    if (size_ == 1) return;  // of which kissfft makes no steps
    if (padded_ == 0) {
      work.resize(numbers.size());
      fourier.fwd(work.data(), numbers.data(), size_);
      std::swap(work, numbers);
      return;
    }
    const auto size = static_cast<size_t>(size_), padded = static_cast<size_t>(padded_);
    numbers.resize(padded);
    for (size_t k = 0; k < size; ++k) numbers[k] *= chirp_[k];
    std::fill(numbers.begin() + size_, numbers.end(), Complex());
    work.resize(padded);
    fourier.fwd(work.data(), numbers.data(), padded_);
    // The inverse is the conjugate of the transform of conjugates.
    for (size_t k = 0; k < padded; ++k) work[k] = std::conj(work[k] * kernel_[k]);
    fourier.fwd(numbers.data(), work.data(), padded_);
    numbers.resize(size);
    const double scale = 1 / static_cast<double>(padded_);
    for (size_t k = 0; k < size; ++k) numbers[k] = std::conj(numbers[k]) * chirp_[k] * scale;
  }

 private:
  const int64_t size_;
  int64_t padded_ = 0;  // 0: kissfft alone
  Numbers chirp_;
  Numbers kernel_;  // transformed
  Fourier fourier_;
};

// Keeps the transforms of the sizes that were used last: their tables take as long as several runs.
// Thread-safe.
class KeptTransforms {
 public:
  std::shared_ptr<const Transform> Get(int64_t size) {
    if (auto kept = Find(size)) return kept;
    auto made = std::make_shared<const Transform>(size);  // others do not wait for it
    if (made->num_numbers() > kMostNumbers) return made;
    std::scoped_lock lock(mutex_);
    kept_.insert(kept_.begin(), made);
    int64_t numbers = 0;
    for (size_t i = 0; i < kept_.size(); ++i) {
      numbers += kept_[i]->num_numbers();
      if (numbers > kMostNumbers) kept_.resize(i);
    }
    return made;
  }

 private:
  static constexpr int64_t kMostNumbers = int64_t{1} << 20;  // 16 MB

  std::shared_ptr<const Transform> Find(int64_t size) {
    std::scoped_lock lock(mutex_);
    auto found = std::ranges::find(kept_, size, [](auto& kept) { return kept->size(); });
    if (found == kept_.end()) return nullptr;
    std::rotate(kept_.begin(), found, found + 1);
    return kept_.front();
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<const Transform>> kept_;  // the last used first
};

std::shared_ptr<const Transform> TransformOf(int64_t size) {
  static auto* const kept = new KeptTransforms();  // for threads that outlive the process's end
  return kept->Get(size);
}

template <typename T>
AsyncValueRef<Chain> Run(const DenseHostTensor& x, size_t axis, bool inverse, DenseHostTensor& y,
                         const ExecutionContext& exec_ctx) {
  const TensorShape& shape = x.shape();
  const int64_t size = shape.dim(axis), inner = SizeOfDims(shape, axis + 1, shape.rank());
  if (x.num_elements() == 0) return GetReadyChain();
  const auto rows = static_cast<size_t>(x.num_elements() / size);
  // Two additions and multiplications of complex numbers for each bit of the size.
  const double cost = 16 * double(size) * std::log2(double(size) + 1);
  auto transform = TransformOf(size);
  const auto* from = static_cast<const std::complex<T>*>(x.data());
  auto* to = static_cast<std::complex<T>*>(const_cast<void*>(y.data()));
  return RunBlocks(
      exec_ctx, rows, ItemsPerBlock(static_cast<size_t>(std::min(cost, double(kBlockCost)))),
      {&x, &y}, [=](size_t begin, size_t end) {
        Fourier fourier = transform->fourier();
        Numbers numbers, work;
        for (auto row = static_cast<int64_t>(begin); row < static_cast<int64_t>(end); ++row) {
          const int64_t first = row / inner * size * inner + row % inner;
          numbers.resize(static_cast<size_t>(size));
          // The inverse is the transform of numbers whose parts have changed places, and so has
          // its result.
          for (int64_t k = 0; k < size; ++k) {
            const std::complex<T> in = from[first + k * inner];
            numbers[static_cast<size_t>(k)] =
                inverse ? Complex(in.imag(), in.real()) : Complex(in.real(), in.imag());
          }
          transform->Run(fourier, numbers, work);
          for (int64_t k = 0; k < size; ++k) {
            const Complex out = numbers[static_cast<size_t>(k)];
            const auto real = static_cast<T>(out.real()), imag = static_cast<T>(out.imag());
            to[first + k * inner] =
                inverse ? std::complex<T>(imag, real) : std::complex<T>(real, imag);
          }
        }
      });
}

}  // namespace

Completion Fft(const DenseHostTensor& x, size_t axis, bool inverse, DenseHostTensor& y,
               const ExecutionContext& exec_ctx) {
  assert(x.shape() == y.shape() && x.dtype() == y.dtype());
  // kissfft counts with int, up to four times the size.
  constexpr int64_t kMaxSize = int64_t{1} << 28;
  if (x.shape().dim(axis) > kMaxSize) {
    return InvalidArgumentError(StrCat("dft: there are ", x.shape().dim(axis),
                                       " elements along the axis, more than ", kMaxSize));
  }
  if (x.dtype() == DType::kComplex64) return Run<float>(x, axis, inverse, y, exec_ctx);
  assert(x.dtype() == DType::kComplex128);
  return Run<double>(x, axis, inverse, y, exec_ctx);
}

}  // namespace tfrt::maths
