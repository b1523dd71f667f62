/* Private: parts of devices, which are devices of their own.
 *
 * A selector divides a device by a word after its id: "opencl:0/4" lists four equal parts, "opencl:0/12+4" a
 * part of 12 and a part of 4 compute units, "opencl:0/numa" a part for each NUMA node, and "opencl:0/4:1" the
 * second of the four equal parts. Parts are made when a selector names them for the first time, are found
 * again by the same word, and live as long as the instance.
 */
#ifndef SHOAL_COMPUTE_PARTS_H
#define SHOAL_COMPUTE_PARTS_H

#include <shoal/device.h>

/* Finds the parts of `whole` that `text`, the text after '/', names: *count parts, owned by the instance. Any
 * thread may call this. Errors: SHOAL_NO_DEVICE: `text` names no parts, or the device cannot be divided like
 * this. */
SHOAL_MUST_CHECK enum shoal_status device_parts(struct shoal_device *whole, const char *text,
                                                struct shoal_device *const **parts, size_t *count,
                                                struct shoal_error *error);

/* Frees the parts of all devices of the instance. */
void divisions_free(struct shoal *shoal);

#endif
