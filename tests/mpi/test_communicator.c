/* The ranks of a communicator of the caller: a run over their devices has the result of one device. Started
 * by mpirun with two processes or more; "single": MPI allows one thread only, which is refused. */
#include <mpi.h>
#include <shoal/mpi.h>
#include <shoal/shoal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, const struct shoal_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
}

static double best_of(const struct shoal_report *report)
{
    return report->solver ? report->result.value : 0;
}

/* Rank 0: the run on all devices, and on its own. */
static int make_runs(struct shoal_ranks *ranks)
{
    const struct shoal_workload *pso = shoal_workload_find("pso");
    const struct shoal_pso_params params =
        SHOAL_PSO_PARAMS(.search.runs = 6, .search.dim = 9, .search.iterations = 5);
    const struct shoal_params quiet = SHOAL_PARAMS(.no_cache = true);
    struct shoal_report divided = {.size = 0}, whole = {.size = 0};
    struct shoal_error error;
    struct shoal_device *devices[16];
    struct shoal *shoal;
    if (shoal_ranks_open(ranks, &quiet, "cpu", &shoal, &error))
        return fail("open", &error);
    const size_t count = shoal_ranks_device_count(ranks);
    for (size_t i = 0; i < count && i < 16; i++)
        devices[i] = shoal_ranks_device_at(ranks, i);
    const struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = devices, .count = count);
    if (count < shoal_ranks_count(ranks) || count > 16)
        return fail("devices", &(struct shoal_error){.message = "of some ranks there is none"});
    if (shoal_run_split(pso, &split, &params, NULL, &divided, &error))
        return fail("run over all devices", &error);
    if (shoal_part_count(divided.solver) != count)
        return fail("parts", &(struct shoal_error){.message = "not all devices took part"});
    if (shoal_run(pso, devices[0], &params, NULL, &whole, &error))
        return fail("run on one device", &error);
    const double of_all = best_of(&divided), of_one = best_of(&whole);
    printf("%zu devices: %.17g, one device: %.17g\n", count, of_all, of_one);
    const int code = !(of_one > 0) || memcmp(&of_all, &of_one, sizeof of_all) != 0;
    shoal_report_clear(&divided);
    shoal_report_clear(&whole);
    shoal_close(&shoal);
    return code;
}

int main(int argc, char **argv)
{
    const bool is_single = argc > 1 && strcmp(argv[1], "single") == 0;
    int level, number, count, code = 0;
    struct shoal_error error;
    struct shoal_ranks *ranks;
    MPI_Comm turned;
    MPI_Init_thread(&argc, &argv, is_single ? MPI_THREAD_SINGLE : MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_split(MPI_COMM_WORLD, 0, count - number, &turned); /* the last process is the first rank */
    const struct shoal_ranks_params params = SHOAL_RANKS_PARAMS(.communicator = &turned, .same = "a test");
    const enum shoal_status status = shoal_ranks_join(&params, &ranks, &error);
    if (is_single) {
        code = status != SHOAL_UNSUPPORTED || ranks || !strstr(error.message, "MPI_THREAD_SERIALIZED");
    } else {
        if (status)
            return fail("join", &error);
        if (shoal_ranks_rank(ranks) != (uint32_t)(count - 1 - number) ||
            shoal_ranks_count(ranks) != (uint32_t)count)
            return fail("rank", &(struct shoal_error){.message = "not that of the communicator"});
        if (!shoal_ranks_rank(ranks))
            code = make_runs(ranks);
        else if (shoal_ranks_serve(ranks, NULL, &code, &error))
            return fail("serve", &error);
        shoal_ranks_leave(&ranks, code);
    }
    MPI_Comm_free(&turned);
    MPI_Finalize(); /* the library leaves it to the caller */
    return code;
}
