/* Public functions of <shoal/tsp.h> for problems and tours. */
#include "base/error.h"
#include "base/params.h"
#include "tsp/files/files.h"
#include "tsp/model/neighbours.h"
#include "tsp/tsp.h"

#include <stdlib.h>
#include <string.h>

/* A problem that a caller has opened, with the parameters from which it was created. */
struct opened {
    /* must be the first member, since a pointer to the public struct is cast to a pointer to this struct */
    struct tsp_problem problem;
    struct shoal_tsp_params params;
};

enum shoal_status shoal_tsp_open(const struct shoal_tsp_params *params, struct shoal_tsp_problem **out,
                                 struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    struct opened *opened = malloc(sizeof *opened);
    if (!opened)
        return fail_host_memory(error);
    enum shoal_status status =
        workload_struct_take(__func__, &tsp_workload.face, params, &opened->params, error);
    if (!status)
        status = tsp_check_params(&opened->params, error);
    if (!status)
        status = tsp_problem_create(&opened->params, &opened->problem, error);
    if (status)
        free(opened);
    else
        *out = tsp_public(&opened->problem);
    return status;
}

void shoal_tsp_close(struct shoal_tsp_problem **problem)
{
    if (!problem || !*problem)
        return;
    struct opened *opened = (struct opened *)(void *)*problem;
    tsp_problem_destroy(&opened->problem);
    free(opened);
    *problem = NULL;
}

const struct shoal_tsp_info *shoal_tsp_get_info(const struct shoal_tsp_problem *problem)
{
    return problem ? &tsp_private(problem)->info : NULL;
}

const double *shoal_tsp_points(const struct shoal_tsp_problem *problem)
{
    return problem ? tsp_private(problem)->places : NULL;
}

const uint32_t *shoal_tsp_fixed_edges(const struct shoal_tsp_problem *problem)
{
    if (!problem)
        return NULL;
    const struct tsp_problem *own = tsp_private(problem);
    return own->fixed_count ? own->fixed[0] : NULL;
}

bool shoal_tsp_map_position(const struct shoal_tsp_problem *problem, uint32_t city, double position[2])
{
    if (!problem || !position)
        return false;
    const bool has_place = tsp_private(problem)->places && city < tsp_private(problem)->n;
    if (has_place)
        tsp_map_position(tsp_private(problem), city, position);
    return has_place;
}

int64_t shoal_tsp_distance(const struct shoal_tsp_problem *problem, uint32_t from, uint32_t to)
{
    if (!problem)
        return 0;
    const uint32_t n = tsp_private(problem)->n;
    return from < n && to < n ? tsp_input_distance(tsp_private(problem), from, to) : SHOAL_TSP_FORBIDDEN;
}

void shoal_tsp_id(const struct shoal_tsp_problem *problem, uint32_t city, char *text, size_t size)
{
    if (!problem || !text)
        return;
    if (city < tsp_private(problem)->n)
        tsp_id(tsp_private(problem), city, text, size);
    else if (size)
        *text = '\0';
}

enum shoal_status shoal_tsp_check(const struct shoal_tsp_problem *problem, const uint32_t *tour, size_t count,
                                  int64_t *length, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, tour, length, problem))
        return SHOAL_INVALID;
    enum shoal_status status = tsp_tour_fault(tsp_private(problem), tour, count, error);
    *length = status ? 0 : tsp_length(tsp_private(problem), tour, NULL);
    return status;
}

enum shoal_status shoal_tsp_read_tour(const struct shoal_tsp_problem *problem, const char *path,
                                      uint32_t *tour, struct shoal_error *error)
{
    size_t count;
    return shoal_tsp_read_tours(problem, path, tour, &count, error);
}

enum shoal_status shoal_tsp_read_tours(const struct shoal_tsp_problem *problem, const char *path,
                                       uint32_t *tour, size_t *count, struct shoal_error *error)
{
    char *notes;
    enum shoal_status status = shoal_tsp_read_tour_file(problem, path, tour, count, &notes, error);
    if (!status)
        free(notes);
    return status;
}

enum shoal_status shoal_tsp_read_tour_file(const struct shoal_tsp_problem *problem, const char *path,
                                           uint32_t *tour, size_t *count, char **notes,
                                           struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, path, tour, count, notes))
        return SHOAL_INVALID;
    return tsp_read_tour(tsp_private(problem), path, tour, count, notes, error);
}

enum shoal_status shoal_tsp_write_tour(const struct shoal_tsp_problem *problem, const uint32_t *tour,
                                       const char *path, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, tour, path))
        return SHOAL_INVALID;
    enum shoal_status status = tsp_tour_fault(tsp_private(problem), tour, tsp_private(problem)->n, error);
    return status ? status : tsp_write_tour(tsp_private(problem), tour, path, error);
}

enum shoal_status shoal_tsp_write(const struct shoal_tsp_problem *problem, const char *path,
                                  struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, path))
        return SHOAL_INVALID;
    return tsp_write_problem(tsp_private(problem), path, error);
}

enum shoal_status shoal_tsp_neighbours(const struct shoal_tsp_problem *problem, uint32_t count,
                                       uint32_t *lists, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, lists))
        return SHOAL_INVALID;
    if (count < 1 || count > TSP_MOST_NEIGHBOURS)
        return fail(error, SHOAL_INVALID, "shoal_tsp_neighbours: %lu is not between 1 and %d",
                    (unsigned long)count, TSP_MOST_NEIGHBOURS);
    return tsp_input_neighbours(tsp_private(problem), count, lists, error);
}
