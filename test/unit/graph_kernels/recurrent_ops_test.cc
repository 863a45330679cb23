// The recurrent layers against ONNX's definitions and that of DynamicQuantizeLSTM.

#include <cmath>
#include <functional>

#include "backends.h"
#include "image_reference.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

using GateFunction = std::function<double(double)>;

// A layer of a few units, from the formulas.
struct LayerCase {
  std::string op;
  std::string direction = "forward";
  int64_t steps = 5, batch = 2, inputs = 3, hidden = 4;
  bool has_bias = true, has_initial = true, has_lengths = false, has_peepholes = false;
  bool input_forget = false, linear_before_reset = false;
  double clip = 0;
  // Of each direction f, g and h.
  std::vector<std::string_view> names = {};
  GateFunction f = Sigmoid, g = [](double x) { return std::tanh(x); },
               h = [](double x) { return std::tanh(x); };
  std::vector<float> alphas = {}, betas = {};
  // For weights of 8 bits.
  bool is_signed = true, per_column = false;

  bool has_bytes() const { return op == "dynamic_quantized_lstm"; }
  bool is_lstm() const { return op == "lstm" || has_bytes(); }
  int64_t gates() const { return is_lstm() ? 4 : op == "gru" ? 3 : 1; }
  int64_t directions() const { return direction == "bidirectional" ? 2 : 1; }
};

// Weights of 8 bits [D,depth,columns], what they stand for, [D,columns,depth], and how.
struct LayerBytes {
  Doubles bytes, values, zeros;
  std::vector<float> scales;
  LayerBytes(const LayerCase& c, int64_t depth, uint32_t seed) {
    const int64_t d = c.directions(), columns = c.gates() * c.hidden;
    const int64_t each = c.per_column ? columns : 1;
    std::mt19937 random(seed);
    for (int64_t i = 0; i < d * each; ++i) {
      scales.push_back(static_cast<float>(3 + random() % 5) / 512);
      zeros.push_back(c.is_signed ? 0.0 : 120.0);
    }
    bytes.resize(d * depth * columns);
    values.resize(bytes.size());
    for (int64_t i = 0; i < d * depth * columns; ++i) {
      const int64_t column = i % columns, k = i / columns % depth, direction = i / columns / depth;
      const int64_t at = direction * each + (c.per_column ? column : 0);
      bytes[i] = static_cast<double>(random() % 256) - (c.is_signed ? 128 : 0);
      values[(direction * columns + column) * depth + k] = (bytes[i] - zeros[at]) * scales[at];
    }
  }
};

// The numbers as 8 bits stand for them, with a scale for the range of those whose row is `live`.
Doubles Quantized(const Doubles& values, int64_t size, const std::function<bool(int64_t)>& live) {
  float low = 0, high = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!live(static_cast<int64_t>(i) / size)) continue;
    low = std::min(low, static_cast<float>(values[i]));
    high = std::max(high, static_cast<float>(values[i]));
  }
  const float scale = low == high ? 1 : (high - low) / 255;
  const float zero = std::nearbyint(-low / scale);
  Doubles results;
  for (double value : values) {
    const float q = std::nearbyint(static_cast<float>(value) / scale) + zero;
    results.push_back(double{std::min(std::max(q, 0.0f), 255.0f) - zero} * scale);
  }
  return results;
}

struct LayerData {
  Doubles x, w, r, bias, initial_h, initial_c, peepholes;
  std::vector<int32_t> lengths;
  explicit LayerData(const LayerCase& c) {
    const int64_t rows = c.directions() * c.gates() * c.hidden;
    const int64_t state = c.directions() * c.batch * c.hidden;
    x = RandomEighths(c.steps * c.batch * c.inputs, 1);
    w = RandomEighths(rows * c.inputs, 2);
    r = RandomEighths(rows * c.hidden, 3);
    if (c.has_bias) bias = RandomEighths(2 * rows, 4);
    if (c.has_initial) initial_h = RandomEighths(state, 5);
    if (c.has_initial) initial_c = RandomEighths(state, 6);
    if (c.has_peepholes) peepholes = RandomEighths(c.directions() * 3 * c.hidden, 7);
    for (int64_t b = 0; b < c.batch; ++b) {
      lengths.push_back(c.has_lengths ? static_cast<int32_t>(c.steps - 2 * b) : 5);
    }
  }
};

struct LayerResults {
  Doubles y, last_h, last_c;  // [T,D,B,H], [D,B,H], [D,B,H]
};

LayerResults Compute(const LayerCase& c, const LayerData& data) {
  const int64_t n = c.hidden, rows = c.gates() * n, batch = c.batch;
  LayerResults results;
  results.y.resize(c.steps * c.directions() * batch * n);
  auto length_of = [&](int64_t b) { return c.has_lengths ? data.lengths[b] : c.steps; };
  const Doubles inputs =
      c.has_bytes() ? Quantized(data.x, c.inputs, [](int64_t) { return true; }) : data.x;
  for (int64_t d = 0; d < c.directions(); ++d) {
    const bool backward = c.direction == "reverse" || d == 1;
    Doubles states(batch * n), cells(batch * n);
    if (c.has_initial) {
      std::copy_n(data.initial_h.begin() + d * batch * n, batch * n, states.begin());
      std::copy_n(data.initial_c.begin() + d * batch * n, batch * n, cells.begin());
    }
    for (int64_t index = 0; index < c.steps; ++index) {
      const Doubles multiplied =
          c.has_bytes() ? Quantized(states, n, [&](int64_t b) { return index < length_of(b); })
                        : states;
      for (int64_t b = 0; b < batch; ++b) {
        const int64_t length = length_of(b);
        if (index >= length) continue;
        double *h = states.data() + b * n, *cell = cells.data() + b * n;
        const int64_t t = backward ? length - 1 - index : index;
        auto from_x = [&](int64_t row) {
          double sum = data.bias.empty() ? 0 : data.bias[d * 2 * rows + row];
          for (int64_t i = 0; i < c.inputs; ++i) {
            sum += data.w[(d * rows + row) * c.inputs + i] * inputs[(t * batch + b) * c.inputs + i];
          }
          return sum;
        };
        auto from_h = [&](int64_t row, const Doubles& state) {
          double sum = data.bias.empty() ? 0 : data.bias[(d * 2 + 1) * rows + row];
          for (int64_t i = 0; i < n; ++i) sum += data.r[(d * rows + row) * n + i] * state[i];
          return sum;
        };
        auto clipped = [&](double value) {
          return c.clip == 0 ? value : std::min(std::max(value, -c.clip), c.clip);
        };
        auto peephole = [&](int64_t gate, int64_t i, double state) {
          return data.peepholes.empty() ? 0 : data.peepholes[(d * 3 + gate) * n + i] * state;
        };
        const Doubles before(multiplied.begin() + b * n, multiplied.begin() + (b + 1) * n);
        if (c.op == "rnn") {
          for (int64_t i = 0; i < n; ++i) h[i] = c.f(clipped(from_x(i) + from_h(i, before)));
        } else if (c.op == "gru") {
          Doubles z(n), reset(n), scaled(n);
          for (int64_t i = 0; i < n; ++i) {
            z[i] = c.f(clipped(from_x(i) + from_h(i, before)));
            reset[i] = c.f(clipped(from_x(n + i) + from_h(n + i, before)));
            scaled[i] = reset[i] * before[i];
          }
          for (int64_t i = 0; i < n; ++i) {
            const double recurrent = c.linear_before_reset ? reset[i] * from_h(2 * n + i, before)
                                                           : from_h(2 * n + i, scaled);
            h[i] = (1 - z[i]) * c.g(clipped(from_x(2 * n + i) + recurrent)) + z[i] * before[i];
          }
        } else {
          for (int64_t i = 0; i < n; ++i) {
            auto gate = [&](int64_t g) { return from_x(g * n + i) + from_h(g * n + i, before); };
            const double in = c.f(clipped(gate(0) + peephole(0, i, cell[i])));
            const double forget =
                c.input_forget ? 1 - in : c.f(clipped(gate(2) + peephole(2, i, cell[i])));
            cell[i] = forget * cell[i] + in * c.g(clipped(gate(3)));
            h[i] = c.f(clipped(gate(1) + peephole(1, i, cell[i]))) * c.h(cell[i]);
          }
        }
        for (int64_t i = 0; i < n; ++i) {
          results.y[((t * c.directions() + d) * batch + b) * n + i] = h[i];
        }
      }
    }
    results.last_h.insert(results.last_h.end(), states.begin(), states.end());
    results.last_c.insert(results.last_c.end(), cells.begin(), cells.end());
  }
  return results;
}

class RecurrentOpsTest : public BackendTest {
 protected:
  // [outer, a, b, inner] as [outer, b, a, inner].
  static Doubles Swap(const Doubles& from, int64_t outer, int64_t a, int64_t b, int64_t inner) {
    Doubles to(from.size());
    for (int64_t i = 0; i < outer * a * b * inner; ++i) {
      const int64_t k = i % inner, y = i / inner % b, x = i / inner / b % a, o = i / inner / b / a;
      to[((o * b + y) * a + x) * inner + k] = from[i];
    }
    return to;
  }

  TensorHandle Bytes(const LayerCase& c, TensorShape shape, const Doubles& values) {
    return c.is_signed ? Make<int8_t>(std::move(shape), values)
                       : Make<uint8_t>(std::move(shape), values);
  }

  void Check(const LayerCase& c) {
    LayerData data(c);
    const LayerBytes w(c, c.inputs, 12), r(c, c.hidden, 13);
    if (c.has_bytes()) data.w = w.values, data.r = r.values;
    const LayerResults expected = Compute(c, data);
    const int64_t d = c.directions(), rows = c.gates() * c.hidden, n = c.hidden;
    for (bool batch_first : {false, true}) {
      SCOPED_TRACE(StrCat(c.op, " ", c.direction, batch_first ? " batch first" : ""));
      auto state = [&](const Doubles& values) {
        if (values.empty()) return TensorHandle();
        return batch_first ? Make<float>({c.batch, d, n}, Swap(values, 1, d, c.batch, n))
                           : Make<float>({d, c.batch, n}, values);
      };
      Handles arguments = {
          batch_first ? Make<float>({c.batch, c.steps, c.inputs},
                                    Swap(data.x, 1, c.steps, c.batch, c.inputs))
                      : Make<float>({c.steps, c.batch, c.inputs}, data.x),
          c.has_bytes() ? Bytes(c, {d, c.inputs, rows}, w.bytes)
                        : Make<float>({d, rows, c.inputs}, data.w),
          c.has_bytes() ? Bytes(c, {d, n, rows}, r.bytes) : Make<float>({d, rows, n}, data.r),
          c.has_bias ? Make<float>({d, 2 * rows}, data.bias) : TensorHandle(),
          c.has_lengths ? runner_->Ints(data.lengths) : TensorHandle(),
          state(data.initial_h)};
      if (c.has_bytes()) {
        const TensorShape each = c.per_column ? TensorShape{d, rows} : TensorShape{d};
        Handles numbers = {runner_->Dense<float>(each, w.scales), Bytes(c, each, w.zeros),
                           runner_->Dense<float>(each, r.scales), Bytes(c, each, r.zeros)};
        arguments.insert(arguments.begin() + 3, numbers.begin(), numbers.end());
      }
      if (c.is_lstm()) {
        arguments.push_back(state(data.initial_c));
        arguments.push_back(c.has_peepholes ? Make<float>({d, 3 * n}, data.peepholes)
                                            : TensorHandle());
      }
      OpAttrs attrs;
      attrs.Set("batch_first", batch_first);
      attrs.SetString("direction", c.direction);
      attrs.Set("clip", static_cast<float>(c.clip));
      attrs.SetStringArray("activations", c.names);
      attrs.SetArray("activation_alpha", std::span<const float>(c.alphas));
      attrs.SetArray("activation_beta", std::span<const float>(c.betas));
      if (c.is_lstm()) attrs.Set("input_forget", c.input_forget);
      if (c.op == "gru") attrs.Set("linear_before_reset", c.linear_before_reset);
      const size_t num_results = c.is_lstm() ? 3 : 2;
      Handles results = runner_->Run("graph." + c.op, arguments, attrs, num_results);
      auto last = [&](const Doubles& values) {
        return batch_first ? Swap(values, 1, d, c.batch, n) : values;
      };
      // [T,D,B,H] -> [B,T,D,H]
      const Doubles y = batch_first ? Swap(expected.y, 1, c.steps * d, c.batch, n) : expected.y;
      ExpectNear<float>(results[0], y, 1e-5);
      ExpectNear<float>(results[1], last(expected.last_h), 1e-5);
      if (c.is_lstm()) ExpectNear<float>(results[2], last(expected.last_c), 1e-5);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(RecurrentOpsTest, Directions) {
  for (const char* op : {"lstm", "gru", "rnn"}) {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
      LayerCase c{.op = op, .direction = direction};
      if (c.op == "rnn") c.f = c.g;
      Check(c);
      c.has_lengths = true;
      Check(c);
      c.has_lengths = c.has_bias = c.has_initial = false;
      Check(c);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(RecurrentOpsTest, Variants) {
  Check({.op = "lstm", .direction = "bidirectional", .has_peepholes = true});
  Check({.op = "lstm", .steps = 2, .has_peepholes = true, .input_forget = true, .clip = 0.5});
  Check({.op = "gru", .direction = "bidirectional", .linear_before_reset = true});
  Check({.op = "gru", .steps = 1, .has_bias = false, .linear_before_reset = true, .clip = 0.25});
  Check({.op = "gru", .steps = 9, .batch = 1, .inputs = 20, .hidden = 33});
  Check({.op = "lstm", .steps = 6, .batch = 1, .inputs = 40, .hidden = 64});
}

TEST_P(RecurrentOpsTest, WeightsOfBytes) {
  const std::string op = "dynamic_quantized_lstm";
  for (const char* direction : {"forward", "reverse", "bidirectional"}) {
    Check({.op = op, .direction = direction});
    Check({.op = op, .direction = direction, .has_lengths = true, .per_column = true});
  }
  Check({.op = op, .hidden = 33, .has_initial = false, .is_signed = false});
  Check(
      {.op = op, .has_bias = false, .has_peepholes = true, .is_signed = false, .per_column = true});
  Check({.op = op, .steps = 1, .batch = 1, .inputs = 70, .hidden = 20, .clip = 0.5});
}

TEST_P(RecurrentOpsTest, OtherFunctions) {
  Check({.op = "rnn",
         .names = {"Affine"},
         .f = [](double x) { return 0.5 * x + 0.25; },
         .alphas = {0.5f},
         .betas = {0.25f}});
  Check({.op = "rnn", .names = {"softsign"}, .f = [](double x) { return x / (1 + std::fabs(x)); }});
  Check({.op = "gru",
         .names = {"HardSigmoid", "ScaledTanh"},
         .f = [](double x) { return std::min(std::max(0.2 * x + 0.5, 0.0), 1.0); },
         .g = [](double x) { return 0.5 * std::tanh(0.75 * x); },
         .alphas = {0.2f, 0.5f},
         .betas = {0.5f, 0.75f}});
  Check({.op = "lstm",
         .names = {"Sigmoid", "Relu", "LeakyRelu"},
         .f = Sigmoid,
         .g = [](double x) { return std::max(x, 0.0); },
         .h = [](double x) { return x < 0 ? 0.01 * x : x; }});
  Check({.op = "rnn", .names = {"ThresholdedRelu"}, .f = [](double x) { return x >= 1 ? x : 0; }});
}

INSTANTIATE_TEST_SUITE_P(Backends, RecurrentOpsTest, AllBackends(), BackendName);

TEST(RecurrentOpErrorsTest, Refused) {
  GraphOpRunner runner;
  Handles arguments = {runner.Floats({1, 1, 1}), runner.Floats({1, 1, 1}),
                       runner.Floats({1, 1, 1})};
  OpAttrs attrs;
  attrs.SetStringArray("activations", std::array<std::string_view, 1>{"Cube"});
  EXPECT_EQ(runner.Error("graph.rnn", arguments, attrs, 2), "unknown activation 'Cube'");
  OpAttrs more;
  more.SetStringArray("activations", std::array<std::string_view, 2>{"Tanh", "Tanh"});
  EXPECT_EQ(runner.Error("graph.rnn", arguments, more, 2), "there are 2 activations, expected 1");
  const Handles bytes = {runner.Floats({1, 1, 1}),
                         runner.Zeros(DType::kI8, {1, 1, 4}),
                         runner.Zeros(DType::kI8, {1, 1, 4}),
                         runner.Dense<float>({1}, {0.5f}),
                         runner.Zeros(DType::kI8, {1}),
                         runner.Dense<float>({1}, {-0.5f}),
                         runner.Zeros(DType::kI8, {1})};
  EXPECT_EQ(runner.Error("graph.dynamic_quantized_lstm", bytes, {}, 3),
            "the scale of r is -0.500000, expected a positive finite number");
  arguments = {runner.Zeros(DType::kF64, {1, 1, 1}), runner.Zeros(DType::kF64, {1, 1, 1}),
               runner.Zeros(DType::kF64, {1, 1, 1})};
  EXPECT_EQ(runner.Error("graph.rnn", arguments, {}, 2),
            "an argument of a recurrent layer is a tensor of f64, expected f32");
}

}  // namespace
}  // namespace tfrt
