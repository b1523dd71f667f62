/* Rastrigin's function from a text, and the check of searches for its minimum. */
#ifndef SHOAL_BENCH_RASTRIGIN_H
#define SHOAL_BENCH_RASTRIGIN_H

#include "bench/search/searches.h"

/* A text for --objective. The cosines are summed apart, which saves an operation for each. */
#define BENCH_RASTRIGIN(cosine)                                                                              \
    "#include \"lib/trig.clh\"\n"                                                                            \
    "#define SHAPE PER_DIMENSION\n"                                                                          \
    "#define TERMS 2\n"                                                                                      \
    "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"                  \
    "{\n"                                                                                                    \
    "    (void)next; (void)d; (void)dim;\n"                                                                  \
    "    term[0] = x * x;\n"                                                                                 \
    "    term[1] = " cosine ";\n"                                                                            \
    "}\n"                                                                                                    \
    "static inline real objective_finish(const real *sum, uint dim)\n"                                       \
    "{\n"                                                                                                    \
    "    return sum[0] - R(10.0) * sum[1] + R(10.0) * (real)dim;\n"                                          \
    "}\n"

/* A check for struct bench_ops. */
enum shoal_status bench_rastrigin_check(struct bench *bench, struct bench_check *check,
                                        struct shoal_error *error);

#endif
