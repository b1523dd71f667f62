/* Particle swarms on Rastrigin's function in 30 dimensions.
 *
 * The smaller sizes are timed by the device's clock and show the cost of a step. `1m` and `pso.cpu` show the
 * time that a program sees: the host's clock times them from the first call to the end of a pipelined run of
 * at least half a second.
 */
#include "bench/pso/cpu.h"
#include "bench/search/searches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_STEP = 100, LAST_STEP = 600, DIM = 30 };

/* Source of the objective function. */
enum source { BUILT_IN, SAME_TEXT, COSINE_TEXT, EXPRESSION };

struct size {
    uint64_t particles;
    uint64_t steps; /* number of steps in a repetition; 0: half a second, see above */
    enum source source;
};

/* The texts that --objective would read: one with the term of the built-in function, one with the term of the
 * textbooks. */
#define TEXT(term_of_x)                                                                                      \
    "#include \"lib/trig.clh\"\n"                                                                            \
    "#define SHAPE PER_DIMENSION\n"                                                                          \
    "#define TERMS 1\n"                                                                                      \
    "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"                  \
    "{\n"                                                                                                    \
    "    (void)next; (void)d; (void)dim;\n"                                                                  \
    "    term[0] = " term_of_x ";\n"                                                                         \
    "}\n"                                                                                                    \
    "static inline real objective_finish(const real *sum, uint dim)\n"                                       \
    "{\n"                                                                                                    \
    "    (void)dim;\n"                                                                                       \
    "    return sum[0];\n"                                                                                   \
    "}\n"
static const char same_text[] = TEXT("x * x + R(20.0) * sin_pi_squared(x)"),
                  cosine_text[] = TEXT("x * x - R(10.0) * cos2pi(x) + R(10.0)");
/* The expression that --expr would get. */
static const char expression[] = "sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)";

static enum shoal_status set_objective(struct bench *bench, struct bench_searches *swarm, enum source source,
                                       struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    /* The host evaluates texts by other code, so there the built-in function is used for all sources. */
    if (bench->queue && (source == SAME_TEXT || source == COSINE_TEXT))
        status = shoal_objective_from_text(bench->shoal, source == SAME_TEXT ? same_text : cosine_text,
                                           "rastrigin.cl", &swarm->objective, error);
    if (bench->queue && source == EXPRESSION)
        status = shoal_objective_from_expression(expression, &swarm->objective, error);
    swarm->params.search.objective = swarm->objective ? swarm->objective : shoal_objective_find("rastrigin");
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const struct bench_length length = {FIRST_STEP, LAST_STEP, size->steps, 0.5};
    struct bench_searches *swarm;
    enum shoal_status status = bench_searches_begin(bench, "pso", &swarm, error);
    if (status == SHOAL_OK)
        status = set_objective(bench, swarm, size->source, error);
    if (status != SHOAL_OK)
        return status;
    swarm->params.search.dim = DIM;
    swarm->params.search.lower = -5.12;
    swarm->params.search.upper = 5.12;
    swarm->params.pso.particles = size->particles;
    return bench_searches_create(bench, &length, error);
}

static const struct bench_ops ops = {create, bench_searches_prepare, bench_searches_run, bench_searches_check,
                                     bench_searches_destroy};

/* The blocked CPU code is the strongest competitor on the same cores. Its swarm has no bounds. */
static enum shoal_status create_twin(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const struct thesis_problem problem = {.function = THESIS_F3,
                                           .dim = DIM,
                                           .particles = size->particles,
                                           .lower = -5.12,
                                           .upper = 5.12,
                                           .inertia = 0.7298,
                                           .pull = 1.49618,
                                           .seed = 1};
    bench->compiler = thesis_blocked()->compiler;
    bench->work = (double)size->particles;
    bench->state = thesis_blocked()->create(&problem);
    return bench->state ? SHOAL_OK : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for the swarm");
}

static enum shoal_status run_twin(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    thesis_blocked()->step(bench->state);
    return SHOAL_OK;
}

static enum shoal_status check_twin(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    (void)error;
    double x[DIM];
    const double best = thesis_blocked()->best(bench->state, x),
                 wanted = shoal_objective_value(shoal_objective_find("rastrigin"), x, DIM);
    check->error = fabs(best - wanted) / fmax(1, fabs(wanted));
    check->passed = check->error <= 1e-10;
    snprintf(check->detail, sizeof check->detail, "the best is %.17g, not %.17g", best, wanted);
    return SHOAL_OK;
}

static void destroy_twin(struct bench *bench)
{
    thesis_blocked()->destroy(bench->state);
    bench->state = NULL;
}

static const struct bench_ops twin_ops = {create_twin, NULL, run_twin, check_twin, destroy_twin};

static const struct size small = {1024, 100, BUILT_IN}, medium = {1 << 16, 20, BUILT_IN},
                         large = {1 << 20, 0, BUILT_IN}, large_text = {1 << 20, 0, SAME_TEXT},
                         large_expression = {1 << 20, 0, EXPRESSION}, cpu = {1024, 0, COSINE_TEXT};

static const struct bench_case cases[] = {
    {.name = "pso.global.rastrigin30-1024",
     .help = "100 steps of 1024 particles on Rastrigin's function in 30 dimensions",
     .unit = "evaluations/s",
     .precision = "fp32",
     .data = &small,
     .device = &ops,
     .host = &ops},
    {.name = "pso.global.rastrigin30-65536",
     .help = "20 steps of 65536 particles on Rastrigin's function in 30 dimensions",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .program = "pso.fused",
     .data = &medium,
     .device = &ops,
     .host = &ops},
    {.name = "pso.global.rastrigin30-1m",
     .help = "steps 100 to 600 of 1048576 particles on Rastrigin's function in 30 dimensions, one swarm "
             "after another for at least 0.5 s of host time",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .data = &large,
     .device = &ops}, /* no host row: the host would take minutes for the steps before the first timed one */
    {.name = "pso.snippet.rastrigin30-1m-builtin",
     .help = "pso.global.rastrigin30-1m again, to compare with the next two",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .data = &large,
     .large = true,
     .device = &ops},
    {.name = "pso.snippet.rastrigin30-1m-text",
     .help = "the same with the function from a text with the term of the built-in one",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .data = &large_text,
     .large = true,
     .device = &ops},
    {.name = "pso.snippet.rastrigin30-1m-expr",
     .help = "the same with the function from the expression sum(x[i]^2 - 10*cos(2*pi*x[i]) + 10)",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .data = &large_expression,
     .large = true,
     .device = &ops},
    {.name = "pso.cpu.rastrigin30-1024",
     .help = "whole steps of 1024 particles on x * x - 10 * cos2pi(x) + 10 in 30 dimensions for 0.5 s; build "
             "with -Dc_args=-march=native to use all instructions of the processor on the host",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &cpu,
     .device = &ops,
     .host = &ops},
    {.name = "pso.cpu.rastrigin30-1024-blocked",
     .help = "the same steps by the blocked CPU code of the thesis suite, without bounds",
     .unit = "evaluations/s",
     .precision = "fp64",
     .data = &cpu,
     .host = &twin_ops},
};

const struct bench_case_list bench_pso_cases = {cases, sizeof cases / sizeof *cases};
