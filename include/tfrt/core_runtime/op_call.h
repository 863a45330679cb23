// OpCall: one call of an eager op on tensors that are all there. TFRT_OP(fn) and
// TFRT_OP_METADATA(fn) make ops of plain C++ functions and deduce how to call them.
//
//   StatusOr<TensorMetadata> AddMetadata(const TensorMetadata& a, const TensorMetadata& b);
//   StatusOr<DenseHostTensor> Add(const DenseHostTensor& a, const DenseHostTensor& b,
//                                 const TensorMetadata& result, OpCall& call);
//   registry->Add({.name = "my.Add", .metadata = TFRT_OP_METADATA(AddMetadata),
//                  .function = TFRT_OP(Add)});
//
// Parameters of an op function, each kind in positional order:
//   const T&                 the next argument, a Tensor or one kind of it
//   OpArgument<T>            the same with its AsyncValue (to keep it, to ask if it may be reused)
//   OptionalOpArgument<T>    the next argument, which may have been left out
//   VariadicOpArguments<T>   all further arguments
//   const TensorMetadata&    of the next result; only in ops with a metadata function
//   const OpAttrsRef&, const ExecutionContext&, OpCall&
// Returns: a tensor, an AsyncValueRef of one, RCReference<AsyncValue>, std::pair or std::tuple of
// these. An op without a result returns void. An op with side effects and no result may return
// AsyncValueRef<Chain>, available when the effects are over. It may also return Status, and
// StatusOr of all of these.
//
// Parameters of a metadata function: const TensorMetadata& for the next argument,
// OptionalOpMetadata, VariadicOpMetadata, const OpAttrsRef&. Returns TensorMetadata, a std::tuple
// of them, Status if there are no results, or StatusOr of these. It runs on the caller's thread
// before the arguments' elements are available, and is pure.
//
// MakeOpClosure does for a lambda with captures, or another object with one const operator(), what
// TFRT_OP does for a function. Calls on several threads share the object.
//
// An exception from either becomes an Internal error of the call, with the what() of a
// std::exception.
#ifndef TFRT_CORE_RUNTIME_OP_CALL_H_
#define TFRT_CORE_RUNTIME_OP_CALL_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// Holds what an op makes of its attributes once, for all calls that have the same ones. May view
// names and values of attributes, but neither the OpAttrsRef nor what it lies in, which may be the
// first call's own. Immutable; thread-safe.
struct ParsedOpAttrs;
// Returns null if the attributes are wrong, which the call then says. Pure. TFRT_OP_ATTRS(parse) is
// one for a function StatusOr<T> parse(const OpAttrsRef&).
using OpAttrsParser = std::shared_ptr<const ParsedOpAttrs> (*)(const OpAttrsRef& attrs);
struct ParsedOpAttrs {
  const OpAttrsParser made_by;
};

// The part of the op that its calls use.
struct OpBinding {
  std::string_view name;
  uint32_t may_overwrite = 0;  // see OpDescription
  // The captures of an op that has some; they live as long as the op.
  const void* state = nullptr;
};

// A view, valid until the op function returns; what an op needs later it copies. For those who call
// ops: it borrows its parts.
class OpCall {
 public:
  struct Parts {
    const OpBinding* op = nullptr;  // of an OpDefinition
    const ExecutionContext* exec_ctx = nullptr;
    HostAllocator* allocator = nullptr;  // of the device that the op runs on
    const OpAttrsRef* attrs = nullptr;
    // Made of these attributes by the op's parser; null: it has not been called. Borrowed.
    const ParsedOpAttrs* parsed_attrs = nullptr;
    // Available tensors, borrowed; null where an optional argument is left out.
    std::span<AsyncValue* const> arguments;
    // Bit i: only this call has a reference to argument i (of the first 64).
    uint64_t last_uses = 0;
    std::span<const TensorMetadata> result_metadata;  // empty without metadata function
    std::span<RCReference<AsyncValue>> results;       // null; set by the op
  };
  explicit OpCall(const Parts& parts) : parts_(parts) {}
  OpCall(const OpCall&) = delete;
  OpCall& operator=(const OpCall&) = delete;

  std::string_view op_name() const { return parts_.op->name; }
  const void* op_state() const { return parts_.op->state; }
  const Parts& parts() const { return parts_; }
  const ExecutionContext& exec_ctx() const { return *parts_.exec_ctx; }
  // Where results are allocated.
  HostAllocator* allocator() const { return parts_.allocator; }
  const OpAttrsRef& attrs() const { return *parts_.attrs; }

  size_t num_arguments() const { return parts_.arguments.size(); }
  std::span<AsyncValue* const> arguments() const { return parts_.arguments; }
  AsyncValue* argument(size_t index) const { return parts_.arguments[index]; }
  // True if the op may write the argument's elements: there is no other reference to the tensor or
  // its memory.
  bool IsReusable(size_t index) const;

  // The same for a dense tensor that is the call's last use of it.
  static bool IsReusable(const AsyncValue& value, const DenseHostTensor& tensor) {
    return value.IsUnique() && tensor.buffer()->IsExclusiveDataOwner();
  }

  size_t num_results() const { return parts_.results.size(); }
  bool has_result_metadata() const { return !parts_.result_metadata.empty(); }
  size_t num_result_metadata() const { return parts_.result_metadata.size(); }
  const TensorMetadata& result_metadata(size_t index) const {
    return parts_.result_metadata[index];
  }
  // Sets the result. It is dropped if the caller does not request it.
  void SetResult(size_t index, RCReference<AsyncValue> value) {
    if (index < parts_.results.size()) [[likely]]
      parts_.results[index] = std::move(value);
  }
  // Set by ops whose side effects end after they have returned; null: they are over.
  void SetChain(AsyncValueRef<Chain> chain) { chain_ = std::move(chain); }
  AsyncValueRef<Chain> TakeChain() { return std::move(chain_); }

  // The op failed: the error is reported at the context's location, once, and becomes all results.
  void ReportError(Status error);
  // The same for an error that has been reported already.
  void SetReportedError(Status error) {
    ReportError(std::move(error));
    is_reported_ = true;
  }
  const Status& error() const { return error_; }
  bool is_error_reported() const { return is_reported_; }

  // Returns a dense tensor for the result. It uses the memory of the first candidate that is
  // reusable and has the same metadata, otherwise new memory. The candidates are argument numbers;
  // without them they are the arguments that the op's row says the result may overwrite.
  StatusOr<DenseHostTensor> AllocateOrReuse(const TensorMetadata& metadata) const {
    return AllocateOver(metadata, parts_.op->may_overwrite);
  }
  StatusOr<DenseHostTensor> AllocateOrReuse(const TensorMetadata& metadata,
                                            std::initializer_list<size_t> candidates) const {
    uint64_t bits = 0;
    for (size_t index : candidates) bits |= uint64_t{index < 64} << (index & 63);
    return AllocateOver(metadata, bits);
  }
  StatusOr<DenseHostTensor> Allocate(const TensorMetadata& metadata) const;
  // This call's results are those that `other` has set; its error and its chain are taken.
  void TakeOutcome(OpCall&& other) {
    chain_ = std::move(other.chain_);
    error_ = std::move(other.error_);
    refused_ = std::move(other.refused_);
    is_reported_ = other.is_reported_;
  }
  // The tensor for which there was no memory, the last one if there were several; null: none.
  std::unique_ptr<const TensorMetadata> TakeRefused() { return std::move(refused_); }

 private:
  // Bit i: argument i is a candidate.
  StatusOr<DenseHostTensor> AllocateOver(const TensorMetadata& metadata, uint64_t candidates) const;

  const Parts& parts_;
  AsyncValueRef<Chain> chain_;
  Status error_;
  mutable std::unique_ptr<const TensorMetadata> refused_;
  bool is_reported_ = false;
};

template <typename T>
class OpArgument {
 public:
  OpArgument(OpCall* call, size_t index) : call_(call), index_(index) {}
  AsyncValue* value() const { return call_->argument(index_); }
  RCReference<AsyncValue> ValueRef() const { return FormRef(value()); }
  T& get() const { return value()->template get<T>(); }
  T& operator*() const { return get(); }
  T* operator->() const { return &get(); }
  bool IsReusable() const { return call_->IsReusable(index_); }

 private:
  OpCall* call_;
  size_t index_;
};

template <typename T>
class OptionalOpArgument {
 public:
  explicit OptionalOpArgument(AsyncValue* value) : value_(value) {}
  explicit operator bool() const { return value_ != nullptr; }
  // Null if it has been left out.
  const T* get() const { return value_ ? &value_->template get<T>() : nullptr; }
  const T& operator*() const { return *get(); }
  const T* operator->() const { return get(); }
  AsyncValue* value() const { return value_; }

 private:
  AsyncValue* value_;
};

template <typename T>
class VariadicOpArguments {
 public:
  explicit VariadicOpArguments(std::span<AsyncValue* const> values) : values_(values) {}
  size_t size() const { return values_.size(); }
  const T& operator[](size_t index) const { return values_[index]->template get<T>(); }
  AsyncValue* value(size_t index) const { return values_[index]; }

 private:
  std::span<AsyncValue* const> values_;
};

// The arguments that a metadata function sees: null where one is left out.
using OpMetadataArguments = std::span<const TensorMetadata* const>;

class OptionalOpMetadata {
 public:
  explicit OptionalOpMetadata(const TensorMetadata* metadata) : metadata_(metadata) {}
  explicit operator bool() const { return metadata_ != nullptr; }
  const TensorMetadata& operator*() const { return *metadata_; }
  const TensorMetadata* operator->() const { return metadata_; }

 private:
  const TensorMetadata* metadata_;
};

class VariadicOpMetadata {
 public:
  explicit VariadicOpMetadata(OpMetadataArguments metadata) : metadata_(metadata) {}
  size_t size() const { return metadata_.size(); }
  const TensorMetadata& operator[](size_t index) const { return *metadata_[index]; }

 private:
  OpMetadataArguments metadata_;
};

// Sets the call's results or reports an error. It is noexcept because the runtime is compiled
// without exceptions. TFRT_OP turns exceptions of the program's functions into errors. An exception
// from a function that is passed without TFRT_OP ends the program (std::terminate).
using OpFunction = void (*)(OpCall& call) noexcept;
// An op function with captures, and what it has captured.
struct OpClosure {
  OpFunction function = nullptr;
  std::shared_ptr<const void> state;
};

// The op on a few elements (quick_op.h): of two dense tensors of the same dtype and shape with at
// most kMaxQuickBytes of elements each. Computes those of the result, which has the same dtype and
// shape, into `result`, where perhaps those of an argument lie. False, and nothing has happened, if
// it is not for this dtype.
using OpQuickFunction = bool (*)(const DenseHostTensor& a, const DenseHostTensor& b,
                                 void* result) noexcept;
inline constexpr size_t kMaxQuickBytes = 32;
// Sets all results, or returns why there are none.
using OpMetadataFunction = Status (*)(OpMetadataArguments arguments, const OpAttrsRef& attrs,
                                      std::span<TensorMetadata> results) noexcept;

}  // namespace tfrt

#include "tfrt/core_runtime/op_call_impl.h"

namespace tfrt {

// Returns what `parse` makes of the call's attributes. If TFRT_OP_ATTRS(parse) is the op's parser,
// only the first of the calls that are remembered runs it.
template <auto parse>
auto ParsedAttrs(const OpCall& call) -> decltype(parse(call.attrs())) {
  using Parser = internal::OpAttrsParserOf<parse>;
  const ParsedOpAttrs* parsed = call.parts().parsed_attrs;
  if (parsed && parsed->made_by == &Parser::Parse) [[likely]] {
    return static_cast<const typename Parser::Parsed*>(parsed)->value;
  }
  return parse(call.attrs());
}

template <typename F>
OpClosure MakeOpClosure(F function) {
  return {&internal::OpClosureOf<F>::Call, std::make_shared<const F>(std::move(function))};
}

}  // namespace tfrt

#define TFRT_OP_ATTRS(...) ::tfrt::internal::OpAttrsParserOf<&__VA_ARGS__>::Parse
#define TFRT_OP(...) ::tfrt::internal::OpFunctionOf<&__VA_ARGS__>::Call
#define TFRT_OP_METADATA(...) ::tfrt::internal::OpMetadataFunctionOf<&__VA_ARGS__>::Call

#endif  // TFRT_CORE_RUNTIME_OP_CALL_H_
