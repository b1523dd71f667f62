/* Reports crashes inside a user's text that runs on the host. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_CRASH_H
#define SHOAL_TOOLS_CLI_OUTPUT_CRASH_H

/* After this call, a crash inside a user's text ends the process after a line that names the text. Call this
 * function when drivers are loaded: the handlers of drivers still get signals for crashes elsewhere. */
void cli_tell_crashes(void);

#endif
