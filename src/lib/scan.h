/* Private: a scan of several ranges of a buffer, each by itself, for which look-back takes one launch. */
#ifndef SHOAL_LIB_SCAN_H
#define SHOAL_LIB_SCAN_H

#include <shoal/primitives.h>

enum { SCAN_MOST_RANGES = 2 };

/* Elements first .. first + count - 1; count is not 0. */
struct scan_range {
    size_t first, count;
};

/* As shoal_scan_create. ranges: largest number of ranges of a run, which have max_n elements at most,
 * together; 1 to SCAN_MOST_RANGES. */
SHOAL_MUST_CHECK enum shoal_status scan_create(struct shoal_device *device, size_t max_n, uint32_t ranges,
                                               enum shoal_scan_method method, enum shoal_variant variant,
                                               struct shoal_scan **out, struct shoal_error *error);

/* Scans ranges of `input`, at most as many as scan_create was given, to the same places of `output`, which is
 * another buffer. The ranges do not overlap, and are in both buffers. */
SHOAL_MUST_CHECK enum shoal_status scan_run_ranges(struct shoal_scan *scan, struct shoal_queue *queue,
                                                   struct shoal_buffer *input, struct shoal_buffer *output,
                                                   const struct scan_range *ranges, size_t range_count,
                                                   struct shoal_error *error);

#endif
