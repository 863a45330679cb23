// Elements become unsigned keys that have their order. Keys of elements to sort are sorted as they
// are and turned back. Keys with places behind them are all different, so that sorting them is
// stable, however it is done.

#include "sort.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "sort_keys.h"

namespace tfrt::cpu {
namespace {

template <size_t size>
using BitsOfSize = std::conditional_t<
    size == 1, uint8_t,
    std::conditional_t<size == 2, uint16_t, std::conditional_t<size == 4, uint32_t, uint64_t>>>;

// The order of elements of T as unsigned integers of as many bits.
template <typename T>
struct Order {
  using Bits = BitsOfSize<sizeof(T)>;
  static constexpr Bits kSign = Bits(Bits(1) << (8 * sizeof(T) - 1));
  static constexpr Bits kAll = std::numeric_limits<Bits>::max();
  static constexpr bool kIsFloat = tfrt::internal::kIsHalf<T> || std::is_floating_point_v<T>;

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
    if (O::IsNan(bits)) out[nan_at++ * sizes.inner] = bits;
    if (O::IsZero(bits)) out[zero_at++ * sizes.inner] = bits;
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
  using Key = BitsOfSize<std::max<size_t>(sizeof(T), 4)>;
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
  const Bits flip = sizes.descending ? O::kAll : Bits(0);
  auto key_of = [=](Bits bits) { return Key{Bits(O::KeyOf(bits) ^ flip)}; };
  auto element_of = [=](Key key) { return O::ElementOf(Bits(Bits(key) ^ flip)); };
  auto restore = [&](int64_t start) {
    if constexpr (O::kIsFloat) {
      bool has_specials = false;
      for (int64_t i = 0; i < sizes.size; ++i) {
        has_specials |= O::IsSpecial(in[start + i * sizes.inner]);
      }
      if (has_specials) RestoreSpecials<T>(sizes, in + start, out + start);
    }
  };
  const auto size = static_cast<size_t>(sizes.size);
  if constexpr (sizeof(T) == sizeof(Key)) {
    if (sizes.inner == 1) {
      return ForRows(sizes, begin, end, [&](int64_t, int64_t start) {
        Key* keys = out + start;
        for (int64_t i = 0; i < sizes.size; ++i) keys[i] = key_of(in[start + i]);
        SortKeys(keys, size);
        for (int64_t i = 0; i < sizes.size; ++i) keys[i] = element_of(keys[i]);
        restore(start);
      });
    }
  }
  WithColumns<Key>(
      sizes, begin, end, [&](int64_t at, Key* key, int64_t) { *key = key_of(in[at]); },
      [&](Key* keys, int64_t) { SortKeys(keys, size); },
      [&](Key key, int64_t at) { out[at] = element_of(key); });
  if constexpr (O::kIsFloat) {
    ForRows(sizes, begin, end, [&](int64_t, int64_t start) { restore(start); });
  }
}

// A key with its place behind it, in one number.
void Pack(uint32_t key, int64_t place, uint64_t* packed) {
  *packed = uint64_t{key} << 32 | static_cast<uint64_t>(place);
}
void Pack(uint64_t key, int64_t place, WideKey* packed) {
  *packed = {static_cast<uint64_t>(place), key};
}
uint32_t PlaceOf(uint64_t packed) { return static_cast<uint32_t>(packed); }
uint64_t PlaceOf(const WideKey& packed) { return packed.low; }

template <typename T, typename Packed, typename Place>
void SortPlaces(const SortSizes& sizes, const void* from, Place* out, int64_t begin, int64_t end) {
  using O = Order<T>;
  using Bits = typename O::Bits;
  using Key = std::conditional_t<std::is_same_v<Packed, uint64_t>, uint32_t, uint64_t>;
  const auto* in = static_cast<const Bits*>(from);
  const Bits flip = sizes.descending ? O::kAll : Bits(0);
  const auto size = static_cast<size_t>(sizes.size);
  auto load = [&](int64_t at, Packed* packed, int64_t place) {
    Pack(Key{Bits(O::KeyOf(in[at]) ^ flip)}, place, packed);
  };
  if constexpr (sizeof(Place) == sizeof(Packed)) {
    if (sizes.inner == 1) {
      // Where the result will be.
      return ForRows(sizes, begin, end, [&](int64_t, int64_t start) {
        auto* row = reinterpret_cast<Packed*>(out + start);
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
      return SortPlaces<T, uint64_t>(sizes, in, out, begin, end);
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
