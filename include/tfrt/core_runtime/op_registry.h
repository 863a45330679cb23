// OpRegistry: eager ops by name: how they are called, what they compute, what they are for.
#ifndef TFRT_CORE_RUNTIME_OP_REGISTRY_H_
#define TFRT_CORE_RUNTIME_OP_REGISTRY_H_

#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/support/status.h"

namespace tfrt {

enum class OpFlags : uint32_t {
  kNone = 0,
  // The op does more than compute its results: calls of it are ordered by chains.
  kSideEffects = 1,
  // Tensors of these kinds reach the op as they are. Of other kinds but dense ones, scalar and
  // sparse tensors are converted to dense ones first, and the rest is an error.
  kAllowsScalar = 2,
  kAllowsString = 4,
  kAllowsCoo = 8,
};
constexpr OpFlags operator|(OpFlags a, OpFlags b) {
  return static_cast<OpFlags>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool HasFlag(OpFlags flags, OpFlags flag) {
  return (static_cast<uint32_t>(flags) & static_cast<uint32_t>(flag)) != 0;
}

struct OpArgumentSpec {
  enum class Kind : uint8_t { kRequired, kOptional, kVariadic };
  std::string_view name;
  Kind kind = Kind::kRequired;  // optional ones follow the required ones, a variadic one is last
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
  // Of calls through the C++ API, as C++ spells it; empty: the attribute must be given there.
  std::string_view default_value = {};
};

// "a bool", "an array of i64", ...
std::string_view OpAttrKindName(OpAttrSpec::Kind kind);
// True if the attribute, one of `attrs`, is of this kind.
bool IsOpAttrOfKind(const OpAttrsRef& attrs, const OpAttr& attr, OpAttrSpec::Kind kind);

// The texts are literals, or outlive the registry.
struct OpDefinition {
  std::string_view name;     // "tf.MatMul"
  std::string_view summary;  // one sentence, Markdown
  std::vector<OpArgumentSpec> arguments = {};
  std::vector<OpAttrSpec> attrs = {};
  std::vector<std::string_view> results = {};  // their names
  OpFlags flags = OpFlags::kNone;
  OpMetadataFunction metadata = nullptr;  // null: what the results are like depends on data
  OpFunction function = nullptr;          // on host memory; null: only the metadata are known
  // Null, or tried first by calls that need nothing else than the one result. For ops without side
  // effects.
  OpQuickFunction quick = nullptr;
  // Given by the registry: its number, from 0.
  uint32_t id = 0;

  bool has_side_effects() const { return HasFlag(flags, OpFlags::kSideEffects); }
};

// Filled before it is used; read-only and thread-safe afterwards.
class OpRegistry {
 public:
  OpRegistry() = default;
  OpRegistry(const OpRegistry&) = delete;
  OpRegistry& operator=(const OpRegistry&) = delete;

  // The first registration of a name wins; a second one is the first_error().
  void Add(OpDefinition op);
  // AlreadyExists, or OK.
  const Status& first_error() const { return first_error_; }

  // Null if there is none. Pointers stay valid as long as the registry.
  const OpDefinition* Find(std::string_view name) const {
    auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  // By id.
  const std::deque<OpDefinition>& ops() const { return ops_; }

 private:
  std::deque<OpDefinition> ops_;
  std::unordered_map<std::string_view, const OpDefinition*> by_name_;
  Status first_error_;
};

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OP_REGISTRY_H_
