/* Private: the side of a rank that serves one of its devices to rank 0. */
#ifndef SHOAL_COMPUTE_REMOTE_SERVER_H
#define SHOAL_COMPUTE_REMOTE_SERVER_H

#include "compute/backend.h"
#include "compute/remote/wire.h"

/* Serves the device until rank 0 closes it, and frees what rank 0 has left. The thread that calls this uses
 * the device alone. An error is one of the transport: those of the device are answers. */
SHOAL_MUST_CHECK enum shoal_status remote_serve(const struct channel *channel, struct shoal_device *device,
                                                struct shoal_error *error);

#endif
