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
#include <shoal/mlp.h>
#include <shoal/pso.h>
#include <shoal/tsp.h>

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

/* Tours ------------------------------------------------------------------------------------------------ */

/* V. Pechacek, Brno 2012. One more algorithm of shoal_tsp_params.algorithm. */
enum shoal_tsp_thesis_algorithm {
    SHOAL_TSP_THESIS = 7 /* two levels: ants over all cities, then over pieces of the tour */
};

/* How a constructed path is turned so that the ends of its piece are its ends, with the same result;
 * how the next city is chosen; how the largest weight is found, with the same result; where a device keeps
 * the matrix of a piece. */
enum shoal_tsp_rewinding { SHOAL_TSP_REWIND_AT_ONCE, SHOAL_TSP_REWIND_LATE };
enum shoal_tsp_choice { SHOAL_TSP_GREEDY, SHOAL_TSP_PROBABILISTIC };
enum shoal_tsp_scan { SHOAL_TSP_SCAN_LISTS, SHOAL_TSP_SCAN_ALL };
enum shoal_tsp_piece_memory {
    SHOAL_TSP_MEMORY_AUTO,
    SHOAL_TSP_MEMORY_GLOBAL,
    SHOAL_TSP_MEMORY_LOCAL,   /* square, as in the thesis */
    SHOAL_TSP_MEMORY_SKEWED,  /* square, rows turned against each other: columns lie in different banks */
    SHOAL_TSP_MEMORY_TRIANGLE /* each pair once */
};

/* Of the algorithm "thesis" alone. */
struct shoal_tsp_thesis {
    size_t size;           /* set by shoal_tsp_thesis_init */
    uint64_t macro_cycles; /* over all cities; each is a step of the run */
    uint64_t micro_cycles; /* over a piece */
    uint64_t passes;       /* of 2-opt, at most */
    uint64_t
        overlaps;   /* times the micro level runs, each with the cuts moved by half a piece; each is a step */
    uint64_t piece; /* most cities of a piece, 4 .. 256 */
    uint64_t starts;                         /* of the macro level, at most */
    uint64_t macro_squad, micro_squad;       /* work-items of an ant on devices; 0: by the device */
    int32_t rewinding, choice, scan, memory; /* of the enums above */
    bool one_by_one;                         /* a launch for each piece */
    const char *micro_device;                /* that runs the micro level; NULL: the device of the run */
    const char *history;                     /* file for shoal_tsp_write_history; NULL: no history is kept */
};

SHOAL_API void shoal_tsp_thesis_init(struct shoal_tsp_thesis *thesis);
#define SHOAL_TSP_THESIS_PARAMS(...) SHOAL_INIT(shoal_tsp_thesis, shoal_tsp_thesis_init, __VA_ARGS__)

/* Writes the tours of a run of the algorithm "thesis" with thesis.history as XML: solution, in it history and
 * result, in these tour, in that stop with the id of a city. A resumed run has those since then. Whole or not
 * at all. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_write_history(struct shoal_solver *solver, const char *path, struct shoal_error *error);

/* Nets ------------------------------------------------------------------------------------------------- */

/* B. Grebensek, Ljubljana 2010. More methods of shoal_mlp_params.method, for nets with one hidden layer and
 * all rows in each update, which have no chunks of rows. */
enum shoal_mlp_thesis_method {
    SHOAL_MLP_V1 = 2, /* a work-item takes whole rows */
    SHOAL_MLP_V2 = 3  /* a work-group takes some rows, a work-item a neuron */
};

/* Where numbers of threads and blocks lie (block after block, the thesis's layout A, or for each number side
 * by side, its B), and where work is done. 0: as in the thesis. */
enum shoal_mlp_layout { SHOAL_MLP_LAYOUT_OF_THESIS, SHOAL_MLP_BY_BLOCK, SHOAL_MLP_BY_THREAD };
enum shoal_mlp_place { SHOAL_MLP_PLACE_OF_THESIS, SHOAL_MLP_ON_DEVICE, SHOAL_MLP_ON_HOST };

struct shoal_mlp_thesis {
    size_t size;              /* set by shoal_mlp_thesis_init */
    uint64_t blocks, threads; /* work-groups, and work-items of each; 0: by the device and the net */
    uint64_t interleave;      /* v2: rows that a work-group takes at a time, 1 to 16; 0: 4 */
    int32_t values, deltas;   /* enum shoal_mlp_layout: values of neurons (v1), sums of derivatives */
    int32_t sum, update;      /* enum shoal_mlp_place */
    bool stores;              /* v1: the first row of a thread is stored, and nothing cleared */
};

SHOAL_API void shoal_mlp_thesis_init(struct shoal_mlp_thesis *thesis);
#define SHOAL_MLP_THESIS_PARAMS(...) SHOAL_INIT(shoal_mlp_thesis, shoal_mlp_thesis_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
