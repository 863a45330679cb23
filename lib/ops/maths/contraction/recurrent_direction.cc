#include "recurrent_direction.h"

#include <cmath>

#include "lib/ops/maths/cpu/activate.h"

namespace tfrt::maths {
namespace {

using contraction::MatMulProblem;
using contraction::Operands;

void Apply(const GateFunction& function, float* data, int64_t count) {
  const float alpha = function.activation.alpha, beta = function.activation.beta;
  auto each = [&](auto f) {
    for (int64_t i = 0; i < count; ++i) data[i] = f(data[i]);
  };
  switch (function.other) {
    case GateFunction::Other::kNone:
      return cpu::Activate(function.activation, data, count);
    case GateFunction::Other::kAffine:
      return each([=](float x) { return alpha * x + beta; });
    case GateFunction::Other::kThresholdedRelu:
      return each([=](float x) { return x >= alpha ? x : 0.0f; });
    case GateFunction::Other::kScaledTanh:
      return each([=](float x) { return alpha * std::tanh(beta * x); });
    case GateFunction::Other::kSoftsign:
      return each([](float x) { return x / (1 + std::fabs(x)); });
  }
}

}  // namespace

Status RecurrentDirection::Run() {
  const int64_t hidden = l_.hidden, batch = l_.batch;
  if (l_.bytes) bytes_ = &(*l_.bytes)[static_cast<size_t>(d_)];
  h_.assign(static_cast<size_t>(batch * hidden), 0.0f);
  c_.assign(h_.size(), 0.0f);
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t at = l_.StateAt(d_, b);
    if (l_.initial_h) std::copy_n(l_.initial_h + at, hidden, h_.data() + b * hidden);
    if (l_.initial_c) std::copy_n(l_.initial_c + at, hidden, c_.data() + b * hidden);
  }
  TFRT_RETURN_IF_ERROR(MultiplyInputs());
  TFRT_RETURN_IF_ERROR(ArrangeRecurrence());
  recurrent_.resize(static_cast<size_t>(batch * rows_));
  pre_.resize(static_cast<size_t>(rows_));
  reset_.resize(h_.size());
  candidate_.resize(h_.size());
  for (int64_t step = 0; step < l_.steps; ++step) TFRT_RETURN_IF_ERROR(Step(step));
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t at = l_.StateAt(d_, b);
    if (l_.last_h) std::copy_n(h_.data() + b * hidden, hidden, l_.last_h + at);
    if (l_.last_c) std::copy_n(c_.data() + b * hidden, hidden, l_.last_c + at);
  }
  return OkStatus();
}

Status RecurrentDirection::Multiply(MatMulProblem problem, const float* a, const float* b,
                                    const float* bias, float* out) {
  problem.has_bias = bias != nullptr;
  return contraction::ComputeOnThisThread(exec_ctx_, problem,
                                          Operands{.a = a, .b = b, .bias = bias, .out = out});
}

// The products of the inputs of all steps, with the biases that are only added.
Status RecurrentDirection::MultiplyInputs() {
  products_.resize(static_cast<size_t>(l_.steps * l_.batch * rows_));
  const bool linear = l_.options.linear_before_reset;
  if (l_.bias) {
    const float* biases = l_.bias + d_ * 2 * rows_;
    summed_bias_.assign(biases, biases + rows_);
    // Biases that are multiplied with the reset gate come later.
    const int64_t added = linear ? rows_ - l_.hidden : rows_;
    for (int64_t i = 0; i < added; ++i) summed_bias_[static_cast<size_t>(i)] += biases[rows_ + i];
    if (linear) late_bias_ = biases + rows_ + added;
  }
  const float* bias = l_.bias ? summed_bias_.data() : nullptr;
  if (bytes_) {
    const int64_t rows = l_.steps * l_.batch;
    return bytes_->w.Multiply(l_.x, rows, cpu::RangeOf(l_.x, rows * l_.inputs), bias,
                              products_.data());
  }
  MatMulProblem problem;
  problem.m = l_.steps * l_.batch;
  problem.k = l_.inputs;
  problem.n = rows_;
  problem.transpose_b = true;
  problem.a_row_stride = problem.b_row_stride = l_.inputs;
  problem.out_row_stride = rows_;
  return Multiply(problem, l_.x, l_.w + d_ * rows_ * l_.inputs, bias, products_.data());
}

// Over many steps the weights are read fastest as [hidden, gates * hidden].
Status RecurrentDirection::ArrangeRecurrence() {
  if (bytes_) return bytes_->r.Pack();
  constexpr int64_t kManySteps = 4;
  const float* r = l_.r + d_ * rows_ * l_.hidden;
  is_arranged_ = l_.steps >= kManySteps;
  weights_ = r;
  if (!is_arranged_) return OkStatus();
  arranged_.resize(static_cast<size_t>(rows_ * l_.hidden));
  for (int64_t row = 0; row < rows_; ++row) {
    for (int64_t i = 0; i < l_.hidden; ++i) {
      arranged_[static_cast<size_t>(i * rows_ + row)] = r[row * l_.hidden + i];
    }
  }
  weights_ = arranged_.data();
  return OkStatus();
}

// The state of all rows that have a step left is quantised together.
Status RecurrentDirection::MultiplyQuantizedState(int64_t index) {
  cpu::FloatRange range;
  for (int64_t b = 0; b < l_.batch; ++b) {
    if (index < l_.LengthOf(b)) {
      range = cpu::RangeOf(h_.data() + b * l_.hidden, l_.hidden, range);
    }
  }
  return bytes_->r.Multiply(h_.data(), l_.batch, range, nullptr, recurrent_.data());
}

// out [batch, count * hidden] = state * R of the gates from `first` on.
Status RecurrentDirection::MultiplyState(const float* state, int64_t first, int64_t count,
                                         float* out) {
  MatMulProblem problem;
  problem.m = l_.batch;
  problem.k = l_.hidden;
  problem.n = count * l_.hidden;
  problem.a_row_stride = l_.hidden;
  problem.out_row_stride = problem.n;
  problem.transpose_b = !is_arranged_;
  problem.b_row_stride = is_arranged_ ? rows_ : l_.hidden;
  const int64_t offset = first * l_.hidden * (is_arranged_ ? 1 : l_.hidden);
  return Multiply(problem, state, weights_ + offset, nullptr, out);
}

Status RecurrentDirection::Step(int64_t index) {
  const bool resets_first =
      l_.options.kind == RecurrentKind::kGru && !l_.options.linear_before_reset;
  const int64_t gates = resets_first ? 2 : l_.gates;
  TFRT_RETURN_IF_ERROR(bytes_ ? MultiplyQuantizedState(index)
                              : MultiplyState(h_.data(), 0, gates, recurrent_.data()));
  if (resets_first) {
    for (int64_t b = 0; b < l_.batch; ++b) ResetState(index, b);
    TFRT_RETURN_IF_ERROR(MultiplyState(reset_.data(), 2, 1, candidate_.data()));
  }
  for (int64_t b = 0; b < l_.batch; ++b) {
    const int64_t length = l_.LengthOf(b);
    const int64_t step = StepOf(index, b);
    float* out = l_.y ? l_.y + l_.OutputAt(step, d_, b) : nullptr;
    if (index >= length) {
      if (out) std::fill_n(out, l_.hidden, 0.0f);
      continue;
    }
    float* h = h_.data() + b * l_.hidden;
    const float* x = products_.data() + l_.InputRow(step, b) * rows_;
    switch (l_.options.kind) {
      case RecurrentKind::kLstm:
        StepLstm(x, recurrent_.data() + b * rows_, h, c_.data() + b * l_.hidden);
        break;
      case RecurrentKind::kGru:
        StepGru(x, b, gates, h);
        break;
      case RecurrentKind::kRnn:
        StepRnn(x, recurrent_.data() + b * rows_, h);
        break;
    }
    if (out) std::copy_n(h, l_.hidden, out);
  }
  return OkStatus();
}
// Backwards each row of the batch begins at its own end; what lies behind it stays there.
int64_t RecurrentDirection::StepOf(int64_t index, int64_t b) const {
  const int64_t length = l_.LengthOf(b);
  return backward_ && index < length ? length - 1 - index : index;
}

void RecurrentDirection::Clip(float* data, int64_t count) const {
  const float clip = l_.options.clip;
  if (clip == 0) return;
  for (int64_t i = 0; i < count; ++i) data[i] = std::min(std::max(data[i], -clip), clip);
}
void RecurrentDirection::Gate(const GateFunction& function, float* data, int64_t count) const {
  Clip(data, count);
  Apply(function, data, count);
}

void RecurrentDirection::StepRnn(const float* x, const float* recurrent, float* h) {
  for (int64_t i = 0; i < l_.hidden; ++i) h[i] = x[i] + recurrent[i];
  Gate(f_[0], h, l_.hidden);
}

// Gates i, o, f, c.
void RecurrentDirection::StepLstm(const float* x, const float* recurrent, float* h, float* c) {
  const int64_t n = l_.hidden;
  for (int64_t i = 0; i < rows_; ++i) pre_[static_cast<size_t>(i)] = x[i] + recurrent[i];
  float *in = pre_.data(), *out = in + n, *forget = out + n, *cell = forget + n;
  const float* p = l_.peepholes ? l_.peepholes + d_ * 3 * n : nullptr;
  if (p) {
    for (int64_t i = 0; i < n; ++i) {
      in[i] += p[i] * c[i];
      forget[i] += p[2 * n + i] * c[i];
    }
  }
  Gate(f_[0], in, n);
  if (l_.options.input_forget) {
    for (int64_t i = 0; i < n; ++i) forget[i] = 1 - in[i];
  } else {
    Gate(f_[0], forget, n);
  }
  Gate(f_[1], cell, n);
  for (int64_t i = 0; i < n; ++i) c[i] = forget[i] * c[i] + in[i] * cell[i];
  if (p) {
    for (int64_t i = 0; i < n; ++i) out[i] += p[n + i] * c[i];
  }
  Gate(f_[0], out, n);
  std::copy_n(c, n, h);
  Apply(f_[2], h, n);
  for (int64_t i = 0; i < n; ++i) h[i] *= out[i];
}

// reset = r * h, where the candidate is made of that.
void RecurrentDirection::ResetState(int64_t index, int64_t b) {
  const int64_t n = l_.hidden;
  const float* x = products_.data() + l_.InputRow(StepOf(index, b), b) * rows_;
  float* recurrent = recurrent_.data() + b * 2 * n;
  for (int64_t i = 0; i < 2 * n; ++i) recurrent[i] += x[i];
  Gate(f_[0], recurrent, 2 * n);
  const float* h = h_.data() + b * n;
  float* reset = reset_.data() + b * n;
  for (int64_t i = 0; i < n; ++i) reset[i] = recurrent[n + i] * h[i];
}

// Gates z, r, h.
void RecurrentDirection::StepGru(const float* x, int64_t b, int64_t gates, float* h) {
  const int64_t n = l_.hidden;
  float* update = recurrent_.data() + b * gates * n;
  float* candidate = candidate_.data() + b * n;
  if (gates == 2) {
    for (int64_t i = 0; i < n; ++i) candidate[i] += x[2 * n + i];
  } else {
    for (int64_t i = 0; i < 2 * n; ++i) update[i] += x[i];
    Gate(f_[0], update, 2 * n);
    for (int64_t i = 0; i < n; ++i) {
      const float linear = update[2 * n + i] + (late_bias_ ? late_bias_[i] : 0.0f);
      candidate[i] = x[2 * n + i] + update[n + i] * linear;
    }
  }
  Gate(f_[1], candidate, n);
  for (int64_t i = 0; i < n; ++i) h[i] = (1 - update[i]) * candidate[i] + update[i] * h[i];
}

}  // namespace tfrt::maths
