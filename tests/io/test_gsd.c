/* GSD files: what is read of them, and everything that is refused. */
#include "unit.h"

#include "io/particles/gsd.h"
#include "io/particles/particles.h"

#include <math.h>

enum { BYTES = 16384, ENTRIES = 40, NAMES = 1024 };

/* A file in the making: header, names, index, chunks. */
static struct {
    char bytes[BYTES];
    size_t used, names_used, count; /* count: number of entries */
    struct gsd_header header;
} made;
static struct particles particles;

static int tear_down(void **state)
{
    particles_free(&particles);
    return unit_teardown(state);
}

/* layer: version of the file layer; in 1.0 names have GSD_NAME bytes each. */
static void begin(uint32_t layer)
{
    memset(&made, 0, sizeof made);
    made.header = (struct gsd_header){.magic = GSD_MAGIC,
                                      .names_location = sizeof made.header,
                                      .names_allocated = NAMES / GSD_NAME,
                                      .index_location = sizeof made.header + NAMES,
                                      .index_allocated = ENTRIES,
                                      .schema_version = 1u << 16 | 4,
                                      .version = layer,
                                      .schema = "hoomd"};
    made.used = made.header.index_location + ENTRIES * sizeof(struct gsd_entry);
    memcpy(made.bytes, &made.header, sizeof made.header);
}

static uint16_t number_of(const char *name)
{
    const bool is_fixed = made.header.version >> 16 == 1;
    char *const names = made.bytes + made.header.names_location;
    size_t at = 0;
    uint16_t number = 0;
    while (at < made.names_used && strcmp(names + at, name) != 0) {
        at += is_fixed ? GSD_NAME : strlen(names + at) + 1;
        number++;
    }
    strcpy(names + at, name);
    at += is_fixed ? GSD_NAME : strlen(name) + 1;
    made.names_used = at > made.names_used ? at : made.names_used;
    return number;
}

static void add(uint64_t frame, const char *name, uint8_t type, uint64_t rows, uint32_t columns,
                const void *data)
{
    const struct gsd_entry entry = {.frame = frame,
                                    .rows = rows,
                                    .location = (int64_t)made.used,
                                    .columns = columns,
                                    .name = number_of(name),
                                    .type = type};
    const size_t bytes = (size_t)rows * columns * gsd_bytes(type);
    assert_true(made.count < ENTRIES && made.used + bytes <= BYTES);
    memcpy(made.bytes + made.header.index_location + made.count++ * sizeof entry, &entry, sizeof entry);
    memcpy(made.bytes + made.used, data, bytes);
    made.used += bytes;
}
#define ADD(frame, name, kind, type, rows, columns, ...)                                                     \
    add(frame, name, kind, rows, columns, (type[]){__VA_ARGS__})

static void parse(size_t bytes)
{
    particles_free(&particles);
    assert_ok(particles_parse(made.bytes, bytes, "start", &particles, &test_error));
}

static void refuse(const char *message)
{
    particles_free(&particles);
    assert_status(particles_parse(made.bytes, made.used, "start", &particles, &test_error), SHOAL_IO);
    assert_string_equal(test_error.message, message);
    assert_null(particles.position);
}

static void assert_reals(const double *values, size_t count, const double *wanted)
{
    for (size_t i = 0; i < count; i++)
        assert_close(values[i], wanted[i], 1e-15);
}
#define ASSERT_REALS(values, ...)                                                                            \
    assert_reals(values, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

/* Two particles in a flat box; the second frame has other positions, and the rest of the first. */
static void make(uint32_t layer)
{
    begin(layer);
    ADD(0, "configuration/step", GSD_UINT64, uint64_t, 1, 1, 10);
    ADD(0, "configuration/dimensions", GSD_UINT8, uint8_t, 1, 1, 2);
    ADD(0, "configuration/box", GSD_FLOAT, float, 6, 1, 8, 4, 1, 0, 0, 0);
    ADD(0, "particles/N", GSD_UINT32, uint32_t, 1, 1, 2);
    ADD(0, "particles/types", GSD_INT8, int8_t, 2, 3, 'A', 'r', 0, 'K', 'r', 0);
    ADD(0, "particles/typeid", GSD_UINT32, uint32_t, 2, 1, 1, 0);
    ADD(0, "particles/mass", GSD_FLOAT, float, 2, 1, 3, 1);
    ADD(0, "particles/charge", GSD_FLOAT, float, 2, 1, -1, 1);
    ADD(0, "particles/position", GSD_FLOAT, float, 2, 3, -4, -2, 0, 1, 1, 0);
    ADD(0, "particles/velocity", GSD_FLOAT, float, 2, 3, 0.5, 0, 0, 0, -0.25, 0);
    ADD(0, "particles/image", GSD_INT32, int32_t, 2, 3, 1, 0, 0, 0, -2, 0);
    ADD(0, "log/temperature", GSD_DOUBLE, double, 1, 1, 0.5);
    ADD(1, "configuration/step", GSD_UINT64, uint64_t, 1, 1, 20);
    ADD(1, "particles/position", GSD_FLOAT, float, 2, 3, -3, -2, 0, 2, 1, 0);
}

static void test_read(void **state)
{
    (void)state;
    for (uint32_t layer = 1u << 16; layer <= 2u << 16; layer += 1u << 16) {
        make(layer);
        parse(made.used);
        assert_string_equal(particles.format, "GSD");
        assert_true(particles.count == 2 && particles.frames == 2 && particles.frame == 2 &&
                    !particles.is_cut);
        assert_true(particles.has_box && !particles.has_periodic);
        ASSERT_REALS(particles.length, 8, 4, 0);
        ASSERT_REALS(particles.origin, -4, -2, 0);
        ASSERT_REALS(particles.position, -3, -2, 0, 2, 1, 0);
        ASSERT_REALS(particles.velocity, 0.5, 0, 0, 0, -0.25, 0);
        ASSERT_REALS(particles.masses, 3, 1);
        assert_true(particles.image[0] == 1 && particles.image[4] == -2 && isnan(particles.mass));
        assert_true(particles.kinds == 2 && particles.kind[0] == 0 && particles.kind[1] == 1);
        assert_string_equal(particles.kind_names[0], "Kr");
        assert_string_equal(particles.kind_names[1], "Ar");
        ASSERT_REALS(particles.charges, -1, 1);
        assert_string_equal(particles.told, "type, mass, charge");
        assert_string_equal(particles.unused, "");
    }
    /* The last chunk is cut off. */
    parse(made.used - 1);
    assert_true(particles.is_cut && particles.frames == 2 && particles.frame == 1);
    ASSERT_REALS(particles.position, -4, -2, 0, 1, 1, 0);
    /* Another number of particles: the chunks of the first frame do not hold for them. */
    make(2u << 16);
    ADD(2, "particles/N", GSD_UINT32, uint32_t, 1, 1, 1);
    ADD(2, "particles/position", GSD_FLOAT, float, 1, 3, 0, 0, 0);
    parse(made.used);
    assert_true(particles.count == 1 && !particles.velocity && !particles.masses && !particles.image);
    assert_true(particles.mass == 1 && particles.kinds == 1);
    assert_string_equal(particles.kind_names[0], "Ar");
    /* Double precision. */
    make(2u << 16);
    ADD(2, "configuration/box", GSD_DOUBLE, double, 6, 1, 8.1, 4, 1, 0, 0, 0);
    ADD(2, "particles/position", GSD_DOUBLE, double, 2, 3, 0.1, 0, 0, 1.1, 1, 0);
    parse(made.used);
    ASSERT_REALS(particles.position, 0.1, 0, 0, 1.1, 1, 0);
    ASSERT_REALS(particles.length, 8.1, 4, 0);
    /* More types than are told apart. */
    begin(2u << 16);
    ADD(0, "configuration/box", GSD_FLOAT, float, 6, 1, 8, 4, 2, 0, 0, 0);
    ADD(0, "particles/N", GSD_UINT32, uint32_t, 1, 1, 9);
    ADD(0, "particles/typeid", GSD_UINT32, uint32_t, 9, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    add(0, "particles/position", GSD_FLOAT, 9, 3, (float[27]){0});
    parse(made.used);
    assert_true(particles.kinds == 8 && particles.kind[8] == PARTICLES_KINDS_MOST);
    ASSERT_REALS(particles.length, 8, 4, 2);
    assert_string_equal(particles.kind_names[7], "H");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint8_t type;
        uint32_t columns;
        const char *message;
    } wrong[] = {
        {"particles/N", GSD_FLOAT, 1, "start: the chunk particles/N is no number of type uint32"},
        {"particles/velocity", GSD_INT64, 3,
         "start: the chunk particles/velocity has 1 x 3 numbers of type 8: that is not of the schema hoomd, "
         "for "
         "2 particles"},
        {"particles/position", GSD_FLOAT, 0,
         "start: the chunk particles/position has 1 x 0 numbers of type 9: that is not of the schema hoomd, "
         "for 2 "
         "particles"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        make(2u << 16);
        add(2, wrong[i].name, wrong[i].type, 1, wrong[i].columns, (double[4]){0});
        refuse(wrong[i].message);
    }
    make(2u << 16);
    ADD(2, "particles/N", GSD_UINT32, uint32_t, 1, 1, 0);
    refuse("start: frame 3 of the GSD file has no particles");
    make(2u << 16);
    ADD(2, "particles/position", GSD_FLOAT, float, 2, 3, 0, 0, 0, 0, NAN, 0);
    refuse("start: the position of particle 2 is nan, which is not finite");
    make(2u << 16);
    ADD(2, "particles/typeid", GSD_UINT32, uint32_t, 2, 1, 0, 2);
    refuse("start: particle 2 is of type 2, but there are 2 types");
    make(2u << 16);
    ADD(2, "particles/image", GSD_INT32, int32_t, 2, 3, 0, 0, 0, INT32_MIN, 0, 0);
    refuse("start: the crossings of particle 2 along x are -2147483648, which is no count up to 1e+09");
    make(2u << 16);
    ADD(2, "configuration/box", GSD_FLOAT, float, 6, 1, 8, 4, 1, 0.5, 0, 0);
    refuse("start: the box is oblique (triclinic): its tilts are 0.5, 0 and 0, boxes here are upright");
    make(2u << 16);
    ADD(2, "configuration/box", GSD_FLOAT, float, 6, 1, 8, -4, 1, 0, 0, 0);
    refuse("start: the box is -4 long along y");
    make(2u << 16);
    ADD(0, "configuration/step", GSD_UINT64, uint64_t, 1, 1, 30);
    refuse("start: the frames in the index of the GSD file are out of order");
    begin(2u << 16);
    refuse("start: the GSD file has no frames");
    ADD(0, "particles/N", GSD_UINT32, uint32_t, 1, 1, 1);
    refuse("start: frame 1 of the GSD file has no positions");
    ADD(0, "particles/position", GSD_FLOAT, float, 1, 3, 0, 0, 0);
    refuse("start: the GSD file has no box");
    made.used--;
    refuse("start: the GSD file ends within its first frame");
    made.used = made.header.index_location + 100;
    refuse("start: the GSD file ends before its index or its names");
    made.used = 100;
    refuse("start: the GSD file ends within its header");
}

static void test_other_headers(void **state)
{
    (void)state;
    struct gsd_header header;
    begin(3u << 16 | 1);
    refuse("start: has version 3.1 of the GSD file layer; versions 1 and 2 are read");
    begin(2u << 16);
    header = made.header;
    strcpy(header.schema, "other");
    memcpy(made.bytes, &header, sizeof header);
    refuse("start: has the GSD schema 'other'; only the schema 'hoomd' has particles");
    header = made.header;
    header.schema_version = 3u << 16;
    memcpy(made.bytes, &header, sizeof header);
    refuse("start: has version 3.0 of the schema hoomd; versions 1 and 2 are read");
    header = made.header;
    header.index_allocated = UINT64_MAX / 32 + 2;
    memcpy(made.bytes, &header, sizeof header);
    refuse("start: the GSD file ends before its index or its names");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, unit_setup, tear_down)
    const struct CMUnitTest tests[] = {TEST(test_read), TEST(test_refused), TEST(test_other_headers)};
    return cmocka_run_group_tests_name("gsd", tests, NULL, NULL);
}
