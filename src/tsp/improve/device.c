/* Local search of tours on a device, in launches of limited length. */
#include "tsp/improve/device.h"
#include "base/error.h"
#include "compute/clock.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "tsp/improve/estimate.h"

#include <math.h>

/* Argument of the kernel, laid out like the struct of the same name in cl/tsp/improve/improve.cl. */
struct tsp_improve_launch {
    struct tsp_improve_draw draw;
    uint32_t neighbours, reach, rounds;
    uint32_t is_first;
    float slack;
    uint32_t unused;
};
_Static_assert(sizeof(struct tsp_improve_launch) == 48, "as the kernel's");

/* Bytes of local memory of struct improve_search in cl/tsp/improve/search.clh, and for each city and each
 * work-item. Numbers are counted with 8 bytes. */
enum {
    SEARCH_BYTES = 32 * 8 + 3 * 32 * 4 + 65 * 4 + 64,
    SEARCH_ITEM_BYTES = 2 * (8 + 4 + 1),
    CITY_BYTES = 7
};
/* PAIRS: least number of pairs of edges that a group evaluates at the same time. PAIR_BYTES: for each of
 * these, memory of two pairs that wait for evaluation. */
enum { PAIRS = 32, PAIR_BYTES = 2 * (8 + 4 + 1) };

static const struct shoal_entry_desc entries[] = {
    ENTRY(tsp_improve, tsp_improve_near, .help = "distances of candidate lists"),
    ENTRY(tsp_improve, tsp_improve, .local_bytes = SEARCH_BYTES + PAIRS * PAIR_BYTES,
          .local_bytes_per_item = SEARCH_ITEM_BYTES, .local_define = "ROOM",
          .local_bytes_per_unit = CITY_BYTES, .help = "local search of tours, each by a work-group"),
};

static const struct shoal_define_desc defines[] = {
    TSP_PLACES_DEFINES(tsp_improve),
    DEFINE(tsp_improve, HAS_BITS, 0, 1, "0: without don't-look bits"),
    DEFINE(tsp_improve, IN_LOCAL, 0, 1, "1: tours in local memory"),
    DEFINE(tsp_improve, IS_BEST, 0, 1, "1: best improvement"),
    DEFINE(tsp_improve, MOVES, 0, 4, "enum tsp_moves"),
    DEFINE(tsp_improve, ROOM, 1, 65536, "cities that local memory is for"),
    DEFINE(tsp_improve, WG, 1, 1024, "work-group size, a power of two"),
};

const struct shoal_program_desc tsp_improve_program = PROGRAM(
    "tsp.improve", tsp_improve, SHOAL_WITHOUT_CONTRACTION | SHOAL_FLUSHES_SUBNORMALS, defines, entries);

static size_t local_bytes(uint32_t cities, uint32_t group)
{
    return SEARCH_BYTES + PAIRS * PAIR_BYTES + (size_t)group * SEARCH_ITEM_BYTES +
           (size_t)cities * CITY_BYTES;
}

/* Returns the number of work-items for each tour: a warp if there are at least 12 tours for each
 * multiprocessor, otherwise two warps. The choice changes no result. On an H200, 2-opt and Or-opt of tours of
 * 1002 cities reach 181, 227 and 156 thousand tours/s with 32, 64 and 128 work-items for 1024 tours, and 453,
 * 321 and 208 thousand tours/s for 16384 tours. */
static uint32_t group_of(const struct shoal_device_info *info, size_t tours)
{
    const size_t units = info->units ? info->units : 1;
    const uint32_t group = info->is_cpu ? 1 : tours >= 12 * units ? 32 : 64;
    return group < info->max_work_group ? group : (uint32_t)info->max_work_group;
}

static enum shoal_status build(const struct tsp_improve_setup *setup, struct tsp_improve_device *device,
                               struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(setup->programs->device);
    const uint32_t n = setup->problem->form.n;
    const struct entry_kernel kernels[] = {{"tsp_improve", &device->kernel},
                                           {"tsp_improve_near", &device->near_kernel}};
    const uint32_t group = setup->group ? setup->group : group_of(info, setup->tours);
    const size_t most = setup->local_bytes ? setup->local_bytes : info->local_mem;
    struct defines own = {.count = 0};
    device->is_in_local = n <= UINT16_MAX && local_bytes(n, group) <= most;
    tsp_places_defines(setup->problem, &own);
    define_add(&own, "HAS_BITS", !setup->rules->no_bits);
    define_add(&own, "IN_LOCAL", device->is_in_local);
    define_add(&own, "IS_BEST", setup->rules->is_best);
    define_add(&own, "MOVES", setup->rules->moves);
    define_add(&own, "ROOM", device->is_in_local ? n : 1);
    define_add(&own, "WG", group);
    return programs_build(setup->programs, &tsp_improve_program, &own, kernels, COUNT(kernels),
                          &device->program, error);
}

/* Returns the error bound of a gain with up to six estimated distances, half of which are added and half
 * subtracted. */
static float slack_of(const struct tsp_problem *problem)
{
    double least[3];
    return tsp_estimate_of(&problem->form) == 1 ? tsp_estimate_slack(tsp_estimate_box(problem, least), 6) : 0;
}

enum shoal_status tsp_improve_device_create(const struct tsp_improve_setup *setup,
                                            struct tsp_improve_device *device, struct shoal_error *error)
{
    const uint32_t n = setup->problem->form.n;
    *device = (struct tsp_improve_device){.draw.ants = 1,
                                          .places = setup->places,
                                          .queue = setup->queue,
                                          .neighbours = setup->rules->neighbours,
                                          .reach = setup->rules->reach ? setup->rules->reach : n,
                                          .slack = slack_of(setup->problem),
                                          .lists = setup->lists,
                                          .arrays.queue = setup->queue};
    enum shoal_status status = build(setup, device, error);
    if (status)
        return status;
    const double tours = (double)setup->tours, cities = tours * n, others = device->is_in_local ? 1 : cities;
    const size_t distance_bytes = setup->problem->form.is_wide ? sizeof(int64_t) : sizeof(int32_t);
    const struct array list[] = {
        {&device->near, (double)n * device->neighbours, distance_bytes},
        {&device->sites, n, setup->problem->form.dim == 3 ? 4 * sizeof(float) : 2 * sizeof(float)},
        {&device->queues, cities, sizeof(uint32_t)},
        {&device->cities, others, sizeof(uint32_t)},
        {&device->waits, others, 1},
        {&device->waiting, tours, sizeof(uint32_t)},
        {&device->moves, tours, sizeof(uint32_t)},
        {&device->left, 1, sizeof(uint32_t)},
    };
    ARRAYS_SET(&device->arrays, list);
    status = arrays_check(&device->arrays, 0, "tsp: the local search", "take fewer ants", error);
    return status ? status : arrays_create(&device->arrays, error);
}

void tsp_improve_device_destroy(struct tsp_improve_device *device)
{
    arrays_destroy(&device->arrays);
    *device = (struct tsp_improve_device){0};
}

/* Computes the distances of candidates, and the coordinates from which kernels estimate distances, unless an
 * earlier call has computed them. */
static enum shoal_status launch_near(struct tsp_improve_device *device, struct shoal_error *error)
{
    const uint32_t n = device->places->cities, group = shoal_kernel_work_group(device->near_kernel);
    const enum shoal_status status =
        device->has_near
            ? SHOAL_OK
            : LAUNCH(tsp_improve_near, device->queue, device->near_kernel, n / group + (n % group != 0),
                     error, TSP_PLACES_ARGS(device->places), .lists = device->lists, .near = device->near,
                     .sites = device->sites, .neighbours = device->neighbours);
    device->has_near = status == SHOAL_OK;
    return status;
}

static enum shoal_status launch(struct tsp_improve_device *device, struct shoal_buffer *tours,
                                struct shoal_buffer *lengths, size_t count,
                                const struct tsp_improve_launch *own, struct shoal_error *error)
{
    enum shoal_status status = shoal_buffer_fill(device->queue, device->left, 0, sizeof(uint32_t), 0, error);
    return status
               ? status
               : LAUNCH(tsp_improve, device->queue, device->kernel, count, error,
                        TSP_PLACES_ARGS(device->places), .lists = device->lists, .near = device->near,
                        .sites = device->sites, .tours = tours, .lengths = lengths, .queues = device->queues,
                        .places = device->cities, .waits = device->waits, .waiting = device->waiting,
                        .moves = device->moves, .left = device->left, .launch = own);
}

enum shoal_status tsp_improve_device_run(struct tsp_improve_device *device, struct shoal_buffer *tours,
                                         struct shoal_buffer *lengths, size_t count, bool are_given,
                                         struct shoal_error *error)
{
    /* launch_seconds: aimed length of a launch, half of the delay that users of a display or of Ctrl-C
     * tolerate. FIRST_ROUNDS: rounds of the first launch, before the time of a round has been measured. */
    const double launch_seconds = 0.1;
    enum { FIRST_ROUNDS = 64 };
    struct tsp_improve_launch own = {.draw = device->draw,
                                     .neighbours = device->neighbours,
                                     .reach = device->reach,
                                     .is_first = !are_given,
                                     .slack = device->slack};
    enum shoal_status status = launch_near(device, error);
    if (!status && are_given)
        status = shoal_buffer_fill(device->queue, device->moves, 0, count * sizeof(uint32_t), 0, error);
    while (!status) {
        const double fitting =
            device->round_seconds > 0 ? launch_seconds / device->round_seconds / (double)count : FIRST_ROUNDS;
        own.rounds = (uint32_t)fmin(fmax(fitting, 1), 1 << 30);
        const double start = queue_clock(device->queue);
        uint32_t left = 0;
        status = launch(device, tours, lengths, count, &own, error);
        if (!status)
            status = shoal_buffer_read(device->queue, device->left, 0, &left, sizeof left, error);
        if (status || !left)
            break;
        device->round_seconds = (queue_clock(device->queue) - start) / own.rounds / (double)count;
        own.is_first = 0;
    }
    return status;
}
