/* The accuracy that is asked for and the one that is measured: fields of 262144 equal charges with the law
 * ln r in double precision, evenly spread in a square of side 1000, for three softening lengths and five
 * accuracies. A repetition is a sum for each. The error in the row is the largest measured error over the one
 * asked for, and may not exceed 1; errors are those of 1024 targets against the direct sum, root mean square
 * over root mean square. */
#include "bench/fmm/places.h"
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/fmm.h>
#include <stdlib.h>

enum { N = 262144, TARGETS = 1024, SOFTENINGS = 3, ACCURACIES = 5, SUMS = SOFTENINGS * ACCURACIES };

static const double softenings[SOFTENINGS] = {1e-6, 0.01, 1},
                    accuracies[ACCURACIES] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};

struct state {
    struct shoal_fmm *fmm[SUMS];
    struct shoal_buffer *sources, *field[SUMS];
    double *places;                         /* [N][2] */
    double wanted[SOFTENINGS][2 * TARGETS]; /* fields by the direct sum, after the first check */
    bool has_wanted;
};

static struct shoal_fmm_params params_of(const struct bench *bench, size_t sum)
{
    return SHOAL_FMM_PARAMS(.softening = softenings[sum / ACCURACIES],
                            .accuracy = accuracies[sum % ACCURACIES], .real = SHOAL_TYPE_DOUBLE,
                            .potential = false, .max_sources = N, .variant = bench->variant);
}

static void destroy(struct bench *bench)
{
    struct state *state = bench->state;
    if (!state)
        return;
    for (size_t i = 0; i < SUMS; i++) {
        shoal_fmm_destroy(&state->fmm[i]);
        shoal_buffer_destroy(&state->field[i]);
    }
    shoal_buffer_destroy(&state->sources);
    free(state->places);
    free(state);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const size_t bytes = 2 * N * sizeof(double);
    struct state *state = bench->state = calloc(1, sizeof *state);
    if (state)
        state->places = malloc(bytes);
    if (!state || !state->places)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %d points on the host", N);
    for (size_t i = 0; i < N; i++)
        bench_fmm_place(false, i, state->places + 2 * i);
    bench->work = 1;
    bench->parts = 1;
    enum shoal_status status = shoal_buffer_create(bench->device, bytes, &state->sources, error);
    if (!status)
        status = shoal_buffer_write(bench->queue, state->sources, 0, state->places, bytes, error);
    for (size_t i = 0; i < SUMS && !status; i++) {
        const struct shoal_fmm_params params = params_of(bench, i);
        status = shoal_fmm_create(bench->device, &params, &state->fmm[i], error);
        if (!status)
            status = shoal_buffer_create(bench->device, bytes, &state->field[i], error);
        for (size_t p = 0; !status && shoal_fmm_program(state->fmm[i], p); p++)
            bench_uses(bench, shoal_fmm_program(state->fmm[i], p));
    }
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct state *const state = bench->state;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < SUMS && !status; i++) {
        const struct shoal_fmm_args args =
            SHOAL_FMM_ARGS(.sources = state->sources, .source_count = N, .field = state->field[i]);
        status = shoal_fmm_run(state->fmm[i], bench->queue, &args, error);
    }
    return status;
}

static enum shoal_status set_wanted(struct bench *bench, struct state *state, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t s = 0; s < SOFTENINGS && !status && !state->has_wanted; s++) {
        const struct shoal_fmm_params params = params_of(bench, s * ACCURACIES);
        const struct shoal_fmm_points points =
            SHOAL_FMM_POINTS(.sources = state->places, .source_count = N, .target_count = TARGETS,
                             .field = state->wanted[s]);
        status = shoal_fmm_direct(&params, &points, error);
    }
    state->has_wanted = !status;
    return status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct state *const state = bench->state;
    double field[2 * TARGETS];
    enum shoal_status status = set_wanted(bench, state, error);
    check->error = 0;
    for (size_t sum = 0; sum < SUMS && !status; sum++) {
        const double *const wanted = state->wanted[sum / ACCURACIES], asked = accuracies[sum % ACCURACIES];
        double difference = 0, whole = 0;
        status = shoal_buffer_read(bench->queue, state->field[sum], 0, field, sizeof field, error);
        for (size_t i = 0; i < 2 * TARGETS; i++) {
            difference += (field[i] - wanted[i]) * (field[i] - wanted[i]);
            whole += wanted[i] * wanted[i];
        }
        const double measured = sqrt(difference / whole);
        if (!(measured / asked <= check->error)) {
            check->error = measured / asked;
            snprintf(check->detail, sizeof check->detail, "the error is %.2g, not %g, with softening %g",
                     measured, asked, softenings[sum / ACCURACIES]);
        }
    }
    check->passed = check->error <= 1;
    return status;
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, NULL};

static const struct bench_case cases[] = {
    {.name = "gas.fmm.accuracy-262144",
     .help = "fields of 262144 charges for 3 softening lengths, with accuracies of 1e-2 to 1e-10",
     .unit = "s",
     .precision = "fp64",
     .clock = BENCH_WALL_TIME,
     .program = "fmm.targets",
     .device = &ops,
     .large = true},
};

const struct bench_case_list bench_fmm_accuracy_cases = {cases, sizeof cases / sizeof *cases};
