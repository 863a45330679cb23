// Shape helpers that convolutions of images with any number of dimensions share.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_CONV_SHAPES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_CONV_SHAPES_H_

#include "shape_rules.h"

namespace tfrt {

// Arguments: input, filter, and perhaps a bias; further ones are ignored.
Status ConvShape(const OpShapeCall& call, std::span<ValueType> results);
// The same but for dtypes, which are left alone.
Status ConvSizes(const OpShapeCall& call, std::span<ValueType> results);

inline constexpr OpAttrSpec kChannelsLast = {"channels_last", OpAttrSpec::Kind::kBool, "false"};
inline constexpr OpAttrSpec kDilations = {"dilations", OpAttrSpec::Kind::kI64Array, "{}"};
inline constexpr OpAttrSpec kGroups = {"groups", OpAttrSpec::Kind::kI64, "1"};
inline constexpr OpAttrSpec kPadding = {"padding", OpAttrSpec::Kind::kString, "\"explicit\""};
inline constexpr OpAttrSpec kPads = {"pads", OpAttrSpec::Kind::kI64Array, "{}"};
inline constexpr OpAttrSpec kStrides = {"strides", OpAttrSpec::Kind::kI64Array, "{}"};
inline constexpr OpAttrSpec kConvAttrs[] = {kChannelsLast, kDilations, kGroups,
                                            kPadding,      kPads,      kStrides};

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_CONV_SHAPES_H_
