/* Neighbour lists of the gas against all pairs in double precision. */
#include "fixture.h"
#include "harness.h"

#include "gas/methods/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum fill { UNIFORM, DROPLET, TWO_PHASES, LATTICE, FILLS };

/* Positions in lengths; on axes that are not periodic a few of them outside of the box. */
static void fill_places(double *place, const struct gas_box_shape *shape, enum fill fill)
{
    const size_t dim = shape->dim, side = (size_t)ceil(pow((double)shape->n, 1 / (double)dim));
    gas_box_fractions(place, shape->n * dim, 3);
    for (size_t i = 0; i < shape->n; i++)
        for (size_t k = 0, rest = i; k < dim; k++) {
            double *at = &place[i * dim + k];
            switch (fill) {
            case DROPLET: /* three of four in a small part of the box, across a periodic border */
                if (i % 4 != 0)
                    *at = 0.9 + 0.25 * *at;
                break;
            case TWO_PHASES:
                if (k == 0 && i % 5 != 0)
                    *at = 0.3 + 0.2 * *at;
                break;
            case LATTICE: /* many distances are the same */
                *at = (double)(rest % side) / (double)side;
                rest /= side;
                break;
            case UNIFORM:
            case FILLS:
                break;
            }
            if (shape->boundary[k] != SHOAL_GAS_PERIODIC)
                *at = 1.25 * *at - 0.125;
            else
                *at -= floor(*at);
            *at *= shape->length[k];
        }
}

static double distance2(const struct gas_box *box, size_t a, size_t b)
{
    const struct gas_problem *problem = &box->device.problem;
    double sum = 0;
    for (size_t k = 0; k < problem->dim; k++) {
        double d = box->place[a * problem->dim + k] - box->place[b * problem->dim + k];
        if (problem->boundary[k] == SHOAL_GAS_PERIODIC)
            d -= problem->length[k] * rint(d / problem->length[k]);
        sum += d * d;
    }
    return sum;
}

/* The list of the box's particles, which are sorted afterwards; `wanted` not 0: a larger list. */
static void build(struct gas_box *box, struct gas_neighbours *neighbours, uint32_t wanted)
{
    const struct gas_arrays from = gas_arrays_of(&box->device);
    assert_ok(wanted ? gas_neighbours_repair(&box->solver, neighbours, &from, wanted, &test_error)
                     : gas_neighbours_build(&box->solver, neighbours, &from, false, NULL, &test_error));
    gas_sort_take(&box->device, neighbours->sort);
}

/* The particles of a window before the particle whose list it is. */
static size_t before_in_window(size_t n, uint32_t window_bits)
{
    const size_t half = (size_t)1 << window_bits >> 1;
    return n < half ? n : half;
}

/* Entry `number` of the lists, in the list of the particle at `place` of n particles. */
static uint32_t entry_at(const struct gas_neighbours *neighbours, const void *list, size_t number,
                         size_t place, size_t n)
{
    if (neighbours->window_bits > 16)
        return ((const uint32_t *)list)[number];
    const size_t first = place + n - before_in_window(n, neighbours->window_bits);
    return (uint32_t)((first + ((const uint16_t *)list)[number]) % n);
}

/* The list by number of the particle: row i holds counts[i] numbers. farthest: the largest entry in windows
 * of the size asked for. */
struct table {
    size_t n, width, farthest;
    uint32_t *counts, *numbers;
};

static struct table read_table(struct gas_box *box, const struct gas_neighbours *neighbours,
                               uint32_t window_bits)
{
    const size_t n = box->device.problem.n, tile = neighbours->tile, capacity = neighbours->capacity;
    const size_t bytes = (n + tile - 1) / tile * tile * capacity * (neighbours->window_bits > 16 ? 4 : 2);
    struct table table = {n, capacity, 0, harness_memory(n * 4), harness_memory(n * capacity * 4)};
    uint32_t *ids = harness_memory(n * 4), *counts = harness_memory(box->device.padded * 4);
    void *list = harness_memory(bytes);
    gas_box_ids(box, ids);
    harness_read(neighbours->list, list, bytes);
    harness_read(neighbours->counts, counts, box->device.padded * 4);
    for (size_t i = n; i < box->device.padded; i++)
        assert_int_equal(counts[i], 0);
    for (size_t i = 0; i < n; i++) {
        if (counts[i] > capacity)
            fail_msg("place %zu of %zu has %u neighbours, the list has room for %zu", i, n,
                     (unsigned)counts[i], capacity);
        table.counts[ids[i]] = counts[i];
        for (size_t k = 0; k < counts[i]; k++) {
            const uint32_t other =
                entry_at(neighbours, list, (i / tile * capacity + k) * tile + i % tile, i, n);
            if (other >= n || other == i)
                fail_msg("place %zu of %zu has %u as neighbour %zu", i, n, (unsigned)other, k);
            table.numbers[ids[i] * capacity + k] = ids[other];
            const size_t entry = (other + n - i + before_in_window(n, window_bits)) % n;
            table.farthest = entry > table.farthest ? entry : table.farthest;
        }
    }
    return table;
}

/* Every pair closer than the range is there once in each direction, and none beyond the margin. */
static void check_table(const struct gas_box *box, const struct gas_neighbours *neighbours,
                        const struct table *table)
{
    const double range2 = neighbours->range * neighbours->range;
    unsigned char *there = harness_memory(table->n);
    for (size_t i = 0; i < table->n; i++) {
        memset(there, 0, table->n);
        for (size_t k = 0; k < table->counts[i]; k++)
            there[table->numbers[i * table->width + k]]++;
        for (size_t j = 0; j < table->n; j++) {
            const double d = distance2(box, i, j);
            if (there[j] > 1)
                fail_msg("particle %zu of %zu has %zu in its list %d times", i, table->n, j, there[j]);
            if (j != i && d < range2 && !there[j])
                fail_msg("particle %zu of %zu lacks %zu at distance %.9g of %.9g", i, table->n, j, sqrt(d),
                         neighbours->range);
            if (there[j] && d > range2 * (1 + 2e-6))
                fail_msg("particle %zu of %zu has %zu at distance %.9g of %.9g", i, table->n, j, sqrt(d),
                         neighbours->range);
        }
    }
}

static void assert_same_table(const struct table *a, const struct table *b)
{
    assert_words(a->counts, b->counts, a->n);
    for (size_t i = 0; i < a->n; i++)
        assert_words(a->numbers + i * a->width, b->numbers + i * b->width, a->counts[i]);
}

/* What a case varies besides the shape. */
struct how {
    enum fill fill;
    enum gas_sort_method method;
    struct gas_list_layout layout;
};

/* Cells take memory and time: no more of them than particles are worth, in a box of whatever shape. */
static void check_mesh(const struct gas_neighbours *neighbours, size_t n)
{
    const struct gas_sort *sort = neighbours->sort;
    const bool few = sort->method != GAS_SORT_SERIAL && n <= GAS_SORT_GROUP_PARTICLES;
    const size_t cells = gas_mesh_total(&sort->mesh), most = few ? GAS_SORT_GROUP_CELLS : 4 * n;
    if (cells > most)
        fail_msg("%zu particles have %u x %u x %u cells", n, sort->mesh.cells[0], sort->mesh.cells[1],
                 sort->mesh.cells[2]);
}

static void check(const struct gas_box_shape *shape, double skin, struct how how)
{
    if (!gas_box_can(shape->precision) || !harness_takes_case())
        return;
    double *place = harness_memory(shape->n * shape->dim * sizeof *place);
    struct gas_box box;
    struct gas_neighbours *neighbours = NULL;
    fill_places(place, shape, how.fill);
    gas_box_create(&box, shape, place, 5);
    assert_ok(gas_neighbours_create(&box.solver, skin, how.layout, how.method, &neighbours, &test_error));
    check_mesh(neighbours, shape->n);
    const uint32_t window = neighbours->window_bits;
    build(&box, neighbours, 0);
    uint32_t wanted = gas_box_word(&box, WORD_OVERFLOW), wanted_neighbours = 0, far = 0;
    for (; wanted; wanted = gas_box_word(&box, WORD_OVERFLOW)) {
        uint32_t *const seen = wanted == LIST_FAR ? &far : &wanted_neighbours;
        assert_int_equal(*seen, 0);
        *seen = wanted;
        build(&box, neighbours, wanted);
    }
    assert_int_equal(gas_box_word(&box, WORD_REBUILDS), 1);
    const struct table first = read_table(&box, neighbours, window);
    assert_int_equal(far != 0, window <= 16 && first.farthest >= (size_t)1 << window);
    assert_int_equal(neighbours->window_bits, far ? 32 : window);
    check_table(&box, neighbours, &first);
    uint32_t most = 0;
    for (size_t i = 0; i < shape->n; i++)
        most = first.counts[i] > most ? first.counts[i] : most;
    if (wanted_neighbours)
        assert_int_equal(wanted_neighbours, most);

    /* The same bits from another order. */
    gas_box_place(&box, 6);
    build(&box, neighbours, 0);
    const struct table again = read_table(&box, neighbours, window);
    assert_same_table(&first, &again);
    gas_neighbours_destroy(&neighbours);
    gas_box_destroy(&box);
    harness_release();
}

static struct gas_box_shape flat(size_t n)
{
    return (struct gas_box_shape){.n = n, .dim = 2, .length = {30, 26, 1}, .cutoff = 2.5};
}

static struct gas_box_shape deep(size_t n)
{
    return (struct gas_box_shape){.n = n, .dim = 3, .length = {13, 11, 12.5}, .cutoff = 2.5};
}

static void sizes(void **state)
{
    (void)state;
    static const size_t full[] = {1, 2, 3, 31, 32, 33, 255, 257, 1023, 1025, 4001, 0};
    static const size_t tiny[] = {1, 2, 3, 33, 70, 0};
    for (const size_t *n = harness.tiny ? tiny : full; *n; n++) {
        const struct gas_box_shape shape = flat(*n), deep_shape = deep(*n);
        check(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_AUTO, {0}});
        check(&deep_shape, 0.3, (struct how){UNIFORM, GAS_SORT_AUTO, {0}});
        check(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_BLOCKS, {32}});
    }
}

static void fills(void **state)
{
    (void)state;
    const size_t n = harness.tiny ? 80 : 1500;
    for (int fill = 0; fill < FILLS; fill++)
        for (int precision = SHOAL_GAS_SINGLE; precision <= SHOAL_GAS_DOUBLE; precision++) {
            struct gas_box_shape shape = flat(n), deep_shape = deep(n);
            shape.precision = deep_shape.precision = (enum shoal_gas_precision)precision;
            check(&shape, 0.4, (struct how){(enum fill)fill, GAS_SORT_BLOCKS, {0}});
            check(&deep_shape, 0.4,
                  (struct how){(enum fill)fill, fill % 2 ? GAS_SORT_GROUP : GAS_SORT_SERIAL, {16}});
        }
}

static void boundaries(void **state)
{
    (void)state;
    static const int32_t kinds[][GAS_MAX_DIM] = {
        {SHOAL_GAS_PERIODIC, SHOAL_GAS_WALLS, SHOAL_GAS_OPEN},
        {SHOAL_GAS_WALLS, SHOAL_GAS_OPEN, SHOAL_GAS_PERIODIC},
        {SHOAL_GAS_OPEN, SHOAL_GAS_PERIODIC, SHOAL_GAS_WALLS},
        {SHOAL_GAS_WALLS, SHOAL_GAS_WALLS, SHOAL_GAS_WALLS},
    };
    const size_t n = harness.tiny ? 80 : 1200;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct gas_box_shape shape = flat(n), deep_shape = deep(n);
        memcpy(shape.boundary, kinds[i], sizeof kinds[i]);
        memcpy(deep_shape.boundary, kinds[i], sizeof kinds[i]);
        shape.precision = (enum shoal_gas_precision)(i % 3);
        deep_shape.precision = (enum shoal_gas_precision)((i + 2) % 3);
        check(&shape, 0.4, (struct how){UNIFORM, GAS_SORT_SERIAL, {0}});
        check(&deep_shape, 0.4, (struct how){DROPLET, GAS_SORT_BLOCKS, {0}});
    }
}

/* Boxes of one, two and few cells along some axis, up to ranges beyond half the box. */
static void few_cells(void **state)
{
    (void)state;
    static const double lengths[][GAS_MAX_DIM] = {{5.7, 30, 6},    {30, 5.7, 9},   {5.1, 5.2, 5.3},
                                                  {8.5, 8.6, 8.7}, {11.3, 5.5, 8}, {14.1, 14.1, 14.1}};
    const size_t n = harness.tiny ? 40 : 300;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int boundary = SHOAL_GAS_PERIODIC; boundary <= SHOAL_GAS_OPEN; boundary++) {
            struct gas_box_shape shape = flat(n), deep_shape = deep(n);
            memcpy(shape.length, lengths[i], sizeof lengths[i]);
            memcpy(deep_shape.length, lengths[i], sizeof lengths[i]);
            for (size_t k = 0; k < GAS_MAX_DIM; k++)
                shape.boundary[k] = deep_shape.boundary[k] = boundary;
            check(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_AUTO, {0}});
            check(&deep_shape, 0.3, (struct how){UNIFORM, GAS_SORT_AUTO, {0}});
            check(&deep_shape, 2.0, (struct how){LATTICE, GAS_SORT_AUTO, {0}});
        }
}

/* Long and flat boxes in which so few particles are that they get fewer cells than the range allows. */
static void elongated(void **state)
{
    (void)state;
    static const double lengths[][GAS_MAX_DIM] = {{4000, 10, 6.1}, {6.3, 5000, 9}, {200, 5.9, 240}};
    const size_t n = harness.tiny ? 60 : 900;
    /* A simulator, which is slow, takes the last. */
    for (size_t i = harness.tiny ? 2 : 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct gas_box_shape shape = flat(n), deep_shape = deep(n);
        memcpy(shape.length, lengths[i], sizeof lengths[i]);
        memcpy(deep_shape.length, lengths[i], sizeof lengths[i]);
        shape.boundary[1] = deep_shape.boundary[2] = (int32_t)i;
        deep_shape.precision = SHOAL_GAS_DOUBLE;
        check(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_SERIAL, {0}});
        check(&shape, 0.3, (struct how){DROPLET, GAS_SORT_GROUP, {0}});
        check(&deep_shape, 0.3, (struct how){UNIFORM, GAS_SORT_SERIAL, {0}});
        check(&deep_shape, 0.3, (struct how){TWO_PHASES, GAS_SORT_GROUP, {0}});
    }
}

/* What gas.list-build may be told: sets of its defines, of which each is tried with everything that makes the
 * search for neighbours special. The list is the same whatever they are. */
enum { OPTIONS = 7 };
static const char *const option_names[OPTIONS] = {"FINE_X", "FINE_YZ", "GROUPED", "PENCIL",
                                                  "TRIM",   "UNROLL",  "WG"};
enum { PLAIN_SETS = 4, GROUPED_SETS = 4 };
static const int64_t option_sets[PLAIN_SETS + GROUPED_SETS][OPTIONS] = {
    {1, 1, 0, 1, 1, 1, 64}, {2, 2, 0, 0, 1, 4, 128}, {3, 3, 0, 2, 0, 7, 32}, {4, 2, 0, 1, 1, 8, 64},
    {3, 2, 1, 1, 1, 7, 8},  {2, 1, 1, 0, 0, 8, 8},   {8, 3, 1, 2, 0, 16, 8}, {1, 2, 1, 0, 1, 4, 8},
};

extern const struct shoal_program_desc gas_list_build_program;

/* NULL: as the contract has them. */
static void set_options(const int64_t *values)
{
    const struct shoal_program_desc *desc = &gas_list_build_program;
    for (size_t i = 0; i < OPTIONS; i++)
        for (uint32_t k = 0; k < desc->define_count; k++)
            if (strcmp(desc->defines[k].name, option_names[i]) == 0)
                assert_ok(shoal_tuning_set(harness.device, desc->name, option_names[i],
                                           values ? values[i] : desc->defines[k].value, &test_error));
}

static void options_of(const struct gas_box_shape *pattern, double skin, struct how how)
{
    const size_t n = harness.tiny ? 60 : 700;
    struct gas_box_shape shape = *pattern;
    shape.n = n;
    /* Compilers take long, most of all those of CPUs for groups with barriers: each shape gets some of the
     * sets, the next shape the next; only simulators, which are quick to compile, get groups for shapes of
     * all kinds. */
    static size_t next, next_grouped, shapes;
    const bool grouped = harness.tiny || shapes++ < 2;
    for (size_t i = 0; i < (grouped ? 3 : 2); i++) {
        const size_t set = i < 2 ? next++ % PLAIN_SETS : PLAIN_SETS + next_grouped++ % GROUPED_SETS;
        set_options(option_sets[set]);
        check(&shape, skin, how);
    }
    set_options(NULL);
}

static void options(void **state)
{
    (void)state;
    const int32_t periodic = SHOAL_GAS_PERIODIC, walls = SHOAL_GAS_WALLS, open = SHOAL_GAS_OPEN;
    struct gas_box_shape shape = flat(0), deep_shape = deep(0);
    options_of(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_BLOCKS, {32}});
    options_of(&deep_shape, 0.3, (struct how){UNIFORM, GAS_SORT_BLOCKS, {32}});
    shape.precision = deep_shape.precision = SHOAL_GAS_DOUBLE;
    options_of(&shape, 0.3, (struct how){LATTICE, GAS_SORT_GROUP, {32}});
    memcpy(deep_shape.boundary, (int32_t[]){walls, periodic, open}, sizeof deep_shape.boundary);
    options_of(&deep_shape, 0.3, (struct how){DROPLET, GAS_SORT_BLOCKS, {32}});
    shape.precision = deep_shape.precision = SHOAL_GAS_SINGLE;
    memcpy(shape.boundary, (int32_t[]){open, walls}, 2 * sizeof *shape.boundary);
    memcpy(deep_shape.boundary, (int32_t[]){periodic, open, walls}, sizeof deep_shape.boundary);
    options_of(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_GROUP, {32, 3}});
    options_of(&deep_shape, 0.3, (struct how){LATTICE, GAS_SORT_BLOCKS, {32}});
}

/* From one cell along an axis to just more than the range reaches from both sides. */
static void options_in_few_cells(void **state)
{
    (void)state;
    static const double lengths[][GAS_MAX_DIM] = {
        {5.7, 30, 6}, {14.1, 11.3, 5.1}, {8.5, 5.7, 14.3}, {5.1, 14.1, 11.5}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct gas_box_shape shape = flat(0), deep_shape = deep(0);
        memcpy(shape.length, lengths[i], sizeof lengths[i]);
        memcpy(deep_shape.length, lengths[i], sizeof lengths[i]);
        options_of(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_GROUP, {32}});
        options_of(&deep_shape, 0.3, (struct how){UNIFORM, GAS_SORT_BLOCKS, {32}});
    }
}

static void layouts_and_overflow(void **state)
{
    (void)state;
    static const uint32_t tiles[] = {1, 7, 32};
    const size_t n = harness.tiny ? 90 : 1000;
    const struct gas_box_shape shape = flat(n);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        check(&shape, 0.3, (struct how){DROPLET, GAS_SORT_AUTO, {tiles[i]}});
        check(&shape, 0.3, (struct how){DROPLET, GAS_SORT_BLOCKS, {tiles[i], 1}});
        check(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_AUTO, {tiles[i], 5}});
    }
}

/* All in one place: the list is as long as there are particles. */
static void one_place(void **state)
{
    (void)state;
    const size_t n = harness.tiny ? 60 : 700;
    const struct gas_box_shape shape = {.n = n, .dim = 2, .length = {300, 300, 1}, .cutoff = 2.5};
    struct gas_box box;
    struct gas_neighbours *neighbours = NULL;
    double *place = harness_memory(n * 2 * sizeof *place);
    for (size_t i = 0; i < 2 * n; i++)
        place[i] = 123.456;
    gas_box_create(&box, &shape, place, 5);
    assert_ok(gas_neighbours_create(&box.solver, 0.3, (struct gas_list_layout){0}, GAS_SORT_AUTO, &neighbours,
                                    &test_error));
    build(&box, neighbours, 0);
    assert_int_equal(gas_box_word(&box, WORD_OVERFLOW), n - 1);
    build(&box, neighbours, (uint32_t)n - 1);
    const struct table table = read_table(&box, neighbours, neighbours->window_bits);
    check_table(&box, neighbours, &table);
    gas_neighbours_destroy(&neighbours);
    gas_box_destroy(&box);
}

/* Entries of 16 bits, from windows that are too small for the lists to windows that have all particles. */
static void windows(void **state)
{
    (void)state;
    const size_t n = harness.tiny ? 90 : 1300;
    for (uint32_t bits = harness.tiny ? 5 : 7; bits <= (harness.tiny ? 7 : 12); bits++)
        for (int32_t boundary = SHOAL_GAS_PERIODIC; boundary <= SHOAL_GAS_OPEN; boundary++) {
            struct gas_box_shape shape = flat(n + bits), deep_shape = deep(n - bits);
            for (size_t k = 0; k < GAS_MAX_DIM; k++)
                shape.boundary[k] = deep_shape.boundary[k] = boundary;
            check(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_BLOCKS, {32, 0, bits}});
            check(&deep_shape, 0.3, (struct how){DROPLET, GAS_SORT_BLOCKS, {32, 8, bits}});
        }
    const struct gas_box_shape shape = flat(n);
    check(&shape, 0.3, (struct how){UNIFORM, GAS_SORT_BLOCKS, {32, 0, 32}});
}

/* All particles are neighbours of all others: as many as a window has, and one more. */
static void full_windows(void **state)
{
    (void)state;
    for (size_t n = 63; n <= 65; n++) {
        const struct gas_box_shape shape = {.n = n, .dim = 2, .length = {6, 6, 1}, .cutoff = 2.9};
        check(&shape, 4, (struct how){UNIFORM, GAS_SORT_BLOCKS, {32, 0, 6}});
    }
}

/* A tuning file may ask for cells that are too small for a gas that several devices share. */
static void layers_of_a_share(void **state)
{
    (void)state;
    static const struct {
        int64_t fine, pencil;
        bool fits;
    } cases[] = {{2, 0, true}, {3, 0, false}, {4, 0, false}, {4, 1, true}};
    const struct gas_box_shape shape = flat(60);
    double *place = harness_memory(shape.n * shape.dim * sizeof *place);
    fill_places(place, &shape, UNIFORM);
    for (size_t i = 0; i < sizeof cases / sizeof *cases && harness_takes_case(); i++) {
        const int64_t values[OPTIONS] = {1, cases[i].fine, 0, cases[i].pencil, 0, 4, 64};
        struct gas_box box;
        struct gas_neighbours *neighbours = NULL;
        set_options(values);
        gas_box_create(&box, &shape, place, 5);
        box.solver.share.of = 1;
        const enum shoal_status status = gas_neighbours_create(&box.solver, 0.3, (struct gas_list_layout){32},
                                                               GAS_SORT_BLOCKS, &neighbours, &test_error);
        assert_status(status, cases[i].fits ? SHOAL_OK : SHOAL_INVALID);
        if (!cases[i].fits)
            assert_contains(test_error.message, "tune FINE_YZ to at most");
        gas_neighbours_destroy(&neighbours);
        gas_box_destroy(&box);
    }
    set_options(NULL);
    harness_release();
}

static void what_fits(void **state)
{
    (void)state;
    struct shoal_device_info info = *harness.info;
    struct gas_problem problem = {.n = 1000, .dim = 2, .length = {30, 30, 1}, .volume = 900};
    problem.pair.cutoff = 2.5;
    assert_ok(gas_neighbours_fits(&problem, 0.3, &info, &test_error));
    info.max_allocation = 4096;
    assert_status(gas_neighbours_fits(&problem, 0.3, &info, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_contains(test_error.message, "neighbour list");
    problem.pair.cutoff = INFINITY;
    assert_status(gas_neighbours_fits(&problem, 0.3, harness.info, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "cutoff");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(fills),
        cmocka_unit_test(boundaries),
        cmocka_unit_test(few_cells),
        cmocka_unit_test(elongated),
        cmocka_unit_test(options),
        cmocka_unit_test(options_in_few_cells),
        by_turn(layouts_and_overflow),
        cmocka_unit_test(windows),
        cmocka_unit_test(full_windows),
        cmocka_unit_test(one_place),
        cmocka_unit_test(layers_of_a_share),
        cmocka_unit_test(what_fits),
    };
    return harness_main("gas-neighbours", tests, sizeof tests / sizeof *tests);
}
