/* Pictures: the pixels of a device are those of the host's text for the particles that the device has, to the
 * last bit; particles are where they should be; drawing changes nothing. */
#include "fixture.h"
#include "harness.h"

#include "gas/device/numbers.h"
#include "gas/device/tables/tables.h"
#include "gas/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct shoal_gas_picture draw(struct shoal_solver *solver, const struct shoal_gas_view *view)
{
    struct shoal_gas_picture picture = {.size = sizeof picture};
    assert_ok(shoal_gas_draw(solver, view, &picture, &test_error));
    return picture;
}

/* Against the text of the host ------------------------------------------------------------------------- */

/* What the device has of its particles. */
struct raw {
    void *position, *velocity, *id, *psi;
};

static struct raw raw_of(struct shoal_solver *solver, bool with_psi)
{
    const struct gas_device *device = gas_device_of(solver);
    struct raw raw = {0};
    struct shoal_buffer *psi;
    assert_ok(arrays_read(&device->arrays, "position", &raw.position, &test_error));
    assert_ok(arrays_read(&device->arrays, "velocity", &raw.velocity, &test_error));
    assert_ok(arrays_read(&device->arrays, "id", &raw.id, &test_error));
    if (with_psi) {
        const size_t bytes = device->problem.n * device->velocity_bytes;
        raw.psi = malloc(bytes);
        assert_ok(gas_tabler_psi(solver, &psi, &test_error));
        assert_ok(shoal_buffer_read(solver->queue, psi, 0, raw.psi, bytes, &test_error));
    }
    return raw;
}

static void raw_free(struct raw *raw)
{
    free(raw->position);
    free(raw->velocity);
    free(raw->id);
    free(raw->psi);
}

/* The square of a vector times `inverse`, by the operations of the kernels in their precision. */
static double square_of(const struct gas_problem *problem, const void *vectors, size_t at, double inverse)
{
    double v[GAS_MAX_DIM] = {0};
    for (size_t k = 0; k < problem->dim; k++)
        v[k] = gas_get_vector(problem, vectors, at, k);
    if (problem->params->precision == SHOAL_GAS_SINGLE) {
        const float y = (float)v[1] * (float)v[1], xy = fmaf((float)v[0], (float)v[0], y);
        return (double)((problem->dim == 3 ? fmaf((float)v[2], (float)v[2], xy) : xy) * (float)inverse);
    }
    const double xy = fma(v[0], v[0], v[1] * v[1]);
    return (problem->dim == 3 ? fma(v[2], v[2], xy) : xy) *
           (problem->params->precision == SHOAL_GAS_MIXED ? (double)(float)inverse : inverse);
}

static void compare(struct shoal_solver *solver, const struct shoal_gas_view *view)
{
    const struct gas_problem *problem = gas_common_of(solver)->problem;
    const bool by_hexatic = view->colouring == SHOAL_GAS_BY_HEXATIC;
    const struct shoal_gas_picture picture = draw(solver, view);
    const size_t bytes = (size_t)view->width * view->height * sizeof(uint32_t);
    uint8_t *drawn = malloc(bytes);
    memcpy(drawn, picture.pixels, bytes);
    struct raw raw = raw_of(solver, by_hexatic);
    struct gas_drawing drawing;
    gas_drawing_set(problem, view, &drawing);
    drawing.brightest = picture.brightest;
    uint32_t *planes = malloc(gas_drawing_words(&drawing) * sizeof *planes), *pixels = malloc(bytes);
    for (size_t at = 0; at < gas_drawing_words(&drawing); at++)
        planes[at] = gas_drawing_empty(&drawing);
    for (size_t i = 0; i < problem->n; i++) {
        const size_t number = ((const uint32_t *)raw.id)[i];
        struct gas_point point = {.kind = problem->species ? problem->species->of[number] : 0};
        for (size_t k = 0; k < problem->dim; k++) {
            const size_t at = i * (problem->dim == 2 ? 2 : 4) + k;
            point.at[k] = problem->params->precision == SHOAL_GAS_DOUBLE
                              ? gas_grid_steps(problem, k, ((const double *)raw.position)[at])
                              : (int64_t)((const uint32_t *)raw.position)[at];
        }
        point.square = by_hexatic ? square_of(problem, raw.psi, number, gas_drawing_inverse(&drawing))
                                  : square_of(problem, raw.velocity, i, gas_drawing_inverse(&drawing));
        gas_picture_add(&drawing, &point, planes);
    }
    gas_picture_finish(&drawing, planes, pixels);
    assert_memory_equal(drawn, pixels, bytes);
    raw_free(&raw);
    free(drawn);
    free(planes);
    free(pixels);
}

/* All colourings that the gas has, with pixels and with disks. */
static void compare_all(struct shoal_solver *solver)
{
    const struct shoal_gas_params *params = gas_common_of(solver)->problem->params;
    for (int32_t colouring = SHOAL_GAS_BY_SPEED; colouring <= SHOAL_GAS_BY_DENSITY; colouring++) {
        if ((colouring == SHOAL_GAS_BY_SPECIES && !params->species) ||
            (colouring == SHOAL_GAS_BY_HEXATIC && !(params->hexatic_range > 0)))
            continue;
        struct shoal_gas_view view =
            SHOAL_GAS_VIEW(.width = 23, .height = 17, .radius = 1e-3, .colouring = colouring);
        compare(solver, &view);
        view = SHOAL_GAS_VIEW(.width = 61, .height = 47, .colouring = colouring);
        compare(solver, &view);
        view.zoom = 5;
        view.centre_x = 0.3;
        view.brightest = 0.7;
        compare(solver, &view);
    }
}

/* Each precision, both dimensions and each boundary once: more would build more programs. */
static void pixels_are_those_of_the_host(void **state)
{
    (void)state;
    for (const int32_t *precision = gas_run_precisions(); *precision >= 0; precision++) {
        struct shoal_gas_params params = gas_run_params();
        params.precision = *precision;
        params.dim = *precision == SHOAL_GAS_MIXED ? 3 : 2;
        params.particles = 108;
        params.hexatic_range = *precision == SHOAL_GAS_SINGLE ? 1.6 : 0;
        params.species = *precision == SHOAL_GAS_SINGLE ? "A=0.6,B=0.4" : NULL;
        params.boundary_x = *precision == SHOAL_GAS_MIXED ? SHOAL_GAS_OPEN : SHOAL_GAS_PERIODIC;
        params.boundary_y = *precision == SHOAL_GAS_DOUBLE ? SHOAL_GAS_WALLS : SHOAL_GAS_PERIODIC;
        struct shoal_solver *solver = gas_run_open(&params, false);
        run_steps(solver, 3);
        compare_all(solver);
        shoal_solver_destroy(&solver);
    }
}

/* Where particles are ---------------------------------------------------------------------------------- */

static uint32_t pixel_at(const struct shoal_gas_picture *picture, size_t x, size_t y)
{
    uint32_t pixel;
    memcpy(&pixel, picture->pixels + 4 * (y * picture->width + x), sizeof pixel);
    return pixel;
}

/* Three particles in a box of 8 x 4, drawn 80 x 40 and, with a radius of half a pixel, 16 x 8. */
static void look(bool on_host)
{
    const double position[] = {1.05, 1.05, 4.05, 3.05, 7.55, 0.35}, velocity[] = {0, 0, 3, 4, 0, 0};
    struct shoal_gas_params params = gas_run_params();
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    gas_run_start(&params, position, velocity, 3, 8, 4);
    struct shoal_solver *solver = gas_run_open(&params, on_host);
    struct shoal_gas_view view = SHOAL_GAS_VIEW(.width = 80, .height = 40, .brightest = 5);
    struct shoal_gas_picture picture = draw(solver, &view);
    uint8_t slow[3], fast[3];
    shoal_gas_picture_colour(SHOAL_GAS_BY_SPEED, 0, slow);
    shoal_gas_picture_colour(SHOAL_GAS_BY_SPEED, 1, fast);
    assert_int_equal(picture.step, 0);
    assert_memory_equal(picture.pixels + 4 * (29 * 80 + 10), slow, 3);
    assert_memory_equal(picture.pixels + 4 * (9 * 80 + 40), fast, 3);
    /* The disks have a radius of 5 pixels. */
    assert_memory_equal(picture.pixels + 4 * (9 * 80 + 44), fast, 3);
    assert_int_equal(pixel_at(&picture, 46, 9), PICTURE_BOX);
    assert_int_equal(pixel_at(&picture, 20, 20), PICTURE_BOX);
    size_t coloured = 0;
    view = SHOAL_GAS_VIEW(.width = 16, .height = 16, .radius = 0.2);
    picture = draw(solver, &view);
    for (size_t at = 0; at < 256; at++)
        coloured += pixel_at(&picture, at % 16, at / 16) != PICTURE_BOX &&
                    pixel_at(&picture, at % 16, at / 16) != PICTURE_OUTSIDE;
    assert_int_equal(coloured, 3);
    assert_int_equal(pixel_at(&picture, 5, 3), PICTURE_OUTSIDE);
    assert_int_equal(pixel_at(&picture, 5, 4), PICTURE_BOX);
    assert_true(pixel_at(&picture, 2, 9) != PICTURE_BOX);
    shoal_solver_destroy(&solver);
}

static void views_show_the_places(void **state)
{
    (void)state;
    look(false);
    look(true);
}

/* Number of pixels that show particles. */
static size_t coloured_of(const struct shoal_gas_picture *picture)
{
    size_t count = 0;
    for (size_t at = 0; at < (size_t)picture->width * picture->height; at++) {
        const uint32_t pixel = pixel_at(picture, at % picture->width, at / picture->width);
        count += pixel != PICTURE_BOX && pixel != PICTURE_OUTSIDE;
    }
    return count;
}

/* A box of 1 x 150, whose edge across is far from the picture's, and a picture of zoom 0.01. */
static void views_have_far_edges(void **state)
{
    (void)state;
    const double position[] = {0.5, 20.5, 0.5, 75.5, 0.5, 149.5}, velocity[6] = {0};
    struct shoal_gas_params params = gas_run_params();
    params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
    gas_run_start(&params, position, velocity, 3, 1, 150);
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_solver *solver = gas_run_open(&params, on_host);
        struct shoal_gas_view view = SHOAL_GAS_VIEW(.width = 150, .height = 150, .radius = 0.2);
        struct shoal_gas_picture picture = draw(solver, &view);
        assert_int_equal(coloured_of(&picture), 3);
        for (size_t i = 0; i < 3; i++) {
            const uint32_t pixel = pixel_at(&picture, 75, 149 - (size_t)position[2 * i + 1]);
            assert_true(pixel != PICTURE_BOX && pixel != PICTURE_OUTSIDE);
        }
        view.zoom = 0.01; /* a length of 150 is 1.5 pixels */
        picture = draw(solver, &view);
        assert_in_range(coloured_of(&picture), 1, 2);
        shoal_solver_destroy(&solver);
    }
}

static void views_change_nothing(void **state)
{
    (void)state;
    const struct shoal_gas_params params = gas_run_params();
    struct gas_run_state drawn, other;
    struct shoal_solver *solver = gas_run_open(&params, false);
    const struct shoal_gas_view view = SHOAL_GAS_VIEW(.width = 40, .height = 40);
    for (int i = 0; i < 3; i++) {
        draw(solver, &view);
        run_steps(solver, 4);
    }
    gas_run_state(solver, &drawn);
    shoal_solver_destroy(&solver);
    gas_run(&params, false, 12, &other);
    gas_run_same(&drawn, &other);
}

/* Bad input -------------------------------------------------------------------------------------------- */

static void views_are_refused(void **state)
{
    (void)state;
    const struct shoal_gas_params params = gas_run_params();
    struct shoal_solver *solver = gas_run_open(&params, true);
    const struct {
        struct shoal_gas_view view;
        const char *message;
    } wrong[] = {{SHOAL_GAS_VIEW(.width = 0), "1 to 16384 pixels"},
                 {SHOAL_GAS_VIEW(.height = 16385), "1 to 16384 pixels"},
                 {SHOAL_GAS_VIEW(.zoom = 0), "zoom"},
                 {SHOAL_GAS_VIEW(.zoom = NAN), "zoom"},
                 {SHOAL_GAS_VIEW(.centre_y = INFINITY), "centre"},
                 {SHOAL_GAS_VIEW(.radius = -1), "above 0"},
                 {SHOAL_GAS_VIEW(.brightest = 0), "above 0"},
                 {SHOAL_GAS_VIEW(.colouring = 4), "colouring"},
                 {SHOAL_GAS_VIEW(.colouring = SHOAL_GAS_BY_SPECIES), "need --species"},
                 {SHOAL_GAS_VIEW(.colouring = SHOAL_GAS_BY_HEXATIC), "need --hexatic-range"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct shoal_gas_picture picture = {.size = sizeof picture};
        assert_int_equal(shoal_gas_draw(solver, &wrong[i].view, &picture, &test_error), SHOAL_INVALID);
        assert_non_null(strstr(test_error.message, wrong[i].message));
    }
    shoal_solver_destroy(&solver);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_those_of_the_host),
        cmocka_unit_test(views_show_the_places),
        cmocka_unit_test(views_have_far_edges),
        cmocka_unit_test(views_change_nothing),
        cmocka_unit_test(views_are_refused),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return harness_main("gas-picture", tests, sizeof tests / sizeof *tests);
}
