// BefFile: a loaded program. Open checks the bytes and resolves every kernel. Functions are then
// looked up by name or index. They are run any number of times, by any number of requests at once.
//
//   TFRT_ASSIGN_OR_RETURN(BefImage image, BefImage::FromFile("model.bef"));
//   TFRT_ASSIGN_OR_RETURN(auto file, BefFile::Open(std::move(image), &host));
//   TFRT_ASSIGN_OR_RETURN(const Function* predict, file->FindFunction("predict"));
//   predict->Execute(exec_ctx, arguments, results);
#ifndef TFRT_EXECUTOR_BEF_FILE_H_
#define TFRT_EXECUTOR_BEF_FILE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/host_context/function.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/location.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {

namespace bef {
class BefView;
}
class HostContext;

// The bytes of a BEF file: mapped read-only, copied, or borrowed.
using BefImage = FileBytes;

// Immutable after Open and thread-safe. Ref-counted: a running function, and any reference to a
// Function, keeps it alive. Constants are used in place, so a value that refers to one must not
// outlive the file.
class BefFile : public ReferenceCounted<BefFile>, public LocationHandler {
 public:
  // Checks the structure of the file, then looks up its kernels and native functions in the host's
  // registry. `host` must outlive the file. On an error `error_location`, if given, receives the
  // source location of the error, if it has one.
  static StatusOr<RCReference<BefFile>> Open(BefImage image, HostContext* host,
                                             DecodedLocation* error_location = nullptr);

  // Returns functions in file order; regions are functions without a name.
  std::span<const Function* const> functions() const;

  // Binds the function (decodes it and checks each kernel against its registered signature; once)
  // and returns it. Fails with NotFound, or with the first fault that binding found. The pointer
  // lives as long as the file.
  StatusOr<const Function*> FindFunction(std::string_view name) const;

  HostContext* host() const;
  // Returns the file's contents, for data that are not executed: signatures, weights.
  const bef::BefView& view() const;

  DecodedLocation DecodeLocation(uint64_t data) const override;
  std::optional<std::string> DebugInfo(uint64_t data) const override;

 private:
  friend class ReferenceCounted<BefFile>;
  struct Impl;
  explicit BefFile(std::unique_ptr<Impl> impl);
  ~BefFile() override;

  std::unique_ptr<Impl> impl_;
};

}  // namespace tfrt

#endif  // TFRT_EXECUTOR_BEF_FILE_H_
