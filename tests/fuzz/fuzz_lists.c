/* Files of candidate lists: what is read are other cities of the problem, NONE behind the last one of each
 * list; what is not has a reason. The first byte says whether the cities have numbers or names. */
#include "target.h"

#include "tsp/files/files.h"
#include "tsp/model/neighbours.h"

#include <math.h>

enum { CITIES = 4 };

static void open_problem(bool has_names, struct shoal_tsp_params *params, struct tsp_problem *problem)
{
    static const char named[] = "id,x,y\nA,0,0\nB b,0,1\n\"C,\",1,1\n4,2,2\n";
    static const char numbered[] = "0,0\n0,1\n1,1\n2,2\n";
    const char *text = has_names ? named : numbered;
    struct shoal_error error = {0};
    *params = (struct shoal_tsp_params){.size = sizeof *params, .optimum = NAN};
    *problem = (struct tsp_problem){.params = params, .unit = 1};
    REQUIRE(tsp_parse_csv(text, strlen(text), "cities", problem, &error) == SHOAL_OK);
    problem->name = strdup("cities");
    REQUIRE(problem->name && problem->n == CITIES);
}

static void check_lists(const uint32_t *lists, uint32_t width)
{
    REQUIRE(width >= 1 && width <= TSP_MOST_NEIGHBOURS);
    for (uint32_t city = 0; city < CITIES; city++) {
        const uint32_t *list = lists + (size_t)city * width;
        for (uint32_t k = 0; k < width; k++)
            REQUIRE(list[k] == SHOAL_TSP_NONE ? k + 1 == width || list[k + 1] == SHOAL_TSP_NONE
                                              : list[k] < CITIES && list[k] != city);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct shoal_error error = {0};
    struct shoal_tsp_params params;
    struct tsp_problem problem;
    uint32_t *lists = NULL, width = 0;
    if (!size)
        return 0;
    open_problem(data[0] & 1, &params, &problem);
    char *text = input_string(data + 1, size - 1);
    if (tsp_parse_lists(text, size - 1, "fuzz.lists", &problem, &lists, &width, &error) == SHOAL_OK) {
        check_lists(lists, width);
    } else {
        REQUIRE(!lists && error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    free(lists);
    tsp_problem_destroy(&problem);
    free(text);
    return 0;
}
