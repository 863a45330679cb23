#!/usr/bin/env python3
"""Checks that sources include the headers of the standard library that they use, themselves or through headers
of ours: builds with precompiled headers, as those of tests are, do not show one that is missing.

Only headers that are precompiled (TFRT_STANDARD_HEADERS in cmake/TfrtCompileTime.cmake) are looked at; what else is
missing, every build shows. Sources that see MLIR are left out: its headers bring nearly all of them.

usage: check_std_includes.py SOURCE_DIR
"""

import functools
import pathlib
import re
import sys

import check_includes

# What shows that a header is used. Types of C without std:: count, too: ours are written so.
USES = {
    "algorithm": r"std::(?:ranges::)?(?:sort|stable_sort|find|find_if|fill|fill_n|copy|copy_n|copy_if|any_of|all_of|"
                 r"none_of|min|max|clamp|minmax|min_element|max_element|count|count_if|equal|reverse|rotate|"
                 r"lower_bound|upper_bound|binary_search|transform|unique|remove_if|replace|generate|"
                 r"for_each|adjacent_find|is_sorted|nth_element|partition|search|mismatch)\b\s*[(<]",
    "array": r"std::array\b",
    "atomic": r"std::(?:atomic\w*|memory_order\w*)\b",
    "chrono": r"std::chrono\b",
    "cmath": r"std::(?:sqrt|exp|log|pow|abs|fabs|floor|ceil|round|trunc|fmod|tanh|isnan|isinf|isfinite|signbit|fma|"
             r"nearbyint|ldexp|frexp|erf|log1p|expm1|exp2|log2|lrint|copysign|hypot)\s*\(",
    "condition_variable": r"std::condition_variable\b",
    "cstdint": r"\bu?int(?:8|16|32|64|ptr)_t\b",
    "cstring": r"std::(?:memcpy|memset|memcmp|memmove|memchr|strlen|strcmp|strncmp|strerror)\b",
    "functional": r"std::(?:function|hash|less|greater|plus|multiplies|bit_and|bit_or|equal_to|invoke)\b",
    "iterator": r"std::(?:back_inserter|next|prev|distance|advance|make_move_iterator|istreambuf_iterator)\b",
    "limits": r"std::numeric_limits\b",
    "map": r"std::(?:multi)?map\b",
    "memory": r"std::(?:unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared|addressof|default_delete)\b",
    "mutex": r"std::(?:mutex|recursive_mutex|lock_guard|unique_lock|scoped_lock|call_once|once_flag)\b",
    "optional": r"std::(?:optional|nullopt)\b",
    "span": r"std::span\b",
    "sstream": r"std::[io]?stringstream\b",
    "string": r"std::(?:string|to_string|stoi|stoll|stoull|stod|getline)\b",
    "string_view": r"std::string_view\b",
    "thread": r"std::(?:thread|jthread|this_thread)\b",
    "tuple": r"std::(?:tuple|tie|make_tuple|forward_as_tuple|apply)\b",
    "type_traits": r"std::(?:is_\w+_v|enable_if\w*|conditional_t|decay_t|remove_\w+_t|underlying_type\w*|"
                   r"invoke_result_t|common_type_t|make_(?:un)?signed_t|true_type|false_type)\b",
    "unordered_map": r"std::unordered_(?:multi)?map\b",
    "utility": r"std::(?:move|swap|pair|forward|exchange|make_pair|declval|in_place\w*|index_sequence\w*|"
               r"make_index_sequence)\b",
    "variant": r"std::(?:variant|monostate|visit|get_if|holds_alternative)\b",
    "vector": r"std::vector\b",
}
# What serves as well: the header of C, or one that the standard says to bring the use along.
BRINGS = {"cmath": {"cstdlib"}, "cstdint": {"stdint.h"},
          "iterator": {"array", "map", "span", "string", "string_view", "unordered_map", "vector"},
          "chrono": {"thread"}, "string_view": {"string"}, "string": {"sstream"}}
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
INCLUDE_LINE = re.compile(r'^\s*#\s*include[^\n]*', re.MULTILINE)


def strip(text):
    """The text without comments and literals."""
    return NO_CODE.sub(" ", INCLUDE_LINE.sub(" ", text))


class Tree:
    """The sources of one folder, and what they include."""

    def __init__(self, root):
        self.root = root
        self.tables = check_includes.Tables(root)

    @functools.cache
    def included(self, path):
        """Pairs of (is ours, path or name) that a file includes."""
        found = []
        for quote, name in check_includes.INCLUDE.findall((self.root / path).read_text()):
            target = check_includes.included_path(self.root, path, quote, name)
            ours = target is not None and (self.root / target).exists()
            found.append((ours, target if ours else name))
        return found

    @functools.cache
    def standard_headers(self, path):
        """All that a file has through itself and headers of ours."""
        headers, seen, todo = set(), {path}, [path]
        while todo:
            for ours, name in self.included(todo.pop()):
                if not ours:
                    headers.add(name)
                elif name not in seen:
                    seen.add(name)
                    todo.append(name)
        return headers

    def check_file(self, path):
        kind, name = self.tables.owner(path)
        if kind is None or self.tables.sees_mlir(kind, name):
            return []
        code = strip((self.root / path).read_text())
        headers = self.standard_headers(path)
        errors = []
        for header, use in USES.items():
            if header in headers or headers & BRINGS.get(header, set()):
                continue
            if found := re.search(use, code):
                errors.append(f"{path}: uses {found[0].rstrip('(< ')} and does not include <{header}>")
        return errors


def check_tree(root):
    """The number of files, and what is wrong with them."""
    tree = Tree(root)
    paths = [path.relative_to(root).as_posix() for folder in check_includes.FOLDERS
             for path in sorted((root / folder).rglob("*")) if path.suffix in {".h", ".cc"}]
    precompiled = re.search(r"^set\(TFRT_STANDARD_HEADERS\s+([^)]*)\)",
                            (root / "cmake/TfrtCompileTime.cmake").read_text(), re.MULTILINE)
    errors = [f"cmake/TfrtCompileTime.cmake: <{name}> is precompiled, and no use of it is known here"
              for name in re.findall(r"<(\w+)>", precompiled[1]) if name not in USES]
    for path in paths:
        errors += tree.check_file(path)
    return len(paths), errors


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    num_files, errors = check_tree(pathlib.Path(sys.argv[1]))
    for error in errors:
        print(error)
    print(f"{num_files} files, {len(errors)} errors")
    sys.exit(1 if errors or num_files == 0 else 0)


if __name__ == "__main__":
    main()
