/* Work that a thread does beside its caller, one piece at a time: while the device computes, the thread
 * writes a frame. All calls are made by one thread at a time. */
#ifndef SHOAL_TOOLS_BESIDE_H
#define SHOAL_TOOLS_BESIDE_H

struct beside;

/* work: called with `data` for each piece. If no thread can be made, beside_begin calls it itself. */
struct beside *beside_create(void (*work)(void *data), void *data);
/* Begins a piece of work, after the end of the piece before. */
void beside_begin(struct beside *beside);
/* Waits until no piece of work is in progress. What it wrote is then visible to the caller. */
void beside_wait(struct beside *beside);
void beside_destroy(struct beside **beside); /* waits, ends the thread and sets the pointer to NULL */

#endif
