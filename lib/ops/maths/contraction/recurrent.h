// Recurrent layers as ONNX defines them (LSTM, GRU, RNN), f32, and one with weights of 8 bits.
// Thread-safe; tensors are borrowed for the time of the call, their memory until the completion
// (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_RECURRENT_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_RECURRENT_H_

#include <array>
#include <span>
#include <string_view>

#include "activation.h"
#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// A function of a gate: the activation, or, if that is none, what `other` says.
struct GateFunction {
  enum class Other : uint8_t { kNone, kAffine, kThresholdedRelu, kScaledTanh, kSoftsign };
  ActivationWithParameters activation;
  Other other = Other::kNone;  // with the activation's parameters
};

enum class RecurrentKind : uint8_t { kLstm, kGru, kRnn };

struct RecurrentOptions {
  RecurrentKind kind = RecurrentKind::kLstm;
  bool forward = true;  // one of them or both
  bool backward = false;
  bool batch_first = false;
  bool input_forget = false;         // of LSTM
  bool linear_before_reset = false;  // of GRU
  float clip = 0;                    // 0: none
  // The functions f, g, h of each direction; those that the layer does not have are not used.
  std::array<std::array<GateFunction, 3>, 2> functions;

  // By ONNX's names, for each direction one after the other, or none for the default; parameters
  // are for the functions that have them, in order. InvalidArgument for a name that there is not
  // and for another number of them.
  Status SetFunctions(std::span<const std::string_view> names, std::span<const float> alphas,
                      std::span<const float> betas);
  size_t num_directions() const { return forward && backward ? 2 : 1; }
};

// The inputs and outputs of the op table's lstm, gru and rnn; null: left out. The shapes follow its
// shape functions.
struct RecurrentOperands {
  const DenseHostTensor *x, *w, *r, *bias, *lengths, *initial_h, *initial_c, *peepholes;
  // An LSTM with weights of 8 bits has these, and w and r as dynamic_quantized_lstm has them.
  const DenseHostTensor *w_scale, *w_zero, *r_scale, *r_zero;
  DenseHostTensor *y, *last_h, *last_c;
};

// InvalidArgument for dtypes other than f32, of weights of 8 bits as QuantizedMatMul; lengths are
// i32. A length below 0 counts as 0, one above the number of steps as that number. After the length
// y is 0.
Completion Recurrent(const RecurrentOptions& options, const RecurrentOperands& operands,
                     const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_RECURRENT_H_
