/* The plug-in libshoal-mpi.so: messages between ranks by MPI. This file is the only one that includes mpi.h.
 *
 * A lock lets one thread at a time call MPI.
 */
#include "compute/remote/transport.h"

#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct mpi {
    MPI_Comm all;
    bool is_own; /* MPI was initialised by this plug-in */
    pthread_mutex_t lock;
};

static enum shoal_status fail(struct shoal_error *error, enum shoal_status status, const char *call, int code,
                              const char *format, ...)
{
    va_list list;
    if (!error)
        return status;
    *error = (struct shoal_error){.status = status, .native = code};
    snprintf(error->call, sizeof error->call, "%s", call);
    va_start(list, format);
    vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    return status;
}

static enum shoal_status check(int code, const char *call, uint32_t rank, struct shoal_error *error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (code == MPI_SUCCESS)
        return SHOAL_OK;
    MPI_Error_string(code, text, &length);
    return fail(error, SHOAL_FAILED, call, code, "%s with rank %u failed: %s", call, (unsigned)rank, text);
}

/* The table -------------------------------------------------------------------------------------------- */

/* Returns in *request a copy of the request `started`. code: result of the MPI call that has started it,
 * `call`. */
static enum shoal_status keep(int code, const char *call, uint32_t rank, MPI_Request started, void **request,
                              struct shoal_error *error)
{
    MPI_Request *kept = malloc(sizeof *kept);
    if (!kept)
        return fail(error, SHOAL_OUT_OF_HOST_MEMORY, "", 0, "out of memory on the host");
    *kept = started;
    *request = kept;
    const enum shoal_status status = check(code, call, rank, error);
    if (status)
        free(kept);
    return status;
}

static enum shoal_status send(void *data, uint32_t rank, uint32_t channel, const void *bytes, size_t size,
                              void **request, struct shoal_error *error)
{
    struct mpi *mpi = data;
    MPI_Request started;
    pthread_mutex_lock(&mpi->lock);
    const int code = MPI_Isend(bytes, (int)size, MPI_BYTE, (int)rank, (int)channel, mpi->all, &started);
    pthread_mutex_unlock(&mpi->lock);
    return keep(code, "MPI_Isend", rank, started, request, error);
}

static enum shoal_status probe(void *data, uint32_t rank, uint32_t channel, bool *is_there, size_t *size,
                               struct shoal_error *error)
{
    struct mpi *mpi = data;
    MPI_Status state;
    int found = 0, count = 0;
    pthread_mutex_lock(&mpi->lock);
    int code = MPI_Iprobe((int)rank, (int)channel, mpi->all, &found, &state);
    if (code == MPI_SUCCESS && found)
        code = MPI_Get_count(&state, MPI_BYTE, &count);
    pthread_mutex_unlock(&mpi->lock);
    *is_there = found;
    *size = count > 0 ? (size_t)count : 0;
    return check(code, "MPI_Iprobe", rank, error);
}

static enum shoal_status receive(void *data, uint32_t rank, uint32_t channel, void *bytes, size_t size,
                                 void **request, struct shoal_error *error)
{
    struct mpi *mpi = data;
    MPI_Request started;
    pthread_mutex_lock(&mpi->lock);
    const int code = MPI_Irecv(bytes, (int)size, MPI_BYTE, (int)rank, (int)channel, mpi->all, &started);
    pthread_mutex_unlock(&mpi->lock);
    return keep(code, "MPI_Irecv", rank, started, request, error);
}

static enum shoal_status test(void *data, void *request, bool *is_done, struct shoal_error *error)
{
    struct mpi *mpi = data;
    int done = 0;
    pthread_mutex_lock(&mpi->lock);
    const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&mpi->lock);
    *is_done = done;
    if (done || code != MPI_SUCCESS)
        free(request);
    return check(code, "MPI_Test", 0, error);
}

static void *end_later(void *data)
{
    sleep(2);
    _Exit(*(const int *)data);
}

/* Ends all ranks by MPI_Abort. If the launcher does not reach all hosts, MPI_Abort may not return; end_later
 * then ends this process. */
static void end(void *data, int code)
{
    struct mpi *mpi = data;
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_later, &code) == 0)
        MPI_Abort(mpi->all, code);
    _Exit(code);
}

static void close_all(void *data)
{
    struct mpi *mpi = data;
    MPI_Comm_free(&mpi->all);
    if (mpi->is_own)
        MPI_Finalize();
    pthread_mutex_destroy(&mpi->lock);
    free(mpi);
}

/* Begin ------------------------------------------------------------------------------------------------ */

static enum shoal_status begin_mpi(struct mpi *mpi, struct shoal_error *error)
{
    int is_there = 0, level = MPI_THREAD_SINGLE;
    MPI_Initialized(&is_there);
    mpi->is_own = !is_there;
    const int code =
        is_there ? MPI_Query_thread(&level) : MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    if (code != MPI_SUCCESS)
        return check(code, "MPI_Init_thread", 0, error);
    if (level < MPI_THREAD_SERIALIZED)
        return fail(
            error, SHOAL_UNSUPPORTED, "MPI_Query_thread", level,
            "MPI allows one thread only: initialise it by MPI_Init_thread with MPI_THREAD_SERIALIZED");
    return SHOAL_OK;
}

static enum shoal_status open_mpi(const void *communicator, struct transport *out, struct shoal_error *error)
{
    struct mpi *mpi = calloc(1, sizeof *mpi);
    int rank = 0, count = 1;
    if (!mpi)
        return fail(error, SHOAL_OUT_OF_HOST_MEMORY, "", 0, "out of memory on the host");
    enum shoal_status status = begin_mpi(mpi, error);
    if (!status) {
        const MPI_Comm given = communicator ? *(const MPI_Comm *)communicator : MPI_COMM_WORLD;
        status = check(MPI_Comm_dup(given, &mpi->all), "MPI_Comm_dup", 0, error);
    }
    if (status) {
        free(mpi);
        return status;
    }
    MPI_Comm_set_errhandler(mpi->all, MPI_ERRORS_RETURN);
    MPI_Comm_rank(mpi->all, &rank);
    MPI_Comm_size(mpi->all, &count);
    pthread_mutex_init(&mpi->lock, NULL);
    *out = (struct transport){.data = mpi,
                              .rank = (uint32_t)rank,
                              .count = (uint32_t)count,
                              .send = send,
                              .probe = probe,
                              .receive = receive,
                              .test = test,
                              .end = end,
                              .close = close_all};
    return SHOAL_OK;
}

SHOAL_API extern const struct transport_plugin shoal_transport_plugin;
const struct transport_plugin shoal_transport_plugin = {.version = TRANSPORT_VERSION, .open = open_mpi};
