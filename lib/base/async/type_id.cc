#include "tfrt/async/type_id.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace internal {
namespace {

constexpr size_t kMaxTypes = 65536;

struct TypeTable {
  std::mutex mutex;
  std::unordered_multimap<std::string, TypeId> by_name;  // more than one: of different layouts
  size_t count = 1;                                      // id 0 is kUnknownTypeId
};

// Leaked on purpose: values may be destroyed while the process exits.
TypeTable& Table() {
  static TypeTable* table = new TypeTable;
  return *table;
}

// Zero-initialised, so untouched pages cost no memory. An entry is written once, before its id is
// handed out; release/acquire makes the record visible to whoever got the id by other means.
std::atomic<const TypeInfo*> type_infos[kMaxTypes];

constexpr TypeInfo kUnknownType = {"<unknown>", 0, 1, 0, 0, nullptr, nullptr, 0};

// How compilers spell what has no linkage. No identifier or list of types reads so, as long as none
// of them begins inside a word: `<lambda(` is also the end of `List<lambda(int)>`, a list of a
// function type.
constexpr const char* kSpellingsWithoutLinkage[] = {
    // gcc
    "{anonymous}", "<lambda(", "<unnamed>", "<unnamed struct>", "<unnamed class>",
    "<unnamed union>", "<unnamed enum>",
    // clang
    "(anonymous namespace)", "(lambda at ", "(lambda)::", "(unnamed struct at ",
    "(unnamed class at ", "(unnamed union at ", "(unnamed enum at ", "(anonymous struct",
    "(anonymous class", "(anonymous union", "(anonymous enum"};

bool IsWordCharacter(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string LayoutText(const TypeInfo& info) {
  return StrCat(info.size, " bytes, aligned by ", info.alignment);
}

// A copy, because a plug-in's text may be unmapped before we end. Not a string object: nothing
// would point to that, and leak checkers would report it.
std::string_view ImmortalCopy(std::string_view text) {
  char* copy = new char[text.size()];
  text.copy(copy, text.size());
  return {copy, text.size()};
}

}  // namespace

bool HasLinkage(std::string_view type_name) {
  for (std::string_view spelling : kSpellingsWithoutLinkage) {
    for (size_t at = type_name.find(spelling); at != std::string_view::npos;
         at = type_name.find(spelling, at + 1)) {
      if (at == 0 || !IsWordCharacter(type_name[at - 1])) return false;
    }
  }
  return true;
}

TypeId RegisterType(const TypeInfo& info) {
  TypeTable& table = Table();
  std::lock_guard lock(table.mutex);
  const bool has_linkage = HasLinkage(info.name);
  const TypeInfo* conflict = nullptr;
  if (has_linkage) {
    auto [begin, end] = table.by_name.equal_range(std::string(info.name));
    for (auto found = begin; found != end; ++found) {
      const TypeInfo& known = GetTypeInfo(found->second);
      if (known.size == info.size && known.alignment == info.alignment) return found->second;
      if (!known.conflict) conflict = &known;
    }
  }
  if (table.count == kMaxTypes) {
    std::fputs("tfrt: more than 65535 AsyncValue payload types\n", stderr);
    std::abort();
  }
  TypeId id = static_cast<TypeId>(table.count++);
  auto* record = new TypeInfo(info);
  record->name = ImmortalCopy(conflict ? StrCat(info.name, " (", LayoutText(info), ")")
                                       : std::string(info.name));
  record->conflict = conflict;
  record->program_name = ImmortalCopy(info.program_name);
  if (info.num_bases != 0) {
    auto* bases = new TypeId[info.num_bases];
    for (uint32_t i = 0; i < info.num_bases; ++i) bases[i] = info.bases[i];
    record->bases = bases;
  }
  type_infos[id].store(record, std::memory_order_release);
  if (has_linkage) table.by_name.emplace(info.name, id);
  return id;
}

const TypeInfo& GetTypeInfo(TypeId id) {
  const TypeInfo* info = type_infos[id].load(std::memory_order_acquire);
  return info ? *info : kUnknownType;
}

}  // namespace internal

std::string_view TypeName(TypeId id) { return internal::GetTypeInfo(id).name; }

std::string_view ProgramTypeName(TypeId id) {
  const internal::TypeInfo& info = internal::GetTypeInfo(id);
  return info.program_name.empty() ? info.name : info.program_name;
}

Status CheckTypeLayout(TypeId id) {
  const internal::TypeInfo& info = internal::GetTypeInfo(id);
  if (const internal::TypeInfo* first = info.conflict) {
    return FailedPreconditionError(StrCat("type '", first->name, "' has ",
                                          internal::LayoutText(info), ", but was known with ",
                                          internal::LayoutText(*first)));
  }
  for (uint32_t i = 0; i < info.num_bases; ++i) {
    TFRT_RETURN_IF_ERROR(CheckTypeLayout(info.bases[i]));
  }
  return OkStatus();
}

bool IsTypeOrBase(TypeId id, TypeId wanted) {
  if (id == wanted) return true;
  const internal::TypeInfo& info = internal::GetTypeInfo(id);
  for (uint32_t i = 0; i < info.num_bases; ++i) {
    if (IsTypeOrBase(info.bases[i], wanted)) return true;
  }
  return false;
}

}  // namespace tfrt
