#include "fixture.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shoal_gas_params gas_run_params(void)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = 37;
    params.density = 0.3;
    params.cutoff = 2.2; /* half the box in 3D */
    params.method = SHOAL_GAS_ALLPAIRS;
    params.steps = 1000000;
    return params;
}

struct shoal_gas_params gas_run_dense(int32_t precision, int32_t method)
{
    struct shoal_gas_params params = gas_run_params();
    params.particles = 211;
    params.density = 0.5;
    params.temperature = 2;
    params.precision = precision;
    params.method = method;
    params.thermo = 7;
    return params;
}

struct shoal_solver *gas_run_open(const struct shoal_gas_params *params, bool on_host)
{
    return harness_solver("gas", on_host ? test_host_device(harness.shoal) : harness.device, params);
}

void gas_run_state(struct shoal_solver *solver, struct gas_run_state *state)
{
    memset(state, 0, sizeof *state);
    assert_ok(shoal_solver_state(solver, state->numbers, GAS_RUN_MOST, &state->count, &test_error));
    state->thermo = thermo_of(solver);
}

void gas_run(const struct shoal_gas_params *params, bool on_host, uint64_t steps, struct gas_run_state *state)
{
    struct shoal_solver *solver = gas_run_open(params, on_host);
    run_steps(solver, steps);
    gas_run_state(solver, state);
    shoal_solver_destroy(&solver);
}

double gas_run_deviation(const struct gas_run_state *a, const struct gas_run_state *b, size_t dim)
{
    const size_t particles = a->count / (2 * dim), half = a->count / 2;
    double sum = 0, norm = 0, most = 0;
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < particles; i++) {
        double square = 0;
        for (size_t at = i * dim; at < (i + 1) * dim; at++) {
            square += pow(a->numbers[at] - b->numbers[at], 2);
            square += pow(a->numbers[half + at] - b->numbers[half + at], 2);
            norm += pow(b->numbers[at], 2) + pow(b->numbers[half + at], 2);
        }
        sum += square;
        most = fmax(most, square);
    }
    return sqrt((particles > 8 ? fmax(sum - most, 0) : sum) / norm);
}

void gas_run_same(const struct gas_run_state *a, const struct gas_run_state *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->numbers, b->numbers, a->count * sizeof *a->numbers);
    assert_memory_equal(&a->thermo, &b->thermo, sizeof a->thermo);
}

void gas_run_resumes(struct shoal_solver *solver, const struct shoal_gas_params *params, bool on_host,
                     uint64_t rest, const struct gas_run_state *whole)
{
    struct shoal_solver *other = gas_run_open(params, on_host);
    struct shoal_solver *const runs[] = {solver, other, solver};
    struct gas_run_state state;
    assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        if (i)
            assert_ok(shoal_solver_load(runs[i], test_path("gas"), &test_error));
        run_steps(runs[i], rest);
        gas_run_state(runs[i], &state);
        gas_run_same(&state, whole);
    }
    shoal_solver_destroy(&other);
}

const int32_t *gas_run_precisions(void)
{
    static const int32_t all[] = {SHOAL_GAS_SINGLE, SHOAL_GAS_MIXED, SHOAL_GAS_DOUBLE, -1};
    static const int32_t single[] = {SHOAL_GAS_SINGLE, -1};
    return harness.info->fp64 ? all : single;
}

void gas_run_start(struct shoal_gas_params *params, const double *position, const double *velocity,
                   size_t particles, double width, double height)
{
    static char start_path[512];
    snprintf(start_path, sizeof start_path, "%s", test_path("start.xyz"));
    FILE *file = fopen(start_path, "w");
    assert_non_null(file);
    fprintf(file, "%zu\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 1\" Properties=species:S:1:pos:R:3:velo:R:3\n",
            particles, width, height);
    for (size_t i = 0; i < particles; i++)
        fprintf(file, "Ar %.17g %.17g 0 %.17g %.17g 0\n", position[2 * i], position[2 * i + 1],
                velocity[2 * i], velocity[2 * i + 1]);
    assert_int_equal(fclose(file), 0);
    params->start = SHOAL_GAS_FILE;
    params->start_file = start_path;
    params->particles = particles;
    params->density = NAN;
}

void gas_run_schedule(struct shoal_gas_params *params, const char *text)
{
    static char path[512];
    snprintf(path, sizeof path, "%s", test_path("schedule"));
    test_write_text(path, text);
    params->schedule = path;
}

struct shoal_gas_params gas_run_tables(uint64_t particles, uint64_t dim, int32_t precision)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = particles;
    params.dim = dim;
    params.precision = precision;
    params.density = 0.3;
    params.dt = 0.004;
    params.steps = 1000000;
    params.thermo = 2;
    params.mass = 1.7;
    params.pressure_tensor = params.profile_all = true;
    params.profile_axis = SHOAL_GAS_Y;
    params.profile_bins = 5;
    return params;
}

const double *gas_run_column(const struct shoal_gas_table *table, const char *name)
{
    for (size_t c = 0; c < table->columns; c++)
        if (strcmp(table->names[c], name) == 0)
            return table->column[c];
    fail_msg("there is no column %s", name);
    return NULL;
}

struct shoal_gas_table gas_run_table(struct shoal_solver *solver, enum shoal_gas_table_kind kind)
{
    struct shoal_gas_table table = {.size = sizeof table};
    assert_ok(shoal_gas_get_table(solver, kind, &table, &test_error));
    return table;
}
