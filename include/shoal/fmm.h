/* Potentials and fields of charges in the plane, by the fast multipole method: the time grows as the number
 * of charges, not as its square.
 *
 * Charges q_j at sources x_j give a target y the potential sum_j q_j u(|y - x_j|) and the field, which is
 * minus the gradient of the potential. With d = r^2 and s = d + softening^2, the law u(r) is one of enum
 * shoal_fmm_law, at all distances, in open space. Sources and targets may be the same points: then no point
 * acts on itself. A source at the very place of a target adds no field; without softening it adds no
 * potential either.
 *
 * The plane is divided into square cells, a cell with many points into four smaller ones. Charges of a
 * cell act on far cells through sums of Chebyshev polynomials in each cell, so the method takes any smooth
 * law, and the softening is part of the law. Neighbouring cells act on each other by the
 * direct sum. The accuracy that is asked for chooses the number of nodes and the points of a cell:
 * docs/fmm.md has measured errors. Pairs of cells act on each other with opposite forces, so the sum of all
 * forces between charges is 0 but for rounding.
 *
 *     struct shoal_fmm_params params = SHOAL_FMM_PARAMS(.softening = 1, .max_sources = n);
 *     shoal_fmm_create(device, &params, &fmm, &error);
 *     struct shoal_fmm_args args = SHOAL_FMM_ARGS(.sources = x, .source_count = n, .field = a);
 *     shoal_fmm_run(fmm, queue, &args, &error);
 *     shoal_fmm_destroy(&fmm);
 *
 * The same input on the same device gives the same bits each time.
 *
 * Threads: an object is used by one thread at a time, as a queue is; the calls on the host may run in any
 * thread.
 */
#ifndef SHOAL_FMM_H
#define SHOAL_FMM_H

#include <shoal/init.h>
#include <shoal/program.h>

SHOAL_BEGIN_DECLS

/* Law u(r) of a unit charge, with s = r^2 + softening^2. */
enum shoal_fmm_law {
    SHOAL_FMM_LOG, /* (strength / 2) ln s. With strength 1 equal charges attract each other. */
    /* (strength / 2) ln s + repulsion / (2 s). Without softening the repulsion is too steep near 0 for a
     * given accuracy of the whole. */
    SHOAL_FMM_LOG_REPULSION,
    SHOAL_FMM_INVERSE /* strength / sqrt(s). With strength 1 equal charges repel each other. */
};

/* Limits of struct shoal_fmm_params. */
enum {
    SHOAL_FMM_MAX = 0x10000000 /* Most sources and most targets of an object. */
};

/* A law and the accuracy of its sums. Fill the struct by SHOAL_FMM_PARAMS or shoal_fmm_params_init. */
struct shoal_fmm_params {
    size_t size;            /* Bytes of the struct, set by shoal_fmm_params_init. */
    enum shoal_fmm_law law; /* Law of the charges. Default: SHOAL_FMM_LOG. */
    double strength;        /* Strength of the law, a finite number. Default: 1. */
    double repulsion;       /* Repulsion of SHOAL_FMM_LOG_REPULSION, a finite number. Default: 0. */
    double softening;       /* Softening length, a finite number >= 0. Default: 0. */
    /* Largest error of the field, root mean square of the error over root mean square of the field, for
     * charges of one sign or of both in like places, 1e-10 to 0.1; at least SHOAL_FMM_FLOAT_ACCURACY in
     * single precision. Default: 1e-4. */
    double accuracy;
    /* Type of all numbers on a device: SHOAL_TYPE_FLOAT or SHOAL_TYPE_DOUBLE. The host computes in double
     * precision. Default: SHOAL_TYPE_FLOAT. */
    enum shoal_type real;
    size_t max_sources; /* Most sources of a run on a device, 1 to SHOAL_FMM_MAX. Must be set for a device. */
    /* Most targets of a run on a device, up to SHOAL_FMM_MAX. 0: the targets of each run are its sources.
     * Default: 0. */
    size_t max_targets;
    /* Whether runs on a device may compute potentials, for which kernels are built and cells have more
     * memory. Default: true. */
    bool potential;
    /* Nodes along an axis of a cell, 2 to 16, whatever the accuracy. 0: as the accuracy needs. Default: 0. */
    uint32_t nodes;
    /* Most points of a cell that is not divided, 16 to 4096. 0: chosen from the number of nodes. Default: 0.
     */
    uint32_t points;
    enum shoal_variant variant; /* Text to build on CUDA. Default: SHOAL_VARIANT_AUTO. */
    /* Whether positions of runs on a device have a fine part, `fine` of struct shoal_fmm_args. max_targets
     * must be 0. Default: false. */
    bool fine;
};

/* Least accuracy that may be asked for in single precision. */
#define SHOAL_FMM_FLOAT_ACCURACY 1e-5

/* Fills `params` with the defaults. */
SHOAL_API void shoal_fmm_params_init(struct shoal_fmm_params *params);
/* Parameters with the given members set: SHOAL_FMM_PARAMS(.softening = 1, .max_sources = 1000). */
#define SHOAL_FMM_PARAMS(...) SHOAL_INIT(shoal_fmm_params, shoal_fmm_params_init, __VA_ARGS__)

/* On the host ------------------------------------------------------------------------------------------ */

/* Charges, targets and results of a sum on the host. Fill the struct by SHOAL_FMM_POINTS or
 * shoal_fmm_points_init. Arrays belong to the caller; results must not overlap other arrays. */
struct shoal_fmm_points {
    size_t size;           /* Bytes of the struct, set by shoal_fmm_points_init. */
    const double *sources; /* Positions of the sources, [source_count][2], finite. Must be set. */
    const double *charges; /* Charges, [source_count], finite. NULL: each is 1. Default: NULL. */
    size_t source_count;   /* Number of sources, 0 to SHOAL_FMM_MAX. Must be set. */
    /* Positions of the targets, [target_count][2], finite. NULL: the targets are the first target_count
     * sources. Default: NULL. */
    const double *targets;
    /* Number of targets, 0 to SHOAL_FMM_MAX. Without `targets` up to source_count, and 0 stands for all
     * sources. Default: 0. */
    size_t target_count;
    double *potential; /* Receives the potentials, [target_count]. NULL: not computed. Default: NULL. */
    double *field;     /* Receives the fields, [target_count][2]. NULL: not computed. Default: NULL. */
};

/* Fills `points` with the defaults. */
SHOAL_API void shoal_fmm_points_init(struct shoal_fmm_points *points);
/* Points with the given members set: SHOAL_FMM_POINTS(.sources = x, .source_count = n, .field = a). */
#define SHOAL_FMM_POINTS(...) SHOAL_INIT(shoal_fmm_points, shoal_fmm_points_init, __VA_ARGS__)

/* Computes potentials and fields in double precision by the fast multipole method, on all threads.
 * Errors: SHOAL_INVALID: a number is out of its range, a position or charge is not finite. Out of memory. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_fmm_on_host(const struct shoal_fmm_params *params,
                                                               const struct shoal_fmm_points *points,
                                                               struct shoal_error *error);

/* Computes potentials and fields in double precision by the direct sum over all pairs, on all threads: the
 * reference for errors, of some of the targets if there are many points. `accuracy` has no effect.
 * Errors: SHOAL_INVALID: a number is out of its range, a position or charge is not finite. Out of memory. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_fmm_direct(const struct shoal_fmm_params *params,
                                                              const struct shoal_fmm_points *points,
                                                              struct shoal_error *error);

/* On a device ------------------------------------------------------------------------------------------ */

/* The fast multipole method on one device. */
struct shoal_fmm;

/* Builds the kernels for params->max_sources sources. Destroy the object with shoal_fmm_destroy.
 * Errors: SHOAL_INVALID: a number of `params` is out of its range, or the accuracy is too high for single
 * precision. SHOAL_UNSUPPORTED: the device is the host or lacks double precision. SHOAL_BUILD_FAILED: a
 * kernel does not compile. SHOAL_OUT_OF_DEVICE_MEMORY: the cells do not fit. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_fmm_create(struct shoal_device *device,
                                                              const struct shoal_fmm_params *params,
                                                              struct shoal_fmm **out,
                                                              struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_fmm_destroy(struct shoal_fmm **fmm);

/* Program number `index`, from 0, of the object, to query build time, defines and variant. NULL: `index` is
 * out of range. */
SHOAL_API const struct shoal_program *shoal_fmm_program(const struct shoal_fmm *fmm, size_t index);

/* Charges, targets and results of a sum on a device, in numbers of the object's type. Fill the struct by
 * SHOAL_FMM_ARGS or shoal_fmm_args_init. The caller owns the buffers and keeps them alive until the queue is
 * done with them. Results must not be buffers of the input. */
struct shoal_fmm_args {
    size_t size;                  /* Bytes of the struct, set by shoal_fmm_args_init. */
    struct shoal_buffer *sources; /* Positions of the sources, [source_count][2], finite. Must be set. */
    struct shoal_buffer *charges; /* Charges, [source_count], finite. NULL: each is 1. Default: NULL. */
    size_t source_count;          /* Number of sources, 0 to max_sources. Must be set. */
    /* Positions of the targets, [target_count][2], finite. Must be set if the object has max_targets, else
     * NULL: the targets are the sources. Default: NULL. */
    struct shoal_buffer *targets;
    size_t target_count; /* Number of targets, 0 to max_targets; without `targets` 0. Default: 0. */
    /* Receives the potentials, [target_count], or [source_count] without `targets`; the object's `potential`
     * must be set. NULL: not computed. Default: NULL. */
    struct shoal_buffer *potential;
    /* Receives the fields, [target_count][2], or [source_count][2] without `targets`. NULL: not computed.
     * Default: NULL. */
    struct shoal_buffer *field;
    /* What the positions lack, [source_count][2]: the place of a source is its position plus this, so that
     * single precision has the places of near charges far from 0. Must be set if the object has `fine`, else
     * NULL. Default: NULL. */
    struct shoal_buffer *fine;
};

/* Fills `args` with the defaults. */
SHOAL_API void shoal_fmm_args_init(struct shoal_fmm_args *args);
/* A sum with the given members set: SHOAL_FMM_ARGS(.sources = x, .source_count = n, .field = a). */
#define SHOAL_FMM_ARGS(...) SHOAL_INIT(shoal_fmm_args, shoal_fmm_args_init, __VA_ARGS__)

/* Enqueues a sum and returns. If a position is not finite, the results are undefined.
 * Errors: SHOAL_INVALID: a count is out of its range, a buffer is missing, too small, or a result is a buffer
 * of the input. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_fmm_run(struct shoal_fmm *fmm, struct shoal_queue *queue,
                                                           const struct shoal_fmm_args *args,
                                                           struct shoal_error *error);

SHOAL_END_DECLS

#endif
