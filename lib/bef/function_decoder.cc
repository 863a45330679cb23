#include "lib/bef/function_decoder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

static_assert(std::endian::native == std::endian::little, "BEF words are read in place");

template <typename... Pieces>
Status Invalid(const Pieces&... pieces) {
  return InvalidArgumentError(StrCat(pieces...));
}

}  // namespace

uint32_t FunctionDecoder::Word(size_t position) const {
  uint32_t word;
  std::memcpy(&word, functions_.data() + position, sizeof(word));
  return word;
}

StatusOr<DecodedFunction> FunctionDecoder::Decode() {
  TFRT_RETURN_IF_ERROR(ReadTables());
  TFRT_RETURN_IF_ERROR(MeasureArea());
  TFRT_RETURN_IF_ERROR(SplitPool());
  TFRT_RETURN_IF_ERROR(CheckUsers());
  if (info_.kind == FunctionKind::kSync) TFRT_RETURN_IF_ERROR(CheckSync());
  return std::move(result_);
}

// Everything before the kernel area.
Status FunctionDecoder::ReadTables() {
  uint32_t num_registers, num_entries;
  if (!in_.ReadVbr32(&result_.location_)) return Invalid("the location is cut off");
  if (!in_.ReadCount(&num_registers)) return Invalid("more registers than bytes");
  use_counts_.resize(num_registers);
  for (uint32_t& count : use_counts_) {
    if (!in_.ReadVbr32(&count)) return Invalid("the register table is cut off");
  }
  if (!in_.ReadCount(&num_entries)) return Invalid("more kernels than bytes");
  if (num_entries == 0) return Invalid("the function has no entry kernel");
  entries_.resize(num_entries);
  for (KernelEntry& entry : entries_) {
    if (!in_.ReadVbr32(&entry.offset) || !in_.ReadVbr32(&entry.num_operands) ||
        !in_.ReadVbr32(&entry.stream)) {
      return Invalid("the kernel table is cut off");
    }
  }
  result_.root_stream_ = entries_[0].stream;
  result_.num_arguments_ = static_cast<uint32_t>(info_.argument_types.size());
  if (result_.num_arguments_ > num_registers) {
    return Invalid(result_.num_arguments_, " arguments but only ", num_registers, " registers");
  }
  returns_.resize(info_.result_types.size());
  for (uint32_t& result : returns_) {
    if (!in_.ReadVbr32(&result)) return Invalid("the result registers are cut off");
    if (result >= num_registers) {
      return Invalid("result register ", result, " of ", num_registers);
    }
  }
  area_start_ = (in_.position() + 3) / 4 * 4;
  if (area_start_ > functions_.size()) return Invalid("the kernel area is cut off");
  return OkStatus();
}

// Finds the size of the kernel area: the records must lie one behind the other.
Status FunctionDecoder::MeasureArea() {
  size_t available = functions_.size() - area_start_;
  for (size_t k = 0; k < entries_.size(); ++k) {
    if (entries_[k].offset != area_size_) {
      return Invalid("kernel ", k, " is at offset ", entries_[k].offset, " instead of ",
                     area_size_);
    }
    size_t record = area_start_ + area_size_;
    uint64_t words = (available - area_size_) / 4;
    if (words < kKernelHeaderWords) return Invalid("kernel ", k, " is cut off");
    uint64_t num_results = Word(record + 20);
    uint64_t needed = kKernelHeaderWords + 2 * num_results;
    for (size_t i = 2; i < 5; ++i) needed += Word(record + 4 * i);
    if (needed > words) return Invalid("kernel ", k, " is cut off");
    for (uint64_t i = 0; i < num_results; ++i) {
      needed += Word(record + 4 * (kKernelHeaderWords + i));
    }
    if (needed > words) return Invalid("the user lists of kernel ", k, " are cut off");
    area_size_ += 4 * needed;
  }
  return OkStatus();
}

// Copies area, use counts and result registers into one pool and points the kernels into it.
Status FunctionDecoder::SplitPool() {
  std::vector<uint32_t>& pool = result_.pool_;
  size_t area_words = area_size_ / 4;
  pool.resize(area_words + use_counts_.size() + returns_.size());
  std::memcpy(pool.data(), functions_.data() + area_start_, area_size_);
  std::copy(use_counts_.begin(), use_counts_.end(), pool.begin() + area_words);
  std::copy(returns_.begin(), returns_.end(), pool.end() - returns_.size());
  std::span<uint32_t> words(pool);
  result_.use_counts_ = words.subspan(area_words, use_counts_.size());
  result_.returns_ = words.last(returns_.size());

  auto record = [&](size_t k) {
    size_t begin = entries_[k].offset / 4;
    size_t end = k + 1 < entries_.size() ? entries_[k + 1].offset / 4 : area_words;
    return words.subspan(begin, end - begin);
  };
  TFRT_RETURN_IF_ERROR(SplitEntry(record(0)));
  result_.kernels_.resize(entries_.size() - 1);
  for (size_t k = 1; k < entries_.size(); ++k) {
    TFRT_RETURN_IF_ERROR(SplitKernel(k, record(k), &result_.kernels_[k - 1]));
  }
  if (next_register_ != use_counts_.size()) {
    return Invalid(use_counts_.size(), " registers but ", next_register_, " arguments and results");
  }
  return OkStatus();
}

// The pseudo kernel: its results are a register of its own and the arguments.
Status FunctionDecoder::SplitEntry(std::span<uint32_t> words) {
  uint32_t num_arguments = result_.num_arguments_;
  uint32_t num_registers = static_cast<uint32_t>(use_counts_.size());
  if (entries_[0].num_operands != 0 || words[2] != 0 || words[3] != 0 || words[4] != 0) {
    return Invalid("the entry kernel has operands, attributes or functions");
  }
  if (words[5] != uint64_t{num_arguments} + 1) {
    return Invalid("the entry kernel has ", words[5], " results for ", num_arguments, " arguments");
  }
  std::span<uint32_t> user_counts = words.subspan(kKernelHeaderWords, num_arguments + 1);
  std::span<uint32_t> results =
      words.subspan(kKernelHeaderWords + num_arguments + 1, num_arguments + 1);
  std::span<uint32_t> users = words.subspan(kKernelHeaderWords + 2 * (num_arguments + 1));
  if (results[0] != num_registers) {
    return Invalid("the entry kernel's register is ", results[0], " instead of ", num_registers);
  }
  for (uint32_t i = 0; i < num_arguments; ++i) {
    if (results[i + 1] != i) return Invalid("argument ", i, " has register ", results[i + 1]);
  }
  next_register_ = num_arguments;
  result_.without_operands_ = users.first(user_counts[0]);
  result_.argument_user_counts_ = user_counts.subspan(1);
  result_.argument_users_ = users.subspan(user_counts[0]);
  return OkStatus();
}

Status FunctionDecoder::SplitKernel(size_t number, std::span<uint32_t> words,
                                    DecodedKernel* kernel) {
  size_t next = kKernelHeaderWords;
  auto take = [&](size_t count) {
    std::span<const uint32_t> list = words.subspan(next, count);
    next += count;
    return list;
  };
  kernel->kernel_id = words[0];
  kernel->location = words[1];
  kernel->stream = entries_[number].stream;
  kernel->user_counts = take(words[5]);
  kernel->operands = take(words[2]);
  kernel->attributes = take(words[3]);
  kernel->functions = take(words[4]);
  kernel->results = take(words[5]);
  kernel->users = take(words.size() - next);
  if (kernel->kernel_id >= num_kernels_) {
    return Invalid("kernel ", number, " has kernel id ", kernel->kernel_id, " of ", num_kernels_);
  }
  if (kernel->operands.size() != entries_[number].num_operands) {
    return Invalid("kernel ", number, " has ", kernel->operands.size(),
                   " operands but its entry says ", entries_[number].num_operands);
  }
  for (uint32_t operand : kernel->operands) {
    if (operand >= next_register_) {
      return Invalid("kernel ", number, " uses register ", operand, " before it is defined");
    }
  }
  for (uint32_t function : kernel->functions) {
    if (function >= num_functions_) {
      return Invalid("kernel ", number, " names function ", function, " of ", num_functions_);
    }
  }
  for (uint32_t result : kernel->results) {
    if (result != next_register_ || result >= use_counts_.size()) {
      return Invalid("kernel ", number, " defines register ", result, " instead of ",
                     next_register_);
    }
    ++next_register_;
  }
  return OkStatus();
}

// Compares the user lists with the operands, and turns kernel numbers into indices of kernels_.
Status FunctionDecoder::CheckUsers() {
  uint32_t* pool = result_.pool_.data();
  auto index = [&](std::span<const uint32_t> list) {
    return static_cast<size_t>(list.data() - pool);
  };
  // Per register: where its list goes on, and where it ends.
  struct List {
    size_t next, end;
  };
  std::vector<List> lists;
  lists.reserve(use_counts_.size());
  std::vector<uint32_t> uses(use_counts_.size());  // the users, and the returns
  for (uint32_t result : returns_) ++uses[result];
  auto add = [&](std::span<const uint32_t> counts, std::span<const uint32_t> users) {
    size_t start = index(users);
    for (uint32_t count : counts) {
      uses[lists.size()] += count;
      lists.push_back({start, start + count});
      start += count;
    }
  };
  add(result_.argument_user_counts_, result_.argument_users_);
  for (const DecodedKernel& kernel : result_.kernels_) add(kernel.user_counts, kernel.users);

  for (size_t k = result_.kernels_.size(); k-- > 0;) {
    std::span<const uint32_t> operands = result_.kernels_[k].operands;
    for (size_t i = operands.size(); i-- > 0;) {
      List& list = lists[operands[i]];
      if (list.next == list.end || pool[list.next] != k + 1) {
        return Invalid("the users of register ", operands[i], " do not agree with kernel ", k + 1);
      }
      pool[list.next++] = static_cast<uint32_t>(k);
    }
  }
  for (size_t r = 0; r < lists.size(); ++r) {
    if (lists[r].next != lists[r].end) {
      return Invalid("register ", r, " has ", lists[r].end - lists[r].next, " users too many");
    }
  }
  // The lists agree with the operands, so their lengths do.
  for (size_t r = 0; r < uses.size(); ++r) {
    if (uses[r] != result_.use_counts_[r]) {
      return Invalid("register ", r, " has ", uses[r], " uses but its count says ",
                     result_.use_counts_[r]);
    }
  }
  List entry{index(result_.without_operands_), 0};
  entry.end = entry.next + result_.without_operands_.size();
  for (size_t k = 0; k < result_.kernels_.size(); ++k) {
    if (!result_.kernels_[k].operands.empty()) continue;
    if (entry.next == entry.end || pool[entry.next] != k + 1) {
      return Invalid("the entry kernel's users do not agree with kernel ", k + 1);
    }
    pool[entry.next++] = static_cast<uint32_t>(k);
  }
  if (entry.next != entry.end) {
    return Invalid("the entry kernel has ", entry.end - entry.next, " users too many");
  }
  return OkStatus();
}

Status FunctionDecoder::CheckSync() {
  std::vector<bool> returned(use_counts_.size());
  for (size_t i = 0; i < returns_.size(); ++i) {
    if (returns_[i] < result_.num_arguments_) {
      return Invalid("return value ", i, " is an argument in a sync function");
    }
    if (returned[returns_[i]]) {
      return Invalid("return value ", i, " is duplicated in a sync function");
    }
    returned[returns_[i]] = true;
  }
  return OkStatus();
}

}  // namespace tfrt::bef
