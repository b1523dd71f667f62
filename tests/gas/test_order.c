/* Checkpoints of gases by lists on another kind of device, which orders the particles in another way: the
 * device under test as it is, and as if it were of several kinds, like a simulator, for which there are other
 * cells, layouts and launches. */
#include "fixture.h"
#include "harness.h"

#include "compute/backend.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH = 60 };

static struct shoal_device_info as_it_is;

/* Of what is made next. */
static void take_kind(bool is_other)
{
    harness.device->info.is_gpu = as_it_is.is_gpu != is_other;
}

static struct shoal_solver *open_kind(const struct shoal_gas_params *params, bool is_other)
{
    take_kind(is_other);
    return gas_run_open(params, false);
}

static struct shoal_gas_params params_of(int32_t precision, uint64_t dim)
{
    struct shoal_gas_params params = gas_run_params();
    params.particles = harness.tiny ? 60 : 500;
    params.dim = dim;
    params.density = dim == 2 ? 0.5 : 0.6;
    params.temperature = 2;
    params.precision = precision;
    params.method = SHOAL_GAS_LIST;
    params.thermo = 7;
    params.rdf_bins = 20;
    return params;
}

/* What a checkpoint holds of a solver. */
struct sections {
    struct checkpoint checkpoint;
    size_t n, position_bytes, velocity_bytes, dim;
};

static struct sections sections_of(struct shoal_solver *solver)
{
    const struct gas_device *device = gas_device_of(solver);
    struct sections sections = {.n = device->problem.n,
                                .position_bytes = device->position_bytes,
                                .velocity_bytes = device->velocity_bytes,
                                .dim = device->problem.dim};
    assert_ok(solver_get_checkpoint(solver, &sections.checkpoint, &test_error));
    return sections;
}

static const char *data_of(const struct sections *sections, const char *name)
{
    const struct checkpoint_section *section = checkpoint_find(&sections->checkpoint, name);
    assert_non_null(section);
    return section->data;
}

static void assert_same_section(const struct sections *a, const struct sections *b, const char *name)
{
    const struct checkpoint_section *one = checkpoint_find(&a->checkpoint, name),
                                    *other = checkpoint_find(&b->checkpoint, name);
    assert_int_equal(one->bytes, other->bytes);
    if (memcmp(one->data, other->data, one->bytes) != 0)
        fail_msg("section %s is another one", name);
}

/* By number of the particle. */
static void assert_same_particles(const struct sections *a, const struct sections *b, const char *name,
                                  size_t bytes)
{
    const uint32_t *ids[] = {(const uint32_t *)data_of(a, "id"), (const uint32_t *)data_of(b, "id")};
    uint32_t *places = harness_memory(a->n * sizeof *places);
    for (uint32_t place = 0; place < a->n; place++)
        places[ids[1][place]] = place;
    for (size_t place = 0; place < a->n; place++)
        if (memcmp(data_of(a, name) + place * bytes, data_of(b, name) + places[ids[0][place]] * bytes,
                   bytes) != 0)
            fail_msg("%s of particle %u is another one", name, ids[0][place]);
}

static void assert_same_gas(struct shoal_solver *one, struct shoal_solver *other)
{
    struct sections a = sections_of(one), b = sections_of(other);
    assert_int_equal(a.n, b.n);
    if (memcmp(data_of(&a, "id"), data_of(&b, "id"), a.n * sizeof(uint32_t)) == 0)
        fail_msg("both kinds order %zu particles in %zu dimensions alike: nothing is tested", a.n, a.dim);
    assert_same_particles(&a, &b, "position", a.position_bytes);
    assert_same_particles(&a, &b, "velocity", a.velocity_bytes);
    assert_same_particles(&a, &b, "list.reference", a.position_bytes);
    assert_same_section(&a, &b, "image");
    assert_same_section(&a, &b, "ledger");
    assert_same_section(&a, &b, "words");
    assert_same_section(&a, &b, "list");
    checkpoint_clear(&a.checkpoint);
    checkpoint_clear(&b.checkpoint);
    assert_true(timing_of(one).skin == timing_of(other).skin);
}

static struct gas_run_state whole, other;

/* Saved in the life of a list, taken up by the other kind, which goes on with the same gas; and from there
 * back, where nothing shows that it has been away. */
static void check(const struct shoal_gas_params *params, bool first, uint64_t saved_at)
{
    if (!harness_takes_case())
        return;
    struct shoal_solver *solver = open_kind(params, first), *taken = open_kind(params, !first);
    run_steps(solver, saved_at);
    assert_ok(shoal_solver_save(solver, test_path("gas"), &test_error));
    take_kind(!first);
    assert_ok(shoal_solver_load(taken, test_path("gas"), &test_error));
    assert_same_gas(solver, taken);
    assert_ok(shoal_solver_save(taken, test_path("gas"), &test_error));
    run_steps(taken, LENGTH);
    gas_run_state(taken, &other);
    shoal_solver_destroy(&taken);
    take_kind(first);
    run_steps(solver, LENGTH);
    gas_run_state(solver, &whole);
    assert_at_most(gas_run_deviation(&other, &whole, (size_t)params->dim),
                   params->precision == SHOAL_GAS_DOUBLE ? 1e-9 : 1e-3);
    shoal_solver_destroy(&solver);

    solver = open_kind(params, first);
    assert_ok(shoal_solver_load(solver, test_path("gas"), &test_error));
    run_steps(solver, LENGTH);
    gas_run_state(solver, &other);
    gas_run_same(&other, &whole);
    shoal_solver_destroy(&solver);
    harness_release();
}

static void another_kind_goes_on(void **state)
{
    (void)state;
    const uint64_t saved_at[] = {0, 13, 50};
    size_t next = 0;
    if (!harness.info->is_cpu)
        skip();
    as_it_is = *harness.info;
    /* Each precision in each dimension; each kind saved at each of the steps. */
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++)
        for (uint64_t dim = 2; dim <= 3; dim++, next++) {
            const struct shoal_gas_params params = params_of(*precision, dim);
            check(&params, (next + next / 2) % 2, saved_at[(next + next / 3) % 3]);
        }
    take_kind(false);
}

/* Lets the device look like an H200 with this back end. */
static void become_h200(const struct backend *backend)
{
    harness.device->info.architecture = 90;
    harness.device->info.units = 132;
    harness.device->info.local_mem_max = 227 << 10;
    harness.device->backend = backend;
}

/* A part of a GPU without room for any cluster. */
static size_t asked[8], asked_count;

static enum shoal_status no_room(const struct shoal_kernel *kernel, size_t *groups, struct shoal_error *error)
{
    (void)error;
    if (strcmp(kernel->entry->name, "gas_list_run") != 0)
        return SHOAL_OK;
    assert_in_range(asked_count, 0, 7);
    asked[asked_count++] = (size_t)shoal_program_define(kernel->program, "GROUPS");
    *groups = 0;
    return SHOAL_OK;
}

/* Clusters are halved until one fits; where none does, steps are launched one by one. The text for one group,
 * which stands in for the native one here, is built but never launched. */
static void no_room_for_clusters(void **state)
{
    (void)state;
    if (!harness.info->is_cpu || harness.tiny)
        skip();
    const struct backend *const backend = harness.device->backend;
    struct backend crowded = *backend;
    crowded.kernel_resident = no_room;
    as_it_is = *harness.info;
    struct shoal_gas_params params = params_of(SHOAL_GAS_SINGLE, 2);
    struct gas_run_state single, wide;
    struct shoal_solver *solver = open_kind(&params, true);
    run_steps(solver, LENGTH);
    gas_run_state(solver, &single);
    shoal_solver_destroy(&solver);

    become_h200(&crowded);
    solver = open_kind(&params, true);
    assert_int_equal(asked_count, 5);
    for (size_t i = 0; i < asked_count; i++)
        assert_int_equal(asked[i], 16u >> i);
    run_steps(solver, LENGTH);
    gas_run_state(solver, &wide);
    gas_run_same(&single, &wide);
    shoal_solver_destroy(&solver);
    harness.device->backend = backend;
    harness.device->info = as_it_is;
}

/* What the program of a launch of many steps was built with last; its groups always find room. */
static struct planned {
    int64_t groups, lanes, wide, entries;
} planned;

static enum shoal_status note_plan(const struct shoal_kernel *kernel, size_t *groups,
                                   struct shoal_error *error)
{
    (void)error;
    if (strcmp(kernel->entry->name, "gas_list_run") != 0)
        return SHOAL_OK;
    planned.groups = (int64_t)shoal_program_define(kernel->program, "GROUPS");
    planned.lanes = (int64_t)shoal_program_define(kernel->program, "LANES");
    planned.wide = (int64_t)shoal_program_define(kernel->program, "WIDE_ENTRIES");
    planned.entries = (int64_t)shoal_program_define(kernel->program, "ENTRIES");
    *groups = (size_t)planned.groups;
    return SHOAL_OK;
}

/* The plan for a gas on a device like an H200, which is never asked for a step. */
static struct planned plan_of(const struct shoal_gas_params *params)
{
    const struct backend *const backend = harness.device->backend;
    struct backend roomy = *backend;
    roomy.kernel_resident = note_plan;
    as_it_is = *harness.info;
    planned = (struct planned){0};
    become_h200(&roomy);
    struct shoal_solver *solver = open_kind(params, true);
    shoal_solver_destroy(&solver);
    harness.device->backend = backend;
    harness.device->info = as_it_is;
    assert_true(planned.lanes > 0);
    return planned;
}

/* Entries of short lists have 32 bits where there is room for them, and for places beyond the cutoff. */
static void short_lists_have_room(void **state)
{
    (void)state;
    if (!harness.info->is_cpu || harness.tiny)
        skip();
    struct shoal_gas_params params = params_of(SHOAL_GAS_SINGLE, 2);
    params.particles = 4096;
    params.density = 0.4;
    params.cutoff = 2.5;
    struct planned plan = plan_of(&params);
    assert_int_equal(plan.groups, 16);
    assert_int_equal(plan.wide, 1);
    assert_in_range(plan.entries, 40, 200);
    params.particles = 8192;
    plan = plan_of(&params);
    assert_int_equal(plan.wide, 0);
    assert_in_range(plan.entries, 40, 200);
    /* In double precision 4096 particles have room for two lanes, but not with wide entries. */
    params.precision = SHOAL_GAS_DOUBLE;
    params.particles = 4096;
    plan = plan_of(&params);
    assert_int_equal(plan.wide, 1);
    assert_int_equal(plan.lanes, 1);
    params.particles = 6000;
    plan = plan_of(&params);
    assert_int_equal(plan.wide, 0);
    assert_int_equal(plan.lanes, 1);
    /* Nearly as many as fit. */
    params.particles = 6100;
    plan = plan_of(&params);
    assert_int_equal(plan.wide, 0);
    assert_int_equal(plan.lanes, 1);
    /* Walls that are 3 apart, not 1.5 cutoffs. */
    params = params_of(SHOAL_GAS_SINGLE, 2);
    params.particles = 4;
    params.cutoff = 2.5;
    params.density = NAN;
    params.width = params.height = 3;
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    assert_int_equal(plan_of(&params).wide, 0);
    params.width = params.height = 6;
    assert_int_equal(plan_of(&params).wide, 1);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(another_kind_goes_on),
                                     cmocka_unit_test(no_room_for_clusters),
                                     cmocka_unit_test(short_lists_have_room)};
    return harness_main("gas_order", all, sizeof all / sizeof *all);
}
