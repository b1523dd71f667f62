/* Private: the state of a search on a device as a checkpoint in host memory, where it can be changed. All
 * methods have the same layout there, so no kernel needs code for such changes. */
#ifndef SHOAL_SEARCH_IMAGE_H
#define SHOAL_SEARCH_IMAGE_H

#include "search/device/device.h"
#include "workload/checkpoint/checkpoint.h"

struct search_image {
    void *bytes;
    struct checkpoint sections;
};

/* search_device_change: saves the state of the solver to an image, lets `change` modify the image, and loads
 * it as the new state. */
typedef enum shoal_status search_change(const struct search_device *device, const struct search_image *image,
                                        const void *data, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_device_change(struct shoal_solver *solver, search_change *change,
                                                        const void *data, struct shoal_error *error);

/* Returns the bytes of the section `name`, which need not be aligned. NULL: the state has no section with
 * this name and size. */
char *search_image_section(const struct search_image *image, const char *name, size_t bytes);
/* Return the sections of the members' values (best), of the records of the islands (words, reals) and of the
 * champions' positions, like search_image_section. */
char *search_image_best(const struct search_device *device, const struct search_image *image);
char *search_image_words(const struct search_device *device, const struct search_image *image);
char *search_image_reals(const struct search_device *device, const struct search_image *image);
char *search_image_champion(const struct search_device *device, const struct search_image *image);

/* Writes a member, [dim], to an array of members in the device's precision: number d to element first + d
 * step. words: scratch, [device->numbers]. */
void search_image_put_member(const struct search_device *device, char *array, size_t first, size_t step,
                             const double *member, uint32_t *words);

/* Writes `wide` to element `at` of an array of reals, in the device's precision. */
void search_image_put_real(const struct search_device *device, char *reals, size_t at, double wide);

#endif
