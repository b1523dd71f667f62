/* What a picture of a gas shows, in the units of kernels, and the public calls. */
#include "gas/picture/picture.h"
#include "base/error.h"
#include "base/params.h"
#include "gas/piston/piston.h"

#include <string.h>

/* Colours ---------------------------------------------------------------------------------------------- */

enum { CHANNELS = 3, ANCHORS = 9 };

/* Scales whose brightness rises evenly, so that the colour-blind can read them: of particles, which must
 * differ from the ground, and of densities, which begin with the colour of the box. */
static const uint8_t particle_anchors[ANCHORS][CHANNELS] = {{72, 40, 120},  {62, 73, 137},  {49, 104, 142},
                                                            {38, 130, 142}, {31, 158, 137}, {53, 183, 121},
                                                            {110, 206, 88}, {181, 222, 43}, {253, 231, 37}};
static const uint8_t density_anchors[ANCHORS][CHANNELS] = {{13, 13, 13},   {40, 16, 74},   {87, 16, 109},
                                                           {136, 34, 106}, {182, 54, 85},  {222, 84, 51},
                                                           {247, 131, 15}, {250, 190, 48}, {252, 255, 164}};
/* Colours of eight species that the colour-blind can tell apart, after Okabe and Ito. */
static const uint8_t species_colours[SHOAL_GAS_MOST_SPECIES][CHANNELS] = {
    {86, 180, 233},  {230, 159, 0}, {0, 158, 115}, {240, 228, 66},
    {204, 121, 167}, {213, 94, 0},  {0, 114, 178}, {200, 200, 200}};

void shoal_gas_picture_colour(enum shoal_gas_colouring colouring, double share, uint8_t rgb[3])
{
    if (!rgb)
        return;
    if (colouring == SHOAL_GAS_BY_SPECIES) {
        const size_t kind = share > 0 ? (size_t)fmin(share, SHOAL_GAS_MOST_SPECIES - 1) : 0;
        memcpy(rgb, species_colours[kind], CHANNELS);
        return;
    }
    const uint8_t(*anchors)[CHANNELS] =
        colouring == SHOAL_GAS_BY_DENSITY ? density_anchors : particle_anchors;
    const double place = fmin(fmax(share, 0), 1) * (ANCHORS - 1);
    const size_t below = place < ANCHORS - 1 ? (size_t)place : ANCHORS - 2;
    const double part = place - (double)below;
    for (size_t c = 0; c < CHANNELS; c++)
        rgb[c] = (uint8_t)lrint((1 - part) * anchors[below][c] + part * anchors[below + 1][c]);
}

static void set_palette(enum shoal_gas_colouring colouring, uint32_t palette[PICTURE_LEVELS])
{
    for (size_t level = 0; level < PICTURE_LEVELS; level++) {
        const double scale = colouring == SHOAL_GAS_BY_SPECIES ? 1 : PICTURE_LEVELS - 1;
        uint8_t rgb[CHANNELS];
        shoal_gas_picture_colour(colouring, (double)level / scale, rgb);
        palette[level] = rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16 | 0xff000000u;
    }
}

/* The drawing -------------------------------------------------------------------------------------------- */

/* Returns the first of the numbers 1, 1.5, 2, 3, 4, 5, 7 and 10 times a power of ten that is at least
 * `value`; 0: the value is not positive and finite. */
static double rounded_up(double value)
{
    static const double round[] = {1, 1.5, 2, 3, 4, 5, 7, 10};
    if (!(value > 0 && value < HUGE_VAL))
        return 0;
    const double ten = pow(10, floor(log10(value)));
    size_t i = 0;
    while (i + 1 < sizeof round / sizeof *round && round[i] * ten < value)
        i++;
    return round[i] * ten;
}

void gas_drawing_expose(struct gas_drawing *drawing, double mean_square)
{
    drawing->brightest = rounded_up(3 * sqrt(mean_square));
}

static double radius_of(const struct gas_problem *problem, double given)
{
    const struct shoal_gas_params *params = problem->params;
    const bool is_sized = params->potential == SHOAL_GAS_LJ || params->potential == SHOAL_GAS_WCA;
    return isnan(given) ? is_sized ? 0.5 * params->sigma : 0.5 : given;
}

/* Number of grid steps in the length of an axis, and the grid coordinate of its low end. */
static double steps_of(const struct gas_problem *problem, size_t axis)
{
    return problem->boundary[axis] == SHOAL_GAS_PERIODIC ? 0x1p32 : 0x1p30;
}

static double begin_of(const struct gas_problem *problem, size_t axis)
{
    return problem->boundary[axis] == SHOAL_GAS_PERIODIC ? 0 : 0x1p30;
}

int64_t gas_grid_steps(const struct gas_problem *problem, size_t axis, double x)
{
    const double unit = problem->length[axis] / steps_of(problem, axis);
    return (int64_t)floor(x * (1 / unit)) + (int64_t)begin_of(problem, axis);
}

/* Sets how grid coordinates become sub-pixels along an axis. corner: coordinate at the edge of the picture;
 * rate: sub-pixels of a grid step. The scale has up to 24 bits, fewer if the edge is so far from the
 * particles, whose coordinates have 33 bits, that products would not fit 64 bits. */
static void set_axis(struct gas_picture_view *view, size_t axis, double corner, double rate)
{
    int exponent;
    const double digits = frexp(rate, &exponent), most = 0x1p54;
    const double edge = fmin(fmax(corner, -most), most);
    const int far = ilogb(fabs(edge) + 0x1p33) + 1, bits = far + 24 <= 62 ? 24 : 62 - far;
    int shift = bits - exponent;
    double scale = ldexp(digits, bits);
    if (shift < 0) { /* a grid step of many pixels: only near the largest zoom of a tiny box */
        shift = 0;
        scale = ldexp(1, bits);
    } else if (shift > 63) {
        scale = ldexp(scale, 63 - shift);
        shift = 63;
    }
    view->scale[axis] = (uint32_t)scale;
    view->shift[axis] = (uint32_t)shift;
    view->corner[axis] = (long)rint(edge);
}

/* Sets columns or rows of the box, first and end, from its edges in pixels. Particles of an open axis are
 * anywhere, so the box has the whole picture then. */
static void set_box(const struct gas_problem *problem, size_t axis, double low, double high, uint32_t pixels,
                    uint32_t *first)
{
    const bool is_open = problem->boundary[axis] == SHOAL_GAS_OPEN;
    first[0] = is_open ? 0 : (uint32_t)fmin(fmax(rint(low), 0), pixels);
    first[1] = is_open ? pixels : (uint32_t)fmin(fmax(rint(high), 0), pixels);
}

/* Sets the cells of a picture of densities. A cell has at least 4 particles at the mean density, so that
 * their number has little noise. particles: of a pixel, at the mean density; full: at the brightest colour.
 */
static void set_cells(struct gas_picture_view *view, size_t n, double particles, double full)
{
    const unsigned most_cell = 12;
    view->cell = 0;
    while (view->cell < most_cell && ldexp(particles, 2 * (int)view->cell) < 4)
        view->cell++;
    /* Sums of n particles with weights of PICTURE_STEPS^2 = 2^12 in all must fit 64 bits. */
    const double rate = (PICTURE_LEVELS - 1) / full;
    const int room = 63 - 12 - (int)ceil(log2((double)n + 1));
    int exponent;
    frexp(rate, &exponent);
    const int shift = room - exponent;
    view->density_shift = shift < 0 ? 0 : shift > 40 ? 40 : (uint32_t)shift;
    view->density = (unsigned long)fmin(ldexp(rate, (int)view->density_shift), ldexp(1, room));
}

static void set_density(const struct gas_problem *problem, const struct shoal_gas_view *given, double scale,
                        struct gas_drawing *drawing)
{
    const double mean = (double)problem->n / (problem->length[0] * problem->length[1]);
    const double radius = radius_of(problem, NAN);
    if (isnan(given->brightest))
        drawing->brightest = rounded_up(fmax(2 * mean, problem->dim == 2 ? 0.25 / (radius * radius) : 0));
    set_cells(&drawing->view, problem->n, mean / (scale * scale),
              fmax(drawing->brightest / (scale * scale), 1e-12));
}

/* Number of work-items that draw a disk together: as many as it has rows, and in all at most about 4
 * million. */
static uint32_t lanes_of(size_t n, uint32_t radius)
{
    const size_t rows = 2 * radius / PICTURE_SUB + 2, most = ((size_t)4 << 20) / n;
    const size_t lanes = rows < most ? rows : most;
    return lanes > 1 ? (uint32_t)lanes : 1;
}

void gas_drawing_set(const struct gas_problem *problem, const struct shoal_gas_view *given,
                     struct gas_drawing *drawing)
{
    const double *length = problem->length,
                 shown[] = {gas_shown_length(problem, 0), gas_shown_length(problem, 1)};
    /* pixels of a unit of length */
    const double scale = given->zoom * fmin(given->width / shown[0], given->height / shown[1]);
    const double centre[] = {isnan(given->centre_x) ? 0.5 * shown[0] : given->centre_x,
                             isnan(given->centre_y) ? 0.5 * shown[1] : given->centre_y};
    const double half[] = {0.5 * given->width / scale, 0.5 * given->height / scale};
    const double radius = radius_of(problem, given->radius) * scale;
    *drawing = (struct gas_drawing){.colouring = (enum shoal_gas_colouring)given->colouring,
                                    .brightest = given->brightest};
    struct gas_picture_view *view = &drawing->view;
    view->width = given->width;
    view->height = given->height;
    view->species = problem->species ? (uint32_t)problem->species->count : 1;
    view->radius = (uint32_t)fmin(rint(radius * PICTURE_SUB), 32767);
    view->is_deep = problem->dim == 3;
    view->lanes = 1;
    for (size_t k = 0; k < 2; k++) {
        const double sign = k == 0 ? -1 : 1, steps = steps_of(problem, k);
        const double corner = (centre[k] + sign * half[k]) / length[k] * steps + begin_of(problem, k);
        set_axis(view, k, corner, PICTURE_SUB * scale * length[k] / steps);
    }
    if (problem->dim == 3)
        set_axis(view, 2, begin_of(problem, 2) + steps_of(problem, 2), 0x1p16 / steps_of(problem, 2));
    const double left = (half[0] - centre[0]) * scale, top = (centre[1] + half[1] - shown[1]) * scale;
    set_box(problem, 0, left, left + shown[0] * scale, given->width, view->box);
    set_box(problem, 1, top, top + shown[1] * scale, given->height, view->box + 2);
    view->kind = given->colouring == SHOAL_GAS_BY_DENSITY   ? PICTURE_DENSITY
                 : radius >= 1                              ? PICTURE_DISKS
                 : given->colouring == SHOAL_GAS_BY_SPECIES ? PICTURE_KINDS
                                                            : PICTURE_MEANS;
    if (view->kind == PICTURE_DISKS)
        view->lanes = lanes_of(problem->n, view->radius);
    /* Levels are shifted until their sum fits a word, even if all particles are in one pixel. */
    while ((problem->n * (uint64_t)(PICTURE_LEVELS - 1) >> view->level_shift) >> 32)
        view->level_shift++;
    if (view->kind == PICTURE_DENSITY)
        set_density(problem, given, scale, drawing);
    if (given->colouring == SHOAL_GAS_BY_HEXATIC)
        drawing->brightest = 1;
    if (given->colouring == SHOAL_GAS_BY_SPECIES)
        drawing->brightest = 0;
    set_palette(drawing->colouring, drawing->palette);
}

/* Public calls ----------------------------------------------------------------------------------------- */

void shoal_gas_view_init(struct shoal_gas_view *view)
{
    if (view)
        *view = (struct shoal_gas_view){.size = sizeof *view,
                                        .width = 512,
                                        .height = 512,
                                        .centre_x = NAN,
                                        .centre_y = NAN,
                                        .zoom = 1,
                                        .radius = NAN,
                                        .brightest = NAN};
}

static bool is_length(double value)
{
    return isnan(value) || (value > 0 && isfinite(value));
}

static enum shoal_status check_view(const struct gas_problem *problem, const struct shoal_gas_view *view,
                                    struct shoal_error *error)
{
    const uint32_t most = SHOAL_GAS_MOST_PIXELS;
    if (view->width < 1 || view->width > most || view->height < 1 || view->height > most)
        return fail(error, SHOAL_INVALID, "a picture has 1 to %u pixels along each side, not %u x %u", most,
                    view->width, view->height);
    if (!(view->zoom >= 0.01 && view->zoom <= 1e6))
        return fail(error, SHOAL_INVALID, "the zoom of a picture is 0.01 to 1000000, not %g", view->zoom);
    if (isinf(view->centre_x) || isinf(view->centre_y))
        return fail(error, SHOAL_INVALID, "the centre of a picture is not finite");
    if (!is_length(view->radius) || !is_length(view->brightest))
        return fail(error, SHOAL_INVALID, "radius and brightest value of a picture are above 0");
    if (view->colouring < SHOAL_GAS_BY_SPEED || view->colouring > SHOAL_GAS_BY_DENSITY)
        return fail(error, SHOAL_INVALID,
                    "the colouring of a picture is %d; there are SHOAL_GAS_BY_SPEED to SHOAL_GAS_BY_DENSITY",
                    (int)view->colouring);
    if (view->colouring == SHOAL_GAS_BY_SPECIES && !problem->species)
        return fail(error, SHOAL_INVALID, "colours by species need --species: all particles are alike");
    if (view->colouring == SHOAL_GAS_BY_HEXATIC && !(problem->params->hexatic_range > 0))
        return fail(error, SHOAL_INVALID, "colours by hexatic order need --hexatic-range, in two dimensions");
    return SHOAL_OK;
}

enum shoal_status shoal_gas_draw(struct shoal_solver *solver, const struct shoal_gas_view *view,
                                 struct shoal_gas_picture *picture, struct shoal_error *error)
{
    struct shoal_gas_view own;
    struct gas_drawing drawing;
    const uint32_t *pixels = NULL;
    if (!NEED(error, view))
        return SHOAL_INVALID;
    enum shoal_status status = gas_prepare(solver, picture, "picture", "shoal_gas_draw", error);
    if (!status)
        status = PARAMS_TAKE(view, shoal_gas_view_init, &own, error);
    if (!status)
        status = RESULT_CHECK(picture, pixels, error);
    if (status)
        return status;
    const struct gas_common *common = gas_common_of(solver);
    status = check_view(common->problem, &own, error);
    if (status)
        return status;
    gas_drawing_set(common->problem, &own, &drawing);
    status = common->stepper->draw(solver, &drawing, &pixels, error);
    if (status)
        return status;
    const struct shoal_gas_picture all = {.width = own.width,
                                          .height = own.height,
                                          .step = gas_shown_step(common),
                                          .time = gas_run_time(common),
                                          .brightest = drawing.brightest,
                                          .pixels = (const uint8_t *)pixels};
    RESULT_GIVE(&all, pixels, picture);
    return SHOAL_OK;
}
