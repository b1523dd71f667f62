/* Sorting the particles of a gas by cells, and building their neighbour lists. Timed are the kernels of
 * gas.sort and gas.list-build or, on CPUs, gas.sort-serial and gas.list-build-serial, launched by their
 * contracts.
 *
 * The roof of a sort counts what it has to read and write at least: position, velocity and number of each
 * particle, once each, however many passes the sort makes. Lists have no roof: their speed is bounded by the
 * calculation of distances and by the caches.
 */
#include "bench/lib/host_lib.h"
#include "bench/runner/bench.h"
#include "cl/gas/layout.clh"

#include <math.h>
#include <shoal/primitives.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 32, SAMPLES = 32 };
enum { KEY_BYTES = 8, ENTRY_BYTES = 16, CPU_CHUNKS = 16 };

static const uint64_t seed = 1;

struct system {
    uint32_t side, dim; /* side^dim particles, displaced at random from a lattice that fills the box */
    uint32_t cells[3];  /* number of cells along each axis, for a case without lists */
    double density;     /* density, for a case with lists */
    double range;       /* range of the lists; 0: there are no lists */
    /* particles start in the order of a sort a few steps earlier; false: in random order */
    bool previous_order;
};

struct cells {
    uint32_t along[3], pencil;
};

/* Arrays of the particles, indexed by place. */
struct particles {
    struct shoal_buffer *position, *velocity, *id;
};

struct gas {
    const struct system *system;
    size_t n, parts; /* parts: number of words of a position, and of a velocity */
    double length;   /* length of the box */
    struct cells cells, reach;
    uint32_t total, capacity, items, cell_items; /* total: number of cells; items: particles of a work-item */
    bool serial;
    size_t entry_bytes; /* 2: entries of lists count in windows of 2^16 particles */
    struct shoal_program *program, *list_program;
    struct shoal_kernel *count, *scatter, *order, *build;
    struct shoal_scan *scan;
    struct particles in, out;
    struct shoal_buffer *settings, *words, *counts, *starts, *keys, *entries, *reference, *list, *neighbours;
    /* On the host: what `in` holds (its velocities equal the positions), keys by number, the sorted order. */
    uint32_t *position, *id, *place_of, *key, *number, *sorted_key, *sorted, *scratch[2];
    uint32_t *host_position, *host_velocity; /* result of the sort on the host */
};

static void destroy(struct bench *bench)
{
    struct gas *gas = bench->state;
    if (!gas)
        return;
    struct shoal_buffer **const buffers[] = {
        &gas->in.position, &gas->in.velocity, &gas->in.id,     &gas->out.position, &gas->out.velocity,
        &gas->out.id,      &gas->settings,    &gas->words,     &gas->counts,       &gas->starts,
        &gas->keys,        &gas->entries,     &gas->reference, &gas->list,         &gas->neighbours,
    };
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        shoal_buffer_destroy(buffers[i]);
    shoal_scan_destroy(&gas->scan);
    shoal_kernel_destroy(&gas->count);
    shoal_kernel_destroy(&gas->scatter);
    shoal_kernel_destroy(&gas->order);
    shoal_kernel_destroy(&gas->build);
    shoal_program_destroy(&gas->program);
    shoal_program_destroy(&gas->list_program);
    uint32_t *const memory[] = {gas->position,      gas->id,           gas->place_of,
                                gas->key,           gas->number,       gas->sorted_key,
                                gas->sorted,        gas->scratch[0],   gas->scratch[1],
                                gas->host_position, gas->host_velocity};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
    free(gas);
    bench->state = NULL;
}

/* The particles ------------------------------------------------------------------------------------------ */

static enum shoal_status allocate_host(struct gas *gas, bool results, struct shoal_error *error)
{
    const size_t n = gas->n;
    const struct {
        uint32_t **memory;
        size_t words;
    } all[] = {
        {&gas->position, n * gas->parts},
        {&gas->id, n},
        {&gas->place_of, n},
        {&gas->key, n},
        {&gas->number, n},
        {&gas->sorted_key, n},
        {&gas->sorted, n},
        {&gas->scratch[0], n},
        {&gas->scratch[1], n},
        {&gas->host_position, results ? n * gas->parts : 1},
        {&gas->host_velocity, results ? n * gas->parts : 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i].memory = calloc(all[i].words, sizeof(uint32_t));
        if (!*all[i].memory)
            return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu particles on the host", n);
    }
    return SHOAL_OK;
}

static uint32_t cell_of(const struct gas *gas, const uint32_t *position)
{
    uint32_t cell = 0;
    for (size_t k = gas->system->dim; k-- > 0;)
        cell = cell * gas->cells.along[k] + (uint32_t)((uint64_t)position[k] * gas->cells.along[k] >> 32);
    return cell;
}

/* Sorts the numbers of the particles by cell, and by number within a cell. */
static enum shoal_status sort_on_host(struct gas *gas, struct shoal_error *error)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < gas->n; i++) {
        const uint32_t number = gas->id[i];
        gas->place_of[number] = (uint32_t)i;
        gas->key[number] = cell_of(gas, gas->position + i * gas->parts);
        gas->number[i] = (uint32_t)i;
    }
    if (!host_sort(gas->key, gas->number, gas->sorted_key, gas->sorted, gas->scratch[0], gas->scratch[1],
                   gas->n))
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory to sort on the host");
    return SHOAL_OK;
}

/* Puts the particles on lattice sites in random order, each moved by up to `shake` spacings from its site. */
static void place_particles(struct gas *gas, double shake)
{
    const struct system *system = gas->system;
    uint32_t *site = gas->scratch[0], *words = gas->scratch[1];
    host_random_words(words, gas->n, seed, SHOAL_STREAM_FILL, 0);
    for (size_t i = 0; i < gas->n; i++)
        site[i] = gas->id[i] = (uint32_t)i;
    for (size_t i = gas->n; i > 1; i--) {
        const size_t k = (uint64_t)words[i - 1] * i >> 32;
        const uint32_t kept = site[i - 1];
        site[i - 1] = site[k];
        site[k] = kept;
    }
    for (size_t i = 0; i < gas->n; i++) {
        const struct shoal_words random = shoal_random_words(seed, SHOAL_STREAM_FILL, 1, (uint32_t)i, 0);
        const uint32_t word[3] = {random.x, random.y, random.z};
        for (size_t k = 0, rest = site[i]; k < system->dim; k++, rest /= system->side) {
            const double at = (double)(rest % system->side) + shake * (word[k] * 0x1p-31 - 1);
            gas->position[i * gas->parts + k] = (uint32_t)(int64_t)(at / system->side * 0x1p32);
        }
    }
}

/* Puts the particles in sorted order, then moves each by up to a twentieth of a cell. */
static enum shoal_status age_particles(struct gas *gas, struct shoal_error *error)
{
    uint32_t *old = malloc(gas->n * gas->parts * sizeof *old);
    enum shoal_status status =
        old ? sort_on_host(gas, error) : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    for (size_t i = 0; i < gas->n * gas->parts && status == SHOAL_OK; i++)
        old[i] = gas->position[i];
    for (size_t i = 0; i < gas->n && status == SHOAL_OK; i++) {
        const struct shoal_words random = shoal_random_words(seed, SHOAL_STREAM_FILL, 2, (uint32_t)i, 0);
        const uint32_t word[3] = {random.x, random.y, random.z};
        gas->id[i] = gas->sorted[i];
        for (size_t k = 0; k < gas->system->dim; k++)
            gas->position[i * gas->parts + k] =
                old[(size_t)gas->place_of[gas->sorted[i]] * gas->parts + k] +
                (uint32_t)(int64_t)((word[k] * 0x1p-31 - 1) * 0x1p32 / (20 * gas->cells.along[k]));
    }
    free(old);
    return status;
}

static enum shoal_status create_particles(struct bench *bench, struct gas **out, struct shoal_error *error)
{
    const struct system *system = bench->data;
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    struct gas *gas = *out = bench->state = calloc(1, sizeof *gas);
    if (!gas)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    gas->system = system;
    gas->serial = bench->queue && info->is_cpu && !info->is_gpu;
    gas->n = (size_t)system->side * system->side * (system->dim == 3 ? system->side : 1);
    gas->parts = system->dim == 3 ? 4 : 2;
    gas->length = system->range > 0 ? pow((double)gas->n / system->density, 1.0 / system->dim) : system->side;
    gas->total = 1;
    for (size_t k = 0; k < 3; k++) {
        const bool used = k < system->dim;
        /* As in src/gas/methods/neighbours.c: on GPUs cells are half the range long along x. */
        gas->reach.along[k] = used ? (k == 0 && !gas->serial ? 2 : 1) : 0;
        gas->cells.along[k] = !used ? 1
                              : system->range > 0
                                  ? (uint32_t)(gas->length / system->range * gas->reach.along[k])
                                  : system->cells[k];
        gas->total *= gas->cells.along[k];
    }
    bench->work = 1;
    if (!(system->range > 0))
        bench->roof_work = 2.0 * (double)gas->n * (double)(2 * gas->parts + 1) * sizeof(uint32_t);
    enum shoal_status status = allocate_host(gas, !bench->queue, error);
    if (status != SHOAL_OK)
        return status;
    place_particles(gas, 0.4);
    return system->previous_order ? age_particles(gas, error) : SHOAL_OK;
}

/* The device -------------------------------------------------------------------------------------------- */

static enum shoal_status build_sort(struct bench *bench, struct gas *gas, struct shoal_error *error)
{
    const struct shoal_define dim = {"DIM", gas->system->dim};
    const struct {
        const char *entry;
        struct shoal_kernel **kernel;
    } kernels[] = {{"gas_sort_count", &gas->count},
                   {"gas_sort_scatter", &gas->scatter},
                   {"gas_sort_order", &gas->order}};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = &dim;
    params.define_count = 1;
    params.variant = bench->variant;
    enum shoal_status status =
        shoal_program_create(bench->device, bench_program(gas->serial ? "gas.sort-serial" : "gas.sort"),
                             &params, &gas->program, error);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels && status == SHOAL_OK; i++)
        status = shoal_kernel_create(gas->program, kernels[i].entry, kernels[i].kernel, error);
    if (status == SHOAL_OK)
        status = shoal_scan_create(bench->device, gas->total + 1, SHOAL_SCAN_AUTO, bench->variant, &gas->scan,
                                   error);
    if (status != SHOAL_OK)
        return status;
    bench_uses(bench, gas->program);
    for (size_t i = 0; shoal_scan_program(gas->scan, i); i++)
        bench_uses(bench, shoal_scan_program(gas->scan, i));
    return SHOAL_OK;
}

static enum shoal_status build_list(struct bench *bench, struct gas *gas, struct shoal_error *error)
{
    const struct system *system = gas->system;
    const double pi = 3.14159265358979324;
    const double reached = system->dim == 2 ? pi * pow(system->range, 2) : 4 * pi / 3 * pow(system->range, 3);
    const struct shoal_define defines[] = {{"DIM", system->dim}, {"LIST_TILE", TILE}, {"WINDOW_BITS", 16}};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    gas->entry_bytes = system->dim == 2 && !gas->serial ? sizeof(uint16_t) : sizeof(uint32_t);
    params.defines = defines;
    params.define_count = gas->entry_bytes == sizeof(uint16_t) ? 3 : 2;
    params.variant = bench->variant;
    gas->capacity = (uint32_t)(8 * ceil((1.5 * system->density * reached + 16) / 8));
    const size_t padded = (gas->n + TILE - 1) / TILE * TILE;
    enum shoal_status status = shoal_program_create(
        bench->device, bench_program(gas->serial ? "gas.list-build-serial" : "gas.list-build"), &params,
        &gas->list_program, error);
    if (status == SHOAL_OK)
        status = shoal_kernel_create(gas->list_program, "gas_list_build", &gas->build, error);
    if (status == SHOAL_OK)
        status =
            shoal_buffer_create(bench->device, padded * gas->capacity * gas->entry_bytes, &gas->list, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device, padded * sizeof(uint32_t), &gas->neighbours, error);
    if (status == SHOAL_OK)
        bench_uses(bench, gas->list_program);
    return status;
}

static enum shoal_status create_buffers(struct bench *bench, struct gas *gas, struct shoal_error *error)
{
    const size_t n = gas->n, word = sizeof(uint32_t), vectors = n * gas->parts * word;
    float settings[GAS_SETTINGS] = {0};
    const struct {
        struct shoal_buffer **buffer;
        size_t bytes;
        const void *data; /* NULL: fill with zeros */
    } all[] = {
        {&gas->in.position, vectors, gas->position},
        {&gas->in.velocity, vectors, gas->position},
        {&gas->in.id, n * word, gas->id},
        {&gas->out.position, vectors, NULL},
        {&gas->out.velocity, vectors, NULL},
        {&gas->out.id, n * word, NULL},
        {&gas->settings, sizeof settings, settings},
        {&gas->words, GAS_WORDS * word, NULL},
        {&gas->counts, (gas->total + 1) * word, NULL},
        {&gas->starts, (gas->total + 1) * word, NULL},
        {&gas->keys, n * KEY_BYTES, NULL},
        {&gas->entries, n * ENTRY_BYTES, NULL},
        {&gas->reference, vectors, NULL},
    };
    for (size_t k = 0; k < 3; k++) {
        settings[SET_UNIT + k] = (float)(gas->length * 0x1p-32);
        settings[SET_LENGTH + k] = (float)gas->length;
    }
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && status == SHOAL_OK; i++) {
        status = shoal_buffer_create(bench->device, all[i].bytes, all[i].buffer, error);
        if (status == SHOAL_OK)
            status = all[i].data ? shoal_buffer_write(bench->queue, *all[i].buffer, 0, all[i].data,
                                                      all[i].bytes, error)
                                 : shoal_buffer_fill(bench->queue, *all[i].buffer, 0, all[i].bytes, 0, error);
    }
    return status;
}

static uint32_t chunks_of(size_t count, uint32_t items)
{
    return (uint32_t)((count + items - 1) / items);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    struct gas *gas;
    enum shoal_status status = create_particles(bench, &gas, error);
    if (status != SHOAL_OK || !bench->queue)
        return status;
    gas->items = gas->serial ? chunks_of(chunks_of(gas->n, CPU_CHUNKS), TILE) * TILE : 1;
    gas->cell_items = gas->serial ? chunks_of(gas->total, CPU_CHUNKS) : 1;
    status = build_sort(bench, gas, error);
    if (status == SHOAL_OK && gas->system->range > 0)
        status = build_list(bench, gas, error);
    return status == SHOAL_OK ? create_buffers(bench, gas, error) : status;
}

static enum shoal_status launch(struct bench *bench, struct shoal_kernel *kernel, size_t items,
                                const struct shoal_arg *args, size_t count, struct shoal_error *error)
{
    return shoal_launch(bench->queue, kernel, shoal_kernel_groups(kernel, items), args, count, NULL, error);
}

/* An array of arguments and their number; a buffer among them. */
#define ARGS(list)   list, sizeof(list) / sizeof *(list)
#define BUFFER(name) shoal_arg_buffer(gas->name)

static enum shoal_status run_sort(struct bench *bench, struct shoal_error *error)
{
    struct gas *gas = bench->state;
    const size_t chunks = chunks_of(gas->n, gas->items);
    const uint32_t n = (uint32_t)gas->n, total = gas->total;
    const struct gas_sort_launch scalars = {
        .count = n, .end_cell = total, .reset = total, .items = gas->items, .cell_items = gas->cell_items};
    const struct shoal_arg position = BUFFER(in.position), keys = BUFFER(keys), counts = BUFFER(counts),
                           starts = BUFFER(starts), entries = BUFFER(entries),
                           last = shoal_arg_struct(&scalars, sizeof scalars);
    const struct shoal_arg count[] = {position,      BUFFER(settings),
                                      counts,        keys,
                                      BUFFER(words), shoal_arg_struct(&gas->cells, sizeof gas->cells),
                                      last};
    const struct shoal_arg scatter[] = {keys, starts, BUFFER(in.id), entries, counts, last};
    const struct shoal_arg order[] = {entries,
                                      starts,
                                      keys,
                                      position,
                                      BUFFER(in.velocity),
                                      BUFFER(out.position),
                                      BUFFER(out.velocity),
                                      BUFFER(out.id),
                                      BUFFER(reference),
                                      last};
    const size_t ordered = gas->serial ? chunks_of(total, gas->cell_items) : n;
    enum shoal_status status = launch(bench, gas->count, chunks, ARGS(count), error);
    if (status == SHOAL_OK)
        status = shoal_scan_run(gas->scan, bench->queue, gas->counts, 0, gas->starts, 0, total + 1, error);
    if (status == SHOAL_OK)
        status = launch(bench, gas->scatter, chunks, ARGS(scatter), error);
    return status == SHOAL_OK ? launch(bench, gas->order, ordered, ARGS(order), error) : status;
}

static enum shoal_status run_lists(struct bench *bench, struct shoal_error *error)
{
    struct gas *gas = bench->state;
    const double range = gas->system->range;
    const struct gas_build_launch scalars = {.end = (uint32_t)gas->n,
                                             .items = gas->items,
                                             .capacity = gas->capacity,
                                             .particles = (uint32_t)gas->n,
                                             .range2 = (float)(range * range * (1 + 0x1p-20))};
    const struct shoal_arg args[] = {BUFFER(out.position),
                                     BUFFER(starts),
                                     BUFFER(settings),
                                     BUFFER(list),
                                     BUFFER(neighbours),
                                     BUFFER(words),
                                     shoal_arg_struct(&gas->cells, sizeof gas->cells),
                                     shoal_arg_struct(&gas->reach, sizeof gas->reach),
                                     shoal_arg_struct(&scalars, sizeof scalars)};
    enum shoal_status status = run_sort(bench, error);
    return status == SHOAL_OK ? launch(bench, gas->build, chunks_of(gas->n, gas->items), ARGS(args), error)
                              : status;
}

/* Does the same on the host: a radix sort of pairs of cell and number, then the arrays are put in that
 * order. */
static enum shoal_status run_on_host(struct bench *bench, struct shoal_error *error)
{
    struct gas *gas = bench->state;
    enum shoal_status status = sort_on_host(gas, error);
    if (status != SHOAL_OK)
        return status;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < gas->n; i++) {
        const size_t from = (size_t)gas->place_of[gas->sorted[i]] * gas->parts;
        memcpy(gas->host_position + i * gas->parts, gas->position + from, gas->parts * sizeof(uint32_t));
        memcpy(gas->host_velocity + i * gas->parts, gas->position + from, gas->parts * sizeof(uint32_t));
    }
    return SHOAL_OK;
}

/* Checks ------------------------------------------------------------------------------------------------ */

/* Host and device were given the same input. The host's order has a check of its own: keys must rise, and
 * numbers must rise among equal keys. */
static bool host_order_is_right(const struct gas *gas)
{
    for (size_t i = 1; i < gas->n; i++) {
        const uint32_t a = gas->sorted[i - 1], b = gas->sorted[i];
        if (gas->key[a] > gas->key[b] || (gas->key[a] == gas->key[b] && a >= b))
            return false;
    }
    return true;
}

static enum shoal_status check_sort(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct gas *gas = bench->state;
    enum shoal_status status = sort_on_host(gas, error);
    const size_t bytes = gas->parts * sizeof(uint32_t);
    uint32_t *position = gas->host_position, *velocity = gas->host_velocity, *ids = gas->scratch[0];
    if (bench->queue && status == SHOAL_OK) {
        position = calloc(gas->n, bytes);
        velocity = calloc(gas->n, bytes);
        if (!position || !velocity)
            status = bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
        if (status == SHOAL_OK)
            status = shoal_buffer_read(bench->queue, gas->out.position, 0, position, gas->n * bytes, error);
        if (status == SHOAL_OK)
            status = shoal_buffer_read(bench->queue, gas->out.velocity, 0, velocity, gas->n * bytes, error);
        if (status == SHOAL_OK)
            status = shoal_buffer_read(bench->queue, gas->out.id, 0, ids, gas->n * sizeof *ids, error);
    } else {
        ids = gas->sorted;
    }
    check->passed = status == SHOAL_OK && host_order_is_right(gas);
    for (size_t i = 0; i < gas->n && check->passed; i++) {
        const uint32_t number = gas->sorted[i];
        const uint32_t *from = gas->position + (size_t)gas->place_of[number] * gas->parts;
        check->passed = ids[i] == number && memcmp(position + i * gas->parts, from, bytes) == 0 &&
                        memcmp(velocity + i * gas->parts, from, bytes) == 0;
        if (!check->passed)
            snprintf(check->detail, sizeof check->detail, "place %zu has particle %u, not %u", i,
                     (unsigned)ids[i], (unsigned)number);
    }
    if (bench->queue) {
        free(position);
        free(velocity);
    }
    return status;
}

static double distance(const struct gas *gas, const uint32_t *a, const uint32_t *b)
{
    double sum = 0;
    for (size_t k = 0; k < gas->system->dim; k++) {
        const double d = (double)(int32_t)(a[k] - b[k]) * (gas->length * 0x1p-32);
        sum += d * d;
    }
    return sqrt(sum);
}

/* Checks the list of the particle at `place`: it must hold all particles that are near, no others, and none
 * twice. */
static bool list_is_right(const struct gas *gas, const uint32_t *position, size_t place,
                          const uint32_t *entries, uint32_t count)
{
    size_t near = 0, found = 0;
    for (size_t j = 0; j < gas->n; j++) {
        const double d = distance(gas, position + place * gas->parts, position + j * gas->parts);
        near += j != place && d < gas->system->range;
        if (d > gas->system->range * (1 + 1e-6))
            continue;
        size_t times = 0;
        for (uint32_t k = 0; k < count; k++)
            times += entries[k] == j;
        if (times > (j == place ? 0 : 1))
            return false;
        found += times;
    }
    return found == count && count >= near;
}

static enum shoal_status check_lists(struct bench *bench, struct bench_check *check,
                                     struct shoal_error *error)
{
    struct gas *gas = bench->state;
    const size_t bytes = gas->n * gas->parts * sizeof(uint32_t);
    const size_t row_bytes = TILE * gas->capacity * gas->entry_bytes;
    uint32_t words[GAS_WORDS], *position = malloc(bytes), *row = malloc(row_bytes),
                               *entries = malloc(gas->capacity * sizeof *entries);
    enum shoal_status status = position && row && entries
                                   ? check_sort(bench, check, error)
                                   : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    if (status == SHOAL_OK)
        status = shoal_buffer_read(bench->queue, gas->out.position, 0, position, bytes, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_read(bench->queue, gas->words, 0, words, sizeof words, error);
    if (status == SHOAL_OK && words[WORD_OVERFLOW] != 0) {
        check->passed = false;
        snprintf(check->detail, sizeof check->detail, "a particle has %u neighbours",
                 (unsigned)words[WORD_OVERFLOW]);
    }
    for (size_t s = 0; s < SAMPLES && status == SHOAL_OK && check->passed; s++) {
        const size_t place = (gas->n - 1) * s / (SAMPLES - 1);
        uint32_t count;
        status = shoal_buffer_read(bench->queue, gas->neighbours, place * sizeof count, &count, sizeof count,
                                   error);
        if (status == SHOAL_OK)
            status =
                shoal_buffer_read(bench->queue, gas->list, place / TILE * row_bytes, row, row_bytes, error);
        if (status != SHOAL_OK)
            break;
        for (uint32_t k = 0, at = place % TILE; k < count && k < gas->capacity; k++, at += TILE)
            entries[k] = gas->entry_bytes == sizeof *row
                             ? row[at]
                             : (uint32_t)((place + gas->n - 0x8000 + ((uint16_t *)row)[at]) % gas->n);
        check->passed = count <= gas->capacity && list_is_right(gas, position, place, entries, count);
        if (!check->passed)
            snprintf(check->detail, sizeof check->detail, "the list of place %zu is wrong", place);
    }
    free(position);
    free(row);
    free(entries);
    return status;
}

static const struct bench_ops sort_ops = {create, NULL, run_sort, check_sort, destroy};
static const struct bench_ops host_ops = {create, NULL, run_on_host, check_sort, destroy};
static const struct bench_ops list_ops = {create, NULL, run_lists, check_lists, destroy};

static const struct system sort_random = {.side = 128, .dim = 3, .cells = {64, 32, 32}},
                           sort_previous = {128, 3, {64, 32, 32}, .previous_order = true},
                           lists_melt = {127, 3, {0}, .density = 0.8442, .range = 2.8, true},
                           lists_thin = {1000, 2, {0}, .density = 0.4, .range = 2.8, true},
                           lists_dense = {1000, 2, {0}, .density = 0.8, .range = 2.8, true};

static const struct bench_case cases[] = {
    {.name = "gas.sort.2m",
     .help = "sort of 2097152 particles, 16 + 16 bytes and a number each, from random order by 65536 cells "
             "and by number within a cell; roof: those bytes read and written once",
     .unit = "s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .program = "gas.sort",
     .data = &sort_random,
     .device = &sort_ops,
     .host = &host_ops},
    {.name = "gas.sort.2m-previous",
     .help = "the same from the order of a sort since which particles moved by up to a twentieth of a cell",
     .unit = "s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .data = &sort_previous,
     .device = &sort_ops,
     .host = &host_ops},
    {.name = "gas.lists.3d-2m",
     .help =
         "sort and neighbour lists of 2048383 particles, density 0.8442, range 2.8, from the previous order",
     .unit = "s",
     .precision = "fp32",
     .program = "gas.list-build",
     .data = &lists_melt,
     .large = true,
     .device = &list_ops},
    {.name = "gas.lists.2d-1m-rho0.4",
     .help = "sort and neighbour lists of 1000000 particles, density 0.4, range 2.8, from the previous order",
     .unit = "s",
     .precision = "fp32",
     .data = &lists_thin,
     .device = &list_ops},
    {.name = "gas.lists.2d-1m-rho0.8",
     .help = "the same at density 0.8",
     .unit = "s",
     .precision = "fp32",
     .data = &lists_dense,
     .device = &list_ops},
};

const struct bench_case_list bench_gas_sort_cases = {ARGS(cases)};
