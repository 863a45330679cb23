"""The compiler library of tfrt, libtfrt_compiler.so, lies in this folder."""
