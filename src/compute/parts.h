/* Private: parts of devices, each of which is a device of its own.
 *
 * A selector asks for parts by a word after the id of a device: "opencl:0/4" lists four equal parts,
 * "opencl:0/12+4" a part of 12 and a part of 4 compute units, "opencl:0/numa" a part for each NUMA node, and
 * "opencl:0/4:1" the second of four equal parts. Parts are created when a selector asks for them for the
 * first time. A later selector with the same word gets the same parts. They exist as long as the instance.
 */
#ifndef SHOAL_COMPUTE_PARTS_H
#define SHOAL_COMPUTE_PARTS_H

#include <shoal/device.h>

/* Finds or creates the parts of `whole` for which `text`, the text after '/', asks. *parts: [*count], owned
 * by the instance. May be called by any thread. SHOAL_NO_DEVICE: `text` does not describe parts, or the
 * device cannot be divided in this way. */
SHOAL_MUST_CHECK enum shoal_status device_parts(struct shoal_device *whole, const char *text,
                                                struct shoal_device *const **parts, size_t *count,
                                                struct shoal_error *error);

/* Frees the parts of all devices of the instance. */
void divisions_free(struct shoal *shoal);

#endif
