#!/usr/bin/env python3
"""Prints a program with an entry point.

usage: entry_point.py [name=VALUE]...

platform, function, sizes and version are what the entry point says; arguments, results and return are of the program's
function, with `entry_` in front of the function that gives the entry point.
"""

import sys

settings = {"platform": "1", "function": "step", "sizes": "", "version": "410724080",
            "entry_arguments": "", "entry_results": "!tfrt_gpu.entry_point", "entry_return": "%0",
            "arguments": "%c: !tfrt.chain, %x: !tfrt_gpu.stream", "results": "!tfrt.chain", "return": "%c"}
settings.update(argument.split("=", 1) for argument in sys.argv[1:])
print(f"""func.func @get_tfrt_gpu_entry_point({settings["entry_arguments"]}) -> ({settings["entry_results"]}) {{
  %0 = "tfrt_gpu.get_entry_point"() {{buffer_sizes = [{settings["sizes"]}], function_name = "{settings["function"]}", platform = {settings["platform"]} : si32, version = {settings["version"]} : i64}} : () -> !tfrt_gpu.entry_point
  %n = tfrt.new.chain
  tfrt.return {settings["entry_return"]} : {settings["entry_results"]}
}}
func.func @step({settings["arguments"]}) -> ({settings["results"]}) {{
  tfrt.return {settings["return"]} : {settings["results"]}
}}""")
