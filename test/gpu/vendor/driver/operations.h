// The operations of streams beside kernels: copies, fills, host functions, stream-ordered memory.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_OPERATIONS_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_OPERATIONS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "command.h"

namespace tfrt::gpu::cuda_double {

// Nothing but a place in the order: records, waits, and the ends of graphs.
class MarkOperation final : public Operation {
 public:
  explicit MarkOperation(const char* name) : name_(name) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_EMPTY; }
  std::string_view name() const override { return name_; }
  uint64_t nanoseconds() const override { return 10; }
  CUresult Execute(Command&) const override { return CUDA_SUCCESS; }

 private:
  const char* const name_;  // static
};

// Such an operation for all that are called so. Never destroyed: commands outlive static objects.
inline const std::shared_ptr<const Operation>& MakeMark(const char* name) {
  return *new std::shared_ptr<const Operation>(std::make_shared<MarkOperation>(name));
}

// One end of a copy: layers of rows. Row r of layer l begins at
// address + (l * rows_per_layer + r) * pitch.
struct CopySide {
  uint64_t address = 0;                    // 0: `data` alone, memory that no device knows
  std::byte* data = nullptr;               // of the first byte
  std::shared_ptr<Allocation> allocation;  // null for pageable memory
  size_t pitch = 0, rows_per_layer = 0;
};
struct CopyShape {
  size_t row_bytes = 0, num_rows = 1, num_layers = 1;
  size_t total_bytes() const { return row_bytes * num_rows * num_layers; }
};

class CopyOperation final : public Operation {
 public:
  // `staged`: a source that the call has copied already; the side's data points into it.
  CopyOperation(const char* name, CopySide to, CopySide from, CopyShape shape,
                std::shared_ptr<std::vector<std::byte>> staged = nullptr);
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEMCPY; }
  std::string_view name() const override { return name_; }
  uint64_t nanoseconds() const override { return 500 + shape_.total_bytes() / 16; }
  void Begin(Command& command) const override;
  CUresult CheckMemory(const Command& command) const override;
  CUresult Execute(Command& command) const override;
  void End(Command& command) const override;

  const CopySide& to() const { return to_; }
  const CopySide& from() const { return from_; }
  const CopyShape& shape() const { return shape_; }
  bool is_staged() const { return staged_ != nullptr; }

 private:
  std::vector<MemoryUse> Uses(const CopySide& side, MarkKind kind) const;
  template <typename F>
  void ForEachRow(const CopySide& side, F&& f) const;
  uint64_t HashSource() const;

  const char* const name_;
  const CopySide to_, from_;
  const CopyShape shape_;
  const std::shared_ptr<std::vector<std::byte>> staged_;
};

class MemsetOperation final : public Operation {
 public:
  // `shape` in bytes; `element_bytes` of `value` are repeated.
  MemsetOperation(const char* name, CopySide to, CopyShape shape, unsigned value,
                  unsigned element_bytes)
      : name_(name), to_(to), shape_(shape), value_(value), element_bytes_(element_bytes) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEMSET; }
  std::string_view name() const override { return name_; }
  uint64_t nanoseconds() const override { return 300 + shape_.total_bytes() / 64; }
  void Begin(Command& command) const override;
  CUresult Execute(Command& command) const override;
  void End(Command& command) const override;

  const CopySide& to() const { return to_; }
  const CopyShape& shape() const { return shape_; }
  unsigned element_bytes() const { return element_bytes_; }
  unsigned value() const { return value_; }

 private:
  const char* const name_;
  const CopySide to_;
  const CopyShape shape_;
  const unsigned value_, element_bytes_;
};

// A function of the host, or of a double of another library, with the bytes that it uses. One
// without such ranges may use any memory of the host.
class HostOperation final : public Operation {
 public:
  struct Range {
    uint64_t begin, size_bytes;
    MarkKind kind;
    bool takes_unwritten = false;  // a read that is no report
  };
  HostOperation(std::string name, std::function<void()> function, std::vector<Range> ranges = {})
      : name_(std::move(name)), function_(std::move(function)), ranges_(std::move(ranges)) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_HOST; }
  std::string_view name() const override { return name_; }
  void Begin(Command& command) const override;
  CUresult Execute(Command& command) const override;
  void End(Command& command) const override;

 private:
  // Returns the allocation of a range in memory that the host can use; null for another one.
  static std::shared_ptr<Allocation> HostMemory(const Range& range);

  const std::string name_;
  const std::function<void()> function_;
  const std::vector<Range> ranges_;
};

class AllocateOperation final : public Operation {
 public:
  AllocateOperation(const char* name, std::shared_ptr<Allocation> allocation)
      : name_(name), allocation_(std::move(allocation)) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEM_ALLOC; }
  std::string_view name() const override { return name_; }
  CUresult Execute(Command& command) const override;

 private:
  const char* const name_;
  const std::shared_ptr<Allocation> allocation_;
};

class FreeOperation final : public Operation {
 public:
  explicit FreeOperation(std::shared_ptr<Allocation> allocation)
      : allocation_(std::move(allocation)) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEM_FREE; }
  std::string_view name() const override { return "cuMemFreeAsync"; }
  CUresult Execute(Command& command) const override;

 private:
  const std::shared_ptr<Allocation> allocation_;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_OPERATIONS_H_
