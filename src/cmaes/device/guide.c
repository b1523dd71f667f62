/* Points from outside of the search on a device: in an image of the state, by the rule of the host. */
#include "base/error.h"
#include "cmaes/device/device.h"
#include "search/device/image.h"

#include <stdlib.h>
#include <string.h>

/* Copies the numbers of a run from their section to `numbers` or, if is_back, from `numbers`. */
static void copy_numbers(const struct search_device *device, char *section, size_t run, size_t count,
                         double *numbers, bool is_back)
{
    for (size_t i = 0; i < count; i++)
        if (is_back)
            search_image_put_real(device, section, run * count + i, numbers[i]);
        else
            numbers[i] = search_real_at(device, section, run * count + i);
}

enum shoal_status cmaes_device_guide(const struct search_device *device, const struct search_image *image,
                                     size_t run, const double *point, struct shoal_error *error)
{
    const struct cmaes_problem *problem = (const struct cmaes_problem *)device->problem;
    const size_t runs = problem->search.runs, count = cmaes_numbers(problem);
    const char *counts = search_image_section(image, "counts", runs * CMA_WORDS * sizeof(uint32_t)),
               *scalars = search_image_section(image, "scalars", runs * CMA_SCALARS * device->real);
    char *section = search_image_section(image, "numbers", runs * count * device->real);
    if (!counts || !scalars || !section)
        return fail(error, SHOAL_FAILED, "the state of cmaes has no populations that a point could guide");
    uint32_t words[CMA_WORDS];
    double *numbers = malloc(count * sizeof *numbers);
    if (!numbers)
        return fail_host_memory(error);
    memcpy(words, counts + run * sizeof words, sizeof words);
    copy_numbers(device, section, run, count, numbers, false);
    cmaes_inject(problem, words, search_real_at(device, scalars, run * CMA_SCALARS + CMA_SIGMA), point,
                 numbers);
    copy_numbers(device, section, run, count, numbers, true);
    free(numbers);
    return SHOAL_OK;
}
