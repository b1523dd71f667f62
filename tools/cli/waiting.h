/* How the threads of the host wait for each other. */
#ifndef SHOAL_TOOLS_WAITING_H
#define SHOAL_TOOLS_WAITING_H

/* If other programs run, makes the threads of the host sleep while they wait: a thread that spins takes the
 * core from the thread for which it waits. OpenMP reads its environment when it is loaded, before main, so
 * the program starts itself again with OMP_WAIT_POLICY=passive. Returns if no other program runs, if the user
 * has set a policy, or if the start fails. Called first in main. */
void cli_wait_passively(char **argv);

#endif
