#!/usr/bin/env python3
"""Tests of lint.py: each bad text must be refused with its message, and the good ones pass. Also: the dialect's own
kernel file must use every name of the prelude, so that each is compared with the host's values.

usage: test_lint.py PRELUDE [DIALECT_FILE...]
"""
import os
import re
import sys
import tempfile

import lint

GOOD = """/* comment with "quotes" and global words: class, vload4, 1.0 */
#ifndef WG
#define WG 64
#endif
#ifndef REAL
#define REAL 32
#endif
#include "lib/helper.clh"
#if REAL == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define HALF 0.5
#else
#define HALF 0.5f
#endif
#define TWICE(x) (2.0f * (x))
#define REDUCER(name, T) static T name(T a, local T *scratch) { scratch[0] = a; barrier(CLK_LOCAL_MEM_FENCE); return a; }
REDUCER(reduce, float)
struct config {
    ulong seed;
    float scale;
};
__constant uint table[2] = {1u, 2u};
static float helper(float x, local float *scratch)
{
    if (x > 1e-3f)
        return x;
    return scratch[0] + TWICE(x) + (float)HALF;
}
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void good(__global float *restrict data, __global const float4 *wide, struct config c, const uint n)
{
    __local float scratch[WG];
    __local uint counter;
    const uint i = (uint)get_global_id(0);
    float4 v = wide[0];
    float2 u;
    u.x = v.x;
    u.y = v.y + v.z * u.x;
    scratch[get_local_id(0)] = i < n ? data[i] : INFINITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counter);
    if (i < n)
        data[i] = helper(data[i], scratch) + c.scale * reduce(u.y, scratch) + (float)table[0] + shared_helper(1.0f);
}
"""

HELPER = """#ifdef HELPER_HOST
#include <math.h>
static double only_on_the_host(double x) { return x + 1.0; }
#else
static float shared_helper(float x) { return x * (float)WG; }
#endif
"""

# Replaced text of GOOD, its replacement, part of the message.
BAD = [
    ("__global float *restrict data", "global float *restrict data", "bare global"),
    ("__constant uint table", "constant uint table", "bare constant"),
    ("__kernel ", "kernel ", "bare kernel"),
    ("float2 u;", "private float2 u;", "bare private"),
    ("__local float scratch[WG];", "local float scratch[WG];", "local qualifies a pointer only"),
    ("__local uint counter;", "local uint counter;", "local qualifies a pointer only"),
    ("float x, local float *scratch", "float x, __local float *scratch", "is qualified local"),
    ("__local uint counter;", "__local uint counter = 0;", "no initialiser"),
    ("float2 u;", "float2 u; { __local float inner[4]; }", "outermost block"),
    ("return scratch[0]", "__local float own[4]; return scratch[0]", "stand in kernels"),
    ("float4 v = wide[0];", "float4 v = vload4(0, data);", "vload4 is OpenCL only"),
    ("u.x = v.x;", "vstore2(u, 0, data);", "vstore2 is OpenCL only"),
    ("float4 v = wide[0];", "float4 v = (float4)(0.0f);", "(float4)(...) is OpenCL only"),
    ("float2 u;", "float3 u;", "float3 is not part of the dialect"),
    ("__global const float4 *wide", "__global const double4 *wide", "double4 is not part of the dialect"),
    ("u.x = v.x;", "u.xy = v.xy;", ".xy is OpenCL only"),
    ("u.x = v.x;", "u.x = v.s0;", ".s0 is OpenCL only"),
    ("u.x = v.x;", "v = v + v;", "no operators"),
    ("u.x = v.x;", "v *= 2.0f;", "no operators"),
    ("const uint n", "const size_t n", "size_t is not an argument type"),
    ("const uint n", "bool n", "bool is not an argument type"),
    ("const uint n", "float2 n", "float2 is not an argument type"),
    ("const uint n", "local float *n", "local memory is declared in the kernel"),
    ("const uint n", "__constant float *n", "a __constant pointer does not exist"),
    ("const uint n", "float *n", "a pointer argument is __global"),
    ("const uint n", "__global float **n", "pointers to pointers"),
    ("const uint n", "__global size_t *n", "has no fixed size"),
    ("x > 1e-3f", "x > 1e-3", "1e-3 is a double"),
    ("(2.0f * (x))", "(2.0 * (x))", "2.0 is a double"),
    ("#define HALF 0.5f", "#define HALF 0.5", "0.5 is a double"),
    ("#ifndef WG\n#define WG 64\n#endif\n", "", "WG is not defined"),
    ("#ifndef WG\n#define WG 64\n#endif\n", "#define WG 64\n", "WG has no default between #ifndef"),
    ("#ifndef REAL\n#define REAL 32\n#endif\n", "", "REAL is not defined"),
    ("__attribute__((reqd_work_group_size(WG, 1, 1)))", "", "has no __attribute__((reqd_work_group_size"),
    ("(WG, 1, 1)", "(WG, 2, 1)", "takes (WG, 1, 1)"),
    ("__kernel __attribute__", "__kernel __attribute__((vec_type_hint(float))) __attribute__", "vec_type_hint"),
    ("atomic_inc(&counter)", "printf(\"x\")", "printf is not in prelude.cuh"),
    ("atomic_inc(&counter)", "prefetch(data, 1)", "prefetch is not in prelude.cuh"),
    ("get_global_id(0)", "get_global_id(1)", "one dimension"),
    ("float2 u;", "float2 u; int class = 0;", "class is a word of C++"),
    ("float2 u;", "float2 u; int threadIdx = 0;", "threadIdx is a word of C++"),
    ("float2 u;", "float2 u; long long w = 0;", "long long"),
    ("float2 u;", "float2 u; struct config d = {.seed = 1};", "designated initialiser"),
    ("float2 u;", "float2 u; int d[2] = {[1] = 1};", "designated initialiser"),
    ("float2 u;", "float2 u; struct config d; d = (struct config){1, 2.0f};", "compound literal"),
    ("static float helper", "float helper", "a helper is static"),
    ("atomic_inc(&counter);", "if (i >= n) return;", "returns early"),
    ("return scratch[0]", "barrier(CLK_LOCAL_MEM_FENCE); return scratch[0]", "returns early"),
    ("__local uint counter;", "__local uint counter; __constant uint inner[1] = {1};", "outside of functions"),
    ("#include \"lib/helper.clh\"", "#include <math.h>", "quotation marks"),
    ("#include \"lib/helper.clh\"", "#include \"lib/absent.clh\"", "there is no \"lib/absent.clh\""),
    ("#pragma OPENCL", "#pragma once OPENCL", "#pragma once"),
    ("comment with", "comment f\u00fcr", "ASCII only"),
    ("void good", "int good", "does not return void"),
    ("struct config {", "extern float outside; struct config {", "extern is not part"),
]

def problems(prelude, folder, text):
    path = os.path.join(folder, "sample.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return lint.Linter(prelude, folder).lint(path)


def main():
    prelude, failures = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "lib"))
        with open(os.path.join(folder, "lib", "helper.clh"), "w", encoding="ascii") as file:
            file.write(HELPER)
        found = problems(prelude, folder, GOOD)
        if found:
            failures.append(f"the good text is refused: {found}")
        for old, new, expected in BAD:
            if old not in GOOD:
                failures.append(f"the good text has no {old!r}")
                continue
            found = problems(prelude, folder, GOOD.replace(old, new, 1))
            if not any(expected in message for _, message in found):
                failures.append(f"{new!r} is not refused with {expected!r}, but with {found}")
        line = GOOD[:GOOD.index("atomic_inc")].count("\n") + 1
        found = problems(prelude, folder, GOOD.replace("atomic_inc", "absent"))
        if [number for number, _ in found] != [line]:
            failures.append(f"a problem of line {line} is reported as {found}")
    used = set()
    for path in sys.argv[2:]:
        with open(path, encoding="ascii") as file:
            used.update(re.findall(r"\w+", file.read()))
    for name in sorted(lint.prelude_names(prelude) - used) if used else []:
        failures.append(f"{name} of the prelude is not tested in {os.path.basename(sys.argv[2])}")
    for failure in failures:
        print(failure)
    print(f"{len(BAD)} bad texts, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
