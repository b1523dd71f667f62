/* Private: the 24 noiseless functions of the Black-Box Optimization Benchmark (N. Hansen, S. Finck, R. Ros,
 * A. Auger, INRIA RR-6829, 2009) and their instances, with the random numbers of the benchmark's own
 * programs.
 *
 * An instance is a table of rows of `dim` numbers, which kernels and host read. Row 0 has the least value of
 * the instance, the number of the function, and zeros. Row 1 is the point with the least value. From row 2
 * on, the table has the first matrix, if the function has one. Then it has the second matrix, if the function
 * has one, or two rows for each peak: its position and its scales.
 */
#ifndef SHOAL_OBJECTIVE_BBOB_H
#define SHOAL_OBJECTIVE_BBOB_H

#include "objective/instances/data.h"
#include "objective/objective.h"

/* Dimensions of the benchmark's own suite, and the largest number of an instance. The seeds of all these
 * instances fit into 31 bits. */
enum { BBOB_FUNCTIONS = 24, BBOB_MIN_DIM = 2, BBOB_MAX_DIM = 40, BBOB_INSTANCES = 200000 };

/* The text of all functions. The macro BBOB is the number of the function; 0: the number is in the table. */
#define BBOB_FILE OBJECTIVE_FILE("objective/bbob/bbob.clh")

/* An instance as the functions below read it. The numbers belong to the instance. */
struct bbob {
    size_t dim;
    const double *optimum; /* [dim]: row 1 of the table */
    const double *first;   /* [dim][dim]: the first matrix, if the function has one */
    const double *second;  /* [dim][dim], or for peaks [2 * peaks][dim]: the numbers after the first matrix */
};

/* How the point with the least value is drawn. */
enum bbob_point {
    BBOB_UNIFORM,        /* uniform in +-4 */
    BBOB_UNIFORM_LATER,  /* uniform in +-4, with the seed of rotation R */
    BBOB_ABSOLUTE,       /* uniform in +-4; coordinates 0, 2, 4, ... are made positive */
    BBOB_THREE_QUARTERS, /* uniform in +-3 */
    BBOB_CORNER,         /* the corner of the box that is nearest to a uniform point */
    BBOB_SCHWEFEL,       /* +-2.1 with random signs */
    BBOB_LUNACEK,        /* +-1.25 with the signs of normal numbers */
    BBOB_VALLEY,         /* the minimum of Rosenbrock's function, after a rotation */
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
    /* Gallagher's functions: number of peaks, width of the box in which the peaks are, condition of the
     * highest peak */
    size_t peaks;
    double peak_span, highest_condition;
    /* value at x, minus the least value of the instance */
    double (*value)(const struct bbob *of, const double *x);
};

/* Creates instance `instance` of function `number`; both count from 1. */
SHOAL_MUST_CHECK enum shoal_status bbob_make(int number, uint32_t instance, size_t dim,
                                             struct instance_data *data, struct shoal_error *error);

/* Creates instance instances[i] of function numbers[i], for i < count. The tables of the instances have the
 * same length and follow each other. The least value of each instance is set to 0. */
SHOAL_MUST_CHECK enum shoal_status bbob_make_several(const int *numbers, const uint64_t *instances,
                                                     size_t count, size_t dim, struct instance_data *data,
                                                     struct shoal_error *error);
/* Returns the value at x of instance run mod `count`, of the `count` instances that bbob_make_several has
 * created: value_of_run of their objective. */
double bbob_value_of_run(const struct shoal_objective *objective, size_t run, const double *x, size_t dim);

/* Returns the value at x of the objective's instance, in double precision; NaN: the objective has no
 * instance. */
double bbob_value(const struct shoal_objective *objective, const double *x, size_t dim);

/* Values of the functions, as in struct bbob_function -------------------------------------------------- */

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
/* Sorts `count` uniform numbers, and writes their indices in ascending order of the numbers. */
void bbob_order(size_t *out, size_t count, uint32_t seed);

/* Transformations of points, in place, and of values -------------------------------------------------- */

/* Returns base^(i / (dim - 1)). */
double bbob_power(double base, size_t i, size_t dim);
/* Computes z = x - optimum. */
void bbob_shift(const struct bbob *of, const double *x, double *z);
/* Computes out = matrix z. */
void bbob_multiply(const double *matrix, size_t dim, const double *z, double *out);
/* T_osz: adds small irregular waves to a value, without a change of its sign. bbob_oscillate_all: to each
 * coordinate. */
double bbob_oscillate(double value);
void bbob_oscillate_all(double *z, size_t dim);
/* T_asy: changes positive coordinates, so that the function is no longer symmetric. */
void bbob_asymmetric(double beta, double *z, size_t dim);
/* f_pen: returns the square of the distance of x from the box +-bound; 0 inside the box. */
double bbob_outside(const double *x, size_t dim, double bound);
/* Returns max(1, sqrt(dim) / 8), the factor of the coordinates in Rosenbrock's functions. */
double bbob_valley(size_t dim);

/* Sums over coordinates that several functions share --------------------------------------------------- */

double bbob_squares(const double *z, size_t dim);
double bbob_ellipsoid_sum(double condition, const double *z, size_t dim);
double bbob_rastrigin_sum(const double *z, size_t dim);
double bbob_rosenbrock_sum(const double *z, size_t dim);

#endif
