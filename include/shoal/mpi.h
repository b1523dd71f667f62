/* One run over several processes, its ranks, which a launcher such as mpirun starts on one host or several.
 *
 * Rank 0 makes the run. The instance of rank 0 has the devices of all ranks, so rank 0 divides a run over
 * these devices as over its own, by <shoal/split.h>: with the same bits, the same checkpoints and the same
 * messages. The other ranks serve their devices, or wait while rank 0 uses their cards itself. They read no
 * inputs and write no files.
 *
 *     struct shoal_ranks *ranks;
 *     shoal_ranks_join(NULL, &ranks, &error);
 *     if (shoal_ranks_rank(ranks) > 0) {
 *         shoal_ranks_serve(ranks, NULL, &code, &error);
 *     } else {
 *         shoal_ranks_open(ranks, NULL, NULL, &shoal, &error);
 *         ... shoal_run_split over the devices of shoal_ranks_device_at ...
 *         shoal_close(&shoal);
 *     }
 *     shoal_ranks_leave(&ranks, code);
 *
 * The library itself needs no MPI. A plug-in, libshoal-mpi.so in the folder of the library, calls MPI. The
 * plug-in is built where mpi.h is found; shoal_ranks_join loads it.
 *
 * Threads: a struct shoal_ranks belongs to one thread at a time. The library calls MPI from several threads,
 * one at a time, so MPI must be initialised with MPI_THREAD_SERIALIZED or more; with MPI_THREAD_MULTIPLE if
 * the caller's own threads call MPI during a run or while a rank serves.
 */
#ifndef SHOAL_MPI_H
#define SHOAL_MPI_H

#include <shoal/device.h>

SHOAL_BEGIN_DECLS

/* The processes that make a run together, as one process sees them. Created by shoal_ranks_join. */
struct shoal_ranks;

/* How a process joins the others. */
struct shoal_ranks_params {
    size_t size; /* Bytes of the struct, set by shoal_ranks_params_init. */
    /* Pointer to the MPI_Comm whose processes are the ranks. The communicator is duplicated. Default: NULL,
     * which means MPI_COMM_WORLD; MPI is then initialised if it is not, and finalised by shoal_ranks_leave.
     */
    const void *communicator;
    /* A text that must be the same for all ranks, such as a command line. Default: NULL, no text. */
    const char *same;
    /* Devices of this rank, a selector for shoal_device_select. Default: NULL, which means the selector that
     * rank 0 gives to shoal_ranks_open. */
    const char *selector;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_ranks_params_init(struct shoal_ranks_params *params);
#define SHOAL_RANKS_PARAMS(...) SHOAL_INIT(shoal_ranks_params, shoal_ranks_params_init, __VA_ARGS__)

/* Joins the other processes. All processes must make this call. `params` is copied; NULL: the defaults. After
 * an error of rank 0 that leaves `*out` set, call shoal_ranks_leave, so that the other ranks end too.
 * Errors: SHOAL_UNSUPPORTED: there is no plug-in, or MPI allows one thread only. SHOAL_INVALID, on rank 0:
 * another rank has another version of the library or another text `same`; the message names the rank and its
 * host, and `*out` is set. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_ranks_join(const struct shoal_ranks_params *params,
                                                              struct shoal_ranks **out,
                                                              struct shoal_error *error);

/* Rank 0: seconds of silence after which another rank counts as stopped, for example because its process is
 * suspended or the link to its host is down. The devices of a stopped rank are lost. Default: 60. 0: a rank
 * never counts as stopped. */
SHOAL_API void shoal_ranks_hang_limit(struct shoal_ranks *ranks, double seconds);

/* Number of this process, from 0. */
SHOAL_API uint32_t shoal_ranks_rank(const struct shoal_ranks *ranks);

/* Number of processes. */
SHOAL_API uint32_t shoal_ranks_count(const struct shoal_ranks *ranks);

/* Rank 0: opens the library as shoal_open does, and adds the devices of the other ranks to the instance,
 * after the devices of rank 0, except cards that rank 0 uses itself. Ids of devices of other ranks begin with
 * the rank: "rank1:cuda:0". `selector` chooses the devices of each rank without a selector of its own; NULL:
 * the graphics cards of the rank, else its first device. If n ranks of one host have the same selector, each
 * of these ranks gets every n-th of the selected devices. The selector must match at least n devices, unless
 * all are processors, which several ranks may share. A card of another rank on the host of rank 0, a device
 * with a PCI address, is used by rank 0 itself, without messages, if rank 0 has it through the same backend
 * and can open it; its id is then that of rank 0: "cuda:1". `params` NULL: the defaults. Close the instance
 * with shoal_close before shoal_ranks_leave, which may still call params->stop.
 * Errors: see shoal_open. SHOAL_NO_DEVICE: a rank has no device.
 * SHOAL_INVALID: this is not rank 0, or the ranks have an instance already. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_ranks_open(struct shoal_ranks *ranks,
                                                              const struct shoal_params *params,
                                                              const char *selector, struct shoal **out,
                                                              struct shoal_error *error);

/* Rank 0: shoal_ranks_open with every device of every rank but the host, for programs that show or measure
 * devices. A device that several ranks have is listed for each of these ranks.
 * Errors: SHOAL_INVALID: this is not rank 0, or the ranks have an instance already. SHOAL_NO_DEVICE: a rank
 * has no device. Other errors: see shoal_open. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_ranks_open_all(struct shoal_ranks *ranks,
                                                                  const struct shoal_params *params,
                                                                  struct shoal **out,
                                                                  struct shoal_error *error);

/* Rank 0: number of the devices that were chosen on all ranks, rank 0 included. 0: shoal_ranks_open
 * was not called. */
SHOAL_API size_t shoal_ranks_device_count(const struct shoal_ranks *ranks);

/* Rank 0: device number `index` of the chosen devices, from 0, in the order of the ranks.
 * Valid as long as the instance. NULL: `index` is out of range. */
SHOAL_API struct shoal_device *shoal_ranks_device_at(const struct shoal_ranks *ranks, size_t index);

/* Other ranks: serves the devices until rank 0 leaves. `*code` receives the code that rank 0 gives to
 * shoal_ranks_leave. `params` are for the instance of this rank, which uses the cache of rank 0; NULL: the
 * defaults. A device that fails is no error here: rank 0 gets the error.
 * Errors: SHOAL_FAILED: rank 0 cannot be reached any more. SHOAL_INVALID: this is rank 0. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_ranks_serve(struct shoal_ranks *ranks,
                                                               const struct shoal_params *params, int *code,
                                                               struct shoal_error *error);

/* Leaves the other processes and sets the pointer to NULL. Accepts NULL. All ranks must make this call; rank
 * 0 gives `code` to the other ranks. If rank 0 uses cards of other ranks itself, it first asks all ranks, and
 * waits for their answers, at most for the time of shoal_ranks_hang_limit. If a rank counts as stopped, all
 * ranks end as by shoal_ranks_abort, also with `code` 0, so flush streams before the call. */
SHOAL_API void shoal_ranks_leave(struct shoal_ranks **ranks, int code);

/* Ends all ranks at once with exit code `code`, this process included, when a rank or a device no longer
 * answers (shoal_is_hung). Accepts NULL, and does nothing then. */
SHOAL_API void shoal_ranks_abort(struct shoal_ranks *ranks, int code);

SHOAL_END_DECLS

#endif
