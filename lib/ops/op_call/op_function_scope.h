// OpFunctionScope: whether this thread is in the function of an op.
#ifndef TFRT_LIB_OPS_OP_CALL_OP_FUNCTION_SCOPE_H_
#define TFRT_LIB_OPS_OP_CALL_OP_FUNCTION_SCOPE_H_

#include <utility>

namespace tfrt {

// True on a thread that runs an op function whose caller marks this. Calls of the C++ API made
// there are over when they return. They never wait for anything that may come after the op
// function.
[[gnu::tls_model("initial-exec")]] extern thread_local constinit bool in_op_function;

// Marks it from construction to destruction.
class OpFunctionScope {
 public:
  OpFunctionScope() : outer_(std::exchange(in_op_function, true)) {}
  ~OpFunctionScope() { in_op_function = outer_; }
  OpFunctionScope(const OpFunctionScope&) = delete;
  OpFunctionScope& operator=(const OpFunctionScope&) = delete;

 private:
  const bool outer_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_OP_FUNCTION_SCOPE_H_
