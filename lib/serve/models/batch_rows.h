// Rows of batches: which models can compute several requests in one run, and how their tensors are
// put together and taken apart.
#ifndef TFRT_LIB_SERVE_MODELS_BATCH_ROWS_H_
#define TFRT_LIB_SERVE_MODELS_BATCH_ROWS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tfrt/model/model.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostAllocator;
}

namespace tfrt::serve {

// Returns OK if the first dimension of all inputs and results is open, so that requests can share a
// run. Otherwise fails with InvalidArgument, which names the first value that has none.
Status CheckHasRows(const Model& model);

// Returns true if, in addition, all these dimensions have one name that only batches have: "batch",
// "batch_size", "N" and the like. Other open dimensions may be lengths of a sequence, whose
// elements depend on each other.
bool HasNamedRows(const Model& model);

// Returns true if the tensors differ in their first dimension at most. Both spans are inputs of one
// model of rank 1 or more.
bool CanShareRun(std::span<const DenseHostTensor* const> a,
                 std::span<const DenseHostTensor* const> b);

// Returns the tensors' rows one after the other. All have one dtype, and one shape but for the
// first dimension. Fails with ResourceExhausted without memory.
StatusOr<DenseHostTensor> JoinRows(std::span<const DenseHostTensor* const> parts,
                                   HostAllocator* allocator);

// Returns rows [begin, begin + num_rows) of the tensor, over the same memory. Fails with Internal
// if the tensor does not have these rows.
StatusOr<DenseHostTensor> TakeRows(const DenseHostTensor& tensor, int64_t begin, int64_t num_rows);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_BATCH_ROWS_H_
