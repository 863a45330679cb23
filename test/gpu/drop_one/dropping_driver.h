// A driver that swallows one of the calls that order things.
#ifndef TFRT_TEST_GPU_DROP_ONE_DROPPING_DRIVER_H_
#define TFRT_TEST_GPU_DROP_ONE_DROPPING_DRIVER_H_

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "test/gpu/support/raw_driver.h"

namespace tfrt::gpu::test {

// The table of `driver`, in which records, waits of streams and waits of the host are counted from
// 0, and call number `dropped` succeeds without being made; -1: none is. There is one at a time.
// Thread-safe.
class DroppingDriver {
 public:
  DroppingDriver(const RawDriver& driver, int dropped);
  ~DroppingDriver();
  DroppingDriver(const DroppingDriver&) = delete;
  DroppingDriver& operator=(const DroppingDriver&) = delete;

  const RawDriver& table() const { return table_; }
  // The names of the calls so far, the dropped one among them.
  std::vector<std::string> calls() const;
  // The numbers of those calls on which something depends: all waits, and the records that a wait
  // has named since, or that a query has found done.
  std::set<int> used() const;

  // Whether the call that is made now, about this event if there is one, is to be swallowed.
  bool Drops(const char* name, cuda::CUevent event = nullptr);
  void NoteUse(cuda::CUevent event);
  const RawDriver& real() const { return real_; }

 private:
  const RawDriver& real_;
  const int dropped_;
  RawDriver table_;
  mutable std::mutex mutex_;
  // Under mutex_.
  std::vector<std::string> calls_;
  std::map<cuda::CUevent, int> records_;  // the last of each event
  std::set<int> used_;
};

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_DROP_ONE_DROPPING_DRIVER_H_
