/* The gas on a device over a backend without hardware: each call that fails, what a device lacks, the choice
 * of a method. Its kernels do next to nothing, so that no particle moves. */
#include "limiter.h"
#include "unit.h"

#include "gas/device/device.h"
#include "workload/workload.h"

#include <shoal/shoal.h>
#include <shoal/theses.h>

static struct shoal *shoal;
static struct shoal_device *device;

static struct shoal_gas_params small_gas(void)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = 64;
    params.method = SHOAL_GAS_ALLPAIRS;
    params.steps = 20;
    params.thermo = 5;
    params.equilibration = 20;
    params.relaxation = 0.05;
#if SHOAL_THESES
    limit_speeds(&params, SHOAL_GAS_LIMIT_ENERGY, NAN);
#endif
    return params;
}

/* Arguments of the kernels, from cl/gas/methods/list_step.cl and cl/gas/methods/list_run.cl. */
enum { STEP_WORDS = 6, SCALED_WORDS = 7, STEP_LAUNCH = 12, RUN_WORDS = 5, RUN_LAUNCH = 11 };

static void count(const struct fake_run *run)
{
    const bool is_run = strcmp(run->entry, "gas_list_run") == 0,
               is_scaled = strcmp(run->entry, "gas_list_scaled_step") == 0;
    uint32_t *words = run->args[is_run ? RUN_WORDS : is_scaled ? SCALED_WORDS : STEP_WORDS].data;
    const struct gas_list_launch *launch = (const void *)run->args[is_run ? RUN_LAUNCH : STEP_LAUNCH].data;
    words[WORD_STEP] += launch->steps;
    words[WORD_AGE] = launch->age + launch->steps;
}

/* A force that no step lowers: minimisations make all of theirs. */
static void keep_force(const struct fake_run *run)
{
    enum { SUMS_ARGUMENT = 5 };
    float *sums = run->args[SUMS_ARGUMENT].data;
    sums[2 * FIRE_LARGEST] = 5;
}

/* Registers kernels that count the steps they are launched for and move nothing: a run that waits for its
 * device comes to its end. They stay until fake_reset. */
static void count_steps(void)
{
    fake_register_kernel("gas_list_step", count);
    fake_register_kernel("gas_list_scaled_step", count);
    fake_register_kernel("gas_list_run", count);
    fake_register_kernel("gas_minimise_sums", keep_force);
}

/* keeps: what was measured is kept in a folder. */
static void open_with(const struct shoal_device_info *info, bool keeps)
{
    fake_reset();
    fake_add_device(&fake_backend, info);
    count_steps();
    struct shoal_params params = unit_params();
    params.no_cache = !keeps;
    params.cache_dir = test_path("cache");
    shoal = unit_open_with(&params);
    device = shoal_device_at(shoal, 0);
}

static enum shoal_status create(const struct shoal_gas_params *params, struct shoal_queue **queue,
                                struct shoal_solver **solver)
{
    *solver = NULL;
    enum shoal_status status = shoal_queue_create(device, 0, queue, &test_error);
    return status ? status
                  : shoal_solver_create(shoal_workload_find("gas"), device, *queue, params,
                                        SHOAL_VARIANT_AUTO, solver, &test_error);
}

/* By a list, a launch for each step or for many. */
static struct shoal_gas_params listed_gas(uint64_t particles)
{
    struct shoal_gas_params params = small_gas();
    params.method = SHOAL_GAS_LIST;
    params.particles = particles;
    params.thesis = NULL;
    return params;
}

/* Steps by a list; the numbers of particles, which its kernels put in order, are not there to be read back.
 */
static enum shoal_status listed_steps(const struct shoal_gas_params *params)
{
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    uint64_t done;
    enum shoal_status status = create(params, &queue, &solver);
    if (!status)
        status = shoal_solver_step(solver, 27, &done, &test_error);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    return status;
}

/* Everything that a run does, once. */
static enum shoal_status whole_run(const struct shoal_gas_params *params)
{
    const char *path = test_path("run.ckpt");
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    struct shoal_gas_thermo thermo;
    double state[256];
    size_t count;
    uint64_t done;
    enum shoal_status status = create(params, &queue, &solver);
    if (!status)
        status = shoal_solver_step(solver, 27, &done, &test_error);
    if (!status)
        status = shoal_solver_save(solver, path, &test_error);
    if (!status)
        status = shoal_solver_load(solver, path, &test_error);
    if (!status)
        status = shoal_solver_step(solver, 5, &done, &test_error);
    if (!status)
        status = shoal_solver_state(solver, state, 256, &count, &test_error);
    if (!status)
        status = shoal_gas_get_thermo(solver, &thermo, &test_error);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    return status;
}

static void check_each_call(const struct shoal_gas_params *params,
                            enum shoal_status (*go)(const struct shoal_gas_params *))
{
    struct shoal_device_info info = fake_gpu("Fake");
    open_with(&info, false);
    assert_ok(go(params));
    const size_t live = fake_live();
    unsigned n = 0;
    enum shoal_status status;
    do {
        fake_fail_nth(++n, SHOAL_FAILED);
        status = go(params);
        assert_int_equal(fake_live(), live);
        if (status) {
            assert_int_equal(status, SHOAL_FAILED);
            assert_true(*test_error.message);
        }
    } while (status);
    assert_true(n > 50);
    fake_fail_nth(0, SHOAL_OK);
    shoal_close(&shoal);
}

static void each_call_may_fail(void **state)
{
    (void)state;
    const struct shoal_gas_params few = listed_gas(128), more = listed_gas(300);
    struct shoal_gas_params all_pairs = small_gas();
    all_pairs.minimise = 2;
    check_each_call(&all_pairs, whole_run);
    check_each_call(&few, listed_steps);
    check_each_call(&more, listed_steps);
}

/* Where there is no room for a copy, a snapshot reads the particles at once. */
static void a_snapshot_needs_no_room(void **state)
{
    (void)state;
    static const struct {
        enum fake_call call;
        enum shoal_status status;
    } failures[] = {{FAKE_BUFFER_CREATE, SHOAL_OUT_OF_DEVICE_MEMORY},
                    {FAKE_BUFFER_COPY, SHOAL_OUT_OF_DEVICE_MEMORY},
                    {FAKE_BLOCK_CREATE, SHOAL_OUT_OF_HOST_MEMORY}};
    const struct shoal_device_info info = fake_gpu("Fake");
    const struct shoal_gas_params params = small_gas();
    open_with(&info, false);
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        struct shoal_gas_snapshot *snapshot = NULL;
        struct shoal_queue *queue = NULL;
        struct shoal_solver *solver = NULL;
        struct shoal_gas_frame frame;
        uint64_t done;
        assert_ok(create(&params, &queue, &solver));
        assert_ok(shoal_solver_step(solver, 3, &done, &test_error));
        fake_fail_call(failures[i].call, 1, failures[i].status);
        for (int again = 0; again < 2; again++) {
            assert_ok(shoal_gas_snapshot_begin(solver, &snapshot, &test_error));
            assert_int_equal(fake_failed_call(), failures[i].call);
            assert_ok(shoal_gas_snapshot_end(snapshot, &frame, &test_error));
            assert_int_equal(frame.particles, params.particles);
        }
        shoal_gas_snapshot_destroy(&snapshot);
        shoal_solver_destroy(&solver);
        shoal_queue_destroy(&queue);
    }
    shoal_close(&shoal);
}

/* Kernels that first come later than the first step of a gas that equilibrates. */
enum { SUMS = 1, SPEEDS = 2, PAIRS = 4, EXCHANGE = 8, KINETIC = 16, FACTOR = 32, SCALE = 64, LATE = 127 };
static unsigned seen;

#define SEES(name, bit)                                                                                      \
    static void sees_##name(const struct fake_run *run)                                                      \
    {                                                                                                        \
        (void)run;                                                                                           \
        seen |= bit;                                                                                         \
    }
SEES(sums, SUMS)
SEES(speeds, SPEEDS)
SEES(pairs, PAIRS)
SEES(exchange, EXCHANGE)
SEES(kinetic, KINETIC)
SEES(factor, FACTOR)
SEES(scale, SCALE)

/* Drivers compile at a first launch, which must not be in the time of the steps. */
static void first_launches_come_before_the_steps(void **state)
{
    (void)state;
    const struct shoal_device_info info = fake_gpu("Fake");
    struct shoal_gas_params params = small_gas();
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    struct shoal_gas_histogram histogram;
    uint64_t done;
    open_with(&info, false);
    fake_register_kernel("gas_observe_sums", sees_sums);
    fake_register_kernel("gas_observe_speeds", sees_speeds);
    fake_register_kernel("gas_observe_pairs", sees_pairs);
    fake_register_kernel("gas_exchange_sum", sees_exchange);
    fake_register_kernel("gas_kinetic", sees_kinetic);
    fake_register_kernel("gas_rescale", sees_factor);
    fake_register_kernel("gas_scale", sees_scale);
    params.rdf_bins = params.speed_bins = 8;
    params.thesis = NULL;
    seen = 0;
    assert_ok(create(&params, &queue, &solver));
    assert_ok(shoal_solver_step(solver, 0, &done, &test_error));
    assert_int_equal(seen, LATE);
    assert_ok(shoal_gas_get_histogram(solver, SHOAL_GAS_SPEEDS, &histogram, &test_error));
    assert_int_equal(histogram.samples, 0);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

/* A sample reads once; where nothing exchanges heat or impulse there is no sum of that either. */
static void a_sample_reads_once(void **state)
{
    (void)state;
    static const struct {
        int32_t thermostat, boundary;
        uint64_t equilibration;
        bool is_limited, exchanges;
    } kinds[] = {
        {SHOAL_GAS_NVE, SHOAL_GAS_PERIODIC, 0, false, false},
        {SHOAL_GAS_NVE, SHOAL_GAS_OPEN, 0, false, false},
        {SHOAL_GAS_NVE, SHOAL_GAS_WALLS, 0, false, true},
        {SHOAL_GAS_NVE, SHOAL_GAS_PERIODIC, 20, false, true},
#if SHOAL_THESES
        {SHOAL_GAS_NVE, SHOAL_GAS_PERIODIC, 0, true, true},
#endif
        {SHOAL_GAS_LANGEVIN, SHOAL_GAS_PERIODIC, 0, false, true},
        {SHOAL_GAS_RESCALE, SHOAL_GAS_PERIODIC, 0, false, true}
    };
    const struct shoal_device_info info = fake_gpu("Fake");
    open_with(&info, false);
    fake_register_kernel("gas_exchange_sum", sees_exchange);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct shoal_gas_params params;
        struct shoal_queue *queue = NULL;
        struct shoal_solver *solver = NULL;
        struct shoal_gas_thermo thermo;
        uint64_t done;
        shoal_gas_params_init(&params);
        params.particles = 64;
        params.method = SHOAL_GAS_ALLPAIRS;
        params.thermostat = kinds[i].thermostat;
        params.boundary_x = kinds[i].boundary;
#if SHOAL_THESES
        if (kinds[i].is_limited)
            limit_speeds(&params, SHOAL_GAS_LIMIT_ENERGY, NAN);
#endif
        params.equilibration = kinds[i].equilibration;
        params.cutoff = 2;
        assert_ok(create(&params, &queue, &solver));
        assert_ok(shoal_solver_step(solver, 3, &done, &test_error));
        fake_clear_records();
        seen = 0;
        assert_ok(shoal_gas_get_thermo(solver, &thermo, &test_error));
        assert_int_equal(fake_count(FAKE_BUFFER_READ), 1);
        assert_int_equal(seen, kinds[i].exchanges ? EXCHANGE : 0);
        shoal_solver_destroy(&solver);
        shoal_queue_destroy(&queue);
    }
    shoal_close(&shoal);
}

/* A device that takes launches and makes no step is given up; the run would not end else. */
static void a_device_without_steps_is_given_up(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Fake");
    const uint64_t sizes[] = {128, 300};
    for (size_t i = 0; i < 2; i++) {
        const struct shoal_gas_params params = listed_gas(sizes[i]);
        struct shoal_queue *queue;
        struct shoal_solver *solver;
        uint64_t done;
        open_with(&info, false);
        assert_ok(create(&params, &queue, &solver));
        assert_ok(shoal_solver_step(solver, 3, &done, &test_error));
        fake_register_kernel("gas_list_step", NULL);
        fake_register_kernel("gas_list_scaled_step", NULL);
        fake_register_kernel("gas_list_run", NULL);
        assert_status(shoal_solver_step(solver, 5, &done, &test_error), SHOAL_FAILED);
        assert_contains(test_error.message, "the launches of step 4 ");
        assert_contains(test_error.message, "--method allpairs");
        shoal_solver_destroy(&solver);
        shoal_queue_destroy(&queue);
        shoal_close(&shoal);
    }
}

/* A section of a run's checkpoint, to be changed: three steps of the run are made first. */
static struct checkpoint_section *section_behind_steps(struct shoal_solver *solver,
                                                       struct checkpoint *checkpoint, const char *name)
{
    uint64_t done;
    size_t at = 0;
    assert_ok(shoal_solver_step(solver, 3, &done, &test_error));
    checkpoint_clear(checkpoint);
    assert_ok(solver_get_checkpoint(solver, checkpoint, &test_error));
    while (strcmp(checkpoint->sections[at].name, name) != 0)
        at++;
    return &checkpoint->sections[at];
}

/* Kernels index by the numbers of particles: each must be there once, whatever the checksum of a file says.
 */
static void lost_particles_are_noticed(void **state)
{
    (void)state;
    const struct shoal_gas_params params = small_gas();
    struct shoal_device_info info = fake_gpu("Fake");
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    struct checkpoint checkpoint = {.path = "run.ckpt"};
    uint32_t ids[64];
    open_with(&info, false);
    assert_ok(create(&params, &queue, &solver));
    struct checkpoint_section *section = section_behind_steps(solver, &checkpoint, "id");
    assert_int_equal(section->bytes, sizeof ids);
    memcpy(ids, section->data, sizeof ids);
    section->data = ids;
    for (size_t damage = 0; damage < 2; damage++) {
        const uint32_t kept = ids[7];
        ids[7] = damage ? 64 : ids[8];
        assert_status(solver_set_checkpoint(solver, &checkpoint, &test_error), SHOAL_IO);
        assert_contains(test_error.message, "run.ckpt is damaged: a particle is missing");
        ids[7] = kept;
    }
    assert_ok(solver_set_checkpoint(solver, &checkpoint, &test_error));
    checkpoint_clear(&checkpoint);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

/* The velocity of a thermostat that is not finite is refused, as on the host. */
static void damaged_chains_are_refused(void **state)
{
    (void)state;
    struct shoal_gas_params params = small_gas();
    struct shoal_device_info info = fake_gpu("Fake");
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    struct checkpoint checkpoint = {.path = "run.ckpt"};
    float chain[3];
    params.thermostat = SHOAL_GAS_CHAIN;
    open_with(&info, false);
    assert_ok(create(&params, &queue, &solver));
    struct checkpoint_section *section = section_behind_steps(solver, &checkpoint, "chain");
    assert_int_equal(section->bytes, sizeof chain);
    memcpy(chain, section->data, sizeof chain);
    section->data = chain;
    assert_ok(solver_set_checkpoint(solver, &checkpoint, &test_error));
    chain[2] = NAN;
    assert_status(solver_set_checkpoint(solver, &checkpoint, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "run.ckpt is damaged");
    checkpoint_clear(&checkpoint);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static enum shoal_status load_with(struct shoal_solver *solver, const void *data, size_t bytes, bool old)
{
    struct checkpoint checkpoint = {.path = "run.ckpt"};
    struct checkpoint_section *section = section_behind_steps(solver, &checkpoint, "chosen");
    section->data = data;
    section->bytes = bytes;
    if (old)
        snprintf(section->name, sizeof section->name, "tuned");
    const enum shoal_status status = solver_set_checkpoint(solver, &checkpoint, &test_error);
    checkpoint_clear(&checkpoint);
    return status;
}

/* Damaged ones change nothing; values that nobody asks for are kept for the next checkpoint. */
static void chosen_values_are_read(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "method=",
                                      "method=\n",
                                      "method=none\n",
                                      "allpairs\n",
                                      "method=allpairs",
                                      "method=allpairs\nWG\n",
                                      "method=allpairs\nWG=\n",
                                      "method=allpairs\nWG=1x\n",
                                      "method=allpairs\nWG=1\nWG=2\n",
                                      "method=allpairs\n=5\n"};
    static const char good[] = "method=allpairs\nof another version=7\n";
    static const struct {
        char name[40];
        int64_t value;
    } old[] = {{"of another version", 7}, {"method", 0}}, wrong[] = {{"method", 3}}, none[] = {{"WG", 8}};
    const struct shoal_gas_params params = small_gas();
    struct shoal_device_info info = fake_gpu("Fake");
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    struct checkpoint checkpoint = {.path = "run.ckpt"};
    open_with(&info, false);
    assert_ok(create(&params, &queue, &solver));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_status(load_with(solver, bad[i], strlen(bad[i]), false), SHOAL_IO);
        assert_contains(test_error.message, "section chosen holds no method");
    }
    assert_status(load_with(solver, wrong, sizeof wrong, true), SHOAL_IO);
    assert_status(load_with(solver, none, sizeof none, true), SHOAL_IO);
    assert_status(load_with(solver, old, sizeof old - 1, true), SHOAL_IO);
    assert_contains(test_error.message, "section tuned holds no method");
    for (size_t round = 0; round < 2; round++) {
        assert_ok(round ? load_with(solver, good, strlen(good), false)
                        : load_with(solver, old, sizeof old, true));
        const struct checkpoint_section *section = section_behind_steps(solver, &checkpoint, "chosen");
        char text[512];
        assert_true(section->bytes < sizeof text);
        snprintf(text, sizeof text, "%.*s", (int)section->bytes, (const char *)section->data);
        assert_contains(text, "method=allpairs\nof another version=7\ngas.allpairs WG=");
    }
    checkpoint_clear(&checkpoint);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static void a_snapshot_leaves_the_run_its_memory(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Fake");
    const struct shoal_gas_params params = small_gas();
    for (int has_room = 1; has_room >= 0; has_room--) {
        struct shoal_gas_snapshot *snapshot = NULL;
        struct shoal_queue *queue = NULL;
        struct shoal_solver *solver = NULL;
        open_with(&info, false);
        assert_ok(create(&params, &queue, &solver));
        info.memory = (uint64_t)gas_device_bytes(solver) + 8; /* no room for a copy beside the run */
        const size_t buffers = fake_count(FAKE_BUFFER_CREATE);
        assert_ok(shoal_gas_snapshot_begin(solver, &snapshot, &test_error));
        assert_int_equal(fake_count(FAKE_BUFFER_CREATE) - buffers, has_room);
        shoal_gas_snapshot_destroy(&snapshot);
        shoal_solver_destroy(&solver);
        shoal_queue_destroy(&queue);
        shoal_close(&shoal);
    }
}

static void what_a_device_lacks_is_named(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Fake");
    struct shoal_gas_params params = small_gas();
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    info.fp64 = false;
    open_with(&info, false);
    for (int32_t precision = SHOAL_GAS_MIXED; precision <= SHOAL_GAS_DOUBLE; precision++) {
        params.precision = precision;
        assert_status(create(&params, &queue, &solver), SHOAL_UNSUPPORTED);
        assert_contains(test_error.message, "has no double precision");
        shoal_queue_destroy(&queue);
    }
    /* 64 MiB hold less than a million particles of 2 * 8 + 8 + ... bytes. */
    params.precision = SHOAL_GAS_SINGLE;
    params.particles = 4000000;
    assert_status(create(&params, &queue, &solver), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_contains(test_error.message, "4000000 particles need at least ");
    assert_contains(test_error.message, "lower --particles");
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static const char *method_of(const struct shoal_gas_params *params)
{
    static char name[64];
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    struct shoal_gas_timing timing;
    assert_ok(create(params, &queue, &solver));
    assert_ok(shoal_gas_get_timing(solver, &timing, &test_error));
    snprintf(name, sizeof name, "%s", timing.method);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    return name;
}

static void remember(struct shoal_gas_params params, int32_t method)
{
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    params.method = method;
    assert_ok(create(&params, &queue, &solver));
    assert_ok(shoal_solver_remember(solver, &test_error));
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
}

/* Named, measured, by rule. */
static void methods_are_chosen(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Fake");
    struct shoal_gas_params params = small_gas();
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    open_with(&info, true);
    params.thesis = NULL;
    assert_contains(method_of(&params), "all-pairs");
    params.method = SHOAL_GAS_LIST;
    assert_contains(method_of(&params), "list");
    params.method = SHOAL_GAS_AUTO;
    assert_contains(method_of(&params), "all-pairs"); /* a few cells */
    params.particles = 3000;
    assert_contains(method_of(&params), "list");
    remember(params, SHOAL_GAS_ALLPAIRS);
    assert_contains(method_of(&params), "all-pairs");
    params.particles = 3001; /* of like size */
    assert_contains(method_of(&params), "all-pairs");
    params.particles = 20000;
    assert_contains(method_of(&params), "list");
#if SHOAL_THESES
    struct shoal_gas_thesis thesis = SHOAL_GAS_THESIS_PARAMS(.kernel = SHOAL_GAS_KERNEL_TILED);
    params.thesis = &thesis; /* names the method too */
    assert_contains(method_of(&params), "all-pairs");
    params.thesis = NULL;
#endif
    assert_ok(create(&params, &queue, &solver));
    assert_status(shoal_solver_remember(solver, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the method was left open");
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(each_call_may_fail),
        UNIT_TEST(a_snapshot_needs_no_room),
        UNIT_TEST(a_snapshot_leaves_the_run_its_memory),
        UNIT_TEST(first_launches_come_before_the_steps),
        UNIT_TEST(a_sample_reads_once),
        UNIT_TEST(a_device_without_steps_is_given_up),
        UNIT_TEST(lost_particles_are_noticed),
        UNIT_TEST(chosen_values_are_read),
        UNIT_TEST(what_a_device_lacks_is_named),
        UNIT_TEST(methods_are_chosen),
        UNIT_TEST(damaged_chains_are_refused),
    };
    return cmocka_run_group_tests_name("gas_device", tests, NULL, NULL);
}
