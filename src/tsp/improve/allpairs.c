/* All-pairs 2-opt on the host, with which tests compare the kernels, and on a device. */
#include "tsp/improve/allpairs.h"
#include "base/threads.h"
#include "compute/clock.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "tsp/improve/estimate.h"
#include "tsp/model/rules.clh"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Host ------------------------------------------------------------------------------------------------- */

static struct tsp_allpairs_best better_of(struct tsp_allpairs_best a, struct tsp_allpairs_best b)
{
    if (a.gain != b.gain)
        return a.gain > b.gain ? a : b;
    if (a.i != b.i)
        return a.i < b.i ? a : b;
    return a.j < b.j ? a : b;
}

static struct tsp_allpairs_best best_of_row(const struct tsp_problem *problem, const uint32_t *tour,
                                            uint32_t i)
{
    const uint32_t n = problem->form.n;
    struct tsp_allpairs_best best = {.gain = 0, .i = UINT32_MAX, .j = UINT32_MAX};
    const int64_t own = tsp_distance(problem, tour[i], tour[i + 1]);
    for (uint32_t j = i + 2; j < n; j++) {
        const uint32_t a = tour[j], b = tour[j + 1 < n ? j + 1 : 0];
        const int64_t gain = own + tsp_distance(problem, a, b) - tsp_distance(problem, tour[i], a) -
                             tsp_distance(problem, tour[i + 1], b);
        if (gain > best.gain)
            best = (struct tsp_allpairs_best){.gain = gain, .i = i, .j = j};
    }
    return best;
}

struct tsp_allpairs_best tsp_allpairs_find(const struct tsp_problem *problem, const uint32_t *tour,
                                           int threads)
{
    const int64_t n = problem->form.n;
    /* Computing the gain of a pair takes about 20 ns, and there are about n^2 / 2 pairs: 1e-8 n^2 seconds. */
    const int used = threads ? threads : threads_once(1e-8 * (double)n * (double)n);
    struct tsp_allpairs_best best = {.gain = 0, .i = UINT32_MAX, .j = UINT32_MAX};
#pragma omp parallel num_threads(used)
    {
        struct tsp_allpairs_best mine = {.gain = 0, .i = UINT32_MAX, .j = UINT32_MAX};
#pragma omp for schedule(dynamic, 16) nowait
        for (int64_t i = 0; i < n - 2; i++)
            mine = better_of(mine, best_of_row(problem, tour, (uint32_t)i));
#pragma omp critical(tsp_allpairs)
        best = better_of(best, mine);
    }
    return best;
}

void tsp_allpairs_make(const struct tsp_problem *problem, const struct tsp_allpairs_best *best,
                       uint32_t *tour)
{
    const uint32_t n = problem->form.n, inner = best->gain > 0 ? best->j - best->i : 0;
    const bool is_inner = inner <= n - inner;
    const uint32_t count = best->gain <= 0 ? 0 : is_inner ? inner : n - inner;
    const uint32_t from = is_inner ? best->i + 1 : best->j + 1;
    for (uint32_t x = 0; x < count / 2; x++) {
        const uint32_t a = (from + x) % n, b = (from + count - 1 - x) % n, city = tour[a];
        tour[a] = tour[b];
        tour[b] = city;
    }
}

/* Device ----------------------------------------------------------------------------------------------- */

/* Constants with the same names and values as in cl/tsp/improve/allpairs.cl. */
enum { TILE = 512, ACROSS = 8, SLOTS = 1 << 16 };

struct tsp_allpairs_frame {
    /* least x, y, z of the cities, scale of the coordinates, and error bound of an estimated gain: see
     * set_box */
    float box[5];
    uint32_t first, tiles, slots;
};
_Static_assert(sizeof(struct tsp_allpairs_frame) == 32, "as the kernel's");
_Static_assert(sizeof(struct tsp_allpairs_best) == 16, "as the kernel's");

/* Bytes of local memory of a group that scans a tile: results of the work-items, points along a diagonal, and
 * points with their edges for ACROSS diagonals. */
enum { TILE_BYTES = 16 * TILE + 4 * 4 * (TILE + TILE / 32 + 1) + 64, ITEM_BYTES = 16 + 4 * 4 * (ACROSS + 1) };

static const struct shoal_entry_desc entries[] = {
    ENTRY(tsp_allpairs, tsp_allpairs_gather, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "places and edges in the order of a tour"),
    ENTRY(tsp_allpairs, tsp_allpairs_scan, .local_bytes = TILE_BYTES, .local_bytes_per_item = ITEM_BYTES,
          .roof = SHOAL_ROOF_SFU_OPS, .ops_per_item = TILE * ACROSS,
          .help = "best 2-opt moves of tiles of all pairs of edges"),
    ENTRY(tsp_allpairs, tsp_allpairs_pick, .local_bytes_per_item = 16,
          .help = "the best 2-opt move of all "
                  "tiles"),
    ENTRY(tsp_allpairs, tsp_allpairs_turn, .help = "makes the best 2-opt move"),
    ENTRY(tsp_allpairs, tsp_allpairs_clear, .help = "clears the best moves before a scan"),
};

static const struct shoal_define_desc defines[] = {
    TSP_PLACES_DEFINES(tsp_allpairs),
    DEFINE(tsp_allpairs, ESTIMATE, 0, 3, "1 to 3: distances by floats first"),
    DEFINE(tsp_allpairs, WG, 1, 256, "work-group size, a power of two"),
};

const struct shoal_program_desc tsp_allpairs_program = PROGRAM(
    "tsp.allpairs", tsp_allpairs, SHOAL_WITHOUT_CONTRACTION | SHOAL_FLUSHES_SUBNORMALS, defines, entries);

/* Sets `box` for estimated distances. The error bound is for a gain of which two distances are estimated. */
static void set_box(const struct tsp_problem *problem, float box[5])
{
    double least[3] = {0};
    const double sides = tsp_estimate_box(problem, least);
    for (int d = 0; d < 3; d++)
        box[d] = (float)least[d];
    box[3] = problem->form.rule == RULE_ATT ? (float)sqrt(0.1) : 1.0f;
    box[4] = tsp_estimate_slack(sides, 2);
}

enum shoal_status tsp_allpairs_create(const struct tsp_problem *problem, const struct tsp_places *places,
                                      struct programs *programs, struct shoal_queue *queue,
                                      struct tsp_allpairs *allpairs, struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(programs->device);
    const uint64_t n = problem->form.n;
    *allpairs =
        (struct tsp_allpairs){.problem = problem, .places = places, .queue = queue, .arrays.queue = queue};
    const struct entry_kernel kernels[] = {
        {"tsp_allpairs_gather", &allpairs->gather}, {"tsp_allpairs_clear", &allpairs->clear},
        {"tsp_allpairs_scan", &allpairs->scan},     {"tsp_allpairs_pick", &allpairs->pick},
        {"tsp_allpairs_turn", &allpairs->turn},
    };
    struct defines own = {.count = 0};
    if (tsp_estimate_of(&problem->form))
        set_box(problem, allpairs->box);
    tsp_places_defines(problem, &own);
    define_add(&own, "ESTIMATE", tsp_estimate_of(&problem->form));
    define_add(&own, "WG", info->is_cpu ? 8 : 128);
    enum shoal_status status = programs_build(programs, &tsp_allpairs_program, &own, kernels, COUNT(kernels),
                                              &allpairs->program, error);
    if (status)
        return status;
    allpairs->group = shoal_kernel_work_group(allpairs->scan);
    const uint64_t rows = (n + TILE - 1) / TILE, across = allpairs->group * ACROSS;
    /* The scan covers the diagonals 2 .. n / 2: pairs of edges that are 2 .. n / 2 positions apart in the
     * closed tour. */
    allpairs->tiles = rows * ((n / 2 + across - 2) / across);
    allpairs->slots = (uint32_t)(allpairs->tiles < SLOTS ? allpairs->tiles : SLOTS);
    const struct array list[] = {
        {&allpairs->points, (double)n, 4 * sizeof(float)},
        {&allpairs->edges, (double)n, sizeof(int64_t)},
        {&allpairs->results, (double)allpairs->slots, sizeof(struct tsp_allpairs_best)},
        {&allpairs->bound, 1, sizeof(uint32_t)},
    };
    ARRAYS_SET(&allpairs->arrays, list);
    status = arrays_check(&allpairs->arrays, 0, "tsp: all-pairs 2-opt", "take fewer cities", error);
    return status ? status : arrays_create(&allpairs->arrays, error);
}

void tsp_allpairs_destroy(struct tsp_allpairs *allpairs)
{
    arrays_destroy(&allpairs->arrays);
    *allpairs = (struct tsp_allpairs){0};
}

static enum shoal_status begin_scan(struct tsp_allpairs *allpairs, struct shoal_buffer *tours, uint64_t at,
                                    const struct tsp_allpairs_frame *frame, struct shoal_error *error)
{
    enum shoal_status status =
        LAUNCH(tsp_allpairs_clear, allpairs->queue, allpairs->clear, div_up(allpairs->slots, allpairs->group),
               error, .results = allpairs->results, .bound = allpairs->bound, .count = allpairs->slots);
    return status ? status
                  : LAUNCH(tsp_allpairs_gather, allpairs->queue, allpairs->gather,
                           shoal_kernel_groups(allpairs->gather, allpairs->problem->form.n), error,
                           TSP_PLACES_ARGS(allpairs->places), .tours = tours, .at = at,
                           .points = allpairs->points, .edges = allpairs->edges, .frame = frame);
}

/* Scans all tiles, in several launches of limited length. The time of the first launch, of few tiles,
 * determines the number of tiles of each further launch. */
static enum shoal_status scan_tiles(struct tsp_allpairs *allpairs, struct shoal_buffer *tours, uint64_t at,
                                    struct tsp_allpairs_frame *frame, struct shoal_error *error)
{
    const double launch_seconds = 0.1;
    enum { FIRST_TILES = 256 };
    for (uint64_t first = 0; first < allpairs->tiles;) {
        const bool is_timed = allpairs->tile_seconds <= 0;
        const double fitting = is_timed ? FIRST_TILES : launch_seconds / allpairs->tile_seconds;
        uint64_t tiles = (uint64_t)fmin(fmax(fitting, 1), allpairs->slots);
        if (tiles > allpairs->tiles - first)
            tiles = allpairs->tiles - first;
        frame->first = (uint32_t)first;
        enum shoal_status status = is_timed ? shoal_queue_finish(allpairs->queue, error) : SHOAL_OK;
        const double start = queue_clock(allpairs->queue);
        if (!status)
            status = LAUNCH(tsp_allpairs_scan, allpairs->queue, allpairs->scan, tiles, error,
                            TSP_PLACES_ARGS(allpairs->places), .tours = tours, .at = at,
                            .points = allpairs->points, .edges = allpairs->edges,
                            .results = allpairs->results, .bound = allpairs->bound, .frame = frame);
        if (!status && is_timed)
            status = shoal_queue_finish(allpairs->queue, error);
        if (status)
            return status;
        if (is_timed)
            allpairs->tile_seconds = fmax(queue_clock(allpairs->queue) - start, 1e-9) / (double)tiles;
        first += tiles;
    }
    return SHOAL_OK;
}

enum shoal_status tsp_allpairs_step(struct tsp_allpairs *allpairs, struct shoal_buffer *tours, uint64_t at,
                                    struct tsp_allpairs_best *best, struct shoal_error *error)
{
    const uint32_t n = allpairs->problem->form.n;
    const uint64_t across = allpairs->group * ACROSS;
    struct tsp_allpairs_frame frame = {.slots = allpairs->slots,
                                       .tiles = (uint32_t)((n / 2 + across - 2) / across)};
    *best = (struct tsp_allpairs_best){.gain = 0, .i = UINT32_MAX, .j = UINT32_MAX};
    if (n < 4)
        return SHOAL_OK;
    memcpy(frame.box, allpairs->box, sizeof frame.box);
    enum shoal_status status = begin_scan(allpairs, tours, at, &frame, error);
    if (!status)
        status = scan_tiles(allpairs, tours, at, &frame, error);
    if (!status)
        status = LAUNCH(tsp_allpairs_pick, allpairs->queue, allpairs->pick, 1, error,
                        .results = allpairs->results, .count = allpairs->slots);
    if (!status)
        status =
            LAUNCH(tsp_allpairs_turn, allpairs->queue, allpairs->turn, div_up(n / 4 + 1, allpairs->group),
                   error, .results = allpairs->results, .tours = tours, .at = at, .n = n);
    return status ? status
                  : shoal_buffer_read(allpairs->queue, allpairs->results, 0, best, sizeof *best, error);
}
