// Computes operation graphs.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "elements.h"
#include "graph_program.h"
#include "handle.h"

namespace tfrt::gpu::cudnn_double {
namespace {

// To the ten bits that a TF32 factor keeps.
float RoundToTf32(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isfinite(value)) bits = (bits + 0x0FFF + (bits >> 13 & 1)) & ~uint32_t{0x1FFF};
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

class Run {
 public:
  Run(const GraphProgram& program, int64_t engine,
      const std::array<const void*, kNumRoles>& addresses)
      : program_(program), engine_(engine), addresses_(addresses) {}

  void Compute() {
    switch (program_.operation) {
      case GraphOperation::kConvolution:
      case GraphOperation::kGroupedConvolution:
        return WithSteps(RoundedConvolution(
            Role::kX, Role::kW, [&](const Convolution& c, const std::byte* x, const std::byte* w) {
              return Convolve(c, x, w);
            }));
      case GraphOperation::kDataGradient:
        RoundedConvolution(Role::kW, Role::kY,
                           [&](const Convolution& c, const std::byte* w, const std::byte* dy) {
                             RunBackwardData(c, 1, w, dy, 0, Bytes(Role::kX));
                             return std::vector<double>();
                           });
        return;
      case GraphOperation::kFilterGradient:
        RoundedConvolution(Role::kX, Role::kY,
                           [&](const Convolution& c, const std::byte* x, const std::byte* dy) {
                             RunBackwardFilter(c, 1, x, dy, 0, Bytes(Role::kW));
                             return std::vector<double>();
                           });
        return;
      case GraphOperation::kMaxPool:
        return Pool(PoolMode::kMax);
      case GraphOperation::kAveragePool:
        return Pool(PoolMode::kAverageWithPadding);
      case GraphOperation::kAveragePoolInside:
        return Pool(PoolMode::kAverageWithoutPadding);
      case GraphOperation::kAveragePoolGradient:
        return PoolGradient(PoolMode::kAverageWithPadding);
      case GraphOperation::kAveragePoolInsideGradient:
        return PoolGradient(PoolMode::kAverageWithoutPadding);
      case GraphOperation::kMatmul:
        return WithSteps(Multiply());
      case GraphOperation::kAttention:
      case GraphOperation::kAttentionStatistics:
        return Attend();
    }
  }

 private:
  const Layout& LayoutOf(Role role) const { return program_.Of(role)->layout; }
  const void* Address(Role role) const { return addresses_[static_cast<size_t>(role)]; }
  std::byte* Bytes(Role role) const { return View(Address(role)); }

  // Factors as the engine takes them.
  std::vector<double> Read(Role role) const {
    const Layout& layout = LayoutOf(role);
    std::vector<double> values(layout.num_elements());
    ReadDense(layout, Bytes(role), nullptr, 0, values.data());
    if (engine_ == kTensorCoreEngine && layout.type == CUDNN_DATA_FLOAT) {
      for (double& value : values) value = RoundToTf32(static_cast<float>(value));
    }
    return values;
  }
  void Write(Role role, const std::vector<double>& values) const {
    WriteDense(LayoutOf(role), Bytes(role), nullptr, 0, values.data(), 1, 0);
  }

  // Calls `f` with a convolution, and two of its tensors as the engine takes them.
  template <typename F>
  std::vector<double> RoundedConvolution(Role first, Role second, F&& f) const {
    Convolution convolution{LayoutOf(Role::kX), LayoutOf(Role::kW),  LayoutOf(Role::kY),
                            program_.window,    program_.is_flipped, program_.compute_type};
    if (engine_ != kTensorCoreEngine || LayoutOf(first).type != CUDNN_DATA_FLOAT) {
      return f(convolution, Bytes(first), Bytes(second));
    }
    std::vector<float> factors[2];
    for (int i = 0; i < 2; ++i) {
      const Role role = i == 0 ? first : second;
      const std::vector<double> values = Read(role);
      factors[i].assign(values.begin(), values.end());
      Layout& layout = role == Role::kX   ? convolution.x
                       : role == Role::kW ? convolution.w
                                          : convolution.y;
      layout.strides = RowStrides(layout.dims);
    }
    return f(convolution, reinterpret_cast<const std::byte*>(factors[0].data()),
             reinterpret_cast<const std::byte*>(factors[1].data()));
  }

  double Activate(double value) const {
    const double beta = program_.activation_beta;
    switch (program_.activation) {
      case GraphActivation::kNone:
        return value;
      case GraphActivation::kRelu:
        return value > 0 || std::isnan(value) ? value : 0;
      case GraphActivation::kClippedRelu:
        return std::isnan(value) ? value : std::clamp(value, 0.0, program_.bound);
      case GraphActivation::kSigmoid:
        return 1 / (1 + std::exp(-value));
      case GraphActivation::kTanh:
        return std::tanh(value);
      case GraphActivation::kSwish:
        return value / (1 + std::exp(-beta * value));
      case GraphActivation::kGelu:
        return value * 0.5 * (1 + std::erf(value / std::numbers::sqrt2));
      case GraphActivation::kGeluTanh: {
        const double inner =
            std::sqrt(2 / std::numbers::pi) * (value + 0.044715 * value * value * value);
        return 0.5 * value * (1 + std::tanh(inner));
      }
      case GraphActivation::kElu:
        return value > 0 ? value : program_.activation_alpha * std::expm1(value);
      case GraphActivation::kSoftplus:
        // Without overflow.
        return std::max(value, 0.0) + std::log1p(std::exp(-std::abs(beta * value))) / beta;
    }
    return value;
  }

  // Writes y of what the operation has computed.
  void WithSteps(std::vector<double> values) const {
    if (program_.Of(Role::kAddend)) {
      const std::vector<double> addend = ReadExactly(Role::kAddend);
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = program_.alpha * values[i] + program_.alpha2 * addend[i];
      }
    }
    if (program_.Of(Role::kBias)) {
      const std::vector<double> bias = ReadExactly(Role::kBias);
      const std::vector<int64_t>& dims = LayoutOf(Role::kY).dims;
      // Of products the last dimension, otherwise the channels.
      size_t inner = 1;
      if (program_.operation != GraphOperation::kMatmul) {
        for (size_t d = 2; d < dims.size(); ++d) inner *= static_cast<size_t>(dims[d]);
      }
      for (size_t i = 0; i < values.size(); ++i) values[i] += bias[i / inner % bias.size()];
    }
    for (double& value : values) value = Activate(value);
    Write(Role::kY, values);
  }
  std::vector<double> ReadExactly(Role role) const {
    std::vector<double> values(LayoutOf(role).num_elements());
    ReadDense(LayoutOf(role), Bytes(role), nullptr, 0, values.data());
    return values;
  }

  Pooling MakePooling(PoolMode mode) const {
    return {LayoutOf(Role::kX), LayoutOf(Role::kY), program_.window, mode};
  }
  void Pool(PoolMode mode) const {
    RunPoolForward(MakePooling(mode), 1, Address(Role::kX), 0,
                   const_cast<void*>(Address(Role::kY)));
  }
  void PoolGradient(PoolMode mode) const {
    RunPoolBackward(MakePooling(mode), 1, Address(Role::kY), Address(Role::kX), 0,
                    const_cast<void*>(Address(Role::kX)));
  }

  std::vector<double> Multiply() const {
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const std::vector<double> a = Read(Role::kX), b = Read(Role::kW);
    const std::vector<int64_t>&a_dims = LayoutOf(Role::kX).dims, &b_dims = LayoutOf(Role::kW).dims;
    const int64_t rows = a_dims[1], depth = a_dims[2], columns = b_dims[2];
    std::vector<double> c(a_dims[0] * rows * columns);
    for (int64_t n = 0; n < a_dims[0]; ++n) {
      const int64_t of_b = b_dims[0] == 1 ? 0 : n;
      Eigen::Map<Matrix>(c.data() + n * rows * columns, rows, columns).noalias() =
          Eigen::Map<const Matrix>(a.data() + n * rows * depth, rows, depth) *
          Eigen::Map<const Matrix>(b.data() + of_b * depth * columns, depth, columns);
    }
    return c;
  }

  void Attend() const {
    const std::vector<double> q = Read(Role::kX), k = Read(Role::kKey), v = Read(Role::kValue);
    const std::vector<int64_t>&q_dims = LayoutOf(Role::kX).dims,
          &k_dims = LayoutOf(Role::kKey).dims, &v_dims = LayoutOf(Role::kValue).dims;
    const double scale = *static_cast<const float*>(Address(Role::kScale));
    const int64_t heads = q_dims[1], length = q_dims[2], size = q_dims[3], keys = k_dims[2],
                  width = v_dims[3], sharing = heads / k_dims[1];
    std::vector<double> o(q_dims[0] * heads * length * width),
        statistics(q_dims[0] * heads * length), weights(keys);
    for (int64_t row = 0; row < q_dims[0] * heads * length; ++row) {
      const int64_t head = row / length % heads, batch = row / length / heads;
      const int64_t of_k = batch * k_dims[1] + head / sharing;
      for (int64_t j = 0; j < keys; ++j) {
        double product = 0;
        for (int64_t d = 0; d < size; ++d) {
          product += q[row * size + d] * k[(of_k * keys + j) * size + d];
        }
        weights[j] = scale * product;
      }
      const double largest = *std::ranges::max_element(weights);
      double sum = 0;
      for (double& weight : weights) sum += weight = std::exp(weight - largest);
      statistics[row] = largest + std::log(sum);
      for (int64_t d = 0; d < width; ++d) {
        double value = 0;
        for (int64_t j = 0; j < keys; ++j) {
          value += weights[j] / sum * v[(of_k * keys + j) * width + d];
        }
        o[row * width + d] = value;
      }
    }
    Write(Role::kY, o);
    if (program_.Of(Role::kStatistics)) Write(Role::kStatistics, statistics);
  }

  const GraphProgram& program_;
  const int64_t engine_;
  const std::array<const void*, kNumRoles>& addresses_;
};

}  // namespace

void RunProgram(const GraphProgram& program, int64_t engine,
                const std::array<const void*, kNumRoles>& addresses) {
  Run(program, engine, addresses).Compute();
}

}  // namespace tfrt::gpu::cudnn_double
