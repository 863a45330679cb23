#include "tfrt/profiler/perfetto_writer.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "encoder.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

StatusOr<std::unique_ptr<PerfettoWriter>> PerfettoWriter::Create(const std::string& path,
                                                                 size_t buffer_bytes) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return InvalidArgumentError(StrCat("cannot write '", path, "': ", std::strerror(errno)));
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
