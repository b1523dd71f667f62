/* Crashes inside a text of the user on the host. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_CRASH_H
#define SHOAL_TOOLS_CLI_OUTPUT_CRASH_H

/* From now on a crash inside such a text ends the process after a line that names the text. Call it once the
 * drivers are loaded, whose handlers get the other signals as before. */
void cli_tell_crashes(void);

#endif
