/* Private: sums of the tables of a gas on a device, by the kernels of cl/gas/device/tables.cl. */
#ifndef SHOAL_GAS_DEVICE_TABLES_H
#define SHOAL_GAS_DEVICE_TABLES_H

#include "gas/device/observe.h"
#include "gas/device/sort.h"

extern const struct shoal_program_desc gas_tables_program, gas_clusters_program;

/* The particles sorted by cells that are at least `range` wide, to find the pairs closer than that. */
struct gas_near {
    double range;                  /* INFINITY: all pairs */
    struct gas_mesh mesh, created; /* created: the mesh when `sort` was created */
    struct gas_sort *sort;         /* NULL: the mesh has one cell */
};

/* The arrays of the particles in the order of a sort, and the first place of each cell. */
struct gas_near_particles {
    struct shoal_buffer *position, *id, *starts;
};

/* Creates the sort of `near`, whose range is set. gas_sort_destroy destroys near->sort. */
SHOAL_MUST_CHECK enum shoal_status gas_near_create(struct shoal_solver *solver, struct gas_near *near,
                                                   struct shoal_error *error);
/* Sorts the particles by cells that fit the box as it is now. */
SHOAL_MUST_CHECK enum shoal_status gas_near_sort(struct shoal_solver *solver, struct gas_near *near,
                                                 struct gas_near_particles *particles,
                                                 struct shoal_error *error);

/* Clusters, by the kernels of cl/gas/device/clusters.cl. */
struct gas_clusters {
    struct shoal_kernel *begin, *join, *count, *bin;
    struct shoal_buffer *parents, *sizes; /* [n], by number of the particle */
    struct shoal_buffer *counts;          /* [2 CLUSTER_BINS + 1] */
    struct shoal_buffer *squares;         /* sums of the work-groups */
    struct gas_near near;
    struct arrays arrays;
};

/* Defined in clusters.c. gas_clusters_sum computes the sums of SHOAL_GAS_CLUSTERS. gas_clusters_destroy
 * accepts zeros. */
SHOAL_MUST_CHECK enum shoal_status
gas_clusters_create(struct shoal_solver *solver, struct gas_clusters *clusters, struct shoal_error *error);
void gas_clusters_destroy(struct gas_clusters *clusters);
SHOAL_MUST_CHECK enum shoal_status gas_clusters_sum(struct shoal_solver *solver,
                                                    struct gas_clusters *clusters, double *sums,
                                                    struct shoal_error *error);

/* Creates device->tabler. The method of the device must exist. After a failure gas_tabler_destroy frees what
 * was created. */
SHOAL_MUST_CHECK enum shoal_status gas_tabler_create(struct shoal_solver *solver, struct shoal_error *error);
void gas_tabler_destroy(struct shoal_solver *solver);
/* Computes the hexatic order of each particle: *psi has the vectors, by number of the particle. Only with
 * hexatic_range. */
SHOAL_MUST_CHECK enum shoal_status gas_tabler_psi(struct shoal_solver *solver, struct shoal_buffer **psi,
                                                  struct shoal_error *error);
/* Seconds on the host that the tables of all samples took, including waits for the device. */
double gas_tabler_seconds(const struct shoal_solver *solver);
/* The member tabulate of struct gas_stepper. */
SHOAL_MUST_CHECK enum shoal_status
gas_observe_tables(struct shoal_solver *solver, double *const sums[GAS_TABLES], struct shoal_error *error);
/* Launches the kernels of all tables of the run once, so that drivers compile them before samples are timed.
 */
SHOAL_MUST_CHECK enum shoal_status gas_tabler_launch_first(struct shoal_solver *solver,
                                                           struct shoal_error *error);

#endif
