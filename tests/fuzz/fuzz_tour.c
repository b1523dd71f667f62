/* Files of tours: what is read is a tour of all cities, what is not has a reason. The first byte says whether
 * the cities have numbers or names. */
#include "target.h"

#include "tsp/files/files.h"

#include <math.h>

static void open_problem(bool has_names, struct shoal_tsp_params *params, struct tsp_problem *problem)
{
    static const char named[] = "id,x,y\nA,0,0\nB b,0,1\n\"C,\",1,1\n4,2,2\n";
    static const double places[] = {0, 0, 0, 1, 1, 1, 2, 2};
    struct shoal_error error = {0};
    *params = (struct shoal_tsp_params){.size = sizeof *params, .optimum = NAN};
    if (has_names) {
        *problem = (struct tsp_problem){.params = params, .unit = 1};
        REQUIRE(tsp_parse_csv(named, strlen(named), "named", problem, &error) == SHOAL_OK);
        problem->name = strdup("named");
        REQUIRE(problem->name);
        return;
    }
    params->points = places;
    params->count = 4;
    params->dim = 2;
    REQUIRE(tsp_problem_create(params, problem, &error) == SHOAL_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct shoal_error error = {0};
    struct shoal_tsp_params params;
    struct tsp_problem problem;
    uint32_t tour[4];
    size_t tours;
    char *notes;
    if (!size)
        return 0;
    open_problem(data[0] & 1, &params, &problem);
    char *text = input_string(data + 1, size - 1);
    const enum shoal_status status =
        tsp_parse_tour(text, size - 1, "fuzz.tour", &problem, tour, &tours, &notes, &error);
    if (status == SHOAL_OK) {
        unsigned seen = 0;
        for (size_t i = 0; i < 4; i++)
            seen |= 1u << tour[i];
        REQUIRE(seen == 15);
    } else {
        REQUIRE(status == SHOAL_IO);
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    free(notes);
    tsp_problem_destroy(&problem);
    free(text);
    return 0;
}
