func.func @a(%x: i32) -> i32 attributes {tfrt.sync} {
  %y = "k.b"(%x, %x) {v = 2 : i32} : (i32, i32) -> i32
  tfrt.return %y : i32
} loc(unknown)
func.func @b() -> !t.c {
  %c = "k.c"() {bef.nonstrict} : () -> !t.c
  tfrt.return %c : !t.c
} loc(unknown)
