#include "perfetto_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "encoder.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

Status CannotWrite(const std::string& path, int descriptor) {
  Status status = InvalidArgumentError(StrCat("cannot write '", path, "': ", std::strerror(errno)));
  if (descriptor >= 0) close(descriptor);
  return status;
}

}  // namespace

StatusOr<std::unique_ptr<PerfettoWriter>> PerfettoWriter::Create(const std::string& path,
                                                                 size_t buffer_bytes) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  struct stat file = {};
  if (descriptor < 0 || fstat(descriptor, &file) != 0) return CannotWrite(path, descriptor);
  if (S_ISREG(file.st_mode)) {
    // A file that another writer has begun is left as it is. The lock ends with the descriptor.
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(descriptor);
      return FailedPreconditionError(StrCat("cannot write '", path, "': it is being written"));
    }
    if (ftruncate(descriptor, 0) != 0) return CannotWrite(path, descriptor);
  }
  return std::unique_ptr<PerfettoWriter>(
      new PerfettoWriter(std::make_unique<Encoder>(descriptor, true, path, buffer_bytes)));
}

std::unique_ptr<PerfettoWriter> PerfettoWriter::ToDescriptor(int descriptor, std::string name,
                                                             size_t buffer_bytes) {
  return std::unique_ptr<PerfettoWriter>(new PerfettoWriter(
      std::make_unique<Encoder>(descriptor, false, std::move(name), buffer_bytes)));
}

PerfettoWriter::PerfettoWriter(std::unique_ptr<Encoder> encoder) : encoder_(std::move(encoder)) {}
PerfettoWriter::~PerfettoWriter() = default;

void PerfettoWriter::AddProperty(std::string_view key, std::string_view value) {
  encoder_->AddProperty(key, value);
}
void PerfettoWriter::AddString(std::string_view text) { encoder_->AddString(text); }
void PerfettoWriter::AddType(const EventType& type) { encoder_->AddType(type); }
void PerfettoWriter::AddTrack(const Track& track) { encoder_->AddTrack(track); }
void PerfettoWriter::AddEvent(const EventFields& event) { encoder_->AddEvent(event); }
void PerfettoWriter::AddReady(uint64_t id, int64_t ready_ns) { encoder_->AddReady(id, ready_ns); }
void PerfettoWriter::AddProblem(const Problem& problem) { encoder_->AddProblem(problem); }
Status PerfettoWriter::Finish() { return encoder_->Finish(); }
void PerfettoWriter::Flush() { encoder_->Flush(); }
uint64_t PerfettoWriter::num_bytes() const { return encoder_->num_bytes(); }

}  // namespace tfrt::profiler
