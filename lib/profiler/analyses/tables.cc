#include "tables.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "roofline.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

Cell CellOf(const Measurement& measurement, double scale) {
  if (!measurement.is_known()) return {};
  return measurement.value() * scale;
}
Cell CellOf(std::optional<double> value) {
  if (!value) return {};
  return *value;
}
Cell ShareCell(const Measurement& part, double whole) {
  return part.is_known() ? ShareCell(part.value(), whole) : Cell();
}

namespace {

template <typename T>
std::vector<T> Joined(std::vector<T> first, std::vector<T> more) {
  std::ranges::move(more, std::back_inserter(first));
  return first;
}

}  // namespace

std::vector<Column> LayerColumns(std::vector<Column> more) {
  return Joined({IntegerColumn("index"), TextColumn("name"), TextColumn("type")}, std::move(more));
}
Row LayerRow(const LayerSummary& layer, Row more) {
  return Joined({IntegerCell(layer.index), layer.name, layer.op}, std::move(more));
}
std::vector<Column> SubjectColumns(std::vector<Column> more) {
  return Joined({TextColumn("model"), IntegerColumn("batch"), TextColumn("system")},
                std::move(more));
}
Row SubjectRow(const Subject& subject, Row more) {
  return Joined({subject.model, subject.batch, subject.system}, std::move(more));
}

void AddWorkColumns(Table* table) {
  table->columns = Joined(
      std::move(table->columns),
      {RealColumn("operations", "Gflop"),
       RealColumn("read", "MB", "by formula, at least: every operand once"),
       RealColumn("written", "MB"),
       ShareColumn("occupancy", "threads, or a device's places for warps",
                   "of several kernels, weighted by latency"),
       RealColumn("intensity", "flop/B", "operations for each byte read or written"),
       RealColumn("throughput", "Gflop/s"),
       TextColumn("bound",
                  "by memory if the intensity is below the ridge of the roof of the (longest) "
                  "kernel's precision; of f32 if its name says none"),
       TextColumn("known by", "counters of the machine, or the ops' formulas")});
}

void AddWorkCells(const Work& work, std::optional<double> occupancy, double latency_ns,
                  const std::vector<Chart::Roof>& roofs, std::string_view precision, Row* row) {
  if (!work.is_known()) {
    row->insert(row->end(),
                {Cell(), Cell(), Cell(), CellOf(occupancy), Cell(), Cell(), Cell(), Cell()});
    return;
  }
  const double intensity = ArithmeticIntensity(work.flops, work.bytes_read, work.bytes_written);
  auto roof_of = [&](std::string_view name) {
    return std::ranges::find_if(roofs, [&](const Chart::Roof& each) {
      return name.empty() || each.name.substr(0, each.name.find(',')) == name;
    });
  };
  auto roof = roof_of(precision);
  // Without instructions for them, numbers of 16 bits are computed in f32.
  if (roof == roofs.end() && (precision == "bf16" || precision == "f16")) roof = roof_of("f32");
  const Bound bound = roof == roofs.end() ? Bound::kUnknown : BoundOf(intensity, *roof);
  row->insert(row->end(),
              {Cell(work.flops * kGiga), Cell(work.bytes_read * kMega),
               Cell(work.bytes_written * kMega), CellOf(occupancy), Cell(intensity),
               latency_ns > 0 ? Cell(ArithmeticThroughput(work.flops, latency_ns)) : Cell(),
               bound == Bound::kUnknown ? Cell() : Cell(std::string(BoundName(bound))),
               Cell(std::string(work.source == Work::Source::kCounter ? "counters" : "formulas"))});
}

std::string_view PrecisionOf(const Subject& subject, const KernelSummary& kernel) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames = {
      {{"f32", "f32"},
       {"f64", "f64"},
       {"i8", "int8"},
       {"ui8", "int8"},
       {"u8", "int8"},
       {"int8", "int8"},
       {"bf16", "bf16"},
       {"f16", "f16"}}};
  // Products of 8-bit numbers whose results are wider.
  for (std::string_view product : {"quantized_matmul", "quantized_conv", "matmul_integer",
                                   "conv_integer", "MatMulInteger", "ConvInteger"}) {
    if (kernel.name.find(product) != std::string::npos) return "int8";
  }
  std::string_view shape;  // "f32 [2,3]"
  if (kernel.layer < subject.layers.size()) shape = subject.layers[kernel.layer].shape;
  for (std::string_view text : {std::string_view(kernel.name), shape.substr(0, shape.find(' '))}) {
    while (!text.empty()) {
      const size_t end = std::min(text.find_first_of("._"), text.size());
      const auto found = std::ranges::find(kNames, text.substr(0, end),
                                           &std::pair<std::string_view, std::string_view>::first);
      if (found != kNames.end()) return found->second;
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  return {};
}

std::string_view PrecisionOf(const Subject& subject,
                             const std::function<bool(const KernelSummary&)>& is_chosen) {
  const KernelSummary* longest = nullptr;
  for (const KernelSummary& kernel : subject.kernels) {
    if (!is_chosen(kernel)) continue;
    if (!longest || kernel.latency_ns.value() > longest->latency_ns.value()) longest = &kernel;
  }
  return longest ? PrecisionOf(subject, *longest) : std::string_view();
}

std::vector<const Subject*> Wanted(const Study& study) {
  const AnalysisOptions& options = study.options;
  std::vector<const Subject*> wanted;
  for (const Subject& subject : study.experiment.subjects()) {
    if ((options.system.empty() || subject.system == options.system) &&
        (options.model.empty() || subject.model == options.model) &&
        (options.batch == 0 || subject.batch == options.batch)) {
      wanted.push_back(&subject);
    }
  }
  return wanted;
}

Table PartOf(const Section& section, std::string title) {
  const size_t number = section.tables.size() + 1;
  return {.id = number == 1 ? section.id : StrCat(section.id, "-", number),
          .title = std::move(title)};
}

void AddBars(const Table& table, std::string title, std::string x, std::string y, Section* section,
             std::vector<Chart::Band> bands) {
  section->charts.push_back({.kind = Chart::Kind::kBars,
                             .title = std::move(title),
                             .table = table.id,
                             .x = std::move(x),
                             .y = std::move(y),
                             .bands = std::move(bands)});
}

void AddRoofline(const Table& table, std::string title, std::string group,
                 std::vector<Chart::Roof> roofs, Section* section) {
  section->charts.push_back({.kind = Chart::Kind::kRoofline,
                             .title = std::move(title),
                             .table = table.id,
                             .x = "intensity",
                             .y = "throughput",
                             .group = std::move(group),
                             .size = "latency",
                             .x_is_log = true,
                             .y_is_log = true,
                             .roofs = std::move(roofs)});
}

void AddFact(const Study& study, const Subject& subject, std::string name, std::string value,
             Section* section) {
  if (study.experiment.subjects().size() > 1) name += StrCat(" (", subject.Title(), ")");
  section->facts.emplace_back(std::move(name), std::move(value));
}

std::vector<Chart::Band> Thirds(size_t count) {
  // Things have their middle at their number.
  const double third = static_cast<double>(count) / 3;
  return {{"beginning", -0.5, third - 0.5},
          {"middle", third - 0.5, 2 * third - 0.5},
          {"end", 2 * third - 0.5, 3 * third - 0.5}};
}

size_t ThirdOf(size_t index, size_t count) {
  // By the thing's middle, in sixths of the whole.
  return count == 0 ? 0 : std::min<size_t>(2, (2 * index + 1) * 3 / (2 * count));
}

}  // namespace tfrt::profiler
