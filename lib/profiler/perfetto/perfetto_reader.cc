#include "perfetto_reader.h"

#include <memory>
#include <optional>
#include <protozero/exception.hpp>

#include "foreign_profile.h"
#include "own_profile.h"
#include "packet_source.h"
#include "schema.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// One profile, whoever made it.
class Reading {
 public:
  Reading(ProfileSource& source, ProfileConsumer& consumer)
      : source_(source), consumer_(consumer), packets_(source) {}

  Status Run() {
    for (;;) {
      std::string_view bytes;
      StatusOr<PacketSource::Next> next = packets_.NextPacket(&bytes);
      if (!next.ok()) return next.status();
      if (*next != PacketSource::Next::kPacket) {
        if (!own_ && !foreign_) return NoProfile();
        ReportEnd(*next);
        break;
      }
      if (!AddPacket(bytes)) break;
    }
    if (own_) own_->Finish();
    if (foreign_) foreign_->Finish();
    return consumer_.Finish();
  }

 private:
  Status NoProfile() {
    return InvalidArgumentError(
        StrCat(source_.name(), ": offset ", packets_.offset(), ": no packet of a Perfetto trace"));
  }

  void ReportEnd(PacketSource::Next end) {
    if (end == PacketSource::Next::kUnreadable) {
      consumer_.AddProblem({.kind = Problem::Kind::kUnreadable,
                            .count = 0,
                            .text = StrCat(source_.name(), ": offset ", packets_.offset(),
                                           ": no packet; what follows is left out")});
    } else if (end == PacketSource::Next::kTruncated || !source_.damage().empty()) {
      consumer_.AddProblem(
          {.kind = Problem::Kind::kTruncated,
           .count = 0,
           .text = StrCat(source_.name(), ": offset ", packets_.offset(),
                          ": the file ends in the middle",
                          source_.damage().empty() ? "" : StrCat(" (", source_.damage(), ')'))});
    }
  }

  // False: what follows is not read.
  bool AddPacket(std::string_view bytes) {
    try {
      const PacketFields packet = ParsePacket(bytes);
      if (!own_ && !foreign_) return Start(packet);
      if (foreign_) {
        foreign_->Add(packet);
      } else if (!own_->Add(packet)) {
        consumer_.AddProblem({.kind = Problem::Kind::kUnknown,
                              .count = 0,
                              .text = StrCat(source_.name(), ": offset ", packets_.offset(),
                                             ": another profile begins, which is left out")});
        return false;
      }
    } catch (const protozero::exception&) {
      if (!own_ && !foreign_) foreign_.emplace(source_.name(), consumer_);
      if (own_) own_->CountUnreadable();
      if (foreign_) foreign_->CountUnreadable();
    }
    return true;
  }

  bool Start(const PacketFields& packet) {
    const std::optional<uint64_t> format = OwnProfile::FormatOf(packet);
    if (!format) {
      foreign_.emplace(source_.name(), consumer_);
      foreign_->Add(packet);
      return true;
    }
    own_.emplace(source_.name(), consumer_);
    if (*format > schema::kFormat) {
      consumer_.AddProblem(
          {.kind = Problem::Kind::kUnknown,
           .count = 0,
           .text = StrCat(source_.name(), ": the profile has format ", *format,
                          ", this program knows formats up to ", schema::kFormat)});
    }
    return true;
  }

  ProfileSource& source_;
  ProfileConsumer& consumer_;
  PacketSource packets_;
  std::optional<OwnProfile> own_;
  std::optional<ForeignProfile> foreign_;
};

}  // namespace

bool LooksLikePerfetto(std::string_view first_bytes) {
  return !first_bytes.empty() &&
         first_bytes[0] == static_cast<char>(schema::trace::kPacket << 3 | 2);
}

Status ReadPerfetto(ProfileSource& source, ProfileConsumer& consumer) {
  return Reading(source, consumer).Run();
}

Status ReadPerfetto(const std::string& path, ProfileConsumer& consumer) {
  StatusOr<std::unique_ptr<ProfileSource>> source = ProfileSource::Open(path);
  if (!source.ok()) return source.status();
  return ReadPerfetto(**source, consumer);
}

}  // namespace tfrt::profiler
