/* Fields of equal charges with the law ln r by fast multipoles, in a square of side 1000 with softening 1:
 * evenly spread, or 60 % in three Gaussian droplets. A repetition is a whole sum: bounds, keys, sort, cells
 * and fields. The error in the row is that of the field at 1024 targets against the direct sum in double
 * precision, root mean square over root mean square. On the host the sum is in double precision. */
#include "bench/fmm/places.h"
#include "bench/runner/bench.h"

#include <math.h>
#include <shoal/fmm.h>
#include <stdlib.h>

enum { TARGETS = 1024 };

struct sizes {
    size_t n;
    bool droplets;
};

struct sums {
    struct shoal_fmm *fmm;
    struct shoal_buffer *sources, *field;
    double *places, *fields; /* [n][2] */
    float *singles;          /* [n][2]: what the device has and gives */
};

static const struct sizes *sizes_of(const struct bench *bench)
{
    return bench->data;
}

/* Nodes that give 1e-4 for charges of one sign. */
static struct shoal_fmm_params params_of(const struct bench *bench)
{
    return SHOAL_FMM_PARAMS(.softening = 1, .accuracy = 1e-4, .nodes = 5, .potential = false,
                            .max_sources = sizes_of(bench)->n, .variant = bench->variant);
}

static void destroy(struct bench *bench)
{
    struct sums *sums = bench->state;
    if (!sums)
        return;
    shoal_fmm_destroy(&sums->fmm);
    shoal_buffer_destroy(&sums->sources);
    shoal_buffer_destroy(&sums->field);
    free(sums->places);
    free(sums->fields);
    free(sums->singles);
    free(sums);
    bench->state = NULL;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct sizes *const sizes = sizes_of(bench);
    const size_t n = sizes->n, bytes = 2 * n * sizeof(float);
    struct sums *sums = bench->state = calloc(1, sizeof *sums);
    if (sums) {
        sums->places = malloc(2 * n * sizeof *sums->places);
        sums->fields = calloc(2 * n, sizeof *sums->fields);
        sums->singles = malloc(bytes);
    }
    if (!sums || !sums->places || !sums->fields || !sums->singles)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu points on the host", n);
    for (size_t i = 0; i < n; i++)
        bench_fmm_place(sizes->droplets, i, sums->places + 2 * i);
    for (size_t i = 0; i < 2 * n; i++) {
        sums->singles[i] = (float)sums->places[i];
        sums->places[i] = (double)sums->singles[i];
    }
    bench->work = 1;
    bench->parts = 1;
    if (!bench->queue) {
        bench->precision = "fp64";
        return SHOAL_OK;
    }
    const struct shoal_fmm_params params = params_of(bench);
    enum shoal_status status = shoal_fmm_create(bench->device, &params, &sums->fmm, error);
    if (!status)
        status = shoal_buffer_create(bench->device, bytes, &sums->sources, error);
    if (!status)
        status = shoal_buffer_create(bench->device, bytes, &sums->field, error);
    if (!status)
        status = shoal_buffer_write(bench->queue, sums->sources, 0, sums->singles, bytes, error);
    for (size_t i = 0; !status && shoal_fmm_program(sums->fmm, i); i++)
        bench_uses(bench, shoal_fmm_program(sums->fmm, i));
    return status;
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    struct sums *const sums = bench->state;
    const size_t n = sizes_of(bench)->n;
    if (bench->queue) {
        const struct shoal_fmm_args args =
            SHOAL_FMM_ARGS(.sources = sums->sources, .source_count = n, .field = sums->field);
        return shoal_fmm_run(sums->fmm, bench->queue, &args, error);
    }
    const struct shoal_fmm_params params = params_of(bench);
    const struct shoal_fmm_points points =
        SHOAL_FMM_POINTS(.sources = sums->places, .source_count = n, .field = sums->fields);
    return shoal_fmm_on_host(&params, &points, error);
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct sums *const sums = bench->state;
    const size_t n = sizes_of(bench)->n;
    double wanted[2 * TARGETS], difference = 0, whole = 0;
    const struct shoal_fmm_params params = params_of(bench);
    const struct shoal_fmm_points points = SHOAL_FMM_POINTS(.sources = sums->places, .source_count = n,
                                                            .target_count = TARGETS, .field = wanted);
    enum shoal_status status = shoal_fmm_direct(&params, &points, error);
    if (!status && bench->queue) {
        status = shoal_buffer_read(bench->queue, sums->field, 0, sums->singles, 2 * TARGETS * sizeof(float),
                                   error);
        for (size_t i = 0; i < 2 * TARGETS; i++)
            sums->fields[i] = (double)sums->singles[i];
    }
    if (status)
        return status;
    for (size_t i = 0; i < 2 * TARGETS; i++) {
        difference += (sums->fields[i] - wanted[i]) * (sums->fields[i] - wanted[i]);
        whole += wanted[i] * wanted[i];
    }
    check->error = sqrt(difference / whole);
    check->passed = check->error <= 1e-4;
    snprintf(check->detail, sizeof check->detail, "the error of the field is %.2g, not 1e-4 or less",
             check->error);
    return SHOAL_OK;
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, NULL};

static const struct sizes even_2m = {2097152, false}, droplets_2m = {2097152, true},
                          even_1m = {1000000, false}, even_262144 = {262144, false};

#define CASE(case_name, text, size, is_large)                                                                \
    {                                                                                                        \
        .name = case_name, .help = text, .unit = "s", .precision = "fp32", .clock = BENCH_WALL_TIME,         \
        .program = "fmm.targets", .device = &ops, .host = &ops, .data = &size, .large = is_large             \
    }

static const struct bench_case cases[] = {
    CASE("fmm.fields.log-262144", "field of 262144 charges", even_262144, false),
    CASE("fmm.fields.log-1m", "field of 1000000 charges", even_1m, false),
    CASE("fmm.fields.log-2m", "field of 2097152 charges", even_2m, true),
    CASE("fmm.fields.log-2m-droplets", "field of 2097152 charges, 60 % of them in three droplets",
         droplets_2m, true),
};

const struct bench_case_list bench_fmm_cases = {cases, sizeof cases / sizeof *cases};
