#!/usr/bin/env python3
"""Tests of lint.py, tools/kernel_text.py and tools/embed.py: each bad text must be refused with its message, and the
good ones pass. Also: the dialect's own kernel file must use every name of the prelude, so that each is compared with
the host's values.

usage: test_lint.py PRELUDE [DIALECT_FILE...]
"""
import os
import re
import subprocess
import sys
import tempfile

import lint
from kernel_text import KernelError, Library

GOOD = """/* comment with "quotes" and global words: class, vload4, 1.0 */
#ifndef WG
#define WG 64
#endif
#ifndef REAL
#define REAL 32
#endif
#define SECOND 0x2u
#ifndef CHOICE
#define CHOICE SECOND /* by name */
#endif
#include "lib/helper.clh"
#ifndef SHOAL_STARTS_EARLY
#define SHOAL_STARTS_EARLY(entry)
#define SHOAL_AFTER_LAUNCH()
#endif
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
#if STEP > 1 /* on CPUs alone */
typedef float8 lanes;
static lanes turned(__global const float *p)
{
    const uint8 a = as_uint8((ulong4)(1, 2, 3, 4));
    return vload8(a.s0, p).s10325476;
}
#else
typedef float lanes;
#endif
static float helper(float x, local float *scratch)
{
    if (x > 1e-3f)
        return x;
    return scratch[0] + TWICE(x) + (float)HALF;
}
SHOAL_STARTS_EARLY(good)
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void good(__global float *restrict data, __global const float4 *wide, struct config c, const uint n)
{
    __local float scratch[WG];
    __local uint counter;
    const uint i = (uint)get_global_id(0);
    float4 v;
    float2 u;
    SHOAL_AFTER_LAUNCH();
    v = wide[0];
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
#ifndef CHOICE
#define CHOICE 1 /* the first one counts */
#endif
#ifndef STEP
#define STEP -5
#endif
static float shared_helper(float x) { return x * (float)WG; }
#endif
"""

# Replaced text of GOOD, its replacement, part of the message.
BAD = [
    ("__global float *restrict data", "global float *restrict data", "bare global"),
    ("__constant uint table", "constant uint table", "bare constant"),
    ("__kernel ", "kernel ", "bare kernel"),
    ("float2 u;", "private float2 u;", "bare private"),
    ("float2 u;", "float2 u; uint trace_interval = n; uint due = n > 0u && i % trace_interval == 0u;",
     "division by trace_interval"),
    ("__local float scratch[WG];", "local float scratch[WG];", "local qualifies a pointer only"),
    ("__local uint counter;", "local uint counter;", "local qualifies a pointer only"),
    ("float x, local float *scratch", "float x, __local float *scratch", "is qualified local"),
    ("__local uint counter;", "__local uint counter = 0;", "no initialiser"),
    ("float2 u;", "float2 u; { __local float inner[4]; }", "outermost block"),
    ("return scratch[0]", "__local float own[4]; return scratch[0]", "stand in kernels"),
    ("return scratch[0]", "scratch[get_local_id(0)] = x; return scratch[0]", "so it is INLINE"),
    ("v = wide[0];", "v = vload4(0, data);", "vload4 is OpenCL only"),
    ("u.x = v.x;", "vstore2(u, 0, data);", "vstore2 is OpenCL only"),
    ("v = wide[0];", "v = (float4)(0.0f);", "(float4)(...) is OpenCL only"),
    ("float2 u;", "float3 u;", "float3 is not part of the dialect"),
    ("__global const float4 *wide", "__global const double4 *wide", "double4 is not part of the dialect"),
    ("u.x = v.x;", "u.xy = v.xy;", ".xy is OpenCL only"),
    ("u.x = v.x;", "u.x = v.s0;", ".s0 is OpenCL only"),
    ("u.x = v.x;", "u.x = v.s01;", ".s01 is OpenCL only"),
    (" /* on CPUs alone */", "", "float8 is not part of the dialect"),
    (" /* on CPUs alone */", "", "as_uint8 is not in prelude.cuh"),
    (" /* on CPUs alone */", "", "vload8 is OpenCL only"),
    ("typedef float lanes;", "typedef float16 lanes;", "float16 is not part of the dialect"),
    ("float2 u;", "float2 u; /* on CPUs alone */", "stands behind an #if"),
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
    ("const uint n", "uint", "argument uint: \"uint\" is not a type and a name"),
    ("const uint n", "unsigned int n", "\"unsigned int n\" is not a type and a name"),
    ("struct config c", "struct absent c", "absent is not an argument type"),
    ("const uint n)", "const uint n /* or NULL */)", "good: argument n: only a pointer may be NULL"),
    ("SHOAL_STARTS_EARLY(good)\n", "", "good waits for the launch before, but has no SHOAL_STARTS_EARLY(good)"),
    ("SHOAL_AFTER_LAUNCH();", "", "good may start early: it has one SHOAL_AFTER_LAUNCH()"),
    ("SHOAL_AFTER_LAUNCH();", "SHOAL_AFTER_LAUNCH(); SHOAL_AFTER_LAUNCH();", "it has one SHOAL_AFTER_LAUNCH()"),
    ("SHOAL_AFTER_LAUNCH();", "if (n) { SHOAL_AFTER_LAUNCH(); }", "good may pass by its SHOAL_AFTER_LAUNCH()"),
    ("SHOAL_AFTER_LAUNCH();", "if (n) return; SHOAL_AFTER_LAUNCH();", "good may pass by its SHOAL_AFTER_LAUNCH()"),
    ("SHOAL_STARTS_EARLY(good)", "SHOAL_STARTS_EARLY(absent)", "absent is no kernel of this file"),
    ("SHOAL_AFTER_LAUNCH();\n    v = wide[0];", "v = wide[0];\n    SHOAL_AFTER_LAUNCH();",
     "good uses wide before its SHOAL_AFTER_LAUNCH()"),
    ("SHOAL_AFTER_LAUNCH();", "v = *wide; SHOAL_AFTER_LAUNCH();", "good uses wide before its SHOAL_AFTER_LAUNCH()"),
    ("SHOAL_AFTER_LAUNCH();", "v = vload4(0, data); SHOAL_AFTER_LAUNCH();", "good uses data before its"),
    ("float2 u;", "float2 u /* or NULL */;", "stands behind an argument of a kernel"),
    ("#define WG 64", "#define WG (64 + 0)", "WG has no default between #ifndef"),
    ("(WG, 1, 1)", "(64, 1, 1)", "64 has no default"),
    ("#endif\n#include", "#include", "#if without #endif"),
    ("#ifndef WG\n#define WG 64\n#endif\n", "#if REAL == 32\n#ifndef WG\n#define WG 64\n#endif\n#else\n#ifndef WG\n"
     "#define WG 32\n#endif\n#endif\n", "WG has two defaults, 64 and 32"),
    ("__kernel __attribute__", "#if REAL == 64\n__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void\n"
     "good(uint n) {}\n#endif\n__kernel __attribute__", "good has 4 arguments, not 1 as in sample.cl"),
]

# The same for a native text, which is GOOD where nothing is replaced.
BAD_TWINS = [
    ("const uint n", "const int n", "good: argument 3 is \"int n\", not \"uint n\" as in sample.cl"),
    ("const uint n", "const uint count", "argument 3 is \"uint count\", not \"uint n\""),
    ("__global const float4 *wide", "__global float4 *wide", "argument 1 is \"__global float4 *wide\", not"),
    ("__global const float4 *wide", "__global const float2 *wide", "argument 1 is \"__global const float2 *wide\""),
    (", const uint n)", ")", "good has 3 arguments, not 4 as in sample.cl"),
    ("*wide,", "*wide /* or NULL */,", "argument 1 is \"__global const float4 *wide /* or NULL */\", not"),
    ("const uint n", "const unsigned n", "unsigned is not an argument type"),
    ("void good(", "void better(", "good is not in sample.cu"),
    ("void good(", "void better(", "better is not in sample.cl"),
]

HEADER = """#define CL_FILE_gas_sample .file = "gas/sample.cl", .native = "gas/sample.cu"
#define CL_DEFAULT_gas_sample_WG 64
#define CL_DEFAULT_gas_sample_REAL 32
#define CL_DEFAULT_gas_sample_CHOICE 2
#define CL_DEFAULT_gas_sample_STEP -5
#define CL_ENTRY_gas_sample_good .name = "good", .work_group = "WG", .arg_count = 4, .args = \
(const struct shoal_arg_desc[]){{"data", SHOAL_READ_WRITE, "float", 0}, {"wide", SHOAL_READ, "float4", 0}, \
{"c", SHOAL_VALUE, "struct config", sizeof(struct config)}, {"n", SHOAL_VALUE, "uint", 0}}
""".replace("\\\n", "")

LAUNCHES = """struct config;

/* gas/sample.cl */
struct good_args {
    struct shoal_buffer *data;
    struct shoal_buffer *wide;
    const struct config *c;
    uint32_t n;
} LAUNCH_BY_NAME;
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def problems(prelude, folder, text):
    return lint.Linter(prelude, folder).lint(write(folder, "sample.cl", text))


def embed(prelude, folder, *names):
    """Exit status, message and both headers."""
    header, launches = os.path.join(folder, "contracts.h"), os.path.join(folder, "launches.h")
    done = subprocess.run([sys.executable, os.path.join(lint.TOOLS, "embed.py"), os.path.join(folder, "texts.c"),
                           header, launches, folder, os.path.dirname(prelude), prelude,
                           *(os.path.join(folder, name) for name in names)],
                          capture_output=True, text=True, check=False)
    with open(header, encoding="ascii") as contracts, open(launches, encoding="ascii") as structs:
        return done.returncode, done.stderr, contracts.read() + structs.read()


def check_twins(prelude, folder, failures):
    write(folder, "sample.cl", GOOD)
    for old, new, expected in [("good", "good", None)] + BAD_TWINS:
        native = write(folder, "sample.cu", GOOD.replace(old, new, 1))
        found = lint.Linter(prelude, folder).lint(native)
        if not any(expected in message for _, message in found) if expected else found:
            failures.append(f"native text with {new!r}: {found} in place of {expected!r}")
    alone = lint.Linter(prelude, folder).lint(write(folder, "alone.cu", GOOD))
    if alone != [(1, "there is no alone.cl beside it")]:
        failures.append(f"a native text without its .cl file: {alone}")


def check_embed(prelude, folder, failures):
    """embed.py writes what the files say, or one line with the place of what is wrong."""
    write(folder, "gas/sample.cl", GOOD)
    write(folder, "gas/sample.cu", GOOD)
    status, message, header = embed(prelude, folder, "gas/sample.cl", "gas/sample.cu", "lib/helper.clh")
    if status or HEADER not in header or LAUNCHES not in header:
        failures.append(f"embed.py: {status} {message} {header}")
    write(folder, "gas/sample.cl", GOOD.replace("*wide,", "*wide /* or NULL */,", 1))
    _, _, header = embed(prelude, folder, "gas/sample.cl")
    if "{offsetof(struct good_args, wide), SHOAL_TYPE_BUFFER, true}" not in header:
        failures.append(f"embed.py with an argument that may be NULL: {header}")
    write(folder, "gas/sample.cl", GOOD)
    write(folder, "gas/twin.cl", GOOD.replace("const uint n", "const uint count", 1))
    status, message, _ = embed(prelude, folder, "gas/sample.cl", "gas/twin.cl")
    if status != 1 or "twin.cl:" not in message or 'argument 3 is "uint count", not "uint n"' not in message:
        failures.append(f"embed.py with two entries of one name: {status} {message}")
    write(folder, "gas/other/sample.cl", GOOD)
    status, message, _ = embed(prelude, folder, "gas/sample.cl", "gas/other/sample.cl")
    if status != 1 or "need names of their own" not in message:
        failures.append(f"embed.py with two files of one name: {status} {message}")
    for old, new, expected in (("const uint n", "const size_t n", "good: argument n"),
                               ("by name", "f\u00fcr", "a kernel file holds ASCII only"),
                               ("lib/helper", "lib/absent", 'there is no "lib/absent.clh"')):
        write(folder, "gas/sample.cl", GOOD.replace(old, new, 1))
        status, message, _ = embed(prelude, folder, "gas/sample.cl")
        line = GOOD[:GOOD.index(old)].count("\n") + 1
        if status != 1 or message.count("\n") != 1 or f"gas/sample.cl:{line}: {expected}" not in message:
            failures.append(f"embed.py with {new}: {status} {message}")


def check_damaged(folder, failures):
    """Whatever is left of a text, its reader ends with a contract or with a message."""
    for start in range(0, len(GOOD), 5):
        for damaged in (GOOD[:start], GOOD[start:], GOOD[:start] + GOOD[start + 3:]):
            path = write(folder, "damaged.cl", damaged)
            library = Library(folder)
            try:
                library.contract(library.file(path))
            except KernelError:
                pass
            except Exception as error:  # pylint: disable=broad-except
                failures.append(f"{type(error).__name__} {error} for the text {damaged!r}")
                return


def main():
    prelude, failures = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "lib/helper.clh", HELPER)
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
        check_twins(prelude, folder, failures)
        check_embed(prelude, folder, failures)
        check_damaged(folder, failures)
    used = set()
    for path in sys.argv[2:]:
        with open(path, encoding="ascii") as file:
            used.update(re.findall(r"\w+", file.read()))
    for name in sorted(lint.prelude_names(prelude) - used) if used else []:
        failures.append(f"{name} of the prelude is not tested in {os.path.basename(sys.argv[2])}")
    for failure in failures:
        print(failure)
    print(f"{len(BAD) + len(BAD_TWINS)} bad texts, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
