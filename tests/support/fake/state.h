/* What the files of the fake share: fake.c holds the state, backend.c is the table. */
#ifndef SHOAL_TESTS_FAKE_STATE_H
#define SHOAL_TESTS_FAKE_STATE_H

#include "fake.h"

enum { FAKE_TABLES = 3, FAKE_MAX_DEVICES = 8 };

/* Records the call and decides whether it fails; `device` may be NULL. */
SHOAL_PRINTF(4, 5)
enum shoal_status fake_enter(enum fake_call call, struct shoal_device *device, struct shoal_error *error,
                             const char *format, ...);
/* Records a call that cannot fail. */
SHOAL_PRINTF(3, 4)
void fake_note(enum fake_call call, struct shoal_device *device, const char *format, ...);
/* Fills the error record of a failing call. */
enum shoal_status fake_error(struct shoal_device *device, enum shoal_status status, enum fake_call call,
                             struct shoal_error *error);

SHOAL_PRINTF(2, 3) void fake_require(bool ok, const char *format, ...);
void fake_object_born(void);
void fake_object_dead(void);

size_t fake_table(const struct backend *backend); /* its number */
size_t fake_device_count(size_t table);
uint32_t fake_numa_nodes(void);
enum fake_peers fake_peers(void);
struct shoal_device_info fake_device_info(size_t table, size_t index);
fake_kernel_fn fake_kernel_for(const char *entry);
uint32_t fake_kernel_limit_for(const char *entry, uint32_t device_limit);
/* Status with which the launch that was just accepted will fail; SHOAL_OK: it will not. */
enum shoal_status fake_launch_outcome(void);
void fake_keep_build(const struct build_input *input);

#endif
