// BusGuard: lets the process survive that somebody else takes away memory that it has mapped.
#ifndef TFRT_LIB_SERVE_MODELS_BUS_GUARD_H_
#define TFRT_LIB_SERVE_MODELS_BUS_GUARD_H_

#include <cstddef>
#include <memory>

namespace tfrt::serve {

// Guards one mapping of a file that another process may shorten. A read beyond the file's new end
// would end the process by SIGBUS. The guard's handler puts zeros at the place of the whole mapping
// instead, and the read goes on with these. Other causes of SIGBUS have their usual effect.
//
// Thread-safe. Must be destroyed before the memory is unmapped, when nobody reads it any more.
class BusGuard {
 public:
  // The most guards at a time: the handler looks at all of them.
  static constexpr size_t kMaxGuards = 256;

  // `begin` is the address of a page. Returns null if there are too many guards, or if the handler
  // cannot be set. It is set once for the process, and stays.
  static std::unique_ptr<BusGuard> Create(void* begin, size_t size_bytes);
  ~BusGuard();
  BusGuard(const BusGuard&) = delete;
  BusGuard& operator=(const BusGuard&) = delete;

  // Returns whether zeros have been read. Reads before this call are seen if they happen before it.
  bool has_failed() const;

  struct Slot;

 private:
  explicit BusGuard(Slot* slot) : slot_(slot) {}
  Slot* const slot_;
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_BUS_GUARD_H_
