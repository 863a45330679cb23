// btf_info: prints the tensors of a BTF file.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <string>

#include "lib/runtime/tensor/btf.h"

namespace {

using tfrt::BtfLayout;

void PrintTensor(int64_t index, std::string text) {
  // Sparse tensors' text ends with a newline.
  if (text.back() == '\n') text.pop_back();
  std::printf("[%lld] %s\n", static_cast<long long>(index), text.c_str());
}

void Complain(int64_t index, const char* part, const tfrt::Status& status) {
  std::fflush(stdout);  // in the order of the tensors where both go to one place
  std::cerr << "Could not parse " << part << " for tensor " << index << ": " << status.message()
            << "\n";
}

// False if the file does not even say where the tensor is.
bool PrintTensor(const tfrt::BtfFile& file, int64_t index) {
  auto header = file.ReadHeader(index);
  if (!header.ok()) {
    Complain(index, "header", header.status());
    return file.HasOffset(index);
  }
  if (header->HasLayout(BtfLayout::kDense)) {
    auto tensor = file.ReadDense(*header);
    if (!tensor.ok()) {
      Complain(index, "dense payload", tensor.status());
    } else {
      PrintTensor(index, tensor->ToString());
    }
  } else if (header->HasLayout(BtfLayout::kCoo)) {
    auto tensor = file.ReadCoo(*header);
    if (!tensor.ok()) {
      Complain(index, "COO payload", tensor.status());
    } else {
      PrintTensor(index, tensor->ToString());
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Prints the tensors of a BTF file: their element types, shapes and first elements.\n"
      "Exit code 0, or 1 if the file cannot be read. Tensors that cannot be read are named on "
      "standard\n"
      "error; those of unknown layouts are passed over.");
  std::string path;
  app.add_option("FILE", path, "BTF file")->required()->type_name("");
  app.set_version_flag("--version", "tfrt version " TFRT_VERSION);
  app.footer("Example: btf_info weights.btf");
  CLI11_PARSE(app, argc, argv);

  auto bytes = tfrt::FileBytes::FromFile(path);
  if (!bytes.ok()) {
    std::cerr << "Cannot open file: " << bytes.status().message() << "\n";
    return 1;
  }
  auto file = tfrt::BtfFile::FromBytes(*std::move(bytes), path);
  if (!file.ok()) {
    std::cerr << "Invalid BTF file: missing tensor count\n";
    return 1;
  }
  // The file may name more tensors than it has room for.
  for (uint64_t i = 0; i < file->num_tensors(); ++i) {
    if (!PrintTensor(*file, static_cast<int64_t>(i))) break;
  }
  return 0;
}
