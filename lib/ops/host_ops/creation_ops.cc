// Ops that make tensors of sizes and of single numbers.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "copied_result.h"
#include "lib/ops/maths/cpu/element_size.h"
#include "lib/ops/maths/cpu/philox.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// `value` is one element.
Status FillElements(const void* value, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const auto count = static_cast<size_t>(result.shape.num_elements());
  const size_t element_size = DTypeSize(result.dtype);
  auto* data = WritableData<char>(out);
  cpu::WithElementOfSize(element_size, [&]<typename T>(std::type_identity<T>) {
    T element;
    std::memcpy(&element, value, sizeof(T));
    ComputeResult(call, count, element_size, {}, std::move(out),
                  [element, to = reinterpret_cast<T*>(data)](size_t begin, size_t end) {
                    std::fill(to + begin, to + end, element);
                  });
  });
  return OkStatus();
}

Status Fill(const DenseHostTensor&, const DenseHostTensor& value, const TensorMetadata& result,
            OpCall& call) {
  return FillElements(value.data(), result, call);
}

Status ZerosLike(const Tensor&, const TensorMetadata& result, OpCall& call) {
  static constexpr char kZero[16] = {};
  return FillElements(kZero, result, call);
}

Status RandomBits(const DenseHostTensor&, OptionalOpArgument<DenseHostTensor> key,
                  const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  auto seed = static_cast<uint64_t>(*attrs.Get<int64_t>("seed"));
  auto stream = static_cast<uint64_t>(*attrs.Get<int64_t>("stream"));
  if (key) {
    const auto* numbers = static_cast<const int64_t*>(key->data());
    seed = static_cast<uint64_t>(numbers[0]);
    stream = static_cast<uint64_t>(numbers[1]);
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const auto count = static_cast<size_t>(result.shape.num_elements());
  constexpr size_t kCost = 10 * sizeof(uint32_t);  // a round of a block is about a word's move
  auto* to = WritableData<uint32_t>(out);
  ComputeResult(call, count, kCost, {}, std::move(out),
                [seed, stream, to](size_t begin, size_t end) {
                  cpu::PhiloxWords(seed, stream, to, begin, end);
                });
  return OkStatus();
}

Status EyeLike(const DenseHostTensor&, const TensorMetadata& result, const OpAttrsRef& attrs,
               OpCall& call) {
  const int64_t rows = result.shape.dim(0), columns = result.shape.dim(1);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  auto* data = WritableData<char>(out);
  if (out.size_bytes() > 0) std::memset(data, 0, out.size_bytes());
  // Farther away it is no diagonal of this matrix.
  const int64_t diagonal = std::clamp<int64_t>(*attrs.Get<int64_t>("diagonal"), -rows, columns);
  const bool has_one = DispatchDType(result.dtype, [&]<typename T>(std::type_identity<T>) {
    const T one = CastElement<T>(1.0f);
    for (int64_t row = std::max<int64_t>(0, -diagonal); row < std::min(rows, columns - diagonal);
         ++row) {
      std::memcpy(data + (row * columns + row + diagonal) * int64_t{sizeof(T)}, &one, sizeof(T));
    }
  });
  if (!has_one) {
    return InvalidArgumentError(
        StrCat(call.op_name(), ": elements of ", DTypeName(result.dtype), " have no 1"));
  }
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

// How many numbers start, start + step, ... come before limit.
template <typename T>
StatusOr<int64_t> CountOf(const OpCall& call, T start, T limit, T step) {
  if (step == T(0)) return InvalidArgumentError(StrCat(call.op_name(), ": the step is 0"));
  if constexpr (std::is_integral_v<T>) {
    using Wide = __int128;
    const Wide span = Wide(limit) - start, by = step;
    const Wide count = (span + by + (by > 0 ? -1 : 1)) / by;
    return static_cast<int64_t>(std::clamp<Wide>(count, 0, std::numeric_limits<int64_t>::max()));
  } else {
    const double count = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) /
                                   static_cast<double>(step));
    if (count <= 0) return 0;
    constexpr double kMost = 0x1p62;
    if (count < kMost) return static_cast<int64_t>(count);
    return InvalidArgumentError(StrCat(call.op_name(), ": there are too many numbers"));
  }
}

// Each number on its own, not as a sum of steps: all blocks count alike.
template <typename T>
T NumberAt(T start, T step, size_t i) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(uint64_t{static_cast<Unsigned>(start)} +
                                                uint64_t{static_cast<Unsigned>(step)} * i));
  } else if constexpr (internal::kIsHalf<T>) {
    return T(static_cast<float>(start) + static_cast<float>(i) * static_cast<float>(step));
  } else {
    return start + static_cast<T>(i) * step;
  }
}

// The count may follow from numbers that the op table does not follow.
Status Range(const DenseHostTensor& start, const DenseHostTensor& limit,
             const DenseHostTensor& step, OpCall& call) {
  Status status = OkStatus();
  const bool is_real = DispatchReal(start.dtype(), [&]<typename T>(std::type_identity<T>) {
    auto compute = [&]() -> Status {
      const T first = *static_cast<const T*>(start.data());
      const T by = *static_cast<const T*>(step.data());
      TFRT_ASSIGN_OR_RETURN(int64_t count,
                            CountOf<T>(call, first, *static_cast<const T*>(limit.data()), by));
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor out,
                            call.Allocate({start.dtype(), TensorShape{count}}));
      T* to = WritableData<T>(out);
      ComputeResult(call, static_cast<size_t>(count), sizeof(T), {}, std::move(out),
                    [first, by, to](size_t begin, size_t end) {
                      for (size_t i = begin; i < end; ++i) to[i] = NumberAt(first, by, i);
                    });
      return OkStatus();
    };
    status = compute();
  });
  if (is_real) return status;
  return InvalidArgumentError(StrCat(call.op_name(), ": the start is a tensor of ",
                                     DTypeName(start.dtype()), ", expected real numbers"));
}

template <typename Index>
void OneHotRows(const Index* indices, int64_t depth, int64_t inner, size_t element_size,
                const void* on, const void* off, void* out, size_t first, size_t last) {
  cpu::WithElementOfSize(element_size, [&]<typename T>(std::type_identity<T>) {
    T hit, other;
    std::memcpy(&hit, on, sizeof(T));
    std::memcpy(&other, off, sizeof(T));
    T* to = static_cast<T*>(out) + static_cast<int64_t>(first) * depth * inner;
    for (size_t row = first; row < last; ++row, to += depth * inner) {
      std::fill_n(to, depth * inner, other);
      for (int64_t j = 0; j < inner; ++j) {
        auto index = CastElement<int64_t>(indices[static_cast<int64_t>(row) * inner + j]);
        if (index >= 0 && index < depth) to[index * inner + j] = hit;
      }
    }
  });
}

// An index that is nowhere has no hit.
Status OneHot(const DenseHostTensor& indices, const DenseHostTensor&, const DenseHostTensor& on,
              const DenseHostTensor& off, const TensorMetadata& result, const OpAttrsRef& attrs,
              OpCall& call) {
  if (!DispatchReal(indices.dtype(), [](auto) {})) {
    return InvalidArgumentError(StrCat(call.op_name(), ": the indices are a tensor of ",
                                       DTypeName(indices.dtype()), ", expected real numbers"));
  }
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  const size_t rank = indices.shape().rank();
  const int64_t axis = *attrs.Get<int64_t>("axis");
  const size_t at = axis == -1 ? rank : static_cast<size_t>(axis);
  int64_t inner = 1;
  for (size_t i = at; i < rank; ++i) inner *= indices.shape().dim(i);
  const int64_t depth = result.shape.dim(at);
  const auto outer = static_cast<size_t>(indices.num_elements() / inner);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  void* to = WritableData<char>(out);
  const size_t element_size = DTypeSize(result.dtype);
  const size_t cost = static_cast<size_t>(depth * inner) * element_size;
  DispatchReal(indices.dtype(), [&]<typename T>(std::type_identity<T>) {
    ComputeResult(call, outer, cost, {&indices, &on, &off}, std::move(out),
                  [from = static_cast<const T*>(indices.data()), depth, inner, element_size,
                   hit = on.data(), other = off.data(), to](size_t begin, size_t end) {
                    OneHotRows(from, depth, inner, element_size, hit, other, to, begin, end);
                  });
  });
  return OkStatus();
}

}  // namespace

void RegisterCreationOps(OpRegistry* registry) {
  registry->Implement("graph.fill", {.function = TFRT_OP(Fill)});
  registry->Implement("graph.zeros_like", {.function = TFRT_OP(ZerosLike)});
  registry->Implement("graph.eye_like", {.function = TFRT_OP(EyeLike)});
  registry->Implement("graph.random_bits", {.function = TFRT_OP(RandomBits)});
  registry->Implement("graph.range", {.function = TFRT_OP(Range)});
  registry->Implement("graph.one_hot", {.function = TFRT_OP(OneHot)});
}

}  // namespace tfrt
