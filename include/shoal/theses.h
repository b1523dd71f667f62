/* Parameters that only reproduce the theses from which the workloads come. Builds of the library with
 * -Dtheses=false have no such parameters and do not install this header.
 *
 *     struct shoal_pso_thesis thesis = SHOAL_PSO_THESIS_PARAMS(.argmin = SHOAL_PSO_ARGMIN_SHFL);
 *     struct shoal_pso_params params = SHOAL_PSO_PARAMS(.thesis = &thesis);
 *
 * The member `thesis` of a workload's parameters points to the struct here; NULL: the defaults. The struct is
 * the caller's: calls that take the parameters copy it, and shoal_checkpoint_params and
 * shoal_workload_make_endless write to it. A block that shoal_workload.params_init has filled holds the
 * parameters of the thesis behind the workload's struct: there they are set as options, and the member stays
 * as it is.
 *
 * Threads and errors: those of <shoal/workload.h>.
 */
#ifndef SHOAL_THESES_H
#define SHOAL_THESES_H

#include <shoal/ga.h>
#include <shoal/pso.h>

SHOAL_BEGIN_DECLS

/* Particle swarms -------------------------------------------------------------------------------------- */

/* M. Hosala, Prague 2014. More generators of shoal_pso_params.random, of Marsaglia's XORWOW. */
enum shoal_pso_thesis_random {
    SHOAL_PSO_GLOB = 2, /* GLOB: the state of each particle is kept in memory */
    SHOAL_PSO_REG = 3   /* REG: a state is seeded anew in each step */
};

/* Reductions of section 2.8, by which the pipeline of single steps finds the best particle. */
enum shoal_pso_argmin {
    SHOAL_PSO_ARGMIN_AUTO,      /* that of the library, which is none of the thesis */
    SHOAL_PSO_ARGMIN_SHARED,    /* tree in local memory, a second launch for the results of the groups */
    SHOAL_PSO_ARGMIN_SHFL,      /* the last 32 by shuffles between work-items */
    SHOAL_PSO_ARGMIN_VOL,       /* the last 32 in local memory with a barrier after each level */
    SHOAL_PSO_ARGMIN_WARP_FIRST /* sections of 32 first, then their results */
};

struct shoal_pso_thesis {
    size_t size;    /* set by shoal_pso_thesis_init */
    int32_t argmin; /* enum shoal_pso_argmin; another than AUTO: SHOAL_UNSUPPORTED with fused or onchip */
};

SHOAL_API void shoal_pso_thesis_init(struct shoal_pso_thesis *thesis);
#define SHOAL_PSO_THESIS_PARAMS(...) SHOAL_INIT(shoal_pso_thesis, shoal_pso_thesis_init, __VA_ARGS__)

/* Genetic algorithms ----------------------------------------------------------------------------------- */

/* P. Pospichal, Brno 2009. One more method of shoal_ga_params.method. */
enum shoal_ga_thesis_method {
    SHOAL_GA_THESIS = 4 /* islands in local memory, a work-item an individual, SHOAL_GA_HYBRIDTAUS alone */
};

/* How an exchange reaches the other islands. */
enum shoal_ga_migration {
    SHOAL_GA_EPOCHS, /* all islands at once, as the library does */
    SHOAL_GA_MAILBOX /* what the neighbour left at an exchange before this one, without waiting */
};

/* Generator of the random numbers. */
enum shoal_ga_random {
    SHOAL_GA_PHILOX,    /* Philox4x32-10, by counters, as the library has it */
    SHOAL_GA_HYBRIDTAUS /* HybridTaus, a state for each individual */
};

struct shoal_ga_thesis {
    size_t size;          /* set by shoal_ga_thesis_init */
    int32_t migration;    /* enum shoal_ga_migration */
    int32_t random;       /* enum shoal_ga_random */
    bool select_crossing; /* HYBRIDTAUS: parents are selected for pairs that cross, others keep their slots */
};

SHOAL_API void shoal_ga_thesis_init(struct shoal_ga_thesis *thesis);
#define SHOAL_GA_THESIS_PARAMS(...) SHOAL_INIT(shoal_ga_thesis, shoal_ga_thesis_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
