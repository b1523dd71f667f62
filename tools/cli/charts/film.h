/* A film of pictures, encoded by the program ffmpeg, which runs beside the command. */
#ifndef SHOAL_TOOLS_CLI_CHARTS_FILM_H
#define SHOAL_TOOLS_CLI_CHARTS_FILM_H

#include "cli/charts/canvas.h"

#include <stdbool.h>

/* Pictures of a second. */
enum { FILM_RATE = 25 };

/* Checks before a run that a film can be written to `path`: ffmpeg is found, and the name ends in .mp4 or
 * .mkv. Returns an exit code after a line that names `option`. */
int film_check(const char *option, const char *path);

struct film;
/* Begins a film whose pictures are `width` x `height`, both even. The file consists of fragments of a second,
 * so that a film that was not ended can be played up to the last whole fragment. */
SHOAL_MUST_CHECK enum shoal_status film_begin(const char *path, size_t width, size_t height,
                                              struct film **out, struct shoal_error *error);
/* Adds a picture. SHOAL_IO: ffmpeg has ended; `error` says why. */
SHOAL_MUST_CHECK enum shoal_status film_add(struct film *film, const struct canvas *canvas,
                                            struct shoal_error *error);
/* Waits for ffmpeg to write the rest, and sets the pointer to NULL. SHOAL_IO: ffmpeg has failed. Accepts
 * NULL. */
SHOAL_MUST_CHECK enum shoal_status film_end(struct film **film, struct shoal_error *error);

#endif
