#include "model.h"

#include <filesystem>
#include <utility>

#include "fields.h"
#include "messages.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {

const Attribute* Node::Find(std::string_view attribute) const {
  for (const Attribute& found : attributes) {
    if (found.name == attribute) return &found;
  }
  return nullptr;
}

StatusOr<Model> Model::FromFile(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::FromFile(path));
  return FromBytes(std::move(bytes), path);
}

StatusOr<Model> Model::FromBytes(FileBytes bytes, std::string name) {
  Model model{.path = std::move(name), .bytes = std::move(bytes)};
  FileReading reading{.file = model.bytes.bytes()};
  auto error = [&](uint64_t offset, std::string_view what) {
    return InvalidArgumentError(StrCat(model.path, ": offset ", offset, ": ", what));
  };
  try {
    Fields fields(reading, reading.file);
    ReadMessage(fields, model);
  } catch (const FormatError& wrong) {
    return error(wrong.offset, wrong.message);
  } catch (const protozero::exception& wrong) {
    // Numbers in a field that is there: which one, the library does not say.
    return error(reading.last_offset, StrCat("in the message that begins here: ", wrong.what()));
  }
  return model;
}

std::string Model::folder() const {
  std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace tfrt::onnx
