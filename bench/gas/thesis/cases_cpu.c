/* The suite thesis-gas on the host: tables of the thesis on one and four cores (R. Balen, Numerical
 * simulations of real gas on a graphics card, Zagreb 2016). A case is a variant of the thesis's ladder; the
 * row t1 is compared with the thesis's single core, the row with all threads with its four cores. 2048
 * particles: a size for a quick look. */
#include "bench/gas/thesis/host.h"

/* one: the case makes one row, because it sets the number of threads itself. */
#define FRAME(n_case, text, ms, on, big, one, ...)                                                           \
    {                                                                                                        \
        .name = "thesis-gas." n_case, .help = text, .unit = "s", .precision = "fp32",                        \
        .roof = SHOAL_ROOF_FP32_FLOPS, .clock = BENCH_WALL_TIME, .published = (ms)*1e-3, .published_on = on, \
        .large = big, .all_threads = one, .host = &thesis_gas_host_ops,                                      \
        .data = &(const struct thesis_gas_case)                                                              \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define LADDER(v, text, ms, on)                                                                              \
    FRAME("ladder." v "-16384", text, ms, on, false, false, .variant = v, .n = 16384),                       \
        FRAME("ladder." v "-2048", text, 0, "", false, false, .variant = v, .n = 2048)
#define RACY(v, why)                                                                                         \
    FRAME("ladder." v "-racy", "of the thesis, not measured: " why, 0, "", false, true, .variant = v,        \
          .n = 16384, .racy = why)
#define STRIDES(m, mtj_ms)                                                                                   \
    FRAME("stride.mtj-" #m, "MTJ on one thread, every " #m ". j", mtj_ms, "Phenom II, 1 core", false, true,  \
          .variant = "mtj", .n = 16384, .threads = 1, .stride = m),                                          \
        FRAME("stride.mti-" #m, "MTI on one thread, every " #m ". j", 0, "", false, true, .variant = "mti",  \
              .n = 16384, .threads = 1, .stride = m)
/* Makes a case with one row, on a given number of threads. */
#define ON_THREADS(n_case, text, v, t)                                                                       \
    {                                                                                                        \
        .name = "thesis-gas." n_case "-" #t, .help = text " on " #t " threads", .unit = "s",                 \
        .precision = "fp32", .clock = BENCH_WALL_TIME, .host = &thesis_gas_host_ops, .all_threads = true,    \
        .data = &(const struct thesis_gas_case)                                                              \
        {                                                                                                    \
            .variant = v, .n = 16384, .threads = t                                                           \
        }                                                                                                    \
    }
#define CORES(t)                                                                                             \
    ON_THREADS("cores.mti", "MTI", "mti", t),                                                                \
        ON_THREADS("cores.mtj-wide", "MTJ with private copies", "mtj-wide", t),                              \
        ON_THREADS("cores.vectors", "ours", "vectors", t)
#define FALSE_SHARING(t)                                                                                     \
    ON_THREADS("false-sharing.shared", "sums of all threads in the same lines of the cache", "lines-shared", \
               t),                                                                                           \
        ON_THREADS("false-sharing.apart", "the same loop, each thread in lines of its own", "lines-apart",   \
                   t)
#define SIZES(n_size, big)                                                                                   \
    FRAME("size.mti-fission-fusion-mem-u2-" #n_size, "not blocked", 0, "", big, false,                       \
          .variant = "mti-fission-fusion-mem-u2", .n = n_size),                                              \
        FRAME("size.mti-blocked-" #n_size, "the same in blocks: keeps the law n^2", 0, "", big, false,       \
              .variant = "mti-blocked", .n = n_size),                                                        \
        FRAME("size.vectors-" #n_size, "ours", 0, "", big, false, .variant = "vectors", .n = n_size)

static const struct bench_case cases[] = {
    LADDER("basic", "a frame, BasicNbody in sequence", 1188, "Phenom II, 1 core"),
    LADDER("mti", "MTI: targets over threads, sums in scalars", 307, "Phenom II, 4 cores"),
    LADDER("mti-array", "the body of MTI with sums in an array", 1437, "Phenom II, 1 core"),
    LADDER("mtj", "MTJ, on one thread: sums in the velocities of the others", 840, "Phenom II, 1 core"),
    LADDER("mtij", "MTIJ, on one thread: each pair once", 789, "Phenom II, 1 core"),
    RACY("mtj", "several threads add to one velocity without a lock: updates get lost"),
    RACY("mtij", "several threads add to one velocity without a lock: updates get lost"),
    RACY("mtj-fission", "MTJ in two loops, with the same race"),
    LADDER("mtj-wide", "MTJ with private copies of the velocities", 227, "Phenom II, 4 cores"),
    LADDER("mtij-wide", "MTIJ with private copies", 0, ""),
    LADDER("mtj-wide-fission", "a loop for x and one for y", 72, "i5-3570, 4 cores"),
    LADDER("mtj-wide-fission-mem", "three loops, factors stored", 172, "Phenom II, 4 cores"),
    LADDER("mtij-wide-fission-mem", "five loops, factors stored, each pair once", 176, "Phenom II, 4 cores"),
    LADDER("mti-fission-mem", "gather in three loops, factors stored", 260, "Phenom II, 4 cores"),
    LADDER("mti-fission-fusion-mem", "gather in two loops, products stored", 200, "Phenom II, 4 cores"),
    LADDER("mti-fission-fusion-mem-u2", "the same, unrolled by 2", 162, "Phenom II, 4 cores"),
    LADDER("mtij-wide-fission-fusion-mem", "two loops, products stored, each pair once", 108,
           "Phenom II, 4 cores"),
    LADDER("mti-blocked", "gather, products stored, in blocks of particles", 0, ""),
    LADDER("vectors", "ours: vectors of targets; published: the best of the thesis", 72, "i5-3570, 4 cores"),
    STRIDES(1, 840),
    STRIDES(2, 702),
    STRIDES(3, 464),
    STRIDES(4, 349),
    STRIDES(5, 292),
    STRIDES(6, 245),
    STRIDES(7, 211),
    STRIDES(8, 182),
    FALSE_SHARING(2),
    FALSE_SHARING(4),
    FALSE_SHARING(8),
    FALSE_SHARING(16),
    CORES(1),
    CORES(2),
    CORES(3),
    CORES(4),
    CORES(8),
    CORES(16),
    CORES(32),
    CORES(64),
    CORES(128),
    SIZES(4096, false),
    SIZES(65536, true),
    SIZES(262144, true),
};

const struct bench_case_list bench_thesis_gas_cpu_cases = {cases, sizeof cases / sizeof *cases};
