// Opening BEF files and decoding functions, against reading the same bytes without any check.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench_host.h"
#include "case.h"
#include "floors.h"
#include "lib/format/bef/bef_reader.h"

namespace tfrt::bench {
namespace {

struct File {
  BenchHost host;
  std::vector<uint8_t> bytes;
};

std::shared_ptr<File> MakeFile() {
  bef::BefBuilder builder;
  builder.AddFunction(ToFunction(LayersGraph(100, 100), "main"));
  auto file = std::make_shared<File>();
  file->bytes = *builder.Build();
  return file;
}

std::function<void()> PrepareFloor() {
  auto file = MakeFile();
  return [file, image = std::make_shared<BefImage>(BefImage::CopyOf(file->bytes))] {
    Keep(DecodeUnchecked(image->bytes()));
  };
}

std::function<void()> PrepareOpen() {
  auto file = MakeFile();
  auto image = std::make_shared<BefImage>(BefImage::CopyOf(file->bytes));
  return [file, image] {
    auto opened = BefFile::Open(BefImage::Borrow(image->bytes()), &file->host.host());
    Keep(opened.ok());
  };
}

// What the first look-up of a function does first: taking its body apart.
std::function<void()> PrepareDecode() {
  auto file = MakeFile();
  auto image = std::make_shared<BefImage>(BefImage::CopyOf(file->bytes));
  auto view = std::make_shared<bef::BefView>(*bef::BefView::Open(image->bytes()));
  return [image, view] { Keep(view->DecodeFunction(0).ok()); };
}

// What looking up a function costs beyond opening the file: the difference of this case and open.
std::function<void()> PrepareOpenAndFind() {
  auto file = MakeFile();
  auto image = std::make_shared<BefImage>(BefImage::CopyOf(file->bytes));
  return [file, image] {
    auto opened = BefFile::Open(BefImage::Borrow(image->bytes()), &file->host.host());
    Keep((*opened)->FindFunction("main").ok());
  };
}

}  // namespace

void AddBefCases(Cases* cases) {
  cases->push_back(
      {.name = "floor/decode", .unit = "kernel", .units = 10099, .prepare = PrepareFloor});
  cases->push_back({.name = "bef/open",
                    .unit = "kernel",
                    .units = 10099,
                    .floor = "floor/decode",
                    .prepare = PrepareOpen});
  cases->push_back({.name = "bef/decode",
                    .unit = "kernel",
                    .units = 10099,
                    .floor = "floor/decode",
                    .prepare = PrepareDecode});
  cases->push_back({.name = "bef/open_and_find",
                    .unit = "kernel",
                    .units = 10099,
                    .floor = "floor/decode",
                    .prepare = PrepareOpenAndFind});
}

}  // namespace tfrt::bench
