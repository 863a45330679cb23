// Profiles added up, compared, and as tables.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/figure_parts.h"
#include "lib/profiler/pprof.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Path = std::vector<Pprof::Function>;

constexpr size_t kNumShown = 30;

// Sums that do not overflow, whatever a file says.
int64_t Sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

Path PathOf(const Pprof& pprof, const Pprof::Sample& sample) {
  Path path;
  for (uint32_t function : sample.path) path.push_back(pprof.functions[function]);
  return path;
}

// "main > f > g", the outermost first.
std::string PathText(const Path& path) {
  std::string text;
  for (size_t i = path.size(); i-- > 0;) text += StrCat(text.empty() ? "" : " > ", path[i].name);
  return text;
}

std::string TypesText(const Pprof& pprof) {
  std::string text;
  for (const Pprof::ValueType& type : pprof.types) {
    text += StrCat(text.empty() ? "" : ", ", type.type, " in ", type.unit);
  }
  return text;
}

// The last type of values is the one that tables show.
StatusOr<size_t> ValueIndex(const Pprof& pprof) {
  if (pprof.types.empty()) return InvalidArgumentError("a pprof has no types of values");
  return pprof.types.size() - 1;
}

// Columns of one kind of values: nanoseconds are shown as milliseconds.
struct Shown {
  explicit Shown(const Pprof::ValueType& type) : type(type) {}
  bool is_time() const { return type.unit == "nanoseconds"; }
  Column ColumnOf(std::string name, std::string help) const {
    return {.name = std::move(name),
            .kind = is_time() ? Column::Kind::kReal : Column::Kind::kInteger,
            .unit = is_time()              ? "ms"
                    : type.unit == "count" ? ""
                                           : type.unit,
            .help = std::move(help)};
  }
  Cell CellOf(int64_t value) const {
    if (is_time()) return static_cast<double>(value) / 1e6;
    return value;
  }
  Pprof::ValueType type;
};

int64_t SumOf(const Pprof& pprof, size_t value) {
  int64_t sum = 0;
  for (const Pprof::Sample& sample : pprof.samples) sum = Sum(sum, sample.values[value]);
  return sum;
}

std::map<Path, int64_t> ByPath(const Pprof& pprof, size_t value) {
  std::map<Path, int64_t> sums;
  for (const Pprof::Sample& sample : pprof.samples) {
    int64_t& sum = sums[PathOf(pprof, sample)];
    sum = Sum(sum, sample.values[value]);
  }
  return sums;
}

std::string BaseText(const Pprof::ValueType& type, std::string_view of) {
  return StrCat("all ", type.type, " of ", of);
}

}  // namespace

StatusOr<Pprof> MergePprofs(std::span<const Pprof> pprofs) {
  if (pprofs.empty()) return InvalidArgumentError("there are no pprofs to add up");
  Pprof merged;
  merged.types = pprofs[0].types;
  merged.period_type = pprofs[0].period_type;
  merged.period = pprofs[0].period;
  // By functions' contents: each pprof numbers them on its own. Sorted, so that the order of the
  // pprofs makes no difference.
  std::map<std::pair<Path, std::vector<Pprof::Label>>, std::vector<int64_t>> sums;
  std::set<std::string> comments;
  for (const Pprof& pprof : pprofs) {
    if (pprof.types != merged.types) {
      return InvalidArgumentError(
          StrCat("pprofs have different values: ", TypesText(merged), "; and ", TypesText(pprof)));
    }
    if (pprof.time_ns != 0 && (merged.time_ns == 0 || pprof.time_ns < merged.time_ns)) {
      merged.time_ns = pprof.time_ns;
    }
    merged.duration_ns = Sum(merged.duration_ns, pprof.duration_ns);
    comments.insert(pprof.comments.begin(), pprof.comments.end());
    for (const Pprof::Sample& sample : pprof.samples) {
      std::vector<Pprof::Label> labels = sample.labels;
      std::ranges::sort(labels);
      std::vector<int64_t>& values = sums[{PathOf(pprof, sample), std::move(labels)}];
      values.resize(merged.types.size());
      for (size_t i = 0; i < values.size(); ++i) values[i] = Sum(values[i], sample.values[i]);
    }
  }
  std::map<Pprof::Function, uint32_t> functions;
  for (const auto& [key, values] : sums) {
    Pprof::Sample& sample = merged.samples.emplace_back();
    for (const Pprof::Function& function : key.first) {
      auto [found, is_new] =
          functions.try_emplace(function, static_cast<uint32_t>(merged.functions.size()));
      if (is_new) merged.functions.push_back(function);
      sample.path.push_back(found->second);
    }
    sample.labels = key.second;
    sample.values = values;
  }
  merged.comments.assign(comments.begin(), comments.end());
  return merged;
}

StatusOr<Table> DiffPprofs(std::span<const NamedPprof> pprofs) {
  if (pprofs.size() < 2) {
    return InvalidArgumentError(
        StrCat("a comparison needs two pprofs or more, there are ", pprofs.size()));
  }
  std::map<Path, std::vector<int64_t>> paths;
  std::optional<Shown> shown;
  for (size_t i = 0; i < pprofs.size(); ++i) {
    StatusOr<size_t> value = ValueIndex(pprofs[i].pprof);
    if (!value.ok()) {
      return InvalidArgumentError(StrCat(pprofs[i].name, ": ", value.status().message()));
    }
    const Pprof::ValueType& type = pprofs[i].pprof.types[*value];
    if (!shown) shown.emplace(type);
    if (shown->type != type) {
      return InvalidArgumentError(StrCat(pprofs[i].name, ": its values are ", type.type, " in ",
                                         type.unit, ", those of ", pprofs[0].name, " are ",
                                         shown->type.type, " in ", shown->type.unit));
    }
    for (const auto& [path, sum] : ByPath(pprofs[i].pprof, *value)) {
      std::vector<int64_t>& sums = paths[path];
      sums.resize(pprofs.size());
      sums[i] = sum;
    }
  }
  int64_t first_sum = 0;
  for (const auto& [path, sums] : paths) first_sum = Sum(first_sum, sums.front());
  auto difference = [](const std::vector<int64_t>& sums) {
    return Sum(sums.back(), sums.front() == INT64_MIN ? INT64_MAX : -sums.front());
  };
  std::vector<const std::pair<const Path, std::vector<int64_t>>*> order;
  for (const auto& entry : paths) order.push_back(&entry);
  std::ranges::stable_sort(order, [&](const auto* a, const auto* b) {
    auto size = [&](const auto* entry) {
      const int64_t value = difference(entry->second);
      return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    };
    return size(a) > size(b);
  });
  Table table{.id = "profile-differences",
              .title = "Call paths that differ most",
              .source = StrCat(pprofs.size(), " pprofs"),
              .num_shown = kNumShown};
  table.columns = {TextColumn("call path")};
  for (const NamedPprof& pprof : pprofs) {
    table.columns.push_back(
        shown->ColumnOf(pprof.name, StrCat(shown->type.type, " of the path itself")));
  }
  table.columns.push_back(shown->ColumnOf("difference", "the last pprof less the first one"));
  table.columns.push_back({.name = "share",
                           .kind = Column::Kind::kShare,
                           .base = BaseText(shown->type, pprofs[0].name),
                           .help = "the difference"});
  for (const auto* entry : order) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row.push_back(PathText(entry->first));
    for (int64_t sum : entry->second) row.push_back(shown->CellOf(sum));
    const int64_t change = difference(entry->second);
    row.push_back(shown->CellOf(change));
    row.push_back(ShareCell(change, first_sum));
  }
  return table;
}

StatusOr<Table> TopFunctions(const Pprof& pprof) {
  TFRT_ASSIGN_OR_RETURN(const size_t value, ValueIndex(pprof));
  const Shown shown(pprof.types[value]);
  struct Times {
    int64_t self = 0, total = 0;
  };
  std::map<Pprof::Function, Times> functions;
  for (const Pprof::Sample& sample : pprof.samples) {
    // Those that call themselves count once.
    const std::set<uint32_t> different(sample.path.begin(), sample.path.end());
    for (uint32_t function : different) {
      int64_t& total = functions[pprof.functions[function]].total;
      total = Sum(total, sample.values[value]);
    }
    if (sample.path.empty()) continue;
    int64_t& self = functions[pprof.functions[sample.path[0]]].self;
    self = Sum(self, sample.values[value]);
  }
  std::vector<std::pair<const Pprof::Function*, Times>> order;
  for (const auto& [function, times] : functions) order.emplace_back(&function, times);
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    return std::pair(a.second.self, a.second.total) > std::pair(b.second.self, b.second.total);
  });
  const int64_t sum = SumOf(pprof, value);
  const std::string base = BaseText(shown.type, "the pprof");
  Table table{
      .id = "profile-functions",
      .title = "Functions",
      .columns = {TextColumn("function"), shown.ColumnOf("self", "without what it called"),
                  ShareColumn("self share", base), shown.ColumnOf("total", "with what it called"),
                  ShareColumn("total share", base)},
      .num_shown = kNumShown};
  for (const auto& [function, times] : order) {
    table.rows.push_back({function->name, shown.CellOf(times.self), ShareCell(times.self, sum),
                          shown.CellOf(times.total), ShareCell(times.total, sum)});
  }
  return table;
}

PprofOwner OwnerOf(const Pprof& pprof, const Pprof::Sample& sample) {
  for (const Pprof::Label& label : sample.labels) {
    if (label.key != "level") continue;
    if (label.text == "model" || label.text == "op") return PprofOwner::kExecutor;
    if (label.text == "kernel" || label.text == "library" || label.text == "device") {
      return PprofOwner::kKernels;
    }
    if (label.text == "stall") return PprofOwner::kWaiting;
  }
  // Reads the path of a sampling profiler: functions of the C library and the like belong to their
  // caller.
  for (uint32_t index : sample.path) {
    const std::string_view name = pprof.functions[index].name;
    auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    for (std::string_view maths : {"Eigen::", "dnnl", "cublas", "cudnn", "tfrt::kernel_maths"}) {
      if (has(maths)) return PprofOwner::kKernels;
    }
    for (std::string_view wait : {"futex", "pthread_cond", "epoll_wait", "nanosleep"}) {
      if (has(wait)) return PprofOwner::kWaiting;
    }
    if (has("tfrt::")) return PprofOwner::kExecutor;
  }
  return PprofOwner::kOther;
}

StatusOr<Table> OwnerShares(const Pprof& pprof) {
  TFRT_ASSIGN_OR_RETURN(const size_t value, ValueIndex(pprof));
  const Shown shown(pprof.types[value]);
  constexpr std::array<const char*, 4> kNames = {"executor", "kernels", "waiting", "other"};
  std::array<int64_t, 4> sums = {};
  for (const Pprof::Sample& sample : pprof.samples) {
    int64_t& sum = sums[static_cast<size_t>(OwnerOf(pprof, sample))];
    sum = Sum(sum, sample.values[value]);
  }
  const int64_t whole = SumOf(pprof, value);
  Table table{.id = "profile-owners",
              .title = "Whose time it is",
              .columns = {TextColumn("owner"),
                          shown.ColumnOf("self", "of its functions, without what they called"),
                          {.name = "share",
                           .kind = Column::Kind::kShare,
                           .base = BaseText(shown.type, "the pprof")}}};
  for (size_t i = 0; i < kNames.size(); ++i) {
    table.rows.push_back(
        {std::string(kNames[i]), shown.CellOf(sums[i]), ShareCell(sums[i], whole)});
  }
  return table;
}

}  // namespace tfrt::profiler
