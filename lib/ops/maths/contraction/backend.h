// A library that computes matrix products and convolutions. Plans are prepared once per problem and
// run often.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_BACKEND_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_BACKEND_H_

#include <memory>
#include <string_view>

#include "problem.h"

namespace tfrt::contraction {

// Weights in the layout that a backend's plans read fastest. Immutable, thread-safe.
class PackedWeights {
 public:
  virtual ~PackedWeights() = default;
  virtual size_t size_bytes() const = 0;
};

// The data of one run. The matrix A or the convolution's input is `a`; the matrix B or the filter
// is `b`. If `packed` has the weights, `b` may be null.
struct Operands {
  const float* a = nullptr;
  const float* b = nullptr;
  const PackedWeights* packed = nullptr;
  const float* bias = nullptr;
  float* out = nullptr;
};

// Immutable, thread-safe: may be run by many threads at once, each with its own output. Runs on the
// calling thread alone.
class Plan {
 public:
  virtual ~Plan() = default;
  // False if there is no memory for the work in between; the output is then undefined. The output
  // may not overlap the inputs.
  [[nodiscard]] virtual bool Run(const Operands& operands) const = 0;
  // Packs plain weights (the problem's B or filter), of f32 or, if the problem is in_bf16, of bf16.
  // Null without memory. Only for plans whose problem says that weights come packed.
  virtual std::unique_ptr<PackedWeights> Pack(const void* weights) const = 0;
};

// Thread-safe.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  // The instructions that multiply f32, or those of problems in_bf16, for which an empty text says
  // that there are no plans. "AVX2"
  virtual std::string_view instructions(bool in_bf16) const = 0;
  // For problems with products and output. `weights`, if not null, are packed weights that the plan
  // must be able to read. Null if this backend has nothing better than a reference implementation
  // and `accept_reference` is false.
  virtual std::unique_ptr<Plan> Prepare(const MatMulProblem& problem, const PackedWeights* weights,
                                        bool accept_reference) = 0;
  virtual std::unique_ptr<Plan> Prepare(const ConvolutionProblem& problem,
                                        const PackedWeights* weights, bool accept_reference) = 0;
  // The filter as it came that this backend packed for `problem`, for problems that it has no plan
  // for. False without memory.
  [[nodiscard]] virtual bool Unpack(const ConvolutionProblem& problem, const PackedWeights& weights,
                                    float* filter) = 0;
};

// The one in this library: always there, for every problem with output.
std::unique_ptr<Backend> CreateEigenBackend();

// The export of a backend module, and the version that both sides must have been built from. The
// version changes whenever a problem, a plan or packed weights change.
inline constexpr int kBackendModuleVersion = 6;
inline constexpr char kBackendModuleFactory[] = "tfrt_create_contraction_backend";
// Null if the versions differ or the library behind the module does not work here.
using BackendModuleFactory = Backend* (*)(int version);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_BACKEND_H_
