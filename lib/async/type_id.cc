#include "tfrt/async/type_id.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>

namespace tfrt {
namespace internal {
namespace {

constexpr size_t kMaxTypes = 65536;

struct TypeTable {
  std::mutex mutex;
  std::unordered_map<std::string, TypeId> by_name;
  size_t count = 1;  // id 0 is kUnknownTypeId
};

// Leaked on purpose: values may be destroyed while the process exits.
TypeTable& Table() {
  static TypeTable* table = new TypeTable;
  return *table;
}

// Zero-initialised, so untouched pages cost no memory. An entry is written once, before its id is
// handed out; release/acquire makes the record visible to whoever got the id by other means.
std::atomic<const TypeInfo*> type_infos[kMaxTypes];

constexpr TypeInfo kUnknownType = {"<unknown>", 0, 0, 0, nullptr, nullptr, 0};

}  // namespace

TypeId RegisterType(const TypeInfo& info) {
  TypeTable& table = Table();
  std::lock_guard lock(table.mutex);
  bool has_linkage = info.name.find("anonymous") == std::string_view::npos &&
                     info.name.find("<lambda") == std::string_view::npos &&
                     info.name.find("::<unnamed") == std::string_view::npos;
  if (has_linkage) {
    auto found = table.by_name.find(std::string(info.name));
    if (found != table.by_name.end()) return found->second;
  }
  if (table.count == kMaxTypes) {
    std::fputs("tfrt: more than 65535 AsyncValue payload types\n", stderr);
    std::abort();
  }
  TypeId id = static_cast<TypeId>(table.count++);
  auto* record = new TypeInfo(info);
  // A copy, because a plug-in's text may be unmapped before we end. Not a string object: nothing
  // would point to that, and leak checkers would report it.
  char* name = new char[info.name.size()];
  info.name.copy(name, info.name.size());
  record->name = {name, info.name.size()};
  if (info.num_bases != 0) {
    auto* bases = new TypeId[info.num_bases];
    for (uint32_t i = 0; i < info.num_bases; ++i) bases[i] = info.bases[i];
    record->bases = bases;
  }
  type_infos[id].store(record, std::memory_order_release);
  if (has_linkage) table.by_name.emplace(record->name, id);
  return id;
}

const TypeInfo& GetTypeInfo(TypeId id) {
  const TypeInfo* info = type_infos[id].load(std::memory_order_acquire);
  return info ? *info : kUnknownType;
}

}  // namespace internal

std::string_view TypeName(TypeId id) { return internal::GetTypeInfo(id).name; }

bool IsTypeOrBase(TypeId id, TypeId wanted) {
  if (id == wanted) return true;
  const internal::TypeInfo& info = internal::GetTypeInfo(id);
  for (uint32_t i = 0; i < info.num_bases; ++i) {
    if (IsTypeOrBase(info.bases[i], wanted)) return true;
  }
  return false;
}

}  // namespace tfrt
