// ProgramCache: the programs of a function, found by what their traces depend on.
#ifndef TFRT_LIB_API_FUNCTION_PROGRAM_CACHE_H_
#define TFRT_LIB_API_FUNCTION_PROGRAM_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "call_type.h"
#include "epoch.h"
#include "program.h"
#include "tfrt/support/ref_count.h"

namespace tfrt::function {

// Find is called by any thread and takes no lock; the rest is guarded by the function's.
class ProgramCache {
 public:
  // So many calls that differ, in shapes say, are remembered with the program that serves them.
  static constexpr size_t kMaxKeys = 1024;

  ProgramCache() = default;
  ~ProgramCache();
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  // The program that serves calls with this key; null if none is known to.
  RCReference<Program> Find(const CallKey& key) const;

  // Returns the most specific of the programs that serve such a call, the oldest of equals; null if
  // there is none.
  RCReference<Program> FindServing(const CallType& type) const;
  void Add(RCReference<Program> program) { programs_.push_back(std::move(program)); }
  void AddKey(const CallKey& key, RCReference<Program> program);
  // The program that was not called for longest, which is in the cache no more.
  RCReference<Program> TakeOldest();
  std::vector<RCReference<Program>> TakeAll();
  std::span<const RCReference<Program>> programs() const { return programs_; }

 private:
  struct Entry {
    uint64_t hash;
    std::vector<uint64_t> words;
    RCReference<Program> program;
  };
  // Open addressing, at most half full; immutable once it can be found.
  struct Table {
    explicit Table(std::span<const std::shared_ptr<const Entry>> entries);
    uint64_t mask;
    std::vector<const Entry*> places;
  };
  void Publish();
  void Forget(const Program& program);

  std::vector<RCReference<Program>> programs_;         // in the order in which they were made
  std::vector<std::shared_ptr<const Entry>> entries_;  // in the order in which they were added
  std::atomic<const Table*> table_{nullptr};
  EpochGarbage garbage_;  // tables and entries that readers may still have
};

}  // namespace tfrt::function

#endif  // TFRT_LIB_API_FUNCTION_PROGRAM_CACHE_H_
