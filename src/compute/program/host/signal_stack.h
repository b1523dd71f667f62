/* Private: a stack for signal handlers of the calling thread. */
#ifndef SHOAL_COMPUTE_SIGNAL_STACK_H
#define SHOAL_COMPUTE_SIGNAL_STACK_H

/* Gives this thread a signal stack (sigaltstack): a handler with SA_ONSTACK then runs even if the thread's
 * own stack is full, as after an endless recursion. A thread that has a signal stack keeps it. Call this
 * before a user's code; only the first call costs time. */
void signal_stack_provide(void);

#endif
