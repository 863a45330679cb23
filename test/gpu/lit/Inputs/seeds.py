#!/usr/bin/env python3
"""Runs programs on the test double under seeds 1 to 8, two queues and two modes.

usage: seeds.py OUTPUT PROGRAM...
"""

import os
import subprocess
import sys


def main():
    output, programs = sys.argv[1], sys.argv[2:]
    runs = 0
    for program in programs:
        bef = f"{output}.{os.path.basename(program)}.bef"
        subprocess.run(["tfrt_gpu_translate", "-mlir-to-bef", program, "-o", bef], check=True)
        # The seed chooses among streams that may go on; threads go as the system lets them.
        for mode, seeds in (("lazy", range(1, 9)), ("threads", range(1, 3))):
            for seed in seeds:
                for queue in ("s", "mstd:2"):
                    settings = f"mode={mode},seed={seed}"
                    done = subprocess.run(["bef_executor", f"--work_queue_type={queue}", bef], text=True, timeout=60,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                          env={**os.environ, "TFRT_GPU_DOUBLE": settings})
                    if done.returncode != 0:
                        sys.exit(f"{program} with {settings} under {queue}: exit code {done.returncode}\n{done.stdout}")
                    runs += 1
    print(f"{runs} runs, all as they should be")


main()
