// AddressSpace: the addresses of one device, behind which the host finds nothing.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_ADDRESS_SPACE_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_ADDRESS_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <map>

namespace tfrt::gpu::cuda_double {

// Makes two mappings of the same length. Programs get the addresses of the first, which permits no
// access, so that a host that dereferences one crashes as with a real driver. The second is
// readable and the double's own; it holds the bytes.
//
// Addresses are reused as late as possible, so that a use after free meets no other block. Blocks
// are at least kGuard bytes apart, so that an access one element too far meets none either. Not
// thread-safe, except Data.
class AddressSpace {
 public:
  static constexpr uint64_t kAlignment = 256;
  static constexpr uint64_t kGuard = 256;

  // `size_bytes` are addresses, not memory. Ends the program if the system has none.
  explicit AddressSpace(uint64_t size_bytes);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  // The address of a free range that is a multiple of kAlignment, or 0.
  uint64_t Reserve(uint64_t size_bytes);
  // Gives back what Reserve gave. The memory behind it goes to the system.
  void Release(uint64_t address, uint64_t size_bytes);

  bool Contains(uint64_t address) const { return address - begin_ < size_bytes_; }
  // The byte at an address inside.
  std::byte* Data(uint64_t address) const { return data_ + (address - begin_); }
  uint64_t begin() const { return begin_; }

 private:
  uint64_t Stride(uint64_t size_bytes) const;

  uint64_t begin_ = 0, size_bytes_ = 0;
  std::byte* data_ = nullptr;
  std::map<uint64_t, uint64_t> free_;  // begin to end
  uint64_t next_ = 0;                  // where the search begins: behind the last block given
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_ADDRESS_SPACE_H_
