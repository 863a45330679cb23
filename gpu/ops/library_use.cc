#include "library_use.h"

#include <string>

#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/record.h"

namespace tfrt::gpu {
namespace {

std::string_view ReasonText(LibraryReason reason) {
  switch (reason) {
    case LibraryReason::kServes:
      return "serves it";
    case LibraryReason::kOwnChosen:
      return "TFRT_GPU_LIBRARIES=own";
    case LibraryReason::kNotFound:
      return "not found";
    case LibraryReason::kSmall:
      return "small";
    case LibraryReason::kMemoryBound:
      return "bound by memory";
    case LibraryReason::kUnsupported:
      return "unsupported";
  }
  return {};
}

constexpr auto kName = tracing::ArgumentSpec::Type::kName;
// "gpu.library op=tf.MatMul library=cuBLAS reason=small".
std::string LibraryText(const tracing::RecordText& text) {
  return StrCat(text.type.name, " op=", text.name, " library=", text.NameArgument(0),
                " reason=", text.NameArgument(1));
}

constexpr tracing::RecordType kLibraryRecord = {
    .name = "gpu.library",
    .level = tracing::StackLevel::kKernel,
    .kind = tracing::RecordKind::kEvent,
    .sink_level = tracing::Level::kVerbose,
    .text = &LibraryText,
    .arguments = {{{"library", kName}, {"reason", kName}}}};

}  // namespace

void NoteLibraryUse(std::string_view op_name, std::string_view library, LibraryReason reason) {
  tracing::RecordEvent(kLibraryRecord, op_name, tracing::RecordLinks(), library,
                       ReasonText(reason));
}

Status NoteMissingLibrary(std::string_view op_name, std::string_view library, LibraryChoice choice,
                          const Status& error) {
  if (choice == LibraryChoice::kVendor) {
    return Status(error.code(), StrCat(op_name, ": ", error.message()));
  }
  NoteLibraryUse(op_name, library, LibraryReason::kNotFound);
  return OkStatus();
}

}  // namespace tfrt::gpu
