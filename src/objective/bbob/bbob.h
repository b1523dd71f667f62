/* Private: the 24 noiseless functions of the Black-Box Optimization Benchmark (N. Hansen, S. Finck, R. Ros,
 * A. Auger, INRIA RR-6829, 2009) and their instances, with the random numbers of the benchmark's own
 * programs.
 *
 * An instance is a table of rows of `dim` numbers, which kernels and host read:
 *
 *     row 0                    least value of the instance, number of the function, then zeros
 *     row 1                    the point with this value
 *     from row 2               the first matrix, if the function has one
 *     then                     the second matrix, or two rows for each peak: position and scales
 */
#ifndef SHOAL_OBJECTIVE_BBOB_H
#define SHOAL_OBJECTIVE_BBOB_H

#include "objective/instances/instance.h"

/* Dimensions of the benchmark's own suite. The seeds of all these instances fit into 31 bits. */
enum { BBOB_FUNCTIONS = 24, BBOB_MIN_DIM = 2, BBOB_MAX_DIM = 40, BBOB_INSTANCES = 200000 };

/* The text of all functions. It gives the function whose number is the macro BBOB, or, if BBOB is 0, the
 * function whose number is in the table.
 */
#define BBOB_FILE OBJECTIVE_FILE("objective/bbob/bbob.clh")

/* Numbers of an instance, which belong to the instance. */
struct bbob {
    size_t dim;
    const double *optimum; /* [dim]: row 1 of the table */
    const double *first;   /* [dim][dim]: the first matrix, if the function has one */
    const double *second;  /* [dim][dim], or for peaks [2 * peaks][dim]: the numbers after the first matrix */
};

/* Rules of the point with the least value. */
enum bbob_point {
    BBOB_UNIFORM,        /* uniform in +-4 */
    BBOB_UNIFORM_LATER,  /* uniform in +-4, with the seed of rotation R */
    BBOB_ABSOLUTE,       /* uniform; coordinates 0, 2, 4, ... lose their signs */
    BBOB_THREE_QUARTERS, /* uniform in +-3 */
    BBOB_CORNER,         /* corner of the box, on the side of a uniform point */
    BBOB_SCHWEFEL,       /* +-2.1 with random signs */
    BBOB_LUNACEK,        /* +-1.25 with random signs */
    BBOB_VALLEY,         /* end of Rosenbrock's valley after a rotation */
    BBOB_PEAK            /* position of the highest peak */
};

/* The matrices are products of two rotations Q and R, of S = diag(stretch^(i / (2 (dim - 1)))), and of the
 * number bbob_valley(dim). */
enum bbob_matrix { BBOB_NONE, BBOB_Q, BBOB_R, BBOB_S_Q, BBOB_R_S_Q, BBOB_VALLEY_Q };

/* One function. */
struct bbob_function {
    uint32_t seed; /* number of the function whose random numbers this function uses */
    enum bbob_point point;
    enum bbob_matrix first, second;
    double stretch;
    /* Gallagher's functions: number of peaks, width of the box of their positions, condition of the highest
     * peak. */
    size_t peaks;
    double peak_span, highest_condition;
    /* Value at x minus the least value. */
    double (*value)(const struct bbob *of, const double *x);
};

/* Makes instance number `instance`, from 1, of function `number`, from 1. */
SHOAL_MUST_CHECK enum shoal_status bbob_make(int number, uint32_t instance, size_t dim,
                                             struct instance_data *data, struct shoal_error *error);

/* Makes instance instances[i] of function numbers[i], for i < count. The tables of the instances have equal
 * length and follow each other; the least values of the instances are 0. */
SHOAL_MUST_CHECK enum shoal_status bbob_make_several(const int *numbers, const uint64_t *instances,
                                                     size_t count, size_t dim, struct instance_data *data,
                                                     struct shoal_error *error);
/* Value of instance run mod `count` of the instances that bbob_make_several made: implements value_of_run of
 * their objective. */
double bbob_value_of_run(const struct shoal_objective *objective, size_t run, const double *x, size_t dim);

/* Value of an instance in double precision; NaN: the objective has no instance. */
double bbob_value(const struct shoal_objective *objective, const double *x, size_t dim);

/* Values of the functions, as in struct bbob_function ------------------------------------------------------
 */

double bbob_sphere(const struct bbob *of, const double *x);
double bbob_ellipsoid(const struct bbob *of, const double *x);
double bbob_rastrigin(const struct bbob *of, const double *x);
double bbob_bueche_rastrigin(const struct bbob *of, const double *x);
double bbob_slope(const struct bbob *of, const double *x);
double bbob_attractive_sector(const struct bbob *of, const double *x);
double bbob_step_ellipsoid(const struct bbob *of, const double *x);
double bbob_rosenbrock(const struct bbob *of, const double *x);
double bbob_rotated_rosenbrock(const struct bbob *of, const double *x);
double bbob_rotated_ellipsoid(const struct bbob *of, const double *x);
double bbob_discus(const struct bbob *of, const double *x);
double bbob_bent_cigar(const struct bbob *of, const double *x);
double bbob_sharp_ridge(const struct bbob *of, const double *x);
double bbob_different_powers(const struct bbob *of, const double *x);
double bbob_rotated_rastrigin(const struct bbob *of, const double *x);
double bbob_weierstrass(const struct bbob *of, const double *x);
double bbob_schaffer(const struct bbob *of, const double *x);
double bbob_griewank_rosenbrock(const struct bbob *of, const double *x);
double bbob_schwefel(const struct bbob *of, const double *x);
double bbob_gallagher_101(const struct bbob *of, const double *x);
double bbob_gallagher_21(const struct bbob *of, const double *x);
double bbob_katsuura(const struct bbob *of, const double *x);
double bbob_lunacek(const struct bbob *of, const double *x);

/* Random numbers, at most BBOB_MAX_DIM^2 for normal ones ----------------------------------------------- */

void bbob_uniform(double *out, size_t count, uint32_t seed); /* in (0, 1] */
void bbob_normal(double *out, size_t count, uint32_t seed);
void bbob_rotation(double *out, size_t dim, uint32_t seed); /* [dim][dim] */
/* The integers 0 .. count - 1 in the order of as many uniform numbers. */
void bbob_order(size_t *out, size_t count, uint32_t seed);

/* Transformations of points, in place, and of values -------------------------------------------------- */

/* base^(i / (dim - 1)) */
double bbob_power(double base, size_t i, size_t dim);
/* z = x - optimum, the point of row 1 */
void bbob_shift(const struct bbob *of, const double *x, double *z);
/* out = matrix z */
void bbob_multiply(const double *matrix, size_t dim, const double *z, double *out);
/* T_osz: small irregular waves, which keep the sign. */
double bbob_oscillate(double value);
void bbob_oscillate_all(double *z, size_t dim);
/* T_asy: breaks the symmetry of positive coordinates. */
void bbob_asymmetric(double beta, double *z, size_t dim);
/* f_pen: square of the distance to the box +-bound */
double bbob_outside(const double *x, size_t dim, double bound);
/* max(1, sqrt(dim) / 8), by which the coordinates of Rosenbrock's functions are scaled */
double bbob_valley(size_t dim);

/* Sums over coordinates that several functions share ------------------------------------------------------
 */

double bbob_squares(const double *z, size_t dim);
double bbob_ellipsoid_sum(double condition, const double *z, size_t dim);
double bbob_rastrigin_sum(const double *z, size_t dim);
double bbob_rosenbrock_sum(const double *z, size_t dim);

#endif
