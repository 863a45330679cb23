#include "function_decoder.h"

#include <bit>

#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

static_assert(std::endian::native == std::endian::little, "BEF words are read in place");

}  // namespace

template <typename... Pieces>
bool FunctionDecoder::Fail(const Pieces&... pieces) {
  error_ = InvalidArgumentError(StrCat(pieces...));
  return false;
}

Status FunctionDecoder::Check() {
  (void)(ReadTables() && CheckKernels() && CheckUses() &&
         (info_.kind != FunctionKind::kSync || CheckSync()));
  return error_;
}

StatusOr<DecodedFunction> FunctionDecoder::Decode() {
  if (!ReadTables()) return error_;
  MeasureCheckedArea();
  DecodedFunction result;
  result.location_ = location_;
  result.root_stream_ = entries_[0].stream;
  result.num_arguments_ = num_arguments_;
  // One block for all numbers: the kernel area, use counts, result registers.
  size_t area_words = area_size_ / 4;
  result.pool_.reserve(area_words + use_counts_.size() + returns_.size());
  result.pool_.insert(result.pool_.end(), area_, area_ + area_words);
  result.pool_.insert(result.pool_.end(), use_counts_.begin(), use_counts_.end());
  result.pool_.insert(result.pool_.end(), returns_.begin(), returns_.end());
  area_ = result.pool_.data();
  result.use_counts_ = {area_ + area_words, use_counts_.size()};
  result.returns_ = {area_ + area_words + use_counts_.size(), returns_.size()};
  // The file counts the pseudo kernel, too.
  auto make_indices = [&](std::span<const uint32_t> list) {
    uint32_t* numbers = result.pool_.data() + (list.data() - area_);
    for (size_t i = 0; i < list.size(); ++i) --numbers[i];
  };
  size_t first_user = kKernelHeaderWords + 2 * (size_t{num_arguments_} + 1);
  result.without_operands_ = {area_ + first_user, area_[kKernelHeaderWords]};
  make_indices(result.without_operands_);
  result.argument_user_counts_ = {area_ + kKernelHeaderWords + 1, num_arguments_};
  size_t entry_end = (num_kernels() > 0 ? entries_[1].offset : area_size_) / 4;
  result.argument_users_ = {area_ + first_user + result.without_operands_.size(),
                            area_ + entry_end};
  make_indices(result.argument_users_);
  result.kernels_.reserve(num_kernels());
  for (size_t k = 0; k < num_kernels(); ++k) {
    result.kernels_.push_back(kernel(k));
    make_indices(result.kernels_.back().users());
  }
  return result;
}

// The last kernel ends the area.
void FunctionDecoder::MeasureCheckedArea() {
  const uint32_t* kernel_words = area_ + entries_.back().offset / 4;
  size_t words = kKernelHeaderWords + size_t{kernel_words[2]} + kernel_words[3] + kernel_words[4] +
                 2 * size_t{kernel_words[5]};
  for (uint32_t i = 0; i < kernel_words[5]; ++i) words += kernel_words[kKernelHeaderWords + i];
  area_size_ = entries_.back().offset + 4 * words;
}

// Everything before the kernel area.
bool FunctionDecoder::ReadTables() {
  ByteReader in = in_;  // a copy that stays in the processor's registers
  uint32_t num_entries;
  if (!in.ReadVbr32(&location_)) return Fail("the location is cut off");
  if (!in.ReadCount(&num_registers_)) return Fail("more registers than bytes");
  use_counts_.reserve(num_registers_);
  for (uint32_t r = 0; r < num_registers_; ++r) {
    uint32_t count;
    if (!in.ReadVbr32(&count)) return Fail("the register table is cut off");
    use_counts_.push_back(count);
  }
  if (!in.ReadCount(&num_entries, /*size=*/3)) return Fail("more kernels than bytes");
  if (num_entries == 0) return Fail("the function has no entry kernel");
  entries_.reserve(num_entries);
  for (uint32_t k = 0; k < num_entries; ++k) {
    KernelEntry entry;
    if (!in.ReadVbr32(&entry.offset) || !in.ReadVbr32(&entry.num_operands) ||
        !in.ReadVbr32(&entry.stream)) {
      return Fail("the kernel table is cut off");
    }
    entries_.push_back(entry);
  }
  num_arguments_ = static_cast<uint32_t>(info_.argument_types.size());
  if (num_arguments_ > num_registers_) {
    return Fail(num_arguments_, " arguments but only ", num_registers_, " registers");
  }
  returns_.resize(info_.result_types.size());
  for (uint32_t& result : returns_) {
    if (!in.ReadVbr32(&result)) return Fail("the result registers are cut off");
    if (result >= num_registers_) return Fail("result register ", result, " of ", num_registers_);
  }
  area_start_ = (in.position() + 3) / 4 * 4;
  if (area_start_ > functions_.size()) return Fail("the kernel area is cut off");
  area_ = reinterpret_cast<const uint32_t*>(functions_.data() + area_start_);
  return true;
}

// The kernels must lie one behind the other.
bool FunctionDecoder::CheckKernels() {
  size_t available = (functions_.size() - area_start_) / 4;
  // Each is a result of a kernel, with two words there.
  if (num_registers_ > available / 2) {
    return Fail(num_registers_, " registers but only ", available, " words of kernels");
  }
  registers_.reserve(num_registers_);
  for (uint32_t count : use_counts_) registers_.push_back({0, 0, count});
  for (uint32_t result : returns_) --registers_[result].missing_uses;
  size_t position = 0;
  for (size_t k = 0; k < entries_.size(); ++k) {
    size_t size = 0;
    if (!CheckKernelWords(k, position, available - position, &size)) return false;
    if (!(k == 0 ? CheckEntry(area_) : CheckKernel(k, area_ + position))) return false;
    position += size;
  }
  area_size_ = 4 * position;
  return next_register_ == num_registers_ ||
         Fail(num_registers_, " registers but ", next_register_, " arguments and results");
}

// That the kernel's lists lie in what is `available`. Positions and sizes are in words.
inline bool FunctionDecoder::CheckKernelWords(size_t number, size_t position, size_t available,
                                              size_t* size) {
  if (entries_[number].offset != 4 * position) {
    return Fail("kernel ", number, " is at offset ", entries_[number].offset, " instead of ",
                4 * position);
  }
  if (available < kKernelHeaderWords) return Fail("kernel ", number, " is cut off");
  const uint32_t* kernel_words = area_ + position;
  uint64_t num_results = kernel_words[5];
  uint64_t needed = kKernelHeaderWords + uint64_t{kernel_words[2]} + kernel_words[3] +
                    kernel_words[4] + 2 * num_results;
  if (needed > available) return Fail("kernel ", number, " is cut off");
  for (uint64_t i = 0; i < num_results; ++i) needed += kernel_words[kKernelHeaderWords + i];
  if (needed > available) return Fail("the user lists of kernel ", number, " are cut off");
  *size = needed;
  return true;
}

inline void FunctionDecoder::DefineRegisters(const uint32_t* user_counts, size_t count,
                                             const uint32_t* users) {
  auto first_user = static_cast<uint32_t>(users - area_);
  for (size_t i = 0; i < count; ++i) {
    Register& defined = registers_[next_register_++];
    defined.missing_uses -= user_counts[i];
    defined.first_user = first_user;
    defined.end_user = first_user += user_counts[i];
  }
}

// The pseudo kernel: its results are a register of its own and the arguments.
bool FunctionDecoder::CheckEntry(const uint32_t* kernel_words) {
  if (entries_[0].num_operands != 0 || kernel_words[2] != 0 || kernel_words[3] != 0 ||
      kernel_words[4] != 0) {
    return Fail("the entry kernel has operands, attributes or functions");
  }
  if (kernel_words[5] != uint64_t{num_arguments_} + 1) {
    return Fail("the entry kernel has ", kernel_words[5], " results for ", num_arguments_,
                " arguments");
  }
  const uint32_t* user_counts = kernel_words + kKernelHeaderWords;
  const uint32_t* results = user_counts + num_arguments_ + 1;
  const uint32_t* users = results + num_arguments_ + 1;
  if (results[0] != num_registers_) {
    return Fail("the entry kernel's register is ", results[0], " instead of ", num_registers_);
  }
  for (uint32_t i = 0; i < num_arguments_; ++i) {
    if (results[i + 1] != i) return Fail("argument ", i, " has register ", results[i + 1]);
  }
  without_operands_ = {users, user_counts[0]};
  DefineRegisters(user_counts + 1, num_arguments_, users + user_counts[0]);
  return true;
}

// Compares the kernel with what was said of its operands.
inline bool FunctionDecoder::CheckKernel(size_t number, const uint32_t* kernel_words) {
  uint32_t num_operands = kernel_words[2], num_functions = kernel_words[4],
           num_results = kernel_words[5];
  const uint32_t* operands = kernel_words + kKernelHeaderWords + num_results;
  const uint32_t* functions = operands + num_operands + kernel_words[3];
  const uint32_t* results = functions + num_functions;
  if (kernel_words[0] >= num_kernels_) {
    return Fail("kernel ", number, " has kernel id ", kernel_words[0], " of ", num_kernels_);
  }
  if (num_operands != entries_[number].num_operands) {
    return Fail("kernel ", number, " has ", num_operands, " operands but its entry says ",
                entries_[number].num_operands);
  }
  for (uint32_t i = 0; i < num_operands; ++i) {
    uint32_t operand = operands[i];
    if (operand >= next_register_) {
      return Fail("kernel ", number, " uses register ", operand, " before it is defined");
    }
    Register& used = registers_[operand];
    if (used.first_user == used.end_user || area_[--used.end_user] != number) {
      return Fail("the users of register ", operand, " do not agree with kernel ", number);
    }
  }
  if (num_operands == 0) {
    if (next_without_operands_ == without_operands_.size() ||
        without_operands_[next_without_operands_++] != number) {
      return Fail("the entry kernel's users do not agree with kernel ", number);
    }
  }
  for (uint32_t i = 0; i < num_functions; ++i) {
    if (functions[i] >= num_functions_) {
      return Fail("kernel ", number, " names function ", functions[i], " of ", num_functions_);
    }
  }
  for (uint32_t i = 0; i < num_results; ++i) {
    if (results[i] != next_register_ + i || results[i] >= num_registers_) {
      return Fail("kernel ", number, " defines register ", results[i], " instead of ",
                  next_register_ + i);
    }
  }
  DefineRegisters(kernel_words + kKernelHeaderWords, num_results, results + num_results);
  return true;
}

bool FunctionDecoder::CheckUses() {
  for (size_t r = 0; r < num_registers_; ++r) {
    const Register& checked = registers_[r];
    if (uint32_t left = checked.end_user - checked.first_user; left != 0) {
      return Fail("register ", r, " has ", left, " users too many");
    }
    // The lists agree with the operands, so their lengths do.
    if (checked.missing_uses != 0) {
      return Fail("register ", r, " has ", use_counts_[r] - checked.missing_uses,
                  " uses but its count says ", use_counts_[r]);
    }
  }
  size_t left = without_operands_.size() - next_without_operands_;
  return left == 0 || Fail("the entry kernel has ", left, " users too many");
}

bool FunctionDecoder::CheckSync() {
  std::vector<uint8_t> returned(num_registers_);
  for (size_t i = 0; i < returns_.size(); ++i) {
    if (returns_[i] < num_arguments_) {
      return Fail("return value ", i, " is an argument in a sync function");
    }
    if (returned[returns_[i]]) {
      return Fail("return value ", i, " is duplicated in a sync function");
    }
    returned[returns_[i]] = true;
  }
  return true;
}

}  // namespace tfrt::bef
