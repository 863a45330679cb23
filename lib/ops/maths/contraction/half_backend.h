// Products of few rows with packed matrices of f16 or bf16, in f32.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_HALF_BACKEND_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_HALF_BACKEND_H_

#include <cstdint>
#include <memory>

#include "backend.h"

namespace tfrt::contraction {

// Makes plans for products with what PackHalves made, and for all of those. Null where the CPU
// cannot run them. It packs no matrix of f32.
std::unique_ptr<Backend> CreateHalfBackend();

// The problem's B as elements of 16 bits. Null without memory.
std::unique_ptr<PackedWeights> PackHalves(const MatMulProblem& problem, bool is_bf16,
                                          const uint16_t* weights);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_HALF_BACKEND_H_
