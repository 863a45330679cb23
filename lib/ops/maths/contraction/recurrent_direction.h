// One direction of a recurrent layer.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_RECURRENT_DIRECTION_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_RECURRENT_DIRECTION_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "byte_factor.h"
#include "contractions.h"
#include "recurrent.h"

namespace tfrt::maths {

// Weights of 8 bits of one direction: [inputs, gates * hidden] and [hidden, gates * hidden].
struct ByteWeights {
  ByteFactor w, r;
};

// The data of one layer. Rows of state are those of [directions, batch, hidden] or, with the batch
// first, of [batch, directions, hidden].
struct RecurrentLayer {
  RecurrentOptions options;
  int64_t directions, steps, batch, inputs, hidden, gates;
  const float *x, *w, *r, *bias, *initial_h, *initial_c, *peepholes;
  const int32_t* lengths;
  std::shared_ptr<std::vector<ByteWeights>> bytes;  // one for each direction, instead of w and r
  float *y, *last_h, *last_c;

  int64_t InputRow(int64_t step, int64_t b) const {
    return options.batch_first ? b * steps + step : step * batch + b;
  }
  int64_t StateAt(int64_t direction, int64_t b) const {
    return (options.batch_first ? b * directions + direction : direction * batch + b) * hidden;
  }
  int64_t OutputAt(int64_t step, int64_t direction, int64_t b) const {
    const int64_t row = options.batch_first ? (b * steps + step) * directions + direction
                                            : (step * directions + direction) * batch + b;
    return row * hidden;
  }
  int64_t LengthOf(int64_t b) const {
    return lengths ? std::clamp<int64_t>(lengths[b], 0, steps) : steps;
  }
};

// Step by step: each works on the rows of the batch that it still has. On one thread.
class RecurrentDirection {
 public:
  // Both must outlive it.
  RecurrentDirection(const RecurrentLayer& layer, int64_t direction,
                     const ExecutionContext& exec_ctx)
      : l_(layer),
        d_(direction),
        exec_ctx_(exec_ctx),
        rows_(layer.gates * layer.hidden),
        backward_(layer.options.forward ? direction == 1 : true),
        f_(layer.options.functions[static_cast<size_t>(direction)]) {}

  Status Run();

 private:
  Status Multiply(contraction::MatMulProblem problem, const float* a, const float* b,
                  const float* bias, float* out);
  Status MultiplyInputs();
  Status ArrangeRecurrence();
  Status MultiplyQuantizedState(int64_t index);
  Status MultiplyState(const float* state, int64_t first, int64_t count, float* out);
  Status Step(int64_t index);
  int64_t StepOf(int64_t index, int64_t b) const;
  void Clip(float* data, int64_t count) const;
  void Gate(const GateFunction& function, float* data, int64_t count) const;
  void StepRnn(const float* x, const float* recurrent, float* h);
  void StepLstm(const float* x, const float* recurrent, float* h, float* c);
  void ResetState(int64_t index, int64_t b);
  void StepGru(const float* x, int64_t b, int64_t gates, float* h);

  const RecurrentLayer& l_;
  const int64_t d_;
  const ExecutionContext& exec_ctx_;
  const int64_t rows_;
  const bool backward_;
  const std::array<GateFunction, 3>& f_;
  ByteWeights* bytes_ = nullptr;
  bool is_arranged_ = false;
  const float* weights_ = nullptr;
  const float* late_bias_ = nullptr;
  std::vector<float> products_, summed_bias_, arranged_, h_, c_, recurrent_, pre_, reset_,
      candidate_;
};

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_RECURRENT_DIRECTION_H_
