// DiagnosticVerifier: compares the diagnostics of a run with the expected-error comments of the
// source files to which they point.
#ifndef TFRT_LIB_COMPAT_BEF_RUN_DIAGNOSTIC_VERIFIER_H_
#define TFRT_LIB_COMPAT_BEF_RUN_DIAGNOSTIC_VERIFIER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expected_diagnostics.h"
#include "tfrt/support/location.h"

namespace tfrt {

// A source file is read when the first diagnostic that points into it arrives. Files without a
// diagnostic are never read, so their expectations are not checked. Thread-safe.
class DiagnosticVerifier {
 public:
  using Output = std::function<void(std::string_view)>;
  // `output` receives complaints, whole lines at a time, under the verifier's lock.
  explicit DiagnosticVerifier(Output output) : output_(std::move(output)) {}

  // Takes one error. Complains at once if no comment expects it. One comment may match any number
  // of errors.
  void AddError(const DecodedLocation& location, std::string_view message);

  // Complains about expectations that were not met. Returns true if there was no complaint at all.
  bool Verify();

 private:
  struct SourceFile {
    bool readable = false;
    std::string text;
    std::vector<ExpectedDiagnostic> expected;

    // Finds the 1-based line without its end. Returns false if it is missing.
    bool FindLine(uint32_t number, std::string_view* line) const;
  };

  SourceFile& GetFile(const std::string& path);
  void CompareWith(std::vector<ExpectedDiagnostic>& expected, const DecodedLocation& location,
                   std::string_view message);
  void Complain(const std::string& path, uint32_t line, uint32_t column, std::string_view message);
  void ComplainUnexpected(const DecodedLocation& location, std::string_view message);

  std::mutex mutex_;
  Output output_;
  bool failed_ = false;
  std::map<std::string, SourceFile> files_;
  std::vector<ExpectedDiagnostic> expected_at_unknown_location_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_BEF_RUN_DIAGNOSTIC_VERIFIER_H_
