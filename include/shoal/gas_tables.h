/* Averages of a run of the workload "gas" over its samples: histograms, the mean-square displacement and
 * tables.
 *
 * <shoal/gas.h> has the parameters that ask for them, and the run itself.
 *
 * Threads and errors: see <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_GAS_TABLES_H
#define SHOAL_GAS_TABLES_H

#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Quantity of a histogram. */
enum shoal_gas_histogram_kind {
    SHOAL_GAS_RDF,    /* The radial distribution function g(r). */
    SHOAL_GAS_SPEEDS, /* The distribution of speeds. */
    /* The number density along profile_axis, from the low end of the box to the high end. */
    SHOAL_GAS_PROFILE
};

/* A normalised histogram, averaged over the samples. Pointers are valid until the next call on the solver. */
struct shoal_gas_histogram {
    size_t bins;         /* Number of bins. */
    double width;        /* Width of a bin; bin b covers b width .. (b + 1) width. */
    const double *value; /* g(r), the probability density of the speed, or the number density, [bins]. */
    /* For SHOAL_GAS_SPEEDS: Maxwell's law at the mean temperature, [bins]. Otherwise NULL. */
    const double *theory;
    uint64_t samples; /* Number of samples. */
};

/* The mean-square displacement at one time: |r(t) - r(0)|^2 averaged over the particles, where r is the
 * unwrapped position, without jumps at periodic boundaries, and r(0) the position at step 0. */
struct shoal_gas_displacement {
    double time;     /* Simulated time. */
    double total;    /* Mean-square displacement: sum of `along`. */
    double along[3]; /* Mean-square displacement along x, y and z; 0 beyond dim. */
};

/* The mean-square displacement of a run, and the diffusion constant. */
struct shoal_gas_msd {
    size_t samples; /* Number of samples. 0: `msd` was not asked for, or step 0 is still to come. */
    /* The samples, [samples]. Valid until the next call on the solver. */
    const struct shoal_gas_displacement *sample;
    /* Half the slope of `total` over time in the second half of the samples, by least squares, over dim
     * (Einstein 1905). NaN: too few samples. */
    double diffusion;
    /* Standard error of `diffusion`, from the slopes of eight groups of particles. NaN: too few samples or
     * particles. */
    double diffusion_error;
};

/* Kind of a table. */
enum shoal_gas_table_kind {
    /* The pressure tensor, with `pressure_tensor`: one row, columns pressure_xx, pressure_yy, pressure_zz,
     * pressure_xy, pressure_xz and pressure_yz, and pressure_xx_error and so on for their errors. 2D:
     * pressure_xx, pressure_yy and pressure_xy. */
    SHOAL_GAS_TENSOR,
    /* Profiles along profile_axis, with `profile_all`: a row for each of profile_bins slices of the box,
     * columns x, y or z, which is the middle of the slice, density, temperature, flow_x, flow_y and flow_z,
     * which are the mean velocity of the mass, pressure_xx, pressure_yy, pressure_zz, and their errors
     * density_error and so on. 2D: without flow_z and pressure_zz. */
    SHOAL_GAS_PROFILES,
    /* The static structure factor S(k), with structure_bins: a row for each bin of |k| that has wave vectors
     * of the box, columns k, which is the mean |k| of the vectors, s, s_error and vectors, which is the
     * number of vectors. */
    SHOAL_GAS_STRUCTURE,
    /* The hexatic order, with hexatic_range: one row, columns hexatic_local, the mean of |psi| over the
     * particles, and hexatic_global, the magnitude of the mean of psi, and hexatic_local_error and
     * hexatic_global_error. psi is the mean of exp(6 i angle) over the six nearest neighbours of a particle.
     */
    SHOAL_GAS_HEXATIC,
    /* Velocity autocorrelation and mean-square displacement over many time origins, with `vacf`: a row for
     * each time between samples, which are 0, 1 to 8, 10, 12, 14, 16, 20 and so on times the time of a sample
     * interval, four in each doubling, up to 4096; columns time, vacf, which is <v(0) . v(t)>, msd,
     * diffusion, which is the integral of vacf up to the time over dim, vacf_error, msd_error,
     * diffusion_error, and origins, which is the number of time origins. */
    SHOAL_GAS_MOTION,
    /* The sizes of clusters, with cluster_distance: a row for each bin of sizes, up to the largest that was
     * found, which are 1 to 8, then four in each doubling; columns size, which is the mean of the sizes of
     * the bin, sizes, which is their number, clusters, which is the mean number of clusters of these sizes,
     * share, which is the fraction of the particles that is in them, clusters_error and share_error. */
    SHOAL_GAS_CLUSTERS,
    /* The correlation of the hexatic order, with g6_bins: a row for each bin of distances, columns r, which
     * is the middle of the bin, g6, which is the mean of the real part of psi psi* over the pairs of
     * particles at this distance, g6_error, and pairs, which is the mean number of pairs of a sample. NaN: no
     * pairs. */
    SHOAL_GAS_G6
};

/* A table of averages over the samples. Pointers are valid until the next call on the solver. */
struct shoal_gas_table {
    size_t size;      /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    size_t rows;      /* Number of rows. 0: the table was not asked for, or there is no sample. */
    size_t columns;   /* Number of columns. */
    uint64_t samples; /* Number of samples. */
    /* Names of the columns, [columns]. The column NAME_error holds standard errors of the column NAME. */
    const char *const *names;
    /* The columns, [columns][rows]. NaN: the value or its error is unknown. */
    const double *const *column;
};

/* Fills `histogram` with the histogram of the kind `kind` so far. Pointers are valid until the next call on
 * the solver.
 * Errors: SHOAL_INVALID: the solver is of another workload, or `kind` is no enumerator. Errors of the queue.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_get_histogram(struct shoal_solver *solver,
                                                                     enum shoal_gas_histogram_kind kind,
                                                                     struct shoal_gas_histogram *histogram,
                                                                     struct shoal_error *error);

/* Fills `histogram` with g(r) so far of the pairs of a particle of species `a` and one of species `b`,
 * numbers from 0. Pointers are valid until the next call on the solver. Errors: SHOAL_INVALID: the solver is
 * of another workload, or there is no such species. Errors of the queue.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_get_pair_rdf(struct shoal_solver *solver, size_t a,
                                                                    size_t b,
                                                                    struct shoal_gas_histogram *histogram,
                                                                    struct shoal_error *error);

/* Fills `msd` with all samples so far. Pointers are valid until the next call on the solver.
 * Errors: SHOAL_INVALID: the solver is of another workload. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_gas_get_msd(struct shoal_solver *solver, struct shoal_gas_msd *msd, struct shoal_error *error);

/* Fills `table` with the table of the kind `kind` so far. Before the call set table->size, usually to 0.
 * Pointers are valid until the next call on the solver.
 * Errors: SHOAL_INVALID: the solver is of another workload, or `kind` is no enumerator. Errors of the queue.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gas_get_table(struct shoal_solver *solver,
                                                                 enum shoal_gas_table_kind kind,
                                                                 struct shoal_gas_table *table,
                                                                 struct shoal_error *error);

SHOAL_END_DECLS

#endif
