/* Private to tests: places and charges for the fast multipole method, and errors of its sums. */
#ifndef SHOAL_TESTS_FMM_POINTS_H
#define SHOAL_TESTS_FMM_POINTS_H

#include <shoal/shoal.h>

/* How points lie. */
enum places {
    EVEN,     /* uniform in a square of side 1000 */
    DROPLETS, /* 60 % in three Gaussian droplets of deviation 30 in that square */
    CLUSTERS, /* two squares of side 1 at a distance of 10^4 */
    ON_A_LINE,
    IN_ONE_PLACE,
    FAR_DROPLET, /* 15 of 16 in a droplet of radius 0.005, in a square of side 1 at 1000, -1000 */
    PLACES
};

/* n points [n][2] with coordinates that single precision holds exactly. */
double *fmm_places(enum places places, size_t n, uint32_t step);
/* n charges: all 1, or 1 and -1 in turn. */
double *fmm_charges(bool both_signs, size_t n);

/* Root mean square of a - b over that of b. */
double fmm_error(const double *a, const double *b, size_t n);
/* Length of the sum of all forces over the sum of their lengths. */
double fmm_sum_of_forces(const double *charges, const double *field, size_t n);

#endif
