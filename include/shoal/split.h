/* One run divided over several devices, which work at the same time. The units of the division depend on the
 * workload:
 * - searches: independent runs. With fewer runs than devices, islands, whose members for exchanges travel
 *   between the devices. With too few islands, too: shards of the rows if the objective is a sum over the
 *   rows of a table, or particles, individuals or members.
 * - mlp: nets. With fewer nets than devices, shards of each batch, whose gradients are added.
 * - tsp: cells of Lin-Kernighan search, between which the host does its work once for all devices; colonies
 *   of ants. With focused ants also pieces of tours.
 * - gas: particles, whose positions travel after each step.
 *
 * The computation follows from parameters and seed, not from the devices. Over devices of one kind the result
 * and the checkpoint have the same bits as on one device, whatever the shares are or become. A run on one
 * device resumes the checkpoint of a divided run, and the reverse (checkpoints of nets and of tours also hold
 * the seconds of the run, which differ). Devices of different kinds round differently, except that tours are
 * the same on all devices. Since units move between devices by measured times, a run over different devices
 * repeats its bits only if the caller gives the shares. For a search the first device chooses the method and
 * the tuned values of all devices; for nets and for forces of all pairs each device uses its own method and
 * tuned values.
 *
 * Threads: see <shoal/workload.h>. The library makes a thread for each device but the first; callbacks are
 * called by one thread at a time.
 */
#ifndef SHOAL_SPLIT_H
#define SHOAL_SPLIT_H

#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* Over which devices a run is divided, and how. */
struct shoal_split_params {
    size_t size; /* Bytes of the struct, set by shoal_split_params_init. */
    /* The devices, [count], each once and not the host. Default: NULL, which is refused. */
    struct shoal_device *const *devices;
    size_t count; /* Number of devices, at least 1. Default: 0, which is refused. */
    /* Share of each device, [count], in any unit: numbers from 0 on, of which at least one is above 0. A
     * device whose share is less than one unit may get no unit. Default: NULL, equal shares at first; then
     * units move to the devices that are faster by measured times, if a move gains more time than it costs.
     */
    const double *shares;
    /* Parameters of single devices, [count]: for each device NULL, or parameters of the workload in which
     * only options with the flag SHOAL_OPTION_OF_DEVICE, such as the kernel, differ from the run's. Default:
     * NULL, all devices have the parameters of the run. */
    const void *const *device_params;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_split_params_init(struct shoal_split_params *params);
#define SHOAL_SPLIT_PARAMS(...) SHOAL_INIT(shoal_split_params, shoal_split_params_init, __VA_ARGS__)

/* Checks, without creating anything, whether a run with `params` can be divided as `split` says.
 * Errors: SHOAL_INVALID: the workload has nothing to divide, or the run uses a method that cannot be divided;
 * the run has fewer units of each kind than there are devices with a share above 0; a device is given twice,
 * also under another name or by parts that may overlap, or is NULL, the host or of another instance than the
 * first; shares are no numbers; parameters of a device differ from `params` in an option without
 * SHOAL_OPTION_OF_DEVICE. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_split_check(const struct shoal_workload *workload,
                                                               const struct shoal_split_params *split,
                                                               const void *params, struct shoal_error *error);

/* Makes a run over several devices, with the parameters, report and errors of shoal_run. A device that fails
 * ends the run; the message names that device. With one device the call is shoal_run, and the log says so.
 * Errors: SHOAL_INVALID: see shoal_split_check. SHOAL_DEVICE_LOST: as for shoal_run; if `stop` ended the run
 * and a rank whose card rank 0 uses itself no longer answers, the report holds the result so far. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_run_split(const struct shoal_workload *workload, const struct shoal_split_params *split,
                const void *params, const struct shoal_run_params *run, struct shoal_report *report,
                struct shoal_error *error);

/* Share of a run that a device has made. */
struct shoal_part {
    size_t size;        /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    const char *device; /* Id of the device. Valid as long as the device. */
    /* Unit of the division, in the singular: "run", "swarm", "island", "shard" (of rows, batches or cells),
     * "block" (of particles), "particle", "individual", "member", "net", "colony" or "piece". A constant. */
    const char *unit;
    uint64_t first;    /* Number of the first unit of this device, from 0, at the end of the run. */
    uint64_t count;    /* Number of units of this device at the end of the run; 0: all moved away. */
    double busy_s;     /* Seconds in which the device made steps, by the host's clock. */
    double waited_s;   /* Seconds in which the device waited for other devices. */
    const char *units; /* `unit` in the plural: "runs". A constant. */
    /* Number that the results of the workload give to unit 0: 0 for runs, 1 for nets. */
    uint64_t numbered_from;
    uint64_t began_with; /* Number of units of this device when the run began. */
    /* Number of moves of units to this device or from it. For a gas with neighbour lists, moves at rebuilds,
     * which follow the particles, do not count. */
    uint64_t moves;
    /* How the bytes of other devices have come to this one: the name of the path (shoal_link_path_name), of
     * the last one in the order of enum shoal_link_path if there are several. NULL: no bytes were copied
     * within steps. A constant. */
    const char *path;
};

/* Number of parts of a run: the devices that got units when the run began. 0: the run was not divided, as a
 * run of shoal_run, or of shoal_run_split with one device. */
SHOAL_API size_t shoal_part_count(const struct shoal_solver *solver);

/* Fills `part` for part number `index`, from 0, in the order of the devices.
 * Errors: SHOAL_INVALID: there is no such part. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_part_get(const struct shoal_solver *solver, size_t index,
                                                            struct shoal_part *part,
                                                            struct shoal_error *error);

SHOAL_END_DECLS

#endif
