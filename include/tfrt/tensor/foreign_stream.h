// ForeignStream: names a stream of another library of the process, on a device that both use.
#ifndef TFRT_TENSOR_FOREIGN_STREAM_H_
#define TFRT_TENSOR_FOREIGN_STREAM_H_

#include <cstdint>

namespace tfrt {

// Numbered as the Python array API standard numbers CUDA's streams for `__dlpack__`: other values
// than these are handles of the device's driver (CUstream). A handle that is no stream of the
// device may end the program, as in any call of the driver. 0 is ambiguous and refused.
enum class ForeignStream : int64_t {
  kNone = -1,             // nothing waits: the program has seen to the order
  kLegacyDefault = 1,     // the default stream that waits for other ones
  kPerThreadDefault = 2,  // the default stream of the calling thread
};

}  // namespace tfrt

#endif  // TFRT_TENSOR_FOREIGN_STREAM_H_
