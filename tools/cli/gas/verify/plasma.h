/* Private: laws of the two-dimensional one-component plasma, particles that repel each other by -q^2 ln(r) in
 * a harmonic trap k r^2 / 2, for tests and for `shoal verify --long`.
 *
 * At q^2 = 2 T the particles are distributed as the eigenvalues of random complex matrices (J. Ginibre,
 * J. Math. Phys. 6, 440, 1965), and at any strength the mean of the sum of r^2 is known exactly. */
#ifndef SHOAL_GAS_PLASMA_H
#define SHOAL_GAS_PLASMA_H

#include <shoal/gas.h>

/* Frames are divided into successive blocks, whose scatter gives the errors. */
enum { PLASMA_BLOCKS = 20, PLASMA_RINGS = 20, PLASMA_DISTANCES = 20 };

struct plasma {
    double n, temperature, trap, middle[2];
    double density;                                /* k / (2 pi T), in the bulk */
    double ring, distance;                         /* widths of the bins */
    double bulk;                                   /* radius within which particles are centres of g(r) */
    uint64_t seen, frames;                         /* frames so far and in the whole run */
    double count[PLASMA_BLOCKS];                   /* frames of each block */
    double squares[PLASMA_BLOCKS];                 /* sums of r^2 */
    double rings[PLASMA_BLOCKS][PLASMA_RINGS];     /* particles by distance from the middle */
    double centres[PLASMA_BLOCKS];                 /* particles in the bulk */
    double pairs[PLASMA_BLOCKS][PLASMA_DISTANCES]; /* neighbours of centres by distance */
};

/* Parameters of a run of n particles of density 1 at T = 1 with a frame every 100 steps. steps: a multiple of
 * 100. The softening is 0.02 of the spacing and changes no figure by a share above 1e-5. */
struct shoal_gas_params plasma_params(uint64_t n, uint64_t steps);
/* Prepares a run with these parameters, and sets plasma_frame as their callback for frames. */
void plasma_begin(struct plasma *plasma, struct shoal_gas_params *params);
/* Adds a frame; data: the struct plasma. */
bool plasma_frame(void *data, const struct shoal_gas_frame *frame, const char **failure);

/* The mean of the sum of r^2 and its standard error, and its exact value (2 T n (n - 1) / 2 + 2 n T) / k. */
double plasma_squares(const struct plasma *plasma, double *error);
double plasma_exact_squares(const struct plasma *plasma);
/* Deviations of the density k / (2 pi T) Q(n, k r^2 / 2T), Q the regularised upper gamma function, in the
 * rings that hold a particle or more; and of g(r) = 1 - exp(-pi density r^2) in the bulk, in bins with enough
 * pairs: root mean squares over the bins, in standard errors. About 1 if the law holds. */
double plasma_density_deviation(const struct plasma *plasma);
double plasma_pair_deviation(const struct plasma *plasma);

#endif
