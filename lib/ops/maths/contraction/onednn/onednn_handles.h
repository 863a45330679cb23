// Owners of oneDNN's C handles, and what a thread keeps to run primitives.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_HANDLES_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_HANDLES_H_

#include <dnnl.h>

#include <memory>
#include <type_traits>

namespace tfrt::contraction {

template <auto destroy>
struct Destroyer {
  template <typename T>
  void operator()(T* handle) const {
    destroy(handle);
  }
};
template <typename Handle, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroyer<destroy>>;

using Stream = Owned<dnnl_stream_t, dnnl_stream_destroy>;
using Memory = Owned<dnnl_memory_t, dnnl_memory_destroy>;
using Attributes = Owned<dnnl_primitive_attr_t, dnnl_primitive_attr_destroy>;
using PostOps = Owned<dnnl_post_ops_t, dnnl_post_ops_destroy>;
using PrimitiveDesc = Owned<dnnl_primitive_desc_t, dnnl_primitive_desc_destroy>;
using Primitive = Owned<dnnl_primitive_t, dnnl_primitive_destroy>;

// oneDNN is built with OpenMP here, and would start threads of its own. Work is split above it, on
// the threads that the runtime has: while this object lives, OpenMP uses the calling thread alone.
// Restores the thread's setting, which may be a user's.
class OneOpenMpThread {
 public:
  OneOpenMpThread();
  OneOpenMpThread(const OneOpenMpThread&) = delete;
  OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;
  ~OneOpenMpThread();

 private:
  int threads_before_;
};

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_HANDLES_H_
