// Decodes and checks one function body.
#ifndef TFRT_LIB_BEF_FUNCTION_DECODER_H_
#define TFRT_LIB_BEF_FUNCTION_DECODER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "lib/bef/byte_reader.h"
#include "tfrt/bef/bef_reader.h"
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

  // `body_offset` must lie in the section. Takes time and memory linear in the body's size.
  StatusOr<DecodedFunction> Decode();
  // After Decode succeeded: the position behind the body in the section.
  size_t end() const { return area_start_ + area_size_; }

 private:
  struct KernelEntry {
    uint32_t offset;
    uint32_t num_operands;
    uint32_t stream;
  };

  Status ReadTables();
  Status MeasureArea();
  Status SplitPool();
  Status SplitEntry(std::span<uint32_t> words);
  Status SplitKernel(size_t number, std::span<uint32_t> words, DecodedKernel* kernel);
  Status CheckUsers();
  Status CheckSync();
  uint32_t Word(size_t position) const;

  ByteReader in_;
  std::span<const uint8_t> functions_;
  const FunctionInfo& info_;
  const size_t num_kernels_;
  const size_t num_functions_;

  DecodedFunction result_;
  std::vector<uint32_t> use_counts_;
  std::vector<uint32_t> returns_;
  std::vector<KernelEntry> entries_;  // the pseudo kernel first
  size_t area_start_ = 0;
  size_t area_size_ = 0;
  uint32_t next_register_ = 0;
};

}  // namespace tfrt::bef

#endif  // TFRT_LIB_BEF_FUNCTION_DECODER_H_
