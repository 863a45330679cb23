// CanonicalCall: a call of an op of the table as its row has it, whatever name the program uses.
#ifndef TFRT_LIB_OPS_OP_CALL_CANONICAL_CALL_H_
#define TFRT_LIB_OPS_OP_CALL_CANONICAL_CALL_H_

#include <cstddef>
#include <span>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// Holds the attributes by canonical names, with defaults for those that are left out, and the
// argument that the spelling gives as an attribute. Immutable; thread-safe.
class CanonicalCall {
 public:
  // InvalidArgument if an attribute is missing or not of its kind. Attributes unknown to the row
  // are left out: programs of TensorFlow have more than ops need.
  static StatusOr<CanonicalCall> Of(const OpDefinition& op, const OpAttrsRef& attrs,
                                    HostAllocator* allocator);

  // Frozen.
  const OpAttrsRef& attrs() const { return attrs_; }
  // Returns the argument that is an attribute in the spelling: integers. Null: there is none.
  AsyncValue* folded() const { return folded_.GetAsyncValue(); }
  DType folded_dtype() const { return folded_ ? folded_->dtype() : DType::kUnsupported; }
  // `arguments` has one element for each argument of the call. Returns them with `folded` in the
  // place of the argument that is folded. There must be one.
  template <typename T>
  std::vector<T> WithFolded(std::span<const T> arguments, T folded) const {
    std::vector<T> all(arguments.begin(), arguments.end());
    all.insert(all.begin() + static_cast<ptrdiff_t>(folded_at_), folded);
    return all;
  }

 private:
  OpAttrsRef attrs_;
  AsyncValueRef<DenseHostTensor> folded_;
  size_t folded_at_ = 0;
};

// --- The steps, for calls that go their own way. ---

// Sets `attrs` to those of the row, in its order: the call's attributes and, for others, these
// defaults.
Status ReadCanonicalAttrs(const OpDefinition& op, const OpAttrsRef& defaults,
                          const OpAttrsRef& given, std::span<OpAttr> attrs);
// Returns the argument that the op's spelling, which folds one, gives as an attribute.
StatusOr<AsyncValueRef<DenseHostTensor>> FoldedArgument(const OpDefinition& op,
                                                        const OpAttrsRef& attrs,
                                                        HostAllocator* allocator);
// Returns which argument of the row that is.
size_t FoldedPlace(const OpDefinition& op);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_CANONICAL_CALL_H_
