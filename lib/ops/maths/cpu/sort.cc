// Elements become integers that have their order, their keys. Those of elements to sort are sorted
// as they are and turned back. Keys with places behind them are all different, so that sorting them
// is stable, however it is done.

#include "sort.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "isa_clones.h"
#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "sort_keys.h"

namespace tfrt::cpu {
namespace {

template <size_t size>
using BitsOfSize = std::conditional_t<
    size == 1, uint8_t,
    std::conditional_t<size == 2, uint16_t, std::conditional_t<size == 4, uint32_t, uint64_t>>>;

// The order of elements of T as integers of as many bits: of unsigned ones, or, with the sign bit
// the other way, of signed ones.
template <typename T>
struct Order {
  using Bits = BitsOfSize<sizeof(T)>;
  static constexpr Bits kSign = Bits(Bits(1) << (8 * sizeof(T) - 1));
  static constexpr Bits kAll = std::numeric_limits<Bits>::max();
  static constexpr bool kIsFloat = tfrt::internal::kIsHalf<T> || std::is_floating_point_v<T>;

  using Signed = std::make_signed_t<Bits>;

  static Bits Infinity() { return std::bit_cast<Bits>(std::numeric_limits<T>::infinity()); }
  static bool IsNan(Bits bits) {
    if constexpr (kIsFloat) return Bits(bits & ~kSign) > Infinity();
    return false;
  }
  static bool IsZero(Bits bits) { return Bits(bits & ~kSign) == 0; }
  // Elements that others are equal to, although their bits differ.
  static bool IsSpecial(Bits bits) { return bits == kSign || IsNan(bits); }

  static Bits KeyOf(Bits bits) {
    if constexpr (std::is_same_v<T, bool>) {
      return bits != 0;
    } else if constexpr (kIsFloat) {
      const Bits key = (bits & kSign) != 0 ? Bits(~bits) : Bits(bits | kSign);
      return IsNan(bits) ? kAll : bits == kSign ? kSign : key;
    } else if constexpr (std::is_signed_v<T>) {
      return Bits(bits ^ kSign);
    } else {
      return bits;
    }
  }
  // The bits of the key; those of NaN are some NaN.
  static Bits ElementOf(Bits key) {
    if constexpr (kIsFloat) {
      return (key & kSign) != 0 ? Bits(key & ~kSign) : Bits(~key);
    } else if constexpr (std::is_signed_v<T> && !std::is_same_v<T, bool>) {
      return Bits(key ^ kSign);
    } else {
      return key;
    }
  }
};

// Calls fn(row, its first element) for rows [begin, end).
template <typename F>
void ForRows(const SortSizes& sizes, int64_t begin, int64_t end, F fn) {
  for (int64_t i = begin; i < end; ++i) {
    fn(i, i / sizes.inner * sizes.size * sizes.inner + i % sizes.inner);
  }
}

// So many columns that lie side by side are read together: they share lines of the cache.
constexpr int64_t kColumns = 16;

// Calls sort(row, its first element) for rows [begin, end), where row[i] is element i of the row.
// It does so after load(element, row + i, place i) was called for all, column by column, where
// rows are not contiguous. sort() writes results to the rows, of which store(row + i, element)
// takes them.
template <typename Key, typename Load, typename SortRow, typename Store>
void WithColumns(const SortSizes& sizes, int64_t begin, int64_t end, Load load, SortRow sort,
                 Store store) {
  const int64_t most = std::min({kColumns, end - begin, sizes.inner});
  auto columns = std::make_unique_for_overwrite<Key[]>(static_cast<size_t>(most * sizes.size));
  while (begin < end) {
    const int64_t outer = begin / sizes.inner, first = begin % sizes.inner;
    const int64_t count = std::min({kColumns, end - begin, sizes.inner - first});
    const int64_t start = outer * sizes.size * sizes.inner + first;
    for (int64_t i = 0; i < sizes.size; ++i) {
      for (int64_t j = 0; j < count; ++j) {
        load(start + i * sizes.inner + j, &columns[static_cast<size_t>(j * sizes.size + i)], i);
      }
    }
    for (int64_t j = 0; j < count; ++j) {
      sort(&columns[static_cast<size_t>(j * sizes.size)], start + j);
    }
    for (int64_t i = 0; i < sizes.size; ++i) {
      for (int64_t j = 0; j < count; ++j) {
        store(columns[static_cast<size_t>(j * sizes.size + i)], start + i * sizes.inner + j);
      }
    }
    begin += count;
  }
}

// Writes equal elements with different bits in the order in which they came: zeros and NaN.
template <typename T, typename Bits>
void RestoreSpecials(const SortSizes& sizes, const Bits* in, Bits* out) {
  using O = Order<T>;
  int64_t num_nans = 0, num_before_zeros = 0;
  for (int64_t i = 0; i < sizes.size; ++i) {
    const Bits bits = in[i * sizes.inner];
    const bool is_nan = O::IsNan(bits), is_negative = (bits & O::kSign) != 0;
    num_nans += is_nan;
    num_before_zeros += !is_nan && !O::IsZero(bits) && is_negative != sizes.descending;
  }
  int64_t nan_at = sizes.descending ? 0 : sizes.size - num_nans;
  int64_t zero_at = num_before_zeros + (sizes.descending ? num_nans : 0);
  for (int64_t i = 0; i < sizes.size; ++i) {
    const Bits bits = in[i * sizes.inner];
    // The bounds hold unless the elements change meanwhile, as those in shared memory may.
    if (O::IsNan(bits) && nan_at < sizes.size) out[nan_at++ * sizes.inner] = bits;
    if (O::IsZero(bits) && zero_at < sizes.size) out[zero_at++ * sizes.inner] = bits;
  }
}

// Keys of floats as signed integers, for rows without special elements: negative floats have the
// other order. Returns whether there are special ones. `flip` is applied to each key.
template <typename Bits>
[[gnu::always_inline]] inline bool ToKeys(const Bits* in, int64_t size, Bits infinity, Bits flip,
                                          std::make_signed_t<Bits>* keys) {
  using Signed = std::make_signed_t<Bits>;
  constexpr int kLast = 8 * sizeof(Bits) - 1;
  constexpr Bits kMinusZero = Bits(1) << kLast;
  Bits found = 0;
  for (int64_t i = 0; i < size; ++i) {
    const Bits bits = in[i];
    const bool is_nan = Bits(bits << 1) > Bits(infinity << 1), is_minus_zero = bits == kMinusZero;
    found |= Bits(is_nan | is_minus_zero);
    keys[i] = static_cast<Signed>(bits ^ (Bits(Bits(0) - (bits >> kLast)) >> 1) ^ flip);
  }
  return found != 0;
}
template <typename Bits>
[[gnu::always_inline]] inline void FromKeys(int64_t size, Bits flip, Bits* keys) {
  constexpr int kLast = 8 * sizeof(Bits) - 1;
  for (int64_t i = 0; i < size; ++i) {
    const Bits key = keys[i] ^ flip;
    keys[i] = key ^ (Bits(Bits(0) - (key >> kLast)) >> 1);
  }
}
TFRT_ISA_CLONES
bool FloatsToKeys(const uint32_t* in, int64_t size, uint32_t infinity, uint32_t flip,
                  int32_t* keys) {
  return ToKeys(in, size, infinity, flip, keys);
}
TFRT_ISA_CLONES
bool FloatsToKeys(const uint64_t* in, int64_t size, uint64_t infinity, uint64_t flip,
                  int64_t* keys) {
  return ToKeys(in, size, infinity, flip, keys);
}
TFRT_ISA_CLONES
void KeysToFloats(int64_t size, uint32_t flip, uint32_t* keys) { FromKeys(size, flip, keys); }
TFRT_ISA_CLONES
void KeysToFloats(int64_t size, uint64_t flip, uint64_t* keys) { FromKeys(size, flip, keys); }

// Contiguous elements of 32 or 64 bits, in the memory of the result.
template <typename T, typename Bits>
void SortContiguous(const SortSizes& sizes, const Bits* in, Bits* out) {
  using O = Order<T>;
  using Signed = typename O::Signed;
  auto* keys = reinterpret_cast<Signed*>(out);
  const auto size = static_cast<size_t>(sizes.size);
  const Bits flip = sizes.descending ? O::kAll : Bits(0);
  if constexpr (O::kIsFloat) {
    const bool has_specials = FloatsToKeys(in, sizes.size, O::Infinity(), flip, keys);
    if (has_specials) {
      for (int64_t i = 0; i < sizes.size; ++i) out[i] = O::KeyOf(in[i]) ^ O::kSign ^ flip;
    }
    SortKeys(keys, size);
    KeysToFloats(sizes.size, flip, out);
    if (has_specials) RestoreSpecials<T>(sizes, in, out);
  } else {
    for (int64_t i = 0; i < sizes.size; ++i) out[i] = O::KeyOf(in[i]) ^ O::kSign ^ flip;
    SortKeys(keys, size);
    for (int64_t i = 0; i < sizes.size; ++i) out[i] = O::ElementOf(out[i] ^ O::kSign ^ flip);
  }
}

// Elements of at most 16 bits by how many there are of each.
template <typename T, typename Bits>
void CountRow(const SortSizes& sizes, const Bits* in, Bits* out, std::vector<int64_t>& counts) {
  using O = Order<T>;
  counts.assign(size_t{1} << (8 * sizeof(Bits)), 0);
  const Bits flip = sizes.descending ? O::kAll : Bits(0);
  bool has_specials = false;
  for (int64_t i = 0; i < sizes.size; ++i) {
    const Bits bits = in[i * sizes.inner];
    ++counts[Bits(O::KeyOf(bits) ^ flip)];
    if constexpr (O::kIsFloat) has_specials |= O::IsSpecial(bits);
  }
  int64_t at = 0;
  for (size_t key = 0; key < counts.size(); ++key) {
    const Bits element = O::ElementOf(Bits(Bits(key) ^ flip));
    for (int64_t left = counts[key]; left > 0; --left) out[at++ * sizes.inner] = element;
  }
  if (has_specials) RestoreSpecials<T>(sizes, in, out);
}

template <typename T>
void SortElements(const SortSizes& sizes, const void* from, void* to, int64_t begin, int64_t end) {
  using O = Order<T>;
  using Bits = typename O::Bits;
  using Key = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
  const auto* in = static_cast<const Bits*>(from);
  auto* out = static_cast<Bits*>(to);
  // Fewer are sorted sooner than the counts are looked through.
  constexpr int64_t kMany = sizeof(T) == 1 ? 64 : 1 << 14;
  if constexpr (sizeof(T) <= 2) {
    if (sizes.size >= kMany) {
      std::vector<int64_t> counts;
      return ForRows(sizes, begin, end, [&](int64_t, int64_t start) {
        CountRow<T>(sizes, in + start, out + start, counts);
      });
    }
  }
  if constexpr (sizeof(T) >= 4) {
    if (sizes.inner == 1) {
      return ForRows(sizes, begin, end, [&](int64_t, int64_t start) {
        SortContiguous<T>(sizes, in + start, out + start);
      });
    }
  }
  // Narrow keys are not negative.
  const Bits flip = static_cast<Bits>((sizes.descending ? O::kAll : Bits(0)) ^
                                      (sizeof(T) >= 4 ? O::kSign : Bits(0)));
  WithColumns<Key>(
      sizes, begin, end,
      [&](int64_t at, Key* key, int64_t) {
        *key = static_cast<Key>(Bits(O::KeyOf(in[at]) ^ flip));
      },
      [&](Key* keys, int64_t) { SortKeys(keys, static_cast<size_t>(sizes.size)); },
      [&](Key key, int64_t at) { out[at] = O::ElementOf(Bits(static_cast<Bits>(key) ^ flip)); });
  if constexpr (O::kIsFloat) {
    ForRows(sizes, begin, end, [&](int64_t, int64_t start) {
      bool has_specials = false;
      for (int64_t i = 0; i < sizes.size; ++i) {
        has_specials |= O::IsSpecial(in[start + i * sizes.inner]);
      }
      if (has_specials) RestoreSpecials<T>(sizes, in + start, out + start);
    });
  }
}

// A key with its place behind it, in one number.
void Pack(uint32_t key, int64_t place, int64_t* packed) {
  const uint64_t high = uint64_t{key ^ 0x80000000u} << 32;  // its order is that of signed numbers
  *packed = static_cast<int64_t>(high | static_cast<uint64_t>(place));
}
void Pack(uint64_t key, int64_t place, WideKey* packed) {
  *packed = {static_cast<uint64_t>(place), key};
}
uint32_t PlaceOf(int64_t packed) { return static_cast<uint32_t>(packed); }
uint64_t PlaceOf(const WideKey& packed) { return packed.low; }

template <typename T, typename Packed, typename Place>
void SortPlaces(const SortSizes& sizes, const void* from, Place* out, int64_t begin, int64_t end) {
  using O = Order<T>;
  using Bits = typename O::Bits;
  using Key = std::conditional_t<std::is_same_v<Packed, int64_t>, uint32_t, uint64_t>;
  const auto* in = static_cast<const Bits*>(from);
  const Bits flip = sizes.descending ? O::kAll : Bits(0);
  const auto size = static_cast<size_t>(sizes.size);
  auto load = [&](int64_t at, Packed* packed, int64_t place) {
    Pack(Key{Bits(O::KeyOf(in[at]) ^ flip)}, place, packed);
  };
  if constexpr (std::is_same_v<Place, Packed>) {
    if (sizes.inner == 1) {
      // Where the result will be.
      return ForRows(sizes, begin, end, [&](int64_t, int64_t start) {
        Packed* row = out + start;
        for (int64_t i = 0; i < sizes.size; ++i) load(start + i, row + i, i);
        SortKeys(row, size);
        for (int64_t i = 0; i < sizes.size; ++i) row[i] = PlaceOf(row[i]);
      });
    }
  }
  WithColumns<Packed>(
      sizes, begin, end, load, [&](Packed* row, int64_t) { SortKeys(row, size); },
      [&](const Packed& packed, int64_t at) { out[at] = static_cast<Place>(PlaceOf(packed)); });
}

template <typename T, typename Place>
void ArgSortTo(const SortSizes& sizes, const void* in, Place* out, int64_t begin, int64_t end) {
  if constexpr (sizeof(T) <= 4) {
    if (sizes.size <= int64_t{std::numeric_limits<uint32_t>::max()}) {
      return SortPlaces<T, int64_t>(sizes, in, out, begin, end);
    }
  }
  SortPlaces<T, WideKey>(sizes, in, out, begin, end);
}

template <typename T, typename Place>
void SearchTo(int64_t size, const void* sorted, const void* values, bool right, Place* out,
              int64_t begin, int64_t end) {
  using O = Order<T>;
  using Bits = typename O::Bits;
  const auto* row = static_cast<const Bits*>(sorted);
  const auto* wanted = static_cast<const Bits*>(values);
  for (int64_t i = begin; i < end; ++i) {
    const Bits key = O::KeyOf(wanted[i]);
    // The answer is at least `first` and at most `first + left`.
    int64_t first = 0;
    for (int64_t left = size; left > 0;) {
      const int64_t half = left / 2;
      const Bits middle = O::KeyOf(row[first + half]);
      const bool is_before = right ? middle <= key : middle < key;
      first = is_before ? first + half + 1 : first;
      left = is_before ? left - half - 1 : half;
    }
    out[i] = static_cast<Place>(first);
  }
}

// Calls fn<T>() for the real number or truth value of the dtype.
template <typename F>
void WithElements(DType dtype, F fn) {
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T> type) {
    if constexpr (!tfrt::internal::kIsComplex<T>) fn(type);
  });
}
// Calls fn with the places as int32_t* or int64_t*.
template <typename F>
void WithPlaces(DType dtype, void* places, F fn) {
  if (dtype == DType::kI32) return fn(static_cast<int32_t*>(places));
  fn(static_cast<int64_t*>(places));
}

}  // namespace

void Sort(const SortSizes& sizes, DType dtype, const void* in, void* out, int64_t begin,
          int64_t end) {
  WithElements(dtype, [&]<typename T>(std::type_identity<T>) {
    SortElements<T>(sizes, in, out, begin, end);
  });
}

void ArgSort(const SortSizes& sizes, DType dtype, const void* in, DType places, void* out,
             int64_t begin, int64_t end) {
  WithElements(dtype, [&]<typename T>(std::type_identity<T>) {
    WithPlaces(places, out, [&](auto* to) { ArgSortTo<T>(sizes, in, to, begin, end); });
  });
}

void SearchSorted(int64_t size, DType dtype, const void* row, const void* values, bool right,
                  DType places, void* out, int64_t begin, int64_t end) {
  WithElements(dtype, [&]<typename T>(std::type_identity<T>) {
    WithPlaces(places, out,
               [&](auto* to) { SearchTo<T>(size, row, values, right, to, begin, end); });
  });
}

}  // namespace tfrt::cpu
