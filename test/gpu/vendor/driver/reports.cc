#include "reports.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tfrt::gpu::cuda_double {
namespace {

void EndWithReports() {
  size_t count = TheReports().count();
  if (count == 0) return;
  std::fprintf(stderr, "tfrt test double: %zu reports that nobody has taken; exit code %d\n", count,
               Reports::kExitCode);
  std::fflush(nullptr);
  _exit(Reports::kExitCode);
}

}  // namespace

void Reports::Add(std::string text) {
  std::lock_guard lock(mutex_);
  ++count_;
  if (texts_.size() == kMaxKept) return;
  std::fprintf(stderr, "tfrt test double: report: %s\n", text.c_str());
  texts_.push_back(std::move(text));
}

size_t Reports::count() const {
  std::lock_guard lock(mutex_);
  return count_;
}

std::string Reports::Get(size_t index) const {
  std::lock_guard lock(mutex_);
  return index < texts_.size() ? texts_[index] : std::string();
}

void Reports::Clear() {
  std::lock_guard lock(mutex_);
  texts_.clear();
  count_ = 0;
}

Reports& TheReports() {
  static Reports* reports = [] {
    std::atexit(EndWithReports);
    return new Reports;
  }();
  return *reports;
}

}  // namespace tfrt::gpu::cuda_double
