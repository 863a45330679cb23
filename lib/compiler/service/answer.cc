#include "answer.h"

#include <cstring>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace tfrt::compiler {
namespace {

struct Place {
  std::string file;
  uint32_t line = 0, column = 0;
  std::string name;

  std::string text() const {
    if (file.empty()) return name;
    return file + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
};

// The innermost place in a file, and the outermost name.
Place placeOf(mlir::Location location) {
  Place place;
  location->walk([&](mlir::Location each) {
    if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(each); file && place.file.empty()) {
      place.file = file.getFilename().str();
      place.line = file.getLine();
      place.column = file.getColumn();
    } else if (auto name = mlir::dyn_cast<mlir::NameLoc>(each); name && place.name.empty()) {
      place.name = name.getName().str();
    }
    return mlir::WalkResult::advance();
  });
  return place;
}

uint32_t severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
    case mlir::DiagnosticSeverity::Error:
      return TFRT_SEVERITY_ERROR;
    case mlir::DiagnosticSeverity::Warning:
      return TFRT_SEVERITY_WARNING;
    case mlir::DiagnosticSeverity::Note:
    case mlir::DiagnosticSeverity::Remark:
      return TFRT_SEVERITY_NOTE;
  }
  return TFRT_SEVERITY_NOTE;
}

}  // namespace

Answer::Answer() : TfrtCompileAnswer() { struct_size = sizeof(TfrtCompileAnswer); }

const char* Answer::keep(llvm::StringRef text) { return texts_.emplace_back(text).c_str(); }

void Answer::addDiagnostic(mlir::Diagnostic& diagnostic) {
  const Place place = placeOf(diagnostic.getLocation());
  const std::string message = diagnostic.str();
  const uint32_t severity = severityOf(diagnostic.getSeverity());
  diagnostics_.push_back({.severity = severity,
                          .line = place.line,
                          .column = place.column,
                          .file = keep(place.file),
                          .name = keep(place.name),
                          .message = keep(message)});
  if (severity == TFRT_SEVERITY_ERROR && first_error_.empty()) {
    const std::string where = place.text();
    first_error_ = where.empty() ? message : where + ": " + message;
  }
  for (mlir::Diagnostic& note : diagnostic.getNotes()) addDiagnostic(note);
}

void Answer::addPass(llvm::StringRef pass, uint64_t before, uint64_t after, uint64_t nanoseconds) {
  passes_.push_back({keep(pass), before, after, nanoseconds});
}

void Answer::setOutput(std::span<const uint8_t> bytes) {
  constexpr size_t kAlignment = 64;
  const size_t size = (bytes.size() + kAlignment) / kAlignment * kAlignment;
  output_.reset(static_cast<uint8_t*>(std::aligned_alloc(kAlignment, size)));
  if (!output_) return fail(StatusCode::kResourceExhausted, "there is no memory for the output");
  if (!bytes.empty()) std::memcpy(output_.get(), bytes.data(), bytes.size());
  output_.get()[bytes.size()] = 0;
  output_size = bytes.size();
}

void Answer::fail(StatusCode error, llvm::StringRef text) {
  code = static_cast<uint32_t>(error);
  if (first_error_.empty()) first_error_ = text.str();
  output_.reset();
  output_size = 0;
}

TfrtCompileAnswer* Answer::finish() {
  message = code == 0 ? "" : first_error_.c_str();
  output = output_.get();
  diagnostics = diagnostics_.data();
  num_diagnostics = diagnostics_.size();
  passes = passes_.data();
  num_passes = passes_.size();
  return this;
}

}  // namespace tfrt::compiler
