// Elements between two bounds.
//
//   clip_TYPE(out, in, least, most, size)
//     *least where in[i] is smaller, then *most where that is larger; NaN stays. A bound may be
//     null: there is none.
//
// out [size] may be in [size].

#include "element.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "packs.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;

TFRT_BLOCK_KERNEL TFRT_ENTRY(clip)(Element* out, const Element* in, const Element* least,
                                   const Element* most, int64_t size) {
  const bool has_least = least != nullptr, has_most = most != nullptr;
  const Element low = has_least ? *least : Element(), high = has_most ? *most : Element();
  MapElements(
      size,
      [=](Element x) {
        if (has_least && Decode(x) < Decode(low)) x = low;
        return has_most && Decode(x) > Decode(high) ? high : x;
      },
      out, in);
}

}  // namespace tfrt::gpu::device
