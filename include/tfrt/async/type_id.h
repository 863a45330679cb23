// Run-time type ids for AsyncValue payloads. They have 16 bits, are comparable in release builds,
// and are the same in the host program and in a plug-in library.
#ifndef TFRT_ASYNC_TYPE_ID_H_
#define TFRT_ASYNC_TYPE_ID_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tfrt/support/small_blocks.h"
#include "tfrt/support/status.h"

namespace tfrt {

// Lists the base classes through which a payload may also be read. A payload type names them as
// `using AsyncValueBases = BaseTypes<Tensor>;`; each must start at the payload's first byte.
template <typename... Bases>
struct BaseTypes {};

using TypeId = uint16_t;
inline constexpr TypeId kUnknownTypeId = 0;

namespace internal {

// Describes a payload type to the type-erased AsyncValue. Immortal once registered.
struct TypeInfo {
  std::string_view name;  // TypeNameOf; for a conflicting type followed by its layout
  uint32_t size;          // bytes of the payload
  uint32_t alignment;     // bytes
  uint32_t value_size;    // bytes of a whole AsyncValue: header, payload, room for the Status; 0:
                          // the payload's destructor also frees its memory
  uint32_t error_offset;  // bytes from the payload's start to the Status of an error value
  void (*destroy)(void* payload);
  const TypeId* bases;
  uint32_t num_bases;
  // The first type of this name, if it has another layout; otherwise null. Set by RegisterType.
  const TypeInfo* conflict = nullptr;
  std::string_view program_name = {};  // empty: as `name`
};

// Returns the id of `info`, registering it on first use. Types are identified by name and layout.
// So a plug-in that was built separately gets the same id, and no payload is read with a wrong
// layout. Names without linkage always get a separate id. Thread-safe. Ends the program when 65,535
// types exist.
TypeId RegisterType(const TypeInfo& info);
const TypeInfo& GetTypeInfo(TypeId id);

// Returns the name that programs use for values of type T. A payload type declares it in its
// definition:
//   static constexpr std::string_view kProgramTypeName = "dense tensor";
// Numbers and texts are called as element types are, pointers as what they point to. Empty:
// nothing.
template <typename T>
constexpr std::string_view ProgramTypeNameOf() {
  if constexpr (requires { T::kProgramTypeName; }) {
    return T::kProgramTypeName;
  } else if constexpr (std::is_same_v<T, bool>) {
    return "i1";
  } else if constexpr (std::is_integral_v<T>) {
    constexpr std::string_view kNames[][2] = {
        {"i8", "ui8"}, {"i16", "ui16"}, {"i32", "ui32"}, {"i64", "ui64"}};
    return kNames[std::bit_width(sizeof(T)) - 1][std::is_unsigned_v<T>];
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == sizeof(float) ? "f32" : "f64";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "string";
  } else if constexpr (requires(T& number) { number.real(), number.imag(); }) {
    return sizeof(T) == 2 * sizeof(float) ? "complex64" : "complex128";
  } else if constexpr (std::is_pointer_v<T> && std::is_void_v<std::remove_pointer_t<T>>) {
    return {};
  } else if constexpr (requires(T& pointer) { pointer.get(), *pointer; } || std::is_pointer_v<T>) {
    return ProgramTypeNameOf<std::remove_cvref_t<decltype(*std::declval<T&>())>>();
  } else {
    return {};
  }
}

// Tells whether all files that spell a type so mean one type. That holds if nothing in the name is
// in an anonymous namespace, a lambda or an unnamed type, as gcc and clang spell them. (Types local
// to functions count as named.)
bool HasLinkage(std::string_view type_name);

template <typename T>
constexpr auto SpelledWith() {
  return std::string_view(__PRETTY_FUNCTION__);
}

// A type's spelling with the differences between compilers removed.
template <size_t capacity>
struct CanonicalSpelling {
  char text[capacity];
  size_t size = 0;

  constexpr explicit CanonicalSpelling(std::string_view spelled) : text{} {
    constexpr std::string_view kReplacements[][2] = {
        {"long long unsigned int", "unsigned long long"},
        {"long unsigned int", "unsigned long"},
        {"short unsigned int", "unsigned short"},
        {"long long int", "long long"},
        {"long int", "long"},
        {"short int", "short"},
        {"std::__cxx11::", "std::"},
        {" (anonymous ", " (anonymous "},  // types without linkage keep their spelling, see
                                           // HasLinkage
        {" (lambda ", " (lambda "},
        {" (lambda)", " (lambda)"},
        {" (unnamed ", " (unnamed "},
        {" (", "("},
        {" [", "["},
        {" >", ">"},
        {" *", "*"},
        {"* const", "*const"},
        {" &", "&"}};
    while (!spelled.empty()) {
      std::string_view from = spelled.substr(0, 1), to = from;
      for (const auto& replacement : kReplacements) {
        if (spelled.starts_with(replacement[0])) {
          from = replacement[0];
          to = replacement[1];
          break;
        }
      }
      for (char c : to) text[size++] = c;
      spelled.remove_prefix(from.size());
    }
  }
};

template <typename T>
constexpr std::string_view SpellingOf() {
  // The text around the type is the same for all types.
  constexpr std::string_view kAroundVoid = SpelledWith<void>();
  constexpr size_t kBegin = kAroundVoid.rfind("void");
  constexpr std::string_view kSpelled = SpelledWith<T>();
  return kSpelled.substr(kBegin, kSpelled.size() - (kAroundVoid.size() - 4));
}

template <typename T>
inline constexpr CanonicalSpelling<SpellingOf<T>().size()> kCanonicalSpelling{SpellingOf<T>()};

// Returns the type's name. It is the same under gcc and clang for types built from named ones,
// numbers and the standard library. So a plug-in may be built by another compiler than the host.
template <typename T>
constexpr std::string_view TypeNameOf() {
  return {kCanonicalSpelling<T>.text, kCanonicalSpelling<T>.size};
}

template <typename T>
constexpr bool kKeepsPayloadOnError = requires { T::kKeepAsyncValuePayloadOnError; };

// True for payloads of values that lie in memory which the payload itself allocated. The payload's
// destructor frees that memory. Such a value is available from its creation.
template <typename T>
constexpr bool kFreesItsValue = requires { T::kFreesItsAsyncValue; };

template <typename T>
constexpr uint32_t ErrorOffset() {
  if constexpr (kKeepsPayloadOnError<T>) {
    return (sizeof(T) + alignof(Status) - 1) / alignof(Status) * alignof(Status);
  } else {
    return 0;
  }
}

// Bytes after the header: the larger of payload and Status. A payload that outlives an error needs
// both, one after the other.
template <typename T>
constexpr size_t PayloadStorageSize() {
  if constexpr (kKeepsPayloadOnError<T>) return ErrorOffset<T>() + sizeof(Status);
  return sizeof(T) > sizeof(Status) ? sizeof(T) : sizeof(Status);
}

template <typename T>
class ConcreteAsyncValue;

// `size` and `alignment` are those of T, here and below. They put the layout into the names of
// symbols. Otherwise the linker would use the host's function or variable for a plug-in whose T
// differs.
template <typename T, size_t size = sizeof(T), size_t alignment = alignof(T)>
TypeId TypeIdOf();

template <typename Payload, typename... Bases>
void FillBases(TypeInfo& info, BaseTypes<Bases...>) {
  static const TypeId ids[sizeof...(Bases)] = {TypeIdOf<Bases>()...};
  info.bases = ids;
  info.num_bases = sizeof...(Bases);
}

template <typename T, size_t size, size_t alignment>
TypeId RegisterPayloadType() {
  TypeInfo info{TypeNameOf<T>(), size, alignment, 0, 0, nullptr, nullptr, 0};
  info.program_name = ProgramTypeNameOf<T>();
  if constexpr (!std::is_abstract_v<T>) {
    info.value_size = kFreesItsValue<T> ? 0 : sizeof(ConcreteAsyncValue<T>);
    info.error_offset = ErrorOffset<T>();
    info.destroy = [](void* payload) { static_cast<T*>(payload)->~T(); };
  }
  if constexpr (requires { typename T::AsyncValueBases; }) {
    FillBases<T>(info, typename T::AsyncValueBases{});
  }
  return RegisterType(info);
}

// The second word of an AsyncValue's header: flags, the size class of its memory, and its type. One
// comparison tells a concrete value of a certain type from all other values.
enum KindBits : uint32_t {
  kKindIndirect = 1,
  // The payload needs no destructor, the value is not an error, and its memory has a size class.
  kKindTrivial = 2,
  kKindKeepsPayload = 4,  // an error value whose payload lives on beside the Status
  kKindForwarded = 8,     // an indirect value that has been given its target
  kKindClassShift = 8,    // the size class, as the offset of its free list
  kKindTypeShift = 16,
};

// The kind of a new concrete value of type T; 0 until the type is registered.
template <typename T, size_t size = sizeof(T), size_t alignment = alignof(T)>
inline constinit std::atomic<uint32_t> kind_of{0};

template <typename T, size_t size, size_t alignment>
[[gnu::noinline]] uint32_t RegisterKind() {
  static const TypeId id = RegisterPayloadType<T, size, alignment>();
  uint32_t kind = uint32_t{id} << kKindTypeShift;
  if constexpr (!std::is_abstract_v<T>) {
    uint32_t size_class = SizeClassOf(sizeof(ConcreteAsyncValue<T>));
    if (std::is_trivially_destructible_v<T> && size_class != kNoSizeClass) {
      kind |= kKindTrivial | size_class * uint32_t{sizeof(FreeList)} << kKindClassShift;
    }
  }
  // release: a thread that reads the kind may look up the type's record.
  kind_of<T, size, alignment>.store(kind, std::memory_order_release);
  return kind;
}

template <typename T, size_t size = sizeof(T), size_t alignment = alignof(T)>
uint32_t KindOf() {
  uint32_t kind = kind_of<T, size, alignment>.load(std::memory_order_acquire);
  if (kind == 0) [[unlikely]]
    return RegisterKind<T, size, alignment>();
  return kind;
}

template <typename T, size_t size, size_t alignment>
TypeId TypeIdOf() {
  return static_cast<TypeId>(KindOf<T, size, alignment>() >> kKindTypeShift);
}

}  // namespace internal

// Returns the id of payload type T; never kUnknownTypeId.
template <typename T, size_t size = sizeof(T), size_t alignment = alignof(T)>
TypeId GetTypeId() {
  return internal::TypeIdOf<std::remove_cv_t<T>, size, alignment>();
}

// Returns the spelling of a registered type, for messages.
std::string_view TypeName(TypeId id);
// Returns the name that programs use for its values; its spelling if there is none.
std::string_view ProgramTypeName(TypeId id);

// Returns FailedPrecondition, with both layouts, if a conflicting type was registered before this
// type or one of its bases. Types conflict if they have one name but another size or alignment: the
// host and a plug-in mean different types.
Status CheckTypeLayout(TypeId id);

// True if a payload of type `id` may be read as `wanted`: the same type or a listed base.
bool IsTypeOrBase(TypeId id, TypeId wanted);

}  // namespace tfrt

#endif  // TFRT_ASYNC_TYPE_ID_H_
