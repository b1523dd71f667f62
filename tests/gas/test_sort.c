/* The sort of the gas against the C library's sort by (cell, number): every method gives the same order from
 * every order, and moves positions, velocities and numbers as they are. */
#include "fixture.h"
#include "harness.h"

#include "gas/device/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum fill { UNIFORM, ONE_CELL, BORDERS, OUTERMOST, CLUMPS, FILLS };

/* Fractions of the box, outside of it where there are walls or nothing. */
static void fill_places(double *place, const struct gas_box_shape *shape, const struct gas_mesh *mesh,
                        enum fill fill)
{
    gas_box_fractions(place, shape->n * shape->dim, 1);
    for (size_t i = 0; i < shape->n * shape->dim; i++) {
        const size_t axis = i % shape->dim;
        const bool periodic = shape->boundary[axis] == SHOAL_GAS_PERIODIC;
        const double cells = mesh->cells[axis], least = 0x1p-33;
        switch (fill) {
        case UNIFORM:
        case FILLS:
            break;
        case ONE_CELL:
            place[i] = (floor(0.4 * cells) + 0.1 + 0.8 * place[i]) / cells;
            break;
        case BORDERS: /* on a border, and a step before it */
            place[i] = floor(place[i] * cells) / cells;
            if (i / shape->dim % 2 && place[i] > 0)
                place[i] -= least;
            break;
        case OUTERMOST:
            place[i] = place[i] < 0.5 ? 0 : 1 - 4 * least;
            if (!periodic)
                place[i] = 3 * place[i] - 1;
            if (!periodic && fabs(place[i] - 0.5) > 1)
                place[i] = place[i] < 0.5 ? -0.5 : 1.5 - 4 * least;
            break;
        case CLUMPS:
            place[i] = 0.3 + 0.05 * floor(4 * place[i]) + 0.001 * (place[i] - floor(place[i]));
            break;
        }
        place[i] *= shape->length[axis];
    }
}

/* Cell along an axis of the coordinate that the device has, by the text of src/gas/device/sort.h. */
static uint64_t cell_along(const struct gas_box *box, const unsigned char *raw, size_t axis, uint32_t cells)
{
    const struct gas_problem *problem = &box->device.problem;
    const int32_t boundary = problem->boundary[axis];
    const double wide = boundary == SHOAL_GAS_OPEN ? 2 : 1; /* lengths that are covered */
    if (box->device.precision == SHOAL_GAS_DOUBLE) {
        /* Whole steps of the fixed-point coordinate, as in the kernels. */
        double at;
        memcpy(&at, raw + axis * sizeof at, sizeof at);
        const double steps = boundary == SHOAL_GAS_PERIODIC ? 0x1p32 : 0x1p30;
        double fraction = floor(at * (1 / (problem->length[axis] / steps))) / steps;
        fraction = (fraction + (wide - 1) / 2) / wide;
        return (uint64_t)(fmin(fmax(fraction, 0), 1 - 0x1p-32) * cells);
    }
    uint32_t steps;
    memcpy(&steps, raw + axis * sizeof steps, sizeof steps);
    if (boundary == SHOAL_GAS_PERIODIC)
        return (uint64_t)steps * cells >> 32;
    const int64_t first = boundary == SHOAL_GAS_OPEN ? 1ll << 29 : 1ll << 30,
                  covered = boundary == SHOAL_GAS_OPEN ? 1ll << 31 : 1ll << 30;
    int64_t inside = (int64_t)steps - first;
    inside = inside < 0 ? 0 : inside >= covered ? covered - 1 : inside;
    return (uint64_t)inside * cells / (uint64_t)covered;
}

struct key {
    uint64_t cell;
    uint32_t number;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Number of each cell, cells by x, then y, then z: pencils in turn, their cells along y, then z, then x. */
static uint64_t *number_cells(const struct gas_mesh *mesh)
{
    const uint32_t *cells = mesh->cells, side = 1u << mesh->pencil;
    uint64_t *numbers = harness_memory(gas_mesh_total(mesh) * sizeof *numbers), next = 0;
    for (uint32_t first_z = 0; first_z < cells[2]; first_z += side)
        for (uint32_t first_y = 0; first_y < cells[1]; first_y += side)
            for (uint32_t x = 0; x < cells[0]; x++)
                for (uint32_t z = first_z; z < first_z + side && z < cells[2]; z++)
                    for (uint32_t y = first_y; y < first_y + side && y < cells[1]; y++)
                        numbers[((size_t)z * cells[1] + y) * cells[0] + x] = next++;
    return numbers;
}

static void sorted_keys(const struct gas_box *box, const struct gas_mesh *mesh, struct key *keys)
{
    const struct gas_problem *problem = &box->device.problem;
    const uint64_t *numbers = number_cells(mesh);
    for (size_t i = 0; i < problem->n; i++) {
        keys[i].number = (uint32_t)i;
        keys[i].cell = 0;
        for (size_t k = problem->dim; k-- > 0;)
            keys[i].cell = keys[i].cell * mesh->cells[k] +
                           cell_along(box, box->raw + i * box->device.position_bytes, k, mesh->cells[k]);
        keys[i].cell = numbers[keys[i].cell];
    }
    qsort(keys, problem->n, sizeof *keys, compare_keys);
}

static void check_moved(struct shoal_buffer *buffer, const unsigned char *data, size_t bytes,
                        const struct key *keys, size_t n, const char *what)
{
    unsigned char *got = harness_memory(n * bytes);
    harness_read(buffer, got, n * bytes);
    for (size_t i = 0; i < n; i++)
        if (memcmp(got + i * bytes, data + keys[i].number * bytes, bytes) != 0)
            fail_msg("%s of place %zu of %zu is not that of particle %u", what, i, n,
                     (unsigned)keys[i].number);
}

static void check_result(struct gas_box *box, const struct gas_sort *sort, const struct key *keys)
{
    const struct gas_device *device = &box->device;
    const size_t n = device->problem.n, cells = gas_mesh_total(&sort->mesh);
    uint32_t *ids = harness_memory(n * sizeof *ids), *starts = harness_memory((cells + 1) * sizeof *starts);
    gas_box_ids(box, ids);
    for (size_t i = 0; i < n; i++)
        if (ids[i] != keys[i].number)
            fail_msg("place %zu of %zu has particle %u, not %u", i, n, (unsigned)ids[i],
                     (unsigned)keys[i].number);
    harness_read(sort->starts, starts, (cells + 1) * sizeof *starts);
    for (size_t c = 0, i = 0; c <= cells; c++) {
        while (i < n && keys[i].cell < c)
            i++;
        if (starts[c] != i)
            fail_msg("cell %zu of %zu begins at %u, not %zu", c, cells, (unsigned)starts[c], i);
    }
    check_moved(device->position, box->raw, device->position_bytes, keys, n, "position");
    check_moved(sort->reference, box->raw, device->position_bytes, keys, n, "reference position");
    check_moved(device->velocity, box->velocity, device->velocity_bytes, keys, n, "velocity");
}

static bool fits(enum gas_sort_method method, size_t n, const struct gas_mesh *mesh)
{
    return method != GAS_SORT_GROUP ||
           (n <= GAS_SORT_GROUP_PARTICLES && gas_mesh_total(mesh) <= GAS_SORT_GROUP_CELLS);
}

/* Random order, the same again, another random order, and the order there is. */
static void check(const struct gas_box_shape *shape, const struct gas_mesh *mesh, enum fill fill,
                  enum gas_sort_method method)
{
    if (!fits(method, shape->n, mesh) || !gas_box_can(shape->precision) || !harness_takes_case())
        return;
    double *place = harness_memory(shape->n * shape->dim * sizeof *place);
    struct key *keys = harness_memory(shape->n * sizeof *keys);
    struct gas_box box;
    struct gas_sort *sort = NULL;
    fill_places(place, shape, mesh, fill);
    gas_box_create(&box, shape, place, 7);
    sorted_keys(&box, mesh, keys);
    assert_ok(gas_sort_create(&box.solver, mesh, method, &sort, &test_error));
    for (uint32_t run = 0; run < 4; run++) {
        if (run < 3)
            gas_box_place(&box, run < 2 ? 7 : 11);
        const struct gas_arrays from = gas_arrays_of(&box.device);
        assert_ok(gas_sort_run(&box.solver, sort, &from, &test_error));
        gas_sort_take(&box.device, sort);
        check_result(&box, sort, keys);
    }
    assert_int_equal(gas_box_word(&box, WORD_REBUILDS), 4);
    gas_sort_destroy(&sort);
    gas_box_destroy(&box);
    harness_release();
}

/* The first place of each range of the part's cells that are not the first of all. */
static void write_first_places(const struct gas_sort *sort, const struct key *keys, size_t n)
{
    for (size_t i = 0; i < sort->part.cell_count; i++) {
        const uint32_t first = sort->part.cells[i].begin;
        uint32_t before = 0;
        while (before < n && keys[before].cell < first)
            before++;
        if (first > 0)
            assert_ok(shoal_buffer_write(harness.queue, sort->counts, (first - 1) * sizeof before, &before,
                                         sizeof before, &test_error));
    }
}

/* The particles in the part's cells have the places of a sort of all particles. */
static void check_part(const struct gas_box *box, const struct gas_sort *sort, const struct key *keys)
{
    const size_t n = box->device.problem.n, bytes = box->device.position_bytes;
    uint32_t *ids = harness_memory(n * sizeof *ids);
    unsigned char *position = harness_memory(n * bytes);
    harness_read(sort->id, ids, n * sizeof *ids);
    harness_read(sort->position, position, n * bytes);
    for (size_t i = 0; i < n; i++) {
        bool is_sorted = false;
        for (size_t r = 0; r < sort->part.cell_count; r++)
            is_sorted |= keys[i].cell >= sort->part.cells[r].begin && keys[i].cell < sort->part.cells[r].end;
        if (is_sorted && ids[i] != keys[i].number)
            fail_msg("place %zu of %zu has particle %u, not %u", i, n, (unsigned)ids[i],
                     (unsigned)keys[i].number);
        if (is_sorted)
            assert_memory_equal(position + i * bytes, box->raw + keys[i].number * bytes, bytes);
    }
}

/* A device of several sorts some cells, whose particles are among its own and those of other devices. */
static void parts_of(const struct gas_box_shape *shape, const struct gas_mesh *mesh, enum fill fill,
                     enum gas_sort_method method)
{
    const uint32_t n = (uint32_t)shape->n, cells = (uint32_t)gas_mesh_total(mesh);
    const struct gas_sort_part parts[] = {
        {{0, n / 3}, {{n / 3, n}}, 1, {{0, cells / 2}}, 1},
        {{n / 4, n / 2}, {{0, n / 4}, {n / 2, n - 5}, {n - 5, n}}, 3, {{3, 9}, {cells / 2, cells}}, 2},
        {{n / 2, n}, {{0, 1}, {1, n / 2}}, 2, {{0, 2}, {cells - 5, cells}}, 2},
        {{0, n}, {{0, 0}}, 0, {{cells / 3, cells / 3 + 1}}, 1}};
    double *place = harness_memory(shape->n * shape->dim * sizeof *place);
    struct key *keys = harness_memory(shape->n * sizeof *keys);
    struct gas_box box;
    struct gas_sort *sort = NULL;
    if (!harness_takes_case())
        return;
    fill_places(place, shape, mesh, fill);
    gas_box_create(&box, shape, place, 7);
    sorted_keys(&box, mesh, keys);
    box.solver.share.of = 1;
    box.device.own = (struct gas_range){0, n};
    assert_ok(gas_sort_create(&box.solver, mesh, method, &sort, &test_error));
    const struct gas_arrays from = gas_arrays_of(&box.device);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        test_label("part %zu", i);
        assert_ok(gas_sort_count_own(&box.solver, sort, &from, parts[i].own, &test_error));
        sort->part = parts[i];
        sort->has_part = true;
        write_first_places(sort, keys, n);
        assert_ok(gas_sort_run(&box.solver, sort, &from, &test_error));
        check_part(&box, sort, keys);
    }
    gas_sort_destroy(&sort);
    gas_box_destroy(&box);
    harness_release();
}

static const struct gas_mesh flat_mesh = {{13, 7, 1}}, deep_mesh = {{5, 9, 4}}, one_cell = {{1, 1, 1}};

static struct gas_box_shape flat(size_t n)
{
    return (struct gas_box_shape){.n = n,
                                  .dim = 2,
                                  .boundary = {SHOAL_GAS_PERIODIC, SHOAL_GAS_WALLS, SHOAL_GAS_PERIODIC},
                                  .length = {20, 11, 1},
                                  .cutoff = 2.5};
}

static struct gas_box_shape deep(size_t n)
{
    return (struct gas_box_shape){.n = n,
                                  .dim = 3,
                                  .boundary = {SHOAL_GAS_WALLS, SHOAL_GAS_OPEN, SHOAL_GAS_PERIODIC},
                                  .length = {8, 12, 10},
                                  .cutoff = 2.5};
}

static void all_sizes(enum gas_sort_method method)
{
    static const size_t full[] = {1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1025, 8192, 8193, 100003, 0};
    static const size_t tiny[] = {1, 2, 3, 31, 33, 70, 0};
    for (const size_t *n = harness.tiny ? tiny : full; *n; n++) {
        const struct gas_box_shape shape = flat(*n), deep_shape = deep(*n);
        check(&shape, &flat_mesh, UNIFORM, method);
        check(&deep_shape, &deep_mesh, UNIFORM, method);
    }
}

static void all_fills(enum gas_sort_method method)
{
    const size_t n = harness.tiny ? 50 : 5000;
    for (int fill = 0; fill < FILLS; fill++)
        for (int precision = SHOAL_GAS_SINGLE; precision <= SHOAL_GAS_DOUBLE; precision++) {
            struct gas_box_shape shape = flat(n), deep_shape = deep(n);
            shape.precision = deep_shape.precision = (enum shoal_gas_precision)precision;
            check(&shape, &flat_mesh, (enum fill)fill, method);
            check(&deep_shape, &deep_mesh, (enum fill)fill, method);
        }
}

/* More cells than particles, one cell for all, and crowds of which several share a group or fill many. */
static void all_meshes(enum gas_sort_method method)
{
    const struct gas_mesh many =
        harness.tiny ? (struct gas_mesh){{60, 9, 1}} : (struct gas_mesh){{300, 211, 1}};
    const size_t n = harness.tiny ? 40 : 1500;
    const struct gas_box_shape shape = flat(n), crowd = flat(harness.tiny ? 1100 : 50021);
    check(&shape, &many, UNIFORM, method);
    check(&shape, &one_cell, UNIFORM, method);
    check(&shape, &flat_mesh, ONE_CELL, method);
    if (harness.tiny && method != GAS_SORT_BLOCKS)
        return;
    check(&crowd, &one_cell, UNIFORM, method);
    check(&crowd, &flat_mesh, CLUMPS, method);
}

/* Pencils that do and do not divide the mesh, and one of all rows. */
static void all_pencils(enum gas_sort_method method)
{
    const size_t n = harness.tiny ? 60 : 4000;
    const struct gas_box_shape shape = flat(n), deep_shape = deep(n);
    for (uint32_t pencil = 1; pencil <= GAS_PENCIL_MAX; pencil++) {
        struct gas_mesh mesh = flat_mesh, deeper = deep_mesh;
        mesh.pencil = deeper.pencil = pencil;
        check(&shape, &mesh, UNIFORM, method);
        check(&deep_shape, &deeper, pencil % 2 ? BORDERS : OUTERMOST, method);
    }
}

static void blocks(void **state)
{
    (void)state;
    all_sizes(GAS_SORT_BLOCKS);
    all_fills(GAS_SORT_BLOCKS);
    all_meshes(GAS_SORT_BLOCKS);
    all_pencils(GAS_SORT_BLOCKS);
}

static void group(void **state)
{
    (void)state;
    all_sizes(GAS_SORT_GROUP);
    all_fills(GAS_SORT_GROUP);
    all_meshes(GAS_SORT_GROUP);
    all_pencils(GAS_SORT_GROUP);
}

static void serial(void **state)
{
    (void)state;
    all_sizes(GAS_SORT_SERIAL);
    all_fills(GAS_SORT_SERIAL);
    all_meshes(GAS_SORT_SERIAL);
    all_pencils(GAS_SORT_SERIAL);
}

/* What a run does to the words, by method. */
static void words(void **state)
{
    (void)state;
    static const struct {
        uint32_t frozen, overflow, rebuilds, violations;
        bool holds, held;
    } cases[] = {{0, 0, 1, 0, false, false}, {5, 0, 1, 1, false, false}, {0, 70, 0, 0, false, false},
                 {0, 0, 1, 0, true, false},  {5, 0, 0, 0, true, true},   {5, LIST_HELD, 1, 1, false, false}};
    const struct gas_box_shape shape = flat(20);
    double place[40];
    fill_places(place, &shape, &flat_mesh, UNIFORM);
    for (int method = GAS_SORT_BLOCKS; method <= GAS_SORT_SERIAL; method++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            uint32_t set[GAS_WORDS] = {[WORD_STEP] = 77,
                                       [WORD_FROZEN] = cases[i].frozen,
                                       [WORD_AGE] = 9,
                                       [WORD_STOP] = UINT32_MAX - 1,
                                       [WORD_STOP + 1] = 5,
                                       [WORD_OVERFLOW] = cases[i].overflow,
                                       [WORD_EXPLODED] = UINT32_MAX};
            struct gas_box box;
            struct gas_sort *sort = NULL;
            gas_box_create(&box, &shape, place, 0);
            assert_ok(shoal_buffer_write(harness.queue, box.device.words, 0, set, sizeof set, &test_error));
            assert_ok(
                gas_sort_create(&box.solver, &flat_mesh, (enum gas_sort_method)method, &sort, &test_error));
            const struct gas_arrays from = gas_arrays_of(&box.device);
            sort->holds = cases[i].holds;
            assert_ok(gas_sort_run(&box.solver, sort, &from, &test_error));
            if (cases[i].held) {
                set[WORD_OVERFLOW] = LIST_HELD;
            } else {
                set[WORD_FROZEN] = set[WORD_AGE] = set[WORD_STOP] = set[WORD_STOP + 1] = 0;
                set[WORD_OVERFLOW] = 0;
                set[WORD_BUILT] = 77;
            }
            set[WORD_REBUILDS] = cases[i].rebuilds;
            set[WORD_VIOLATIONS] = cases[i].violations;
            uint32_t got[GAS_WORDS];
            harness_read(box.device.words, got, sizeof got);
            assert_words(got, set, GAS_WORDS);
            gas_sort_destroy(&sort);
            gas_box_destroy(&box);
        }
}

static void parts(void **state)
{
    (void)state;
    const struct gas_box_shape few = flat(harness.tiny ? 40 : 500), many = flat(harness.tiny ? 60 : 6000);
    static const enum gas_sort_method methods[] = {GAS_SORT_BLOCKS, GAS_SORT_SERIAL};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        parts_of(&few, &flat_mesh, UNIFORM, methods[i]);
        parts_of(&many, &flat_mesh, CLUMPS, methods[i]); /* cells that a group sorts */
    }
}

static void wrong_arguments(void **state)
{
    (void)state;
    const struct gas_box_shape shape = flat(9000);
    const struct gas_mesh none = {{4, 0, 1}}, many = {{1000, 5, 1}};
    double *place = harness_memory(18000 * sizeof *place);
    struct gas_box box;
    struct gas_sort *sort = NULL;
    fill_places(place, &shape, &flat_mesh, UNIFORM);
    gas_box_create(&box, &shape, place, 0);
    assert_status(gas_sort_create(&box.solver, &none, GAS_SORT_AUTO, &sort, &test_error), SHOAL_INVALID);
    assert_status(gas_sort_create(&box.solver, &flat_mesh, GAS_SORT_GROUP, &sort, &test_error),
                  SHOAL_INVALID);
    box.device.problem.n = 20;
    assert_status(gas_sort_create(&box.solver, &many, GAS_SORT_GROUP, &sort, &test_error), SHOAL_INVALID);
    assert_null(sort);
    gas_box_destroy(&box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks), cmocka_unit_test(group), cmocka_unit_test(serial),
        by_turn(words),           cmocka_unit_test(parts), cmocka_unit_test(wrong_arguments),
    };
    return harness_main("gas-sort", tests, sizeof tests / sizeof *tests);
}
