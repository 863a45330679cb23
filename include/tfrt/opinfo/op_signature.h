// How an op is called: its arguments, its attributes, and what it says about both.
#ifndef TFRT_OPINFO_OP_SIGNATURE_H_
#define TFRT_OPINFO_OP_SIGNATURE_H_

#include <cstdint>
#include <string_view>

namespace tfrt {

enum class OpFlags : uint32_t {
  kNone = 0,
  // The op does more than compute its results: calls of it are ordered by chains. All others are
  // pure: the same arguments and attributes give the same results.
  kSideEffects = 1,
  // Tensors of these kinds reach the op as they are. Scalar and sparse tensors whose kind is not
  // allowed are converted to dense ones first. Dense tensors are always allowed; all others are
  // errors.
  kAllowsScalar = 2,
  kAllowsString = 4,
  kAllowsCoo = 8,
  kAllowsPacked = 16,  // packed weights, which cannot be converted
  // Sizes of results follow from elements of arguments that are no host values.
  kOpenResults = 32,
  kConstant = 64,  // the result is the attribute `value`
  // Tensors reach the op wherever their elements are: none is copied to its device.
  kAnyPlace = 128,
  kHostResults = 256,  // the results are in host memory, whatever the device
};
constexpr OpFlags operator|(OpFlags a, OpFlags b) {
  return static_cast<OpFlags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool HasFlag(OpFlags flags, OpFlags flag) {
  return (static_cast<uint32_t>(flags) & static_cast<uint32_t>(flag)) != 0;
}

struct OpArgumentSpec {
  enum class Kind : uint8_t { kRequired, kOptional, kVariadic };
  // Marks an argument that the op reads on the host, before the sizes of its results can be
  // computed: axes, shapes, sizes. Such an argument is never copied to a device.
  enum class HostValue : uint8_t {
    kNo,
    kYes,
    kLast,  // of a variadic argument the last one
  };
  std::string_view name;
  Kind kind = Kind::kRequired;  // optional ones follow the required ones, a variadic one is last
  HostValue host_value = HostValue::kNo;
  // Places, axes and sizes: numbers of a program keep their own type there, whatever the others
  // are.
  bool is_index = false;
  // The argument must be a tensor of i32 or i64. For a variadic argument with a host value this
  // applies to the host value.
  bool is_integer = false;
  // Names for a variadic argument whose last value is something else, an index: `most` names all
  // but the last, `last` the last. Empty for other arguments.
  std::string_view most = {}, last = {};
};

struct OpAttrSpec {
  enum class Kind : uint8_t {
    kAny,
    kBool,
    kI32,
    kI64,
    kF32,
    kString,
    kType,
    kShape,
    kDense,
    kI64Array,
    kF32Array,
    kStringArray,
    kFunction,
  };
  std::string_view name;
  Kind kind = Kind::kAny;
  // As C++ spells it (ParseDefault reads it); empty: the attribute must be given.
  std::string_view default_value = {};
};

// "a bool", "an array of i64", ...
std::string_view OpAttrKindName(OpAttrSpec::Kind kind);

}  // namespace tfrt

#endif  // TFRT_OPINFO_OP_SIGNATURE_H_
