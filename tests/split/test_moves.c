/* Units that move between the parts of a run in its midst: the bits are those of one device. */
#include "gas/device/device.h"
#include "gas/methods/list.h"
#include "harness.h"
#include "search/problem.h"
#include "split/parts.h"
#include "tsp/tsp.h"

#include <shoal/ga.h>
#include <shoal/gas.h>
#include <shoal/mlp.h>
#include <shoal/pso.h>
#include <shoal/tsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 5, CHUNK = 2, CHUNKS = 6, MOST_DEVICES = 8 };
/* Rules of searches: the units of islands and rows meet in their steps. */
enum { RUNS, ISLANDS, ROWS, BLOCKS, SHARDS = 1 /* of mlp */, LISTS = 1 /* of gas */, CELLS = 3 /* of tsp */ };

/* The units of the first of two parts in turn; the last number is that of the second part alone. */
static const uint64_t firsts[CHUNKS] = {3, 1, 4, 5, 2, 0};

struct run {
    const char *name;
    const void *params;
    size_t rules;     /* place of the rules among those of the workload: RUNS, ... */
    bool is_for_gpus; /* with the kernels for GPUs, which drivers of processors run, too */
};

/* The whole state of a run, in memory of the harness, without the seconds that checkpoints of nets and tours
 * hold. */
static unsigned char *state_of(struct shoal_solver *solver, size_t *size)
{
    struct checkpoint saved = {0}, state = {0};
    void *bytes;
    assert_ok(solver_get_checkpoint(solver, &saved, &test_error));
    for (size_t i = 0; i < saved.count; i++)
        if (strcmp(saved.sections[i].name, "seconds") != 0)
            checkpoint_add(&state, saved.sections[i].name, saved.sections[i].data, saved.sections[i].bytes);
    assert_ok(checkpoint_to_memory(&state, &bytes, size, &test_error));
    unsigned char *kept = harness_memory(*size);
    memcpy(kept, bytes, *size);
    free(bytes);
    checkpoint_clear(&state);
    checkpoint_clear(&saved);
    return kept;
}

/* Two devices that are parts of the device; false: the driver cannot divide it. */
static bool divide_device(struct shoal_device **devices)
{
    char selector[80];
    size_t count = 0;
    snprintf(selector, sizeof selector, "%s/2", harness.info->id);
    if (shoal_device_select(harness.shoal, selector, 0, devices, MOST_DEVICES, &count, &test_error) ||
        count != 2) {
        print_message("%s has no parts: nothing to test\n", harness.info->id);
        return false;
    }
    return true;
}

static enum shoal_status try_to_divide(const struct run *run, struct shoal_device *const *devices,
                                       struct shoal_queue *queue, struct shoal_solver **solver)
{
    const struct shoal_split_params params = SHOAL_SPLIT_PARAMS(.devices = devices, .count = 2);
    const uint64_t units[] = {UNITS - 2, 2};
    const struct workload *workload = workload_of(shoal_workload_find(run->name));
    const struct split_order order = {&params, workload->splits[run->rules], UNITS, units};
    const struct solver_request request = {shoal_workload_find(run->name), devices[0], queue, run->params,
                                           harness.variant};
    return split_whole_create(&order, &request, &(struct solver_setup){.stop_data = NULL}, solver,
                              &test_error);
}

static struct shoal_solver *create_divided(const struct run *run, struct shoal_device *const *devices,
                                           struct shoal_queue *queue)
{
    struct shoal_solver *solver;
    assert_ok(try_to_divide(run, devices, queue, &solver));
    ((struct split *)solver->shares)->is_fixed = true; /* the test alone moves units */
    return solver;
}

static void move(struct shoal_solver *solver, uint64_t first)
{
    struct split *split = (struct split *)solver->shares;
    split->measured[0].units = first;
    split->measured[1].units = UNITS - first;
    assert_ok(parts_move(split, &test_error));
    assert_int_equal(split->parts[0].share.count, first);
    assert_int_equal(solver->shares->count, first % UNITS ? 2 : 1);
}

static void compare_states(struct shoal_solver *solver, struct shoal_solver *other)
{
    size_t wanted_size, size;
    const unsigned char *wanted = state_of(other, &wanted_size), *found = state_of(solver, &size);
    assert_int_equal(size, wanted_size);
    assert_memory_equal(found, wanted, size);
}

static void compare(const struct run *run, struct shoal_device *const *devices)
{
    struct shoal_queue *queue;
    struct shoal_part part = {.size = sizeof part};
    assert_ok(shoal_queue_create(devices[0], SHOAL_QUEUE_PROFILING, &queue, &test_error));
    struct shoal_solver *whole = harness_solver(run->name, harness.device, run->params),
                        *divided = create_divided(run, devices, queue);
    for (size_t k = 0; k < CHUNKS; k++) {
        const uint64_t done = harness_step(whole, CHUNK);
        assert_int_equal(harness_step(divided, CHUNK), done);
        move(divided, firsts[k]);
    }
    assert_int_equal(harness_step(divided, CHUNK), harness_step(whole, CHUNK));
    compare_states(divided, whole);
    assert_int_equal(shoal_part_count(divided), 2);
    assert_ok(shoal_part_get(divided, 0, &part, &test_error));
    assert_int_equal(part.count, 0);
    assert_int_equal(part.began_with, UNITS - 2);
    assert_int_equal(part.moves, CHUNKS - 1); /* the first move changes nothing */
    shoal_solver_destroy(&divided);
    shoal_solver_destroy(&whole);
    shoal_queue_destroy(&queue);
}

/* Simulators report several kinds of one device at once. */
static void set_gpu(struct shoal_device *const *devices, bool is_gpu)
{
    struct shoal_device *const all[] = {harness.device, devices[0], devices[1]};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        ((struct shoal_device_info *)shoal_device_get_info(all[k]))->is_gpu = is_gpu;
}

static uint32_t window_bits_of(const struct shoal_solver *share)
{
    const struct gas_list *list = share->method.state;
    return list->neighbours->window_bits;
}

static void units_that_move(void **state)
{
    (void)state;
    struct shoal_device *devices[MOST_DEVICES];
    int32_t table = 0; /* the function f6, a sum over rows */
    while (strcmp(shoal_objective_get_info(shoal_objective_at((size_t)table))->name, "f6") != 0)
        table++;
    const struct shoal_pso_params swarm =
        SHOAL_PSO_PARAMS(.search.runs = UNITS, .search.dim = 3, .search.iterations = 100, .particles = 16,
                         .search.trace = 5, .search.stagnation = 5);
    const struct shoal_ga_params population =
        SHOAL_GA_PARAMS(.search.runs = UNITS, .search.dim = 3, .search.iterations = 100, .population = 16,
                        .search.trace = 5);
    const struct shoal_mlp_params nets =
        SHOAL_MLP_PARAMS(.generate = "spirals:90", .hidden = "6", .nets = UNITS, .epochs = 100, .trace = 3,
                         .patience = 6);
    const struct shoal_mlp_params net =
        SHOAL_MLP_PARAMS(.generate = "spirals:90", .hidden = "6", .dropout = 0.2, .batch = 20,
                         .shards = UNITS, .epochs = 100, .trace = 3, .patience = 6);
    const struct shoal_tsp_params ants =
        SHOAL_TSP_PARAMS(.generate = "uniform:60:1", .colonies = UNITS, .iterations = 100, .trace = 3,
                         .algorithm = SHOAL_TSP_BWAS);
    const struct shoal_tsp_params focused =
        SHOAL_TSP_PARAMS(.generate = "clustered:200:1", .colonies = UNITS, .iterations = 100);
    const struct shoal_tsp_params cells =
        SHOAL_TSP_PARAMS(.generate = "clustered:200:1", .algorithm = SHOAL_TSP_LK, .cell = 20, .replicas = 2,
                         .iterations = 100, .cooling = 8);
    struct shoal_tsp_params together = focused;
    const struct shoal_gas_params particles =
        SHOAL_GAS_PARAMS(.particles = UNITS, .method = SHOAL_GAS_ALLPAIRS, .potential = SHOAL_GAS_LOG,
                         .boundary_x = SHOAL_GAS_WALLS, .boundary_y = SHOAL_GAS_WALLS,
                         .thermostat = SHOAL_GAS_RESCALE, .thermo = 3, .msd = true, .steps = 100);
    const struct shoal_gas_params lists =
        SHOAL_GAS_PARAMS(.particles = UNITS * GAS_UNIT - 40, .method = SHOAL_GAS_LIST, .skin = 0.2,
                         .temperature = 3, .thermostat = SHOAL_GAS_LANGEVIN, .thermo = 3, .steps = 100);
    struct shoal_pso_params swarms = swarm;
    struct shoal_ga_params islands = population;
    swarms.search.runs = islands.search.runs = 1;
    swarms.search.islands = islands.search.islands = UNITS;
    swarms.search.exchange = islands.search.exchange = together.exchange = 3;
    const struct shoal_pso_params fit =
        SHOAL_PSO_PARAMS(.search.function = table, .search.iterations = 100, .particles = 16,
                         .search.trace = 5, .search.stagnation = 5, .search.chunk_rows = 4000);
    const struct shoal_pso_params large =
        SHOAL_PSO_PARAMS(.search.dim = 3, .search.iterations = 100, .search.trace = 5, .search.stagnation = 5,
                         .particles = UNITS * SEARCH_BLOCK - 100, .topology = SHOAL_PSO_GLOBAL,
                         .update = SHOAL_PSO_INERTIA, .method = SHOAL_PSO_FUSED);
    const struct shoal_ga_params least_squares =
        SHOAL_GA_PARAMS(.search.function = table, .search.iterations = 100, .population = 16,
                        .search.trace = 5);
    const struct run runs[] = {{.name = "pso", .params = &swarm},
                               {.name = "pso", .params = &swarms, .rules = ISLANDS},
                               {.name = "pso", .params = &fit, .rules = ROWS},
                               {.name = "pso", .params = &large, .rules = BLOCKS},
                               {.name = "ga", .params = &population},
                               {.name = "ga", .params = &islands, .rules = ISLANDS},
                               {.name = "ga", .params = &least_squares, .rules = ROWS},
                               {.name = "gas", .params = &particles},
                               {.name = "gas", .params = &lists, .rules = LISTS},
                               {.name = "gas", .params = &lists, .rules = LISTS, .is_for_gpus = true},
                               {.name = "mlp", .params = &nets},
                               {.name = "mlp", .params = &net, .rules = SHARDS},
                               {.name = "mlp", .params = &net, .rules = SHARDS, .is_for_gpus = true},
                               {.name = "tsp", .params = &ants},
                               {.name = "tsp", .params = &focused},
                               {.name = "tsp", .params = &together, .rules = ISLANDS},
                               {.name = "tsp", .params = &cells, .rules = CELLS}};
    const char *const cases[] = {[ISLANDS] = "islands", [ROWS] = "rows", [BLOCKS] = "blocks"};
    if (!divide_device(devices))
        return;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (harness_takes_case_of(cases[runs[i].rules] ? cases[runs[i].rules] : runs[i].name)) {
            const bool is_gpu = harness.info->is_gpu;
            set_gpu(devices, is_gpu || runs[i].is_for_gpus);
            compare(&runs[i], devices);
            set_gpu(devices, is_gpu);
        }
}

/* The weights of the last layers of an update are exchanged while the first layers of the next pass are
 * computed. */
static void layers_that_are_late(void **state)
{
    (void)state;
    const struct shoal_mlp_params net =
        SHOAL_MLP_PARAMS(.generate = "random:15 inputs=1024 classes=3", .hidden = "1024,1024", .batch = 5,
                         .shards = UNITS, .validation = 0, .test = 0, .epochs = 1);
    const struct run run = {.name = "mlp", .params = &net, .rules = SHARDS, .is_for_gpus = true};
    struct shoal_device *devices[MOST_DEVICES];
    struct shoal_queue *queue;
    if (!divide_device(devices))
        return;
    const bool is_gpu = harness.info->is_gpu;
    set_gpu(devices, true);
    assert_ok(shoal_queue_create(devices[0], SHOAL_QUEUE_PROFILING, &queue, &test_error));
    struct shoal_solver *whole = harness_solver(run.name, harness.device, run.params),
                        *divided = create_divided(&run, devices, queue);
    assert_int_equal(harness_step(divided, 1), harness_step(whole, 1));
    compare_states(divided, whole);
    shoal_solver_destroy(&divided);
    shoal_solver_destroy(&whole);
    shoal_queue_destroy(&queue);
    set_gpu(devices, is_gpu);
}

/* The roof of a run by lists counts bytes of their entries. bits: of entries of the divided run. */
static void check_roofs(struct shoal_solver *divided, struct shoal_solver *whole, uint32_t bits)
{
    struct shoal_result of_parts = {.size = sizeof of_parts}, of_whole = {.size = sizeof of_whole};
    struct shoal_gas_timing timing;
    assert_ok(shoal_solver_result(divided, &of_parts, &test_error));
    assert_ok(shoal_solver_result(whole, &of_whole, &test_error));
    assert_ok(shoal_gas_get_timing(whole, &timing, &test_error));
    assert_near(of_whole.roof_work - of_parts.roof_work, bits > 16 ? 0 : 2 * timing.mean_neighbours, 1e-9);
}

/* Parts whose list entries count with `bits` bits, later with `later`, have the state of a gas with entries
 * of 32 bits. If windows are too narrow for the gas, all parts get entries of 32 bits. */
static void check_entries(uint32_t bits, uint32_t later)
{
    const struct shoal_gas_params lists =
        SHOAL_GAS_PARAMS(.particles = UNITS * GAS_UNIT - 40, .method = SHOAL_GAS_LIST, .skin = 0.2);
    const struct run run = {.name = "gas", .params = &lists, .rules = LISTS, .is_for_gpus = true};
    struct shoal_device *devices[MOST_DEVICES];
    struct shoal_queue *queue;
    if (!divide_device(devices))
        return;
    struct shoal_device *const all[] = {harness.device, devices[0], devices[1]};
    const bool is_gpu = harness.info->is_gpu;
    set_gpu(devices, true);
    struct shoal_solver *whole = harness_solver(run.name, harness.device, run.params);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        assert_ok(shoal_tuning_set(all[k], "gas.list-build", "WINDOW_BITS", bits, &test_error));
    assert_ok(shoal_queue_create(devices[0], SHOAL_QUEUE_PROFILING, &queue, &test_error));
    struct shoal_solver *divided = create_divided(&run, devices, queue);
    const struct split *split = (const struct split *)divided->shares;
    for (size_t k = 0; k < split->count; k++)
        assert_int_equal(window_bits_of(split->parts[k].solver), bits);
    assert_int_equal(harness_step(divided, 3 * CHUNK), harness_step(whole, 3 * CHUNK));
    for (size_t k = 0; k < split->count; k++)
        assert_int_equal(window_bits_of(split->parts[k].solver), later);
    compare_states(divided, whole);
    check_roofs(divided, whole, later);
    shoal_solver_destroy(&divided);
    shoal_solver_destroy(&whole);
    shoal_queue_destroy(&queue);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        assert_ok(shoal_tuning_set(all[k], "gas.list-build", "WINDOW_BITS", 32, &test_error));
    set_gpu(devices, is_gpu);
}

static void entries_that_become_wider(void **state)
{
    (void)state;
    check_entries(5, 32);
}

static void narrow_entries(void **state)
{
    (void)state;
    check_entries(16, 16);
}

/* Ends a run from the question on that `data`, a number, counts down to. */
static bool ends_in_time(void *data)
{
    unsigned *left = data;
    *left -= *left > 0;
    return *left == 0;
}

/* Steps of lk that are cut while the tours are recombined are dropped and made again. */
static void cells_of_steps_that_are_cut(void **state)
{
    (void)state;
    enum { STEPS = 6 };
    const struct shoal_tsp_params cells =
        SHOAL_TSP_PARAMS(.generate = "uniform:600:1", .algorithm = SHOAL_TSP_LK, .cell = 60, .replicas = 3,
                         .iterations = STEPS);
    const struct run run = {.name = "tsp", .params = &cells, .rules = CELLS};
    struct shoal_device *devices[MOST_DEVICES];
    struct shoal_queue *queue;
    bool is_cut = false;
    if (!divide_device(devices) || harness.tiny)
        return;
    assert_ok(shoal_queue_create(devices[0], SHOAL_QUEUE_PROFILING, &queue, &test_error));
    struct shoal_solver *whole = harness_solver(run.name, harness.device, run.params),
                        *divided = create_divided(&run, devices, queue);
    struct long_step *cut = &tsp_run_of(divided)->cut;
    cut->patience_s = cut->pause_s = 0;
    for (uint64_t k = 0; k < STEPS; k++) {
        uint64_t done;
        unsigned left = 2; /* the run asks before the step, and then within it */
        divided->must_end = ends_in_time;
        divided->end_data = &left;
        assert_ok(shoal_solver_step(divided, 1, &done, &test_error));
        divided->must_end = NULL;
        is_cut = done == 0;
        if (is_cut)
            harness_step(divided, 1);
    }
    assert_true(is_cut); /* the last step, too */
    harness_step(whole, STEPS);
    compare_states(divided, whole);
    shoal_solver_destroy(&divided);
    shoal_solver_destroy(&whole);
    shoal_queue_destroy(&queue);
}

/* A processor and a device that counts as a GPU sort particles by different cells. */
static void units_of_unlike_devices(void **state)
{
    (void)state;
    const struct shoal_gas_params lists =
        SHOAL_GAS_PARAMS(.particles = UNITS * GAS_UNIT, .method = SHOAL_GAS_LIST);
    const struct run run = {.name = "gas", .params = &lists, .rules = LISTS};
    struct shoal_device *devices[MOST_DEVICES];
    struct shoal_solver *solver = NULL;
    struct shoal_queue *queue;
    if (!divide_device(devices) || harness.info->is_gpu)
        return;
    struct shoal_device_info *last = (struct shoal_device_info *)shoal_device_get_info(devices[1]);
    assert_ok(shoal_queue_create(devices[0], SHOAL_QUEUE_PROFILING, &queue, &test_error));
    last->is_gpu = true;
    assert_status(try_to_divide(&run, devices, queue, &solver), SHOAL_INVALID);
    last->is_gpu = false;
    assert_contains(test_error.message, "are of different kinds and would sort particles by different cells");
    assert_null(solver);
    shoal_queue_destroy(&queue);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest moves[] = {
        cmocka_unit_test(units_that_move), cmocka_unit_test(entries_that_become_wider),
        cmocka_unit_test(narrow_entries), cmocka_unit_test(cells_of_steps_that_are_cut),
        cmocka_unit_test(units_of_unlike_devices)};
    const struct CMUnitTest late_layers[] = {cmocka_unit_test(layers_that_are_late)};
    if (argc > 1 && strcmp(argv[1], "late-layers") == 0)
        return harness_main("split-late-layers", late_layers, 1);
    return harness_main("split-moves", moves, sizeof moves / sizeof *moves);
}
