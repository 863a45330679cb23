// Products with packed matrices in loops of our own, for CPUs with AVX-512.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_PANEL_BACKEND_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_PANEL_BACKEND_H_

#include <memory>

#include "backend.h"

namespace tfrt::contraction {

// Makes plans for packed products only, and for all of those. Null where the CPU cannot run them.
std::unique_ptr<Backend> CreatePanelBackend();

// Whether matrices for this problem should be packed by it: panels are as wide as many columns.
bool FillsPanels(const MatMulProblem& problem);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_PANEL_BACKEND_H_
