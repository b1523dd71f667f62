/* Changes the state of a search on a device, through a copy in host memory. */
#include "search/device/image.h"

#include <stdlib.h>
#include <string.h>

char *search_image_section(const struct search_image *image, const char *name, size_t bytes)
{
    const struct checkpoint_section *section = checkpoint_find(&image->sections, name);
    if (!section || section->bytes != bytes)
        return NULL;
    return (char *)image->bytes + ((const char *)section->data - (const char *)image->bytes);
}

char *search_image_best(const struct search_device *device, const struct search_image *image)
{
    return search_image_section(image, "best", device->problem->total * device->real);
}

char *search_image_words(const struct search_device *device, const struct search_image *image)
{
    return search_image_section(image, "words", device->problem->islands * ISLAND_WORDS * sizeof(uint32_t));
}

char *search_image_reals(const struct search_device *device, const struct search_image *image)
{
    return search_image_section(image, "reals", device->problem->islands * ISLAND_REALS * device->real);
}

char *search_image_champion(const struct search_device *device, const struct search_image *image)
{
    return search_image_section(image, "champion",
                                device->problem->islands * device->numbers * device->number);
}

void search_image_put_real(const struct search_device *device, char *reals, size_t at, double wide)
{
    const float narrow = (float)wide;
    memcpy(reals + at * device->real, device->real == sizeof wide ? (const void *)&wide : &narrow,
           device->real);
}

void search_image_put_member(const struct search_device *device, char *array, size_t first, size_t step,
                             const double *member, uint32_t *words)
{
    const struct search_problem *problem = device->problem;
    if (problem->has_genome)
        genes_to_words(&problem->genome, device->precision, member, 1, words);
    for (size_t d = 0; d < device->numbers; d++)
        if (problem->has_genome)
            memcpy(array + (first + d * step) * sizeof *words, &words[d], sizeof *words);
        else
            search_image_put_real(device, array, first + d * step, member[d]);
}

enum shoal_status search_device_change(struct shoal_solver *solver, search_change *change, const void *data,
                                       struct shoal_error *error)
{
    struct checkpoint saved = {0};
    struct search_image image = {NULL, {0}};
    size_t size;
    enum shoal_status status = search_device_save(solver, &saved, error);
    if (!status)
        status = checkpoint_to_memory(&saved, &image.bytes, &size, error);
    checkpoint_clear(&saved);
    if (!status)
        status = checkpoint_parse(&image.sections, image.bytes, size, "the state", error);
    if (!status)
        status = change(search_device_of(solver), &image, data, error);
    if (!status)
        status = search_device_load(solver, &image.sections, error);
    free(image.bytes);
    return status;
}
