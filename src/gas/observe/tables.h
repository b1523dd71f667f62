/* Private: tables of a gas: averages over the samples for each slice of the box, wave number or part of a
 * tensor, with their errors.
 *
 * Host and devices compute the sums of a sample, which begins with gas_stepper.tabulate. The sums of all
 * samples are kept in blocks, from which the tables and their errors are computed.
 */
#ifndef SHOAL_GAS_OBSERVE_TABLES_H
#define SHOAL_GAS_OBSERVE_TABLES_H

#include "cl/gas/device/tables.clh"
#include "gas/gas.h"

/* Number of tables. All are made from sums of the samples but SHOAL_GAS_MOTION, which has no such sums. */
enum { GAS_TABLES = SHOAL_GAS_G6 + 1 };

/* Sums of successive samples in at most GAS_BLOCKS blocks of equal length. When all blocks are full, pairs of
 * blocks are joined, so that at least GAS_BLOCKS / 2 blocks are full from then on. */
enum { GAS_BLOCKS = 32 };
struct gas_blocks {
    size_t cells;
    uint64_t samples; /* number of samples so far */
    uint64_t length;  /* number of samples in a block */
    double *sums;     /* [GAS_BLOCKS][cells]; NULL: no sample yet */
};

/* Defined in blocks.c. gas_blocks_add adds a sample of `cells` values. */
SHOAL_MUST_CHECK enum shoal_status gas_blocks_add(struct gas_blocks *blocks, size_t cells,
                                                  const double *values, struct shoal_error *error);
void gas_blocks_clear(struct gas_blocks *blocks);
/* Returns the mean of cell `over` divided by the mean of cell `under`, or the mean of `over` if `under` is
 * GAS_ONE, and sets *error to its standard error from the scatter of the full blocks. NaN: too few blocks, or
 * the mean of `under` is 0. */
#define GAS_ONE SIZE_MAX
double gas_blocks_mean(const struct gas_blocks *blocks, size_t over, size_t under, double *error);
/* gas_blocks_save and gas_blocks_load write and read the sections of a checkpoint: `name`, and without
 * samples none. */
struct checkpoint;
SHOAL_MUST_CHECK enum shoal_status gas_blocks_save(const struct gas_blocks *blocks, const char *name,
                                                   struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_blocks_load(struct gas_blocks *blocks, const char *name, size_t cells,
                                                   const struct checkpoint *checkpoint,
                                                   struct shoal_error *error);

/* Wave vectors k = 2 pi waves / length of a periodic box, sorted by the bin of |k|. */
struct gas_waves {
    double length[GAS_MAX_DIM]; /* of the box */
    size_t count;
    int32_t (*waves)[GAS_MAX_DIM]; /* [count] */
    uint32_t *bin;                 /* [count] */
};
/* Defined in waves.c: chooses up to GAS_WAVES vectors for each bin, spread over the directions. Of k and -k,
 * which have the same S(k), one is chosen. */
enum { GAS_WAVES = 16, GAS_MOST_WAVES = 1000000 };
SHOAL_MUST_CHECK enum shoal_status gas_waves_create(const struct gas_problem *problem,
                                                    struct gas_waves *waves, struct shoal_error *error);
void gas_waves_destroy(struct gas_waves *waves); /* accepts zeros */
/* Largest number of vectors in any box. */
static inline size_t gas_most_waves(const struct shoal_gas_params *params)
{
    return (size_t)params->structure_bins * GAS_WAVES;
}

/* Time origins. Level l keeps one origin, which is replaced every GAS_ORIGIN_TIMES 2^l samples, and is used
 * at the times of GAS_ORIGIN_TIMES / 2 + 1 to GAS_ORIGIN_TIMES times 2^l samples since the origin, level 0
 * also at shorter times. */
enum {
    GAS_ORIGIN_LEVELS = 10,
    GAS_ORIGIN_TIMES = 8,
    GAS_ORIGIN_ROWS = 1 + GAS_ORIGIN_TIMES + (GAS_ORIGIN_LEVELS - 1) * GAS_ORIGIN_TIMES / 2
};

/* Sums over the time origins for each time, for groups of particles (gas_msd_begin). Checkpoints hold the
 * bytes of this struct. */
struct gas_origins {
    uint64_t count[GAS_ORIGIN_ROWS]; /* number of time origins */
    /* sums over origins and particles of v(0) . v(t), and of squared displacements */
    double products[GAS_ORIGIN_ROWS][GAS_MSD_GROUPS], squares[GAS_ORIGIN_ROWS][GAS_MSD_GROUPS];
};

/* Defined in origins.c. The diffusion constants of a run: from the integral of the velocity autocorrelation,
 * and from the slope of the displacement over the longer half of the times, both up to the last time with
 * GAS_ORIGIN_LEAST origins. interval: simulated time between samples. NaN: unknown. */
enum { GAS_ORIGIN_LEAST = 4 };
struct gas_diffusion {
    double vacf, vacf_error, msd, msd_error;
};
struct gas_diffusion gas_origins_diffusion(const struct gas_origins *origins,
                                           const struct gas_problem *problem, double interval);

/* Memory of the tables of a run: sums, and the table that was last handed out. */
struct gas_tables {
    struct gas_blocks blocks[GAS_TABLES];
    struct gas_waves waves; /* set if S(k) is wanted */
    struct gas_origins origins;
    double *sums[GAS_TABLES]; /* sums of the current sample */
    double *numbers;          /* columns of the last table */
    const double **columns;
    const char **names;
};

/* Defined in tables.c. Chooses the wave vectors anew if those of `tables` belong to another box: a stage may
 * take the box of the stage before. */
SHOAL_MUST_CHECK enum shoal_status gas_waves_fit(const struct gas_problem *problem, struct gas_tables *tables,
                                                 struct shoal_error *error);
/* Defined in tables.c. gas_table_cells: number of sums of a table, 0: it is not wanted. */
size_t gas_table_cells(const struct gas_problem *problem, const struct gas_waves *waves,
                       enum shoal_gas_table_kind kind);
bool gas_has_tables(const struct shoal_gas_params *params);
/* Whether samples have columns of tables. */
bool gas_samples_have_tables(const struct shoal_gas_params *params);
/* Number of slices of the profiles, and the slice of a coordinate along profile_axis: particles beyond a wall
 * are in the last slice before it; SIZE_MAX: the coordinate is outside of an open box. */
size_t gas_slices(const struct gas_problem *problem);
size_t gas_slice_of(const struct gas_problem *problem, double x);
/* The pressure tensor, from the sums of SHOAL_GAS_TENSOR after gas_tabulate; NaN where it has no such part.
 */
void gas_tensor(const struct gas_problem *problem, const double sums[STRESS_PARTS],
                double tensor[STRESS_PARTS]);
/* The length of the structure of a sample, from the sums of SHOAL_GAS_STRUCTURE after gas_tabulate: 2 pi sum
 * of S(k) / sum of k S(k), over the bins of |k|. NaN: S(k) is 0 everywhere. */
double gas_structure_length(const struct gas_problem *problem, const struct gas_tables *tables);
/* The hexatic order of a sample, from the sums of SHOAL_GAS_HEXATIC after gas_tabulate: local and global. */
enum { GAS_HEXATIC = 2 };
extern const char *const gas_hexatic_names[GAS_HEXATIC], *const gas_hexatic_error_names[GAS_HEXATIC];
/* The clusters of a sample, from the sums of SHOAL_GAS_CLUSTERS after gas_tabulate. GAS_CLUSTERS: the first
 * numbers are the fraction of the particles in the largest cluster, the mean size of the cluster of a
 * particle, and the number of clusters. */
enum { GAS_CLUSTERS = CLUSTER_SIZES };
extern const char *const gas_cluster_names[GAS_CLUSTERS], *const gas_cluster_error_names[GAS_CLUSTERS];
/* Names of the parts of the pressure tensor and of their errors. NULL: a part that a gas of 2D does not have.
 */
const char *gas_tensor_name(size_t part, size_t dim);
const char *gas_tensor_error_name(size_t part, size_t dim);

/* Defined in src/gas/model/stress.c: half the virial tensor of the pairs of each particle, [n][STRESS_PARTS].
 */
SHOAL_MUST_CHECK enum shoal_status gas_stress(const struct gas_problem *problem, const double *position,
                                              double (*stress)[STRESS_PARTS], struct shoal_error *error);

/* Defined in clusters.c. gas_cluster_bins: number of bins of sizes for n particles. gas_cluster_sums computes
 * the sums of SHOAL_GAS_CLUSTERS on the host. gas_clusters_find replaces these sums by what samples have, and
 * gas_clusters_fill fills the table from them. */
size_t gas_cluster_bins(size_t n);
SHOAL_MUST_CHECK enum shoal_status gas_cluster_sums(const struct gas_problem *problem, const double *position,
                                                    double *sums, struct shoal_error *error);
void gas_clusters_find(const struct gas_problem *problem, double *sums);

/* A table that is being filled, column by column. gas_table_begin allocates the columns. */
struct gas_filling {
    struct gas_tables *tables;
    size_t rows, count;
};
SHOAL_MUST_CHECK enum shoal_status gas_table_begin(struct gas_tables *tables, size_t rows,
                                                   struct gas_filling *filling, struct shoal_error *error);
double *gas_table_add(struct gas_filling *filling, const char *name);
SHOAL_MUST_CHECK enum shoal_status gas_clusters_fill(struct gas_tables *tables,
                                                     const struct gas_problem *problem,
                                                     struct gas_filling *filling, struct shoal_error *error);
/* Defined in origins.c: fills the table SHOAL_GAS_MOTION. */
SHOAL_MUST_CHECK enum shoal_status gas_origins_fill(struct gas_tables *tables,
                                                    const struct gas_problem *problem, double interval,
                                                    struct gas_filling *filling, struct shoal_error *error);

#endif
