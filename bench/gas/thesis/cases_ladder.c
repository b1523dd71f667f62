/* The suite thesis-gas on devices: all pairs (tables 4.3 and 4.4 of the thesis, its figure on utilisation),
 * the cell schemes (4.6) with their accuracy, which the thesis never measured, and the real gas (4.7). The
 * far-zone kernels of table 6 are in cases_far.c, cases of the host in cases_cpu.c and cases_cells.c.
 *
 * A frame includes everything: sort, forces, motion and walls. Sorts on the host, which the thesis had, are
 * separate cases. The error of a row is the rms deviation of sampled accelerations from sums in double
 * precision, over the rms acceleration.
 */
#include "bench/gas/thesis/solver.h"

#define FRAME(case_name, text, bound, seconds, on, big, ...)                                                 \
    {                                                                                                        \
        .name = "thesis-gas." case_name, .help = text, .unit = "s", .precision = "fp32",                     \
        .roof = SHOAL_ROOF_##bound, .clock = BENCH_WALL_TIME, .published = seconds, .published_on = on,      \
        .large = big, .device = &thesis_gas_solver_ops, .data = &(const struct thesis_gas_setup)             \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

/* Table 4.3: the thesis counts 12 operations and 8 bytes a pair, for the first kernel 11 operations. */
#define PAIRS(case_name, text, ms, on, big, ops, ...)                                                        \
    FRAME(case_name, text, FP32_FLOPS, (ms)*1e-3, on, big, .method = SHOAL_GAS_ALLPAIRS, .flops = ops,       \
          .bytes = 8, __VA_ARGS__)
#define UNROLLED(m) .kernel = SHOAL_GAS_KERNEL_UNROLLED, .unroll = m

/* Utilisation of the device: the kernels at one size. */
#define SIZE(count, big)                                                                                     \
    PAIRS("utilisation.u16-" #count, "GPUMTI_U16", 0, "", big, 12, .n = count, UNROLLED(16)),                \
        PAIRS("utilisation.sbi4-" #count, "GPUMTI_SBi4_U8", 0, "", big, 12, .n = count,                      \
              .kernel = SHOAL_GAS_KERNEL_SEMI_BLOCKED, .unroll = 8),                                         \
        PAIRS("utilisation.ours-" #count, "ours", 0, "", big, 12, .n = count,                                \
              .kernel = SHOAL_GAS_KERNEL_TILED)

/* Table 4.4: the thesis counts 19 operations and 12 bytes a pair; the published time is the number of
 * operations over the thesis's rate. */
#define GRAVITY(case_name, text, gflops, on, big, count, ...)                                                \
    FRAME(case_name, text, FP32_FLOPS, 19.0 * count * count / (gflops * 1e9), on, big, .n = count,           \
          .three_dim = true, .method = SHOAL_GAS_ALLPAIRS, .flops = 19, .bytes = 12, __VA_ARGS__)

/* Table 4.6: the cell schemes. */
#define CELLS(case_name, text, seconds, big, count, ...)                                                     \
    FRAME(case_name, text, NONE, seconds, "HD 7790", big, .n = count, .method = SHOAL_GAS_CELLS, __VA_ARGS__)
#define SCHEME(id, name, text, gpu, sorted)                                                                  \
    CELLS("table46." name "-262144", text ", sort on the device", 0, true, 262144,                           \
          .scheme = SHOAL_GAS_SCHEME_##id, .over_pairs = true, .speed_up = gpu, .speed_up_sorted = sorted),  \
        CELLS("table46." name "-262144-v2", text ", sort v2 on the host", 0, true, 262144,                   \
              .scheme = SHOAL_GAS_SCHEME_##id, .sort = SHOAL_GAS_SORT_V2, .over_pairs = true,                \
              .speed_up = gpu, .speed_up_sorted = sorted),                                                   \
        CELLS("table46." name "-16384", text ", a size for CPUs", 0, false, 16384,                           \
              .scheme = SHOAL_GAS_SCHEME_##id, .over_pairs = true)
#define GROWTH(count, big)                                                                                   \
    CELLS("growth.tiled3-" #count, "Tiled3, k1 = 9", 0, big, count, .scheme = SHOAL_GAS_SCHEME_TILED3),      \
        CELLS("growth.tiled3-one-" #count, "Tiled3, k1 = 1", 0, big, count,                                  \
              .scheme = SHOAL_GAS_SCHEME_TILED3, .one_near = true),                                          \
        CELLS("growth.corrected-" #count, "the corrected scheme, k1 = 9", 0, big, count, .one_near = false)

/* Accuracy is in the column of errors. "error in double" is the error of the same scheme by scripts in double
 * precision, for 30 sampled particles. */
#define ACCURACY(id, name, text, uniform, droplets, ...)                                                     \
    CELLS("accuracy." name "-uniform-262144", text ", uniform", 0, true, 262144,                             \
          .scheme = SHOAL_GAS_SCHEME_##id, .expected_error = uniform, __VA_ARGS__),                          \
        CELLS("accuracy." name "-droplets-262144", text ", droplets", 0, true, 262144,                       \
              .scheme = SHOAL_GAS_SCHEME_##id, .expected_error = droplets, .state = THESIS_GAS_DROPLETS,     \
              __VA_ARGS__),                                                                                  \
        CELLS("accuracy." name "-uniform-16384", text ", uniform", 0, false, 16384,                          \
              .scheme = SHOAL_GAS_SCHEME_##id, __VA_ARGS__),                                                 \
        CELLS("accuracy." name "-droplets-16384", text ", droplets", 0, false, 16384,                        \
              .scheme = SHOAL_GAS_SCHEME_##id, .state = THESIS_GAS_DROPLETS, __VA_ARGS__)

/* Section 4.7: cells of side 100 in a box of 5000. The thesis counts 28 operations a pair, more than a pair
 * needs that is out of reach of the short-range part; so the roof is one reciprocal a pair. */
#define REAL_GAS(count) .n = count, .box = 5000, .potential = SHOAL_GAS_REAL, .cutoff = 10
#define REAL_PAIRS(count)                                                                                    \
    REAL_GAS(count), .method = SHOAL_GAS_ALLPAIRS, .flops = 28, .bytes = 8, .by_reciprocals = true

static const struct bench_case cases[] = {
    PAIRS("table43.naive-65536", "MTI: a division", 121, "HD 7790", true, 11, .n = 65536,
          .kernel = SHOAL_GAS_KERNEL_NAIVE),
    PAIRS("table43.rsqrt-65536", "GPUMTI: rsqrt(s s)", 99.4, "HD 7790", true, 12, .n = 65536,
          .kernel = SHOAL_GAS_KERNEL_RSQRT),
    PAIRS("table43.u2-65536", "GPUMTI_U2", 0, "", true, 12, .n = 65536, UNROLLED(2)),
    PAIRS("table43.u4-65536", "GPUMTI_U4", 0, "", true, 12, .n = 65536, UNROLLED(4)),
    PAIRS("table43.u8-65536", "GPUMTI_U8", 601, "HD 5670", true, 12, .n = 65536, UNROLLED(8)),
    PAIRS("table43.u16-65536", "GPUMTI_U16", 67, "HD 7790", true, 12, .n = 65536, UNROLLED(16)),
    PAIRS("table43.sbi4-65536", "GPUMTI_SBi4_U8", 72, "HD 7790", true, 12, .n = 65536,
          .kernel = SHOAL_GAS_KERNEL_SEMI_BLOCKED, .unroll = 8),
    PAIRS("table43.ours-65536", "ours; published: the best of the thesis", 67, "HD 7790", true, 12,
          .n = 65536, .kernel = SHOAL_GAS_KERNEL_TILED),
    PAIRS("table43.naive-4096", "MTI, a size for CPUs", 0, "", false, 11, .n = 4096,
          .kernel = SHOAL_GAS_KERNEL_NAIVE),
    PAIRS("table43.rsqrt-4096", "GPUMTI, a size for CPUs", 0, "", false, 12, .n = 4096,
          .kernel = SHOAL_GAS_KERNEL_RSQRT),
    PAIRS("table43.u2-4096", "GPUMTI_U2, a size for CPUs", 0, "", false, 12, .n = 4096, UNROLLED(2)),
    PAIRS("table43.u16-4096", "GPUMTI_U16, a size for CPUs", 0, "", false, 12, .n = 4096, UNROLLED(16)),
    PAIRS("table43.sbi4-4096", "GPUMTI_SBi4_U8, a size for CPUs", 0, "", false, 12, .n = 4096,
          .kernel = SHOAL_GAS_KERNEL_SEMI_BLOCKED, .unroll = 8),
    PAIRS("table43.ours-4096", "ours, a size for CPUs", 0, "", false, 12, .n = 4096,
          .kernel = SHOAL_GAS_KERNEL_TILED),
    SIZE(1024, false),
    SIZE(8192, false),
    SIZE(16384, true),
    SIZE(65536, true),
    SIZE(131072, true),
    SIZE(262144, true),
    SIZE(1048576, true),
    PAIRS("utilisation.ours-2097152", "ours; published: brute force", 59300, "HD 7790", true, 12,
          .n = 2097152, .kernel = SHOAL_GAS_KERNEL_TILED),
    GRAVITY("table44.simple-131072", "3D; published: OpenCL and C++ AMP, simple", 679, "HD 7790", true,
            131072, .kernel = SHOAL_GAS_KERNEL_RSQRT),
    GRAVITY("table44.unrolled-131072", "3D; published: Aparapi, unrolled by 4", 855, "HD 7790", true, 131072,
            UNROLLED(4)),
    GRAVITY("table44.blocked-131072", "3D; published: C++ AMP, local memory", 977, "HD 7790", true, 131072,
            .kernel = SHOAL_GAS_KERNEL_TILED),
    FRAME("table44.cpu-4096", "3D; published: C++ with SSE", FP32_FLOPS, 1.0 / 48, "Phenom II, 4 cores",
          false, .n = 4096, .three_dim = true, .method = SHOAL_GAS_ALLPAIRS, .flops = 19, .bytes = 12),
    SCHEME(TILED1, "tiled1", "GPUTiled1", 19, 17),
    SCHEME(TILED11, "tiled11", "GPUTiled11", 32, 0),
    SCHEME(TILED2, "tiled2", "GPUTiled2", 33, 26),
    SCHEME(TILED3, "tiled3", "GPUTiled3", 80, 47),
    SCHEME(CORRECTED, "corrected", "ours; published: GPUTiled3", 80, 47),
    CELLS("table46.tiled3-262144-kadder", "GPUTiled3 with GPUKadder", 0, true, 262144,
          .scheme = SHOAL_GAS_SCHEME_TILED3, .adder = SHOAL_GAS_KADDER),
    CELLS("table46.tiled3-262144-v1", "GPUTiled3, sort v1 on the host", 0, true, 262144,
          .scheme = SHOAL_GAS_SCHEME_TILED3, .sort = SHOAL_GAS_SORT_V1),
    CELLS("table46.tiled3-2097152-v2", "GPUTiled3, k1 = 1, sort v2 on the host", 120e-3, true, 2097152,
          .scheme = SHOAL_GAS_SCHEME_TILED3, .one_near = true, .sort = SHOAL_GAS_SORT_V2),
    CELLS("table46.tiled3-2097152", "GPUTiled3, k1 = 1, sort on the device", 120e-3, true, 2097152,
          .scheme = SHOAL_GAS_SCHEME_TILED3, .one_near = true),
    CELLS("table46.tiled3-8192-v1", "GPUTiled3, sort v1, a size for CPUs", 0, false, 8192,
          .scheme = SHOAL_GAS_SCHEME_TILED3, .over_pairs = true, .sort = SHOAL_GAS_SORT_V1),
    CELLS("table46.tiled3-8192-v2", "GPUTiled3, sort v2, a size for CPUs", 0, false, 8192,
          .scheme = SHOAL_GAS_SCHEME_TILED3, .over_pairs = true, .sort = SHOAL_GAS_SORT_V2),
    GROWTH(65536, true),
    GROWTH(131072, true),
    GROWTH(524288, true),
    GROWTH(1048576, true),
    GROWTH(2097152, true),
    ACCURACY(TILED1, "tiled1", "TP everywhere, k1 = 9", 6.5e-4, 1.2e-2, .one_near = false),
    ACCURACY(TILED1, "tiled1-one", "TP everywhere, k1 = 1", 4.3e-3, 3.5e-2, .one_near = true),
    ACCURACY(TILED3, "tiled3", "three zones, k1 = 9", 5.4e-3, 1.4e-2, .one_near = false),
    ACCURACY(TILED3, "tiled3-one", "three zones, k1 = 1", 7.1e-3, 3.5e-2, .one_near = true),
    ACCURACY(CORRECTED, "corrected", "ours, k1 = 9", 1.6e-4, 3.2e-4, .one_near = false),
    ACCURACY(CORRECTED, "corrected-one", "ours, k1 = 1", 0, 0, .one_near = true),
    FRAME("real.cells-260096", "GPUTiled: real gas, k1 = 9, sort v2 on the host", NONE, 30e-3, "HD 7790",
          true, REAL_GAS(260096), .method = SHOAL_GAS_CELLS, .scheme = SHOAL_GAS_SCHEME_TILED3,
          .sort = SHOAL_GAS_SORT_V2),
    FRAME("real.cells-260096-device", "the same, sort on the device", NONE, 30e-3, "HD 7790", true,
          REAL_GAS(260096), .method = SHOAL_GAS_CELLS, .scheme = SHOAL_GAS_SCHEME_TILED3),
    FRAME("real.corrected-260096", "the corrected scheme", NONE, 30e-3, "HD 7790", true, REAL_GAS(260096),
          .method = SHOAL_GAS_CELLS),
    FRAME("real.full-260096", "GPUFull: all pairs, 28 operations", SFU_OPS, 0, "", true, REAL_PAIRS(260096)),
    FRAME("real.cells-8192", "GPUTiled, a size for CPUs", NONE, 0, "", false, REAL_GAS(8192),
          .method = SHOAL_GAS_CELLS, .scheme = SHOAL_GAS_SCHEME_TILED3),
    FRAME("real.full-8192", "GPUFull, a size for CPUs", SFU_OPS, 0, "", false, REAL_PAIRS(8192)),
    PAIRS("flop.12-131072", "log attraction: 12 operations a pair", 0, "", true, 12, .n = 131072),
    PAIRS("flop.22-131072", "with repulsion over all space: 22", 0, "", true, 22, .n = 131072,
          .potential = SHOAL_GAS_LOG_REPULSION),
    FRAME("flop.28-131072", "real gas: 28; published: its best rate, 1100 Gflop/s", SFU_OPS,
          28.0 * 131072 * 131072 / 1100e9, "HD 7790", true, REAL_PAIRS(131072)),
};

const struct bench_case_list bench_thesis_gas_cases = {cases, sizeof cases / sizeof *cases};
