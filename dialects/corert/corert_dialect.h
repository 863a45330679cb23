// The corert dialect: generated declarations.
#ifndef TFRT_DIALECTS_CORERT_CORERT_DIALECT_H_
#define TFRT_DIALECTS_CORERT_CORERT_DIALECT_H_

#include "dialects/element_type_interface.h"
#include "dialects/tfrt/tfrt_dialect.h"

#include "dialects/corert/corert_ops_dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/corert/corert_ops_attributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/corert/corert_ops_types.h.inc"

#define GET_OP_CLASSES
#include "dialects/corert/corert_ops.h.inc"

#endif  // TFRT_DIALECTS_CORERT_CORERT_DIALECT_H_
