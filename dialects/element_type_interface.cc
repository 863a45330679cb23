#include "dialects/element_type_interface.h"

#include "dialects/element_type_interface.cpp.inc"
