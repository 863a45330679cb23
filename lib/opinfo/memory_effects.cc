#include "tfrt/opinfo/memory_effects.h"

#include <algorithm>
#include <iterator>

namespace tfrt {
namespace {

constexpr int kNone = -128;  // no operand is written

struct Entry {
  std::string_view name;  // a prefix if it ends in a dot, else the whole name
  int written;            // negative: counted from the end
  uint32_t may_share = 0;
  int done_result = 0;
};

constexpr int kEvery = MemoryEffects::kEveryResult;

// A longer prefix comes before one that it begins with.
constexpr Entry kEntries[] = {
    {"tfrt_dht.fill_tensor_with_constant.", 0},
    {"tfrt_dht.set_tensor_with_constant_values.", 0},
    {"tfrt_dht.set_tensor_with_values.", 0},
    {"tfrt_dht.tensor_equal.", kNone, 0, kEvery},
    {"tfrt_dht.tensor_allclose.", kNone, 0, kEvery},
    {"tfrt_dht.print_tensor", kNone},
    {"tfrt_dht.print_tensor_shape", kNone},
    {"tfrt_dht.get_tensor_shape", kNone},
    {"tfrt_dht.no_op_ht", kNone},

    // a, b, out or a, out; "_inplace" also reads what it writes.
    {"tfrt_test.relu.", 1, 0b1},
    {"tfrt_test.relu_inplace.", 0},
    {"tfrt_test.add.", 2, 0b11},
    {"tfrt_test.add_inplace.", 1},
    {"tfrt_test.equal.", 2, 0b11},
    {"tfrt_test.equal_inplace.", 1},
    {"tfrt_test.relu_grad_inplace.", 1},
    {"tfrt_test.subtract_inplace.", 1},
    {"tfrt_test.softmax_inplace.", 0},
    {"tfrt_test.cast.", 1},
    {"tfrt_test.slice_inplace.", 3},
    {"tfrt_test.max_pooling_2d.", 1},
    {"tfrt_test.global_average_pooling.", 1},
    {"tfrt_test.flatten.", 1},
    {"tfrt_test.zero_padding.", 1},
    {"tfrt_test.gradient_descent.", 2},
    {"tfrt_test.tensor_transpose.", 1},
    {"tfrt_test.mean_axis_zero.", 1},
    {"tfrt_test.broadcast_2d.", 1},
    {"tfrt_test.matmul.", 4},
    // The result is a tensor of its own.
    {"tfrt_test.broadcast.", kNone},
    {"tfrt_test.reduce_mean.", kNone},
    {"tfrt_test.argmax.", kNone},

    {"eigen.matmul.", 4},
    {"eigen.zero_padding.", 1},
    {"eigen.max_pooling_2d.", 1},
    {"eigen.conv2d.",
     -2},  // with and without bias, normalisation, gradients: out, chain at the end
    {"eigen.batch_norm.f32", 0},

    // Inputs, out, chain. docs/cpu_kernels.md says which may write over an input.
    {"tfrt_cpu.add.", -2, 0b11},
    {"tfrt_cpu.sub.", -2, 0b11},
    {"tfrt_cpu.mul.", -2, 0b11},
    {"tfrt_cpu.div.", -2, 0b11},
    {"tfrt_cpu.maximum.", -2, 0b11},
    {"tfrt_cpu.minimum.", -2, 0b11},
    {"tfrt_cpu.relu.", -2, 0b1},
    {"tfrt_cpu.relu_grad.", -2, 0b11},
    {"tfrt_cpu.gelu.", -2, 0b1},
    {"tfrt_cpu.tanh.", -2, 0b1},
    {"tfrt_cpu.sigmoid.", -2, 0b1},
    {"tfrt_cpu.exp.", -2, 0b1},
    {"tfrt_cpu.sqrt.", -2, 0b1},
    {"tfrt_cpu.rsqrt.", -2, 0b1},
    {"tfrt_cpu.log.", -2, 0b1},
    {"tfrt_cpu.reshape.", -2, 0b1},
    {"tfrt_cpu.cast.", -2},
    {"tfrt_cpu.one_hot.", -2},
    {"tfrt_cpu.softmax.", -2, 0b1},
    {"tfrt_cpu.log_softmax.", -2, 0b1},
    {"tfrt_cpu.layer_norm.", -2, 0b1},
    {"tfrt_cpu.batch_norm.", -2, 0b1},
    {"tfrt_cpu.transpose.", -2},
    {"tfrt_cpu.gather.", -2},
    {"tfrt_cpu.pad.", -2},
    {"tfrt_cpu.reduce_sum.", -2},
    {"tfrt_cpu.reduce_mean.", -2},
    {"tfrt_cpu.reduce_max.", -2},
    {"tfrt_cpu.reduce_min.", -2},
    {"tfrt_cpu.max_pool2d.", -2},
    {"tfrt_cpu.max_pool2d_grad.", -2},
    {"tfrt_cpu.avg_pool2d.", -2},
    {"tfrt_cpu.global_average_pool.", -2},
    {"tfrt_cpu.argmax.", -2},
    {"tfrt_cpu.matmul.", -2},
    {"tfrt_cpu.batch_matmul.", -2},
    {"tfrt_cpu.conv2d.", -2},
    {"tfrt_cpu.softmax_cross_entropy.", -2},
    {"tfrt_cpu.softmax_cross_entropy_grad.", -2, 0b1},
    {"tfrt_cpu.sgd_update.", -2},
    {"tfrt_cpu.concat.", 0},  // out, chain, inputs
};

bool Matches(std::string_view pattern, std::string_view name) {
  return pattern.ends_with('.') ? name.starts_with(pattern) : name == pattern;
}

// output_grad, input, gamma, mean, variance, chain, and the three that it writes, a chain for each.
constexpr std::string_view kBatchNormGrad = "eigen.batch_norm.grad.f32";

}  // namespace

std::optional<MemoryEffects> LookUpMemoryEffects(std::string_view op_name, unsigned num_operands) {
  if (op_name == kBatchNormGrad) {
    if (num_operands != 9) return std::nullopt;
    return MemoryEffects{0b111 << 6, 0, MemoryEffects::kNoResult};
  }
  for (const Entry& entry : kEntries) {
    if (!Matches(entry.name, op_name)) continue;
    MemoryEffects effects{0, entry.may_share, entry.done_result};
    if (entry.written == kNone) return effects;
    int written =
        entry.written < 0 ? static_cast<int>(num_operands) + entry.written : entry.written;
    if (written < 0 || written >= static_cast<int>(num_operands) || written >= 32) {
      return std::nullopt;
    }
    effects.written = uint32_t{1} << written;
    if (effects.may_share & effects.written) return std::nullopt;
    return effects;
  }
  return std::nullopt;
}

bool StartsAfterItsOperands(std::string_view op_name) {
  constexpr std::string_view kStrictFamilies[] = {"tfrt.", "tfrt_dht.", "ts.",
                                                  "coo.",  "eigen.",    "tfrt_cpu."};
  return std::ranges::any_of(kStrictFamilies,
                             [&](std::string_view f) { return op_name.starts_with(f); }) ||
         std::ranges::any_of(kEntries, [&](const Entry& e) { return Matches(e.name, op_name); });
}

}  // namespace tfrt
