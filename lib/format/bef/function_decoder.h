// Decodes and checks one function body.
#ifndef TFRT_LIB_FORMAT_BEF_FUNCTION_DECODER_H_
#define TFRT_LIB_FORMAT_BEF_FUNCTION_DECODER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "bef_reader.h"
#include "byte_reader.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

// Checks all that concerns the body alone: counts, register, kernel and function numbers, use
// counts and user lists. Attribute and location offsets are the caller's.
class FunctionDecoder {
 public:
  // `functions` is the payload of the Functions section.
  FunctionDecoder(std::span<const uint8_t> functions, const FunctionInfo& info, size_t num_kernels,
                  size_t num_functions)
      : in_(functions, info.body_offset),
        functions_(functions),
        info_(info),
        num_kernels_(num_kernels),
        num_functions_(num_functions) {}

  // Checks the body. `body_offset` must lie in the section. Takes time and memory linear in the
  // body's size.
  Status Check();
  // Takes apart a body that was checked before.
  StatusOr<DecodedFunction> Decode();

  // After Check succeeded: the position behind the body in the section, and what is in the body.
  size_t end() const { return area_start_ + area_size_; }
  uint32_t location() const { return location_; }
  size_t num_registers() const { return num_registers_; }
  size_t num_kernels() const { return entries_.size() - 1; }
  DecodedKernel kernel(size_t index) const;

 private:
  struct KernelEntry {
    uint32_t offset;
    uint32_t num_operands;
    uint32_t stream;
  };
  struct Register {
    // The users that were not met yet: words of the area. A kernel is taken off the end when it is
    // met, for the lists are in reverse program order.
    uint32_t first_user, end_user;
    uint32_t missing_uses;  // its use count less the uses that were met
  };

  // These return false after Fail.
  bool ReadTables();
  bool CheckKernels();
  bool CheckKernelWords(size_t number, size_t position, size_t available, size_t* size);
  bool CheckEntry(const uint32_t* kernel_words);
  bool CheckKernel(size_t number, const uint32_t* kernel_words);
  void DefineRegisters(const uint32_t* user_counts, size_t count, const uint32_t* users);
  bool CheckUses();
  bool CheckSync();
  void MeasureCheckedArea();
  template <typename... Pieces>
  [[gnu::cold]] bool Fail(const Pieces&... pieces);

  ByteReader in_;
  std::span<const uint8_t> functions_;
  const FunctionInfo& info_;
  const size_t num_kernels_;
  const size_t num_functions_;
  Status error_;

  uint32_t location_ = 0;
  uint32_t num_arguments_ = 0;
  uint32_t num_registers_ = 0;
  std::vector<KernelEntry> entries_;  // the pseudo kernel first
  std::vector<uint32_t> use_counts_;
  std::vector<uint32_t> returns_;
  // The kernel area: the file's bytes, later a copy.
  const uint32_t* area_ = nullptr;
  size_t area_start_ = 0;
  size_t area_size_ = 0;

  uint32_t next_register_ = 0;
  std::vector<Register> registers_;  // whole for those that are defined
  // The kernels without operands, as the pseudo kernel lists them.
  std::span<const uint32_t> without_operands_;
  size_t next_without_operands_ = 0;
};

inline DecodedKernel FunctionDecoder::kernel(size_t index) const {
  const KernelEntry& entry = entries_[index + 1];
  const uint32_t* kernel_words = area_ + entry.offset / 4;
  size_t end = index + 2 < entries_.size() ? entries_[index + 2].offset : area_size_;
  size_t other_words = kKernelHeaderWords + size_t{kernel_words[2]} + kernel_words[3] +
                       kernel_words[4] + 2 * size_t{kernel_words[5]};
  return {kernel_words, entry.stream,
          static_cast<uint32_t>((end - entry.offset) / 4 - other_words)};
}

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_FUNCTION_DECODER_H_
