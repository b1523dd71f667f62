/* A live view shows pictures of a run while it runs, about 30 a second, and lets keys control the run. It
 * knows neither the workload, which struct live_subject describes, nor the screen (screen.h). */
#ifndef SHOAL_TOOLS_CLI_LIVE_H
#define SHOAL_TOOLS_CLI_LIVE_H

#include "cli/cli.h"
#include "cli/live/screen.h"

enum { LIVE_TEXT = 200 }; /* bytes of a text of a subject */

/* What a picture shall show. */
struct live_view {
    size_t width, height; /* pixels */
    double zoom;          /* 1: the whole; 2: half its width and height */
    double centre[2];     /* middle of the picture: 0 to 1 from left to right and from bottom to top */
    size_t colouring;     /* index in subject->colourings */
};

/* What is shown. Functions are called between two steps of the run, by the thread that runs it. */
struct live_subject {
    const char *name;              /* name of saved pictures, NAME-STEP.png: "shoal-gas" */
    const char *const *colourings; /* names of the colourings that the run has, ended by NULL; set by the
                                    * first call of `draw` at the latest */
    const char *keys;              /* the keys of `press`, for the line of help; "": none */
    /* Draws the state of the solver. The pixels are valid until the next call on the solver. */
    enum shoal_status (*draw)(void *data, struct shoal_solver *solver, const struct live_view *view,
                              struct live_picture *picture, struct shoal_error *error);
    /* Writes the state that was drawn last in a few words: "step 100 of 1000, temperature 1.2". */
    void (*describe)(void *data, char text[LIVE_TEXT]);
    /* Takes a key that the view does not know itself. `note` may say why the key has no effect. */
    enum shoal_status (*press)(void *data, struct shoal_solver *solver, int key, char note[LIVE_TEXT],
                               struct shoal_error *error);
    void *data;
};

/* Opens the screen before the run, unless it is open. Returns an exit code after a message: CLI_FAILURE if a
 * library or a display is missing. */
int live_open(const struct live_screen *screen, const char *title);
/* Closes the screen, if it is open. */
void live_close(void);

struct live;
/* Begins the view of one run. The subject must stay valid until live_end. */
struct live *live_begin(const struct live_subject *subject);
void live_end(struct live **live); /* accepts NULL */
/* Seconds between two pictures, for shoal_run_params.between_every. */
extern const double live_every;
/* Member `between` of struct shoal_run_params; data: a struct live. */
enum shoal_status live_between(void *data, struct shoal_solver *solver, uint64_t *steps,
                               struct shoal_error *error);

#endif
