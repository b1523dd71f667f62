/* Private: the fused step: one kernel moves particles, evaluates them and updates personal bests. */
#ifndef SHOAL_PSO_FUSED_H
#define SHOAL_PSO_FUSED_H

#include "pso/device/device.h"
#include "search/device/keys.h"

extern const struct shoal_program_desc pso_fused_program, pso_fused_best_program;

/* largest number of particles of a work-item if several work-items share a particle */
enum { FUSED_SHARED_ITEMS = 4 };

/* Defines and launch sizes of cl/pso/methods/fused.cl. */
struct fused_plan {
    uint32_t ahead, depth, items, min_groups, slices, work_group;
    size_t work_items; /* largest number of work-items of a launch */
    uint32_t held;     /* dimensions of a swarm that the groups of a launch hold in local memory; 0: none */
    uint32_t groups;   /* of a cluster that makes many steps in one launch; 1: there is no cluster */
    bool one_group;    /* the whole swarm is in one work-group, and a launch makes many steps */
    bool fills_device; /* the swarm fills the device several times, so tuned defines are used */
};

/* Tables of bests. A row has the value, the number and the position of a particle. */
struct fused_bests {
    struct shoal_buffer *value, *index, *position; /* [rows], [rows], [rows][dim] */
};

/* Sets launch->keys from launch->seed. */
static inline void fused_set_keys(struct fused_launch *launch)
{
    search_fill_keys(launch->keys, launch->seed);
}

/* Data that the method needs if several devices share the swarm (fused_share.c). */
struct fused_share;
SHOAL_MUST_CHECK enum shoal_status fused_share_create(struct shoal_solver *solver, struct fused_share **out,
                                                      struct shoal_error *error);
void fused_share_destroy(struct fused_share **share); /* accepts NULL */
/* Finds the best of the whole swarm, and writes it to the row of the first of `groups` groups in slot `slot`.
 * All shares must call this function after the same step. */
SHOAL_MUST_CHECK enum shoal_status fused_share_join(struct shoal_solver *solver, struct fused_share *share,
                                                    const struct fused_bests *best, size_t groups,
                                                    uint32_t slot, struct shoal_error *error);

/* What a plan depends on. block: dimensions for which one draw of random words suffices; real: bytes of a
 * number. */
struct fused_size {
    uint64_t particles, dim;
    uint32_t block;
    size_t real;
};

/* Plans work-groups that hold the swarm in local memory, one on each multiprocessor. False: the device cannot
 * run them, or the swarm is too large, or so small that other plans are as fast. */
bool fused_plan_held(const struct shoal_device_info *info, const struct fused_size *size,
                     struct fused_plan *plan);
struct fused_plan fused_plan_make(const struct shoal_device_info *info, const struct fused_size *size);
/* Plans a cluster of work-groups that holds the swarm in registers. False: the device has no clusters, or the
 * swarm is too large, or so small that one work-group is as fast. */
bool fused_plan_cluster(const struct shoal_device_info *info, const struct fused_size *size,
                        struct fused_plan *plan);

#endif
