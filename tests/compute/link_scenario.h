/* Copies over a link, for tests over the fake backend, the fake driver and real devices. */
#ifndef SHOAL_TESTS_LINK_SCENARIO_H
#define SHOAL_TESTS_LINK_SCENARIO_H

#include <shoal/device.h>

/* Copies pieces in two phases from one device to the other, either of which may be the host, and compares the
 * target's bytes. *path: the path taken. SHOAL_FAILED with "wrong bytes" in the message where they differ;
 * else the status of the first call that failed. Leaves nothing behind. */
enum shoal_status link_scenario(struct shoal_device *from, struct shoal_device *to,
                                enum shoal_link_path *path, struct shoal_error *error);

#endif
