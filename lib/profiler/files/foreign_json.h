// The common base of readers of other systems' Chrome traces.
#ifndef TFRT_LIB_PROFILER_FILES_FOREIGN_JSON_H_
#define TFRT_LIB_PROFILER_FILES_FOREIGN_JSON_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "foreign_profile.h"
#include "json_readers.h"
#include "json_tree.h"

namespace tfrt::profiler {

// Takes the common parts of an event: times, rows and their names. `Translate` takes the rest.
class ForeignJsonReader : public JsonReader {
 public:
  ForeignJsonReader(std::string_view producer, ProfileConsumer& consumer)
      : producer_(producer), consumer_(consumer) {}

  void OnMember(const JsonRef&) override {}
  void OnEvent(const JsonRef& event) final;
  void Finish() final;

 protected:
  // Converts `json`, which lasted from `event.begin_ns` to `event.end_ns` and is called
  // `event.name`. Returns false if profiles do not contain such events.
  virtual bool Translate(const JsonRef& json, ForeignEvent& event) = 0;
  // Returns the level of the profile; empty: derived from its contents.
  virtual std::string_view Level() const { return {}; }
  ForeignProfile& profile() { return profile_; }
  // Return the names of an event's row and process: "" if it has none.
  std::string_view RowName(const JsonRef& json) const;
  std::string_view ProcessName(const JsonRef& json) const;

 private:
  struct Row {
    std::string name;
    int64_t thread = -1, stream = -1;  // the tracks, if it has events
  };
  static std::string RowKey(const JsonRef& json);
  void Metadata(const JsonRef& json);
  uint32_t TrackOf(const JsonRef& json, bool is_stream);

  const std::string_view producer_;
  ProfileConsumer& consumer_;
  ForeignProfile profile_;
  std::map<std::string, Row, std::less<>> rows_;
  std::map<std::string, std::string, std::less<>> processes_;
  uint64_t num_without_time_ = 0;
};

// Sizes of shapes, as [4, 3, 8, 8]; 0 for malicious ones.
struct ForeignShape {
  int64_t first_dim = 0;  // for shapes of two dimensions or more
  int64_t num_elements = 0;
  std::string text;  // "4,3,8,8"
};
ForeignShape ShapeOf(const JsonRef& dims);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_FOREIGN_JSON_H_
