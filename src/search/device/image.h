/* Private: the state of a search on a device as a checkpoint in memory, to be changed. Its layout is the same
 * for every method, so that no kernel needs code for such changes. */
#ifndef SHOAL_SEARCH_IMAGE_H
#define SHOAL_SEARCH_IMAGE_H

#include "search/device/device.h"
#include "workload/checkpoint/checkpoint.h"

struct search_image {
    void *bytes;
    struct checkpoint sections;
};

/* Hands the state to `change`, and makes what that leaves the state of the solver. */
typedef enum shoal_status search_change(const struct search_device *device, const struct search_image *image,
                                        const void *data, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status search_device_change(struct shoal_solver *solver, search_change *change,
                                                        const void *data, struct shoal_error *error);

/* NULL: the state has no section of this name and size. The bytes need not be aligned. */
char *search_image_section(const struct search_image *image, const char *name, size_t bytes);
/* Sections of the members' values and of the records of the islands. */
char *search_image_best(const struct search_device *device, const struct search_image *image);
char *search_image_words(const struct search_device *device, const struct search_image *image);
char *search_image_reals(const struct search_device *device, const struct search_image *image);
char *search_image_champion(const struct search_device *device, const struct search_image *image);

/* Writes number `at` of an array of reals in the device's precision. */
void search_image_put_real(const struct search_device *device, char *reals, size_t at, double wide);

#endif
