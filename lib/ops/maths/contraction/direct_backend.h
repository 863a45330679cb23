// Direct: loops of our own for problems so small, or with so few channels, that a library's
// preparation costs more than the work.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_DIRECT_BACKEND_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_DIRECT_BACKEND_H_

#include <memory>

#include "backend.h"

namespace tfrt::contraction {

// Weights of at most this size are kept as they came beside their packed form, because direct plans
// read them so.
inline constexpr size_t kMaxDirectWeightBytes = 512 * 1024;

// True if a direct plan is the fastest there is. Its weights come plain, in Operands::b, whatever
// the problem says.
bool IsDirect(const MatMulProblem& problem);
bool IsDirect(const ConvolutionProblem& problem);

// For direct problems.
std::unique_ptr<Plan> PrepareDirect(const MatMulProblem& problem);
std::unique_ptr<Plan> PrepareDirect(const ConvolutionProblem& problem);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_DIRECT_BACKEND_H_
