/* Parameters that only reproduce the theses from which the workloads come. Builds of the library with
 * -Dtheses=false have no such parameters and do not install this header.
 *
 *     struct shoal_pso_thesis thesis = SHOAL_PSO_THESIS_PARAMS(.argmin = SHOAL_PSO_ARGMIN_SHFL);
 *     struct shoal_pso_params params = SHOAL_PSO_PARAMS(.thesis = &thesis);
 *
 * The member `thesis` of a workload's parameters points to the struct here; NULL: the defaults. The caller
 * owns the struct: calls that take the parameters copy it, and shoal_checkpoint_params and
 * shoal_workload_make_endless write to it. A block of parameters filled by shoal_workload.params_init is
 * larger: the struct of the thesis follows the workload's struct. Options set members of the struct in the
 * block, and the member `thesis` is not used. Copy a block by its params_size bytes.
 *
 * Threads and errors: see <shoal/workload.h>.
 */
#ifndef SHOAL_THESES_H
#define SHOAL_THESES_H

#include <shoal/ga.h>
#include <shoal/gas.h>
#include <shoal/mlp.h>
#include <shoal/pso.h>
#include <shoal/tsp.h>

SHOAL_BEGIN_DECLS

/* Particle swarms: M. Hosala, Prague 2014 ---------------------------------------------------------------- */

/* Further values of shoal_pso_params.random: generators by Marsaglia's XORWOW. */
enum shoal_pso_thesis_random {
    SHOAL_PSO_GLOB = 2, /* GLOB: the state of each particle is kept in memory. */
    SHOAL_PSO_REG = 3   /* REG: a state is seeded anew in each step. */
};

/* Reductions of section 2.8 of the thesis, by which SHOAL_PSO_THREAD and the following methods find the best
 * particle. */
enum shoal_pso_argmin {
    SHOAL_PSO_ARGMIN_AUTO, /* The reduction of the library, which no thesis describes. */
    /* A tree in local memory, and a second launch for the results of the groups. */
    SHOAL_PSO_ARGMIN_SHARED,
    SHOAL_PSO_ARGMIN_SHFL,      /* The last 32 values by shuffles between work-items. */
    SHOAL_PSO_ARGMIN_VOL,       /* The last 32 values in local memory with a barrier after each level. */
    SHOAL_PSO_ARGMIN_WARP_FIRST /* Sections of 32 values first, then their results. */
};

/* Parameters of the thesis for particle swarms. */
struct shoal_pso_thesis {
    size_t size; /* Bytes of the struct, set by shoal_pso_thesis_init. */
    /* Reduction that finds the best particle, enum shoal_pso_argmin. SHOAL_UNSUPPORTED: a reduction of the
     * thesis with SHOAL_PSO_FUSED or SHOAL_PSO_ONCHIP. Default: SHOAL_PSO_ARGMIN_AUTO. */
    int32_t argmin;
};

/* Fills `thesis` with the defaults. */
SHOAL_API void shoal_pso_thesis_init(struct shoal_pso_thesis *thesis);
#define SHOAL_PSO_THESIS_PARAMS(...) SHOAL_INIT(shoal_pso_thesis, shoal_pso_thesis_init, __VA_ARGS__)

/* Genetic algorithms: P. Pospichal, Brno 2009 ------------------------------------------------------------ */

/* A further value of shoal_ga_params.method. */
enum shoal_ga_thesis_method {
    /* Islands in local memory, a work-item for each individual; with SHOAL_GA_HYBRIDTAUS alone. */
    SHOAL_GA_THESIS = 4
};

/* How individuals reach another island in an exchange. */
enum shoal_ga_migration {
    SHOAL_GA_EPOCHS, /* All islands exchange at once, as the library does. */
    /* An island takes the individuals that its neighbour left at an earlier exchange, without waiting. */
    SHOAL_GA_MAILBOX
};

/* Generator of the random numbers. */
enum shoal_ga_random {
    SHOAL_GA_PHILOX,    /* Philox4x32-10, counter-based, as in the rest of the library. */
    SHOAL_GA_HYBRIDTAUS /* HybridTaus, with a state for each individual. */
};

/* Parameters of the thesis for genetic algorithms. */
struct shoal_ga_thesis {
    size_t size; /* Bytes of the struct, set by shoal_ga_thesis_init. */
    /* How an exchange reaches the other islands, enum shoal_ga_migration. Default: SHOAL_GA_EPOCHS. */
    int32_t migration;
    int32_t random; /* Generator of the random numbers, enum shoal_ga_random. Default: SHOAL_GA_PHILOX. */
    /* With SHOAL_GA_HYBRIDTAUS: parents are selected for pairs that cross only; other individuals keep their
     * slots. Default: false. */
    bool select_crossing;
};

/* Fills `thesis` with the defaults. */
SHOAL_API void shoal_ga_thesis_init(struct shoal_ga_thesis *thesis);
#define SHOAL_GA_THESIS_PARAMS(...) SHOAL_INIT(shoal_ga_thesis, shoal_ga_thesis_init, __VA_ARGS__)

/* Gases: R. Balen, Zagreb 2016 --------------------------------------------------------------------------- */

/* A further value of shoal_gas_params.method. */
enum shoal_gas_thesis_method {
    SHOAL_GAS_CELLS = 4 /* Cells in three zones of distance, by `scheme`. */
};

/* A further value of shoal_gas_params.wall_method. */
enum shoal_gas_thesis_wall_method {
    /* The normal velocity of a particle that is outside the box and moves outwards is reversed. */
    SHOAL_GAS_W1 = 4
};

/* A further value of shoal_gas_params.integrator. */
enum shoal_gas_thesis_integrator {
    /* On the host only: particles move one after another, each under the forces at the present positions,
     * which are new for the particles that have already moved; momentum and energy drift. */
    SHOAL_GAS_EULER_IN_PLACE = 3
};

/* Limits of speeds. */
enum shoal_gas_limiter {
    SHOAL_GAS_NO_LIMITER,   /* Speeds are not limited. */
    SHOAL_GAS_LIMIT_ENERGY, /* L1 of the thesis: kinetic energy at most `limit` times the mean. */
    /* L2 of the thesis: a speed that grew by more than a factor `limit` in one step gets its old value back,
     * unless the particle was at rest. */
    SHOAL_GAS_LIMIT_JUMP
};

/* Kernel of SHOAL_GAS_ALLPAIRS: section 3.3 of the thesis, and the tiled kernel of shoal. */
enum shoal_gas_kernel {
    SHOAL_GAS_KERNEL_AUTO, /* SHOAL_GAS_KERNEL_TILED. */
    /* Sources in local memory, several targets a work-item, sources split among work-groups for small n. */
    SHOAL_GAS_KERNEL_TILED,
    SHOAL_GAS_KERNEL_NAIVE, /* MTI of the thesis: with a division. */
    SHOAL_GAS_KERNEL_RSQRT, /* GPUMTI of the thesis: rsqrt(s s) instead of a division. */
    /* GPUMTI_Um of the thesis: `unroll` sources in each iteration of the loop. */
    SHOAL_GAS_KERNEL_UNROLLED,
    SHOAL_GAS_KERNEL_SEMI_BLOCKED /* GPUMTI_SBi4_U8 of the thesis: 4 targets a work-item. */
};

/* Scheme of SHOAL_GAS_CELLS: section 3.5 of the thesis, and a corrected scheme. */
enum shoal_gas_scheme {
    /* Corrected scheme: cells as sources have a dipole about their centre, and the far field has a gradient.
     */
    SHOAL_GAS_SCHEME_CORRECTED,
    SHOAL_GAS_SCHEME_TILED1,  /* Scheme Tiled1 of the thesis. */
    SHOAL_GAS_SCHEME_TILED11, /* Scheme Tiled1.1 of the thesis. */
    SHOAL_GAS_SCHEME_TILED2,  /* Scheme Tiled2 of the thesis. */
    SHOAL_GAS_SCHEME_TILED3   /* Scheme Tiled3 of the thesis. */
};

/* Kernel of the far zone of the thesis's schemes. */
enum shoal_gas_far {
    SHOAL_GAS_FAR_2K,  /* Kernel 2K of the thesis. */
    SHOAL_GAS_FAR_HA1, /* Kernel HA1 of the thesis. */
    SHOAL_GAS_FAR_HA3  /* Kernel HA3 of the thesis. */
};

/* How the thesis's schemes add the far zone. */
enum shoal_gas_adder {
    SHOAL_GAS_NADDER, /* Particle by particle. */
    SHOAL_GAS_KADDER  /* Cell by cell. */
};

/* How the thesis's schemes sort particles by cells. */
enum shoal_gas_sort {
    SHOAL_GAS_SORT_DEVICE, /* On the device. */
    SHOAL_GAS_SORT_V1,     /* On the host: version 1 of the thesis. */
    SHOAL_GAS_SORT_V2      /* On the host: version 2 of the thesis. */
};

/* Parameters of the thesis for gases. */
struct shoal_gas_thesis {
    size_t size; /* Bytes of the struct, set by shoal_gas_thesis_init. */
    /* Kernel of SHOAL_GAS_ALLPAIRS, enum shoal_gas_kernel. Default: SHOAL_GAS_KERNEL_AUTO. */
    int32_t kernel;
    /* Sources in each iteration of SHOAL_GAS_KERNEL_UNROLLED: 2, 4, 8 or 16. Default: 0, which means 8. */
    uint64_t unroll;
    /* Scheme of SHOAL_GAS_CELLS, enum shoal_gas_scheme. Default: SHOAL_GAS_SCHEME_CORRECTED. */
    int32_t scheme;
    int32_t far;   /* Far zone of the thesis's schemes, enum shoal_gas_far. Default: SHOAL_GAS_FAR_2K. */
    int32_t adder; /* Sum of the far zone, enum shoal_gas_adder. Default: SHOAL_GAS_NADDER. */
    /* Sort of the thesis's schemes, enum shoal_gas_sort. Default: SHOAL_GAS_SORT_DEVICE. */
    int32_t sort;
    /* Number of cells along the width, of SHOAL_GAS_CELLS, up to 4096. Default: 0, which means 50, or fewer
     * if the near zone would not reach the cutoff. */
    uint64_t cells;
    /* Radius R1 of the zone summed pair by pair, in widths of a cell, 0 to 4096. Default: NaN, which means 2.
     */
    double near_radius;
    /* Radius R2 of the zone in which a particle interacts with whole cells, in widths of a cell, 0 to 4096.
     * Default: NaN, which means 10. */
    double middle_radius;
    int32_t limiter; /* Limit of speeds, enum shoal_gas_limiter. Default: SHOAL_GAS_NO_LIMITER. */
    /* Factor of the limiter, 1 to 1e12. Default: NaN, which means 15 for SHOAL_GAS_LIMIT_ENERGY, 100 for
     * SHOAL_GAS_LIMIT_JUMP. */
    double limit;
};

/* Fills `thesis` with the defaults. */
SHOAL_API void shoal_gas_thesis_init(struct shoal_gas_thesis *thesis);
#define SHOAL_GAS_THESIS_PARAMS(...) SHOAL_INIT(shoal_gas_thesis, shoal_gas_thesis_init, __VA_ARGS__)

/* Tours: V. Pechacek, Brno 2012 -------------------------------------------------------------------------- */

/* A further value of shoal_tsp_params.algorithm. */
enum shoal_tsp_thesis_algorithm {
    /* Two levels: ants over all cities (macro level), then ants over pieces of the tour (micro level). */
    SHOAL_TSP_THESIS = 10
};

/* When the path of an ant in a piece is rotated, so that the path ends where the piece ends. Both choices
 * give equal results. */
enum shoal_tsp_rewinding {
    SHOAL_TSP_REWIND_AT_ONCE, /* Once the path is constructed, before 2-opt. */
    SHOAL_TSP_REWIND_LATE     /* After 2-opt. */
};

/* How the next city is chosen. */
enum shoal_tsp_choice {
    SHOAL_TSP_GREEDY, /* The city of the largest weight. */
    /* The next city is drawn with probabilities in proportion to the weights, which are whole numbers. */
    SHOAL_TSP_PROBABILISTIC
};

/* Candidates for the next city of an ant over all cities. Both choices give equal results. */
enum shoal_tsp_scan {
    SHOAL_TSP_SCAN_LISTS, /* The nearest cities, while enough of these are not visited. */
    SHOAL_TSP_SCAN_ALL    /* All cities. */
};

/* Where a device keeps the distance matrix of a piece. */
enum shoal_tsp_piece_memory {
    SHOAL_TSP_MEMORY_AUTO,   /* The choice depends on the device. */
    SHOAL_TSP_MEMORY_GLOBAL, /* In global memory. */
    SHOAL_TSP_MEMORY_LOCAL,  /* In local memory, square, as in the thesis. */
    /* In local memory, square, with each row rotated by its number, so that the elements of a column lie in
     * different banks. */
    SHOAL_TSP_MEMORY_SKEWED,
    SHOAL_TSP_MEMORY_TRIANGLE /* In local memory, as a triangle, with each pair once. */
};

/* Parameters of SHOAL_TSP_THESIS. */
struct shoal_tsp_thesis {
    size_t size; /* Bytes of the struct, set by shoal_tsp_thesis_init. */
    /* Number of cycles of ants over all cities, up to 65536; each cycle is a step of the run. Default: 3. */
    uint64_t macro_cycles;
    /* Number of cycles of ants over a piece, up to 65536. Default: 15. */
    uint64_t micro_cycles;
    uint64_t passes; /* Most passes of 2-opt over the tour of an ant in a piece, up to 65536. Default: 96. */
    /* Number of runs of the micro level, up to 65536, each with the cuts between pieces moved by half a
     * piece; each is a step of the run. Default: 2. */
    uint64_t overlaps;
    uint64_t piece; /* Most cities of a piece, 4 to 256. Default: 96. */
    /* Largest number of ants that build tours of all cities, each from a first city of its own, 1 to 65536.
     * Default: 64. */
    uint64_t starts;
    /* Work-items of a device for an ant over all cities, up to 1024. Default: 0, by the device. */
    uint64_t macro_squad;
    /* Work-items of a device for 2-opt of an ant in a piece, up to 64. Default: 0, by the device. */
    uint64_t micro_squad;
    /* When the path of a piece is rotated, enum shoal_tsp_rewinding. Default: SHOAL_TSP_REWIND_AT_ONCE. */
    int32_t rewinding;
    int32_t choice; /* How the next city is chosen, enum shoal_tsp_choice. Default: SHOAL_TSP_GREEDY. */
    /* Candidates for the next city of an ant over all cities, enum shoal_tsp_scan. Default:
     * SHOAL_TSP_SCAN_LISTS. */
    int32_t scan;
    /* Where a device keeps the matrix of a piece, enum shoal_tsp_piece_memory. Default:
     * SHOAL_TSP_MEMORY_AUTO. */
    int32_t memory;
    bool one_by_one; /* A launch for each piece, one after the other. Default: false. */
    /* Id of the device that runs the micro level. Default: NULL, the device of the run. */
    const char *micro_device;
    /* File for shoal_tsp_write_history. Default: NULL, no history is kept. */
    const char *history;
};

/* Fills `thesis` with the defaults. */
SHOAL_API void shoal_tsp_thesis_init(struct shoal_tsp_thesis *thesis);
#define SHOAL_TSP_THESIS_PARAMS(...) SHOAL_INIT(shoal_tsp_thesis, shoal_tsp_thesis_init, __VA_ARGS__)

/* Writes the tours of a run of SHOAL_TSP_THESIS with thesis.history as XML: an element `solution` holds
 * `history` and `result`, each of these holds elements `tour`, and a tour holds an element `stop` with the id
 * of each city. A resumed run has the tours since the checkpoint. The file appears whole or not at all.
 * Errors: SHOAL_INVALID: the run kept no history, or has made no step. SHOAL_IO: the file cannot be
 * written. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_write_history(struct shoal_solver *solver, const char *path, struct shoal_error *error);

/* Nets: B. Grebensek, Ljubljana 2010 --------------------------------------------------------------------- */

/* Further values of shoal_mlp_params.method, for nets with one hidden layer and all rows in each update,
 * without chunks of rows. */
enum shoal_mlp_thesis_method {
    SHOAL_MLP_V1 = 2, /* v1: a work-item takes whole rows. */
    SHOAL_MLP_V2 = 3  /* v2: a work-group takes some rows, a work-item a neuron. */
};

/* Memory layout of the values of threads and blocks. */
enum shoal_mlp_layout {
    SHOAL_MLP_LAYOUT_OF_THESIS, /* As in the thesis. */
    SHOAL_MLP_BY_BLOCK,         /* Block after block: layout A of the thesis. */
    SHOAL_MLP_BY_THREAD         /* Values of neighbouring threads side by side: layout B of the thesis. */
};

/* Where a part of the work is done. */
enum shoal_mlp_place {
    SHOAL_MLP_PLACE_OF_THESIS, /* Where the thesis does this part. */
    SHOAL_MLP_ON_DEVICE,       /* This part is done on the device. */
    SHOAL_MLP_ON_HOST          /* This part is done on the host. */
};

/* Parameters of SHOAL_MLP_V1 and SHOAL_MLP_V2. */
struct shoal_mlp_thesis {
    size_t size; /* Bytes of the struct, set by shoal_mlp_thesis_init. */
    /* Work-groups that share the rows, up to 1048576. Default: 0, by the device and the net. */
    uint64_t blocks;
    uint64_t threads; /* Work-items of each work-group, up to 1024. Default: 0, by the device and the net. */
    /* Of v2: rows that a work-group takes at a time, 1 to 16. Default: 0, which means 4. */
    uint64_t interleave;
    /* Of v1: where values of neurons lie, enum shoal_mlp_layout. Default: SHOAL_MLP_LAYOUT_OF_THESIS. */
    int32_t values;
    /* Where sums of derivatives lie, enum shoal_mlp_layout. Default: SHOAL_MLP_LAYOUT_OF_THESIS. */
    int32_t deltas;
    /* Where derivatives are added, enum shoal_mlp_place. Default: SHOAL_MLP_PLACE_OF_THESIS. */
    int32_t sum;
    /* Where parameters are updated, enum shoal_mlp_place. Default: SHOAL_MLP_PLACE_OF_THESIS. */
    int32_t update;
    /* Of v1: a thread stores the derivatives of its first row instead of adding them, so that the sums need
     * not be cleared before. Default: false. */
    bool stores;
};

/* Fills `thesis` with the defaults. */
SHOAL_API void shoal_mlp_thesis_init(struct shoal_mlp_thesis *thesis);
#define SHOAL_MLP_THESIS_PARAMS(...) SHOAL_INIT(shoal_mlp_thesis, shoal_mlp_thesis_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
