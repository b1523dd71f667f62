/* Problems of the travelling salesman: what is read has distances, what is not has a reason. */
#include "target.h"

#include "tsp/files/files.h"
#include "tsp/model/ids.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static void look_at(const struct tsp_problem *problem)
{
    char id[TSP_ID_MOST + 1];
    REQUIRE(problem->n >= 1 && problem->name && problem->unit > 0);
    REQUIRE(!problem->places == !problem->dim && !problem->places != !problem->matrix);
    for (uint32_t a = 0; a < problem->n && a < 40; a++) {
        tsp_id(problem, a, id, sizeof id);
        /* A NUL ends an id early. */
        REQUIRE(!*id || !problem->ids || strlen(id) <= TSP_ID_MOST);
        for (uint32_t b = 0; b < problem->n && b < 40; b++) {
            const int64_t distance = tsp_input_distance(problem, a, b);
            REQUIRE(distance >= SHOAL_TSP_FORBIDDEN && distance <= INT32_MAX);
            REQUIRE(problem->is_asymmetric || distance == tsp_input_distance(problem, b, a));
        }
    }
}

static void look_at_tour(const struct tsp_problem *problem)
{
    struct shoal_error error = {0};
    uint32_t *tour = malloc(problem->n * sizeof *tour);
    REQUIRE(tour);
    for (uint32_t i = 0; i < problem->n; i++)
        tour[i] = i;
    const enum shoal_status status = tsp_tour_fault(problem, tour, problem->n, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    REQUIRE(tsp_length(problem, tour, NULL) >= 0);
    free(tour);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct shoal_error error = {0};
    struct tsp_problem problem;
    char path[64];
    const int file = memfd_create("problem", 0);
    REQUIRE(file >= 0);
    REQUIRE(write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const struct shoal_tsp_params params = {.size = sizeof params, .data = path, .optimum = NAN};
    const enum shoal_status status = tsp_problem_create(&params, &problem, &error);
    if (status == SHOAL_OK) {
        look_at(&problem);
        look_at_tour(&problem);
        tsp_problem_destroy(&problem);
    } else {
        REQUIRE(status == SHOAL_IO || status == SHOAL_OUT_OF_HOST_MEMORY);
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    close(file);
    return 0;
}
