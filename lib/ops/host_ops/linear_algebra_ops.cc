// Decompositions of matrices, systems of equations, determinants.

#include "lib/ops/maths/tensor/linear_algebra.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {
namespace {

// Result `index` is in memory of its own that is computed until `done`.
void SetAfter(OpCall& call, size_t index, DenseHostTensor out, const AsyncValueRef<Chain>& done) {
  SetResultAfter(call, index, std::move(out), done.CopyRef());
}

Status Cholesky(const DenseHostTensor& x, const TensorMetadata& result, const OpAttrsRef& attrs,
                OpCall& call) {
  const bool upper = attrs.Get<bool>("upper").value_or(false);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Cholesky(x, upper, out, call.exec_ctx());
  });
}

Status Qr(const DenseHostTensor& x, const TensorMetadata& q_metadata,
          const TensorMetadata& r_metadata, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor q, call.Allocate(q_metadata));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor r, call.Allocate(r_metadata));
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<Chain> done, maths::Qr(x, q, r, call.exec_ctx()));
  SetAfter(call, 0, std::move(q), done);
  SetAfter(call, 1, std::move(r), done);
  return OkStatus();
}

Status Svd(const DenseHostTensor& x, const TensorMetadata& u_metadata,
           const TensorMetadata& s_metadata, const TensorMetadata& vh_metadata, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor u, call.Allocate(u_metadata));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor s, call.Allocate(s_metadata));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor vh, call.Allocate(vh_metadata));
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<Chain> done, maths::Svd(x, &u, s, &vh, call.exec_ctx()));
  SetAfter(call, 0, std::move(u), done);
  SetAfter(call, 1, std::move(s), done);
  SetAfter(call, 2, std::move(vh), done);
  return OkStatus();
}

Status Svdvals(const DenseHostTensor& x, const TensorMetadata& result, OpCall& call) {
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Svd(x, nullptr, out, nullptr, call.exec_ctx());
  });
}

Status Eigh(const DenseHostTensor& x, const TensorMetadata& values_metadata,
            const TensorMetadata& vectors_metadata, const OpAttrsRef& attrs, OpCall& call) {
  const bool lower = attrs.Get<bool>("lower").value_or(true);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor values, call.Allocate(values_metadata));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor vectors, call.Allocate(vectors_metadata));
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<Chain> done,
                        maths::Eigh(x, lower, values, &vectors, call.exec_ctx()));
  SetAfter(call, 0, std::move(values), done);
  SetAfter(call, 1, std::move(vectors), done);
  return OkStatus();
}

Status Eigvalsh(const DenseHostTensor& x, const TensorMetadata& result, const OpAttrsRef& attrs,
                OpCall& call) {
  const bool lower = attrs.Get<bool>("lower").value_or(true);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Eigh(x, lower, out, nullptr, call.exec_ctx());
  });
}

Status Solve(const DenseHostTensor& a, const DenseHostTensor& b, const TensorMetadata& result,
             const OpAttrsRef& attrs, OpCall& call) {
  const bool transpose_a = attrs.Get<bool>("transpose_a").value_or(false);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Solve(a, b, transpose_a, out, call.exec_ctx());
  });
}

Status Inverse(const DenseHostTensor& x, const TensorMetadata& result, OpCall& call) {
  return SetComputed(call, result,
                     [&](DenseHostTensor& out) { return maths::Inverse(x, out, call.exec_ctx()); });
}

Status Determinant(const DenseHostTensor& x, const TensorMetadata& result, OpCall& call) {
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Determinant(x, out, call.exec_ctx());
  });
}

Status Slogdet(const DenseHostTensor& x, const TensorMetadata& sign_metadata,
               const TensorMetadata& log_metadata, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor sign, call.Allocate(sign_metadata));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor logs, call.Allocate(log_metadata));
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<Chain> done, maths::Slogdet(x, sign, logs, call.exec_ctx()));
  SetAfter(call, 0, std::move(sign), done);
  SetAfter(call, 1, std::move(logs), done);
  return OkStatus();
}

}  // namespace

void RegisterLinearAlgebraOps(OpRegistry* registry) {
  registry->Implement("graph.cholesky", {.function = TFRT_OP(Cholesky)});
  registry->Implement("graph.qr", {.function = TFRT_OP(Qr)});
  registry->Implement("graph.svd", {.function = TFRT_OP(Svd)});
  registry->Implement("graph.svdvals", {.function = TFRT_OP(Svdvals)});
  registry->Implement("graph.eigh", {.function = TFRT_OP(Eigh)});
  registry->Implement("graph.eigvalsh", {.function = TFRT_OP(Eigvalsh)});
  registry->Implement("graph.solve", {.function = TFRT_OP(Solve)});
  registry->Implement("graph.inverse", {.function = TFRT_OP(Inverse)});
  registry->Implement("graph.determinant", {.function = TFRT_OP(Determinant)});
  registry->Implement("graph.slogdet", {.function = TFRT_OP(Slogdet)});
}

}  // namespace tfrt
