#include "bench/gas/thesis/solver.h"
#include "bench/gas/thesis/host.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    const struct thesis_gas_setup *setup;
    struct shoal_gas_params params; /* parameters with `thesis` set */
    struct shoal_gas_thesis thesis;
    struct shoal_solver *solver;
    double frames; /* number of frames in a repetition */
    /* With a sort on the host, after the first repetition: number of frames, their time, the time of sorts,
     * and the time of the copies for them. */
    double timed_frames, wall_s, sort_s, copies_s;
    bool is_warm;
    double pairs_s; /* seconds for a frame of all pairs with the same particles; 0: not measured */
};

/* Number of operations that the thesis counts for a frame of a cell scheme, by its formulas of section 3.5;
 * for all pairs 12 n^2. */
static double scheme_operations(const struct thesis_gas_setup *setup)
{
    const double n = (double)setup->n, side = setup->cells ? (double)setup->cells : 50, k = side * side;
    const double k1 = setup->one_near ? 1 : 9, k2 = 305 - k1, k3 = k - k1 - k2, near = 12 * k1 * n / k;
    switch (setup->scheme) {
    case SHOAL_GAS_SCHEME_TILED1:
    case SHOAL_GAS_SCHEME_TILED11:
        return n * (5 * k + near + 15 * (k - k1));
    case SHOAL_GAS_SCHEME_TILED2:
        return n * (5 * k + near + 15 * k2 + 8) + k * (6 * k + 8 * k3);
    case SHOAL_GAS_SCHEME_TILED3:
    case SHOAL_GAS_SCHEME_CORRECTED:
        break;
    }
    return n * (near + 15 * k2 + 8) + k * (6 * k + 8 * k3);
}

/* Starts ----------------------------------------------------------------------------------------------- */

static double uniform(uint32_t word)
{
    return (word >> 8) * 0x1p-24;
}

static void place(const struct thesis_gas_setup *setup, size_t i, double box, double *x, double *y)
{
    static const double centres[3][2] = {{0.3, 0.3}, {0.7, 0.45}, {0.4, 0.75}};
    const struct shoal_words words = shoal_random_words(1, SHOAL_STREAM_TEST, 0, (uint32_t)i, 0);
    *x = box * uniform(words.x);
    *y = box * uniform(words.y);
    if (setup->state != THESIS_GAS_DROPLETS || i % 5 > 2)
        return;
    const double r = 0.03 * box * sqrt(-2 * log(1 - uniform(words.z))),
                 angle = 6.283185307179586 * uniform(words.w);
    *x = fmin(fmax(box * centres[i % 3][0] + r * cos(angle), 0), box);
    *y = fmin(fmax(box * centres[i % 3][1] + r * sin(angle), 0), box);
}

/* Writes a start file with the droplets, which no option makes. */
static enum shoal_status write_start(const struct thesis_gas_setup *setup, double box, char *path,
                                     struct shoal_error *error)
{
    const int handle = mkstemp(path);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    if (!file)
        return bench_fail(error, SHOAL_IO, "cannot write %s", path);
    fprintf(file, "%zu\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 1\" Properties=species:S:1:pos:R:3\n", setup->n,
            box, box);
    for (size_t i = 0; i < setup->n; i++) {
        double x, y;
        place(setup, i, box, &x, &y);
        fprintf(file, "A %.9g %.9g 0\n", x, y);
    }
    const bool written = !ferror(file);
    return fclose(file) == 0 && written ? SHOAL_OK : bench_fail(error, SHOAL_IO, "cannot write %s", path);
}

static void set_system(struct shoal_gas_params *params, const struct thesis_gas_setup *setup)
{
    const double box = setup->box > 0 ? setup->box : 1000;
    params->particles = setup->n;
    params->width = params->height = box;
    params->boundary_x = params->boundary_y = SHOAL_GAS_WALLS;
    params->potential = SHOAL_GAS_LOG;
    if (setup->three_dim) {
        params->dim = 3;
        params->depth = box;
        params->boundary_z = SHOAL_GAS_WALLS;
        params->potential = SHOAL_GAS_GRAVITY;
    }
    if (setup->potential)
        params->potential = (int32_t)setup->potential;
    params->attraction = 1;
    params->softening = 1;
    if (params->potential == SHOAL_GAS_REAL || params->potential == SHOAL_GAS_LOG_REPULSION)
        params->repulsion = 2000;
    if (params->potential == SHOAL_GAS_REAL) {
        params->short_attraction = 100;
        params->cutoff = setup->cutoff;
        params->cut = SHOAL_GAS_CUT_TRUNCATED;
    }
    params->start = SHOAL_GAS_RANDOM;
    params->start_distance = 0;
    /* Frames change next to nothing, so that the state that was asked for is measured. No temperature is set
     * either: the time step would be too short for it. */
    params->temperature = 0;
    params->dt = 1e-6;
    params->steps = 4000000000u;
}

static void set_method(struct run *run)
{
    const struct thesis_gas_setup *setup = run->setup;
    struct shoal_gas_params *params = &run->params;
    struct shoal_gas_thesis *thesis = params->thesis = &run->thesis;
    shoal_gas_thesis_init(thesis);
    params->method = setup->method;
    thesis->kernel = (int32_t)setup->kernel;
    if (setup->kernel == SHOAL_GAS_KERNEL_UNROLLED)
        thesis->unroll = setup->unroll;
    if (setup->method != SHOAL_GAS_CELLS)
        return;
    thesis->scheme = (int32_t)setup->scheme;
    thesis->cells = setup->cells ? setup->cells : 50;
    thesis->near_radius = setup->one_near ? 1 : 2;
    thesis->far = (int32_t)setup->far;
    thesis->adder = (int32_t)setup->adder;
    thesis->sort = (int32_t)setup->sort;
}

/* Runs ------------------------------------------------------------------------------------------------- */

/* Measures the seconds of a frame: after one frame to warm up, as many frames as take a twentieth of a
 * second. */
static enum shoal_status time_frame(struct bench *bench, struct shoal_solver *solver, double *seconds,
                                    struct shoal_error *error)
{
    enum shoal_status status = shoal_solver_run(solver, 1, error);
    for (double frames = 1; status == SHOAL_OK; frames *= 2) {
        status = shoal_queue_finish(bench->queue, error);
        const double start = bench_seconds();
        if (status == SHOAL_OK)
            status = shoal_solver_run(solver, (uint64_t)frames, error);
        if (status == SHOAL_OK)
            status = shoal_queue_finish(bench->queue, error);
        *seconds = (bench_seconds() - start) / frames;
        if (*seconds * frames > 0.05)
            break;
    }
    return status;
}

/* Measures a frame of all pairs by shoal's fastest kernel: the published speed-ups of the cell schemes are
 * relative to it. */
static enum shoal_status time_all_pairs(struct bench *bench, struct run *run, struct shoal_error *error)
{
    struct shoal_gas_params params;
    struct shoal_solver *solver = NULL;
    shoal_gas_params_init(&params);
    set_system(&params, run->setup);
    params.method = SHOAL_GAS_ALLPAIRS;
    enum shoal_status status = shoal_solver_create(shoal_workload_find("gas"), bench->device, bench->queue,
                                                   &params, bench->variant, &solver, error);
    if (status == SHOAL_OK)
        status = time_frame(bench, solver, &run->pairs_s, error);
    shoal_solver_destroy(&solver);
    return status;
}

static enum shoal_status make_solver(struct bench *bench, struct run *run, struct shoal_error *error)
{
    char start[] = "/tmp/shoal-thesis-gas-XXXXXX";
    enum shoal_status status = SHOAL_OK;
    const bool from_file = run->setup->state == THESIS_GAS_DROPLETS;
    if (from_file) {
        status = write_start(run->setup, run->params.width, start, error);
        run->params.start = SHOAL_GAS_FILE;
        run->params.start_distance = NAN;
        run->params.start_file = start;
    }
    if (status == SHOAL_OK)
        status = shoal_solver_create(shoal_workload_find("gas"), bench->device, bench->queue, &run->params,
                                     bench->variant, &run->solver, error);
    if (status == SHOAL_OK && run->setup->over_pairs)
        status = time_all_pairs(bench, run, error);
    if (from_file) {
        unlink(start);
        run->params.start_file = NULL;
    }
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state = calloc(1, sizeof *run);
    double seconds;
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the run");
    run->setup = bench->data;
    shoal_gas_params_init(&run->params);
    set_system(&run->params, run->setup);
    set_method(run);
    enum shoal_status status = make_solver(bench, run, error);
    if (status == SHOAL_OK)
        status = time_frame(bench, run->solver, &seconds, error);
    if (status != SHOAL_OK)
        return status;
    run->frames = thesis_gas_frames(bench, seconds);
    bench->build_s = shoal_solver_build_seconds(run->solver);
    bench->native = shoal_solver_is_native(run->solver);
    bench->parts = run->frames;
    const double n = (double)run->setup->n;
    bench->roof_work = run->frames * (run->setup->method == SHOAL_GAS_CELLS ? scheme_operations(run->setup)
                                      : run->setup->by_reciprocals          ? n * n
                                                                            : run->setup->flops * n * n);
    return SHOAL_OK;
}

static enum shoal_status run_frames(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    struct shoal_gas_timing before, after;
    if (run->setup->sort == SHOAL_GAS_SORT_DEVICE)
        return shoal_solver_run(run->solver, (uint64_t)run->frames, error);
    enum shoal_status status = shoal_gas_get_timing(run->solver, &before, error);
    const double start = bench_seconds();
    if (status == SHOAL_OK)
        status = shoal_solver_run(run->solver, (uint64_t)run->frames, error);
    const double wall = bench_seconds() - start;
    if (status == SHOAL_OK)
        status = shoal_gas_get_timing(run->solver, &after, error);
    if (status != SHOAL_OK || !run->is_warm) {
        run->is_warm = true;
        return status;
    }
    run->timed_frames += run->frames;
    run->wall_s += wall;
    run->sort_s += after.sort_s - before.sort_s;
    run->copies_s += after.transfer_s - before.transfer_s;
    return SHOAL_OK;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct run *run = bench->state;
    struct shoal_result result = {0};
    enum shoal_status status = shoal_solver_result(run->solver, &result, error);
    if (status != SHOAL_OK && status != SHOAL_CHECK_FAILED)
        return status;
    check->passed = status == SHOAL_OK && result.check_passed;
    check->error = shoal_result_number(&result, "force_error");
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "%.60s: force error %.3g", result.check_name,
                 check->error);
    return SHOAL_OK;
}

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    shoal_solver_destroy(&run->solver);
    free(run);
    bench->state = NULL;
}

static void figures(struct bench *bench, double seconds)
{
    struct run *run = bench->state;
    const struct thesis_gas_setup *setup = run->setup;
    const double n = (double)setup->n;
    const bool cells = setup->method == SHOAL_GAS_CELLS;
    thesis_gas_rates(bench, seconds, run->frames, n * n, cells ? 1 : n * n,
                     cells ? scheme_operations(setup) : setup->flops, cells ? 0 : setup->bytes);
    if (cells) {
        if (run->timed_frames > 0) {
            bench_add_figure(bench, "sort on the host", "s", run->sort_s / run->timed_frames);
            bench_add_figure(bench, "copies for it", "s", run->copies_s / run->timed_frames);
        }
        bench_add_figure(bench, "speed-up by operations", "ratio", 12 * n * n / scheme_operations(setup));
        if (run->pairs_s > 0) {
            bench_add_figure(bench, "speed-up with sort", "ratio", run->pairs_s / seconds);
            if (run->timed_frames > 0)
                bench_add_figure(bench, "speed-up of kernels", "ratio",
                                 run->pairs_s * run->timed_frames /
                                     (run->wall_s - run->sort_s - run->copies_s));
        }
        if (setup->speed_up > 0)
            bench_add_figure(bench, "published, kernels", "ratio", setup->speed_up);
        if (setup->speed_up_sorted > 0)
            bench_add_figure(bench, "published, with sort", "ratio", setup->speed_up_sorted);
    }
    if (setup->expected_error > 0)
        bench_add_figure(bench, "error in double", "", setup->expected_error);
}

const struct bench_ops thesis_gas_solver_ops = {create, NULL, run_frames, check, destroy, figures};
