/* Private: a stack for signal handlers of the calling thread. */
#ifndef SHOAL_COMPUTE_SIGNAL_STACK_H
#define SHOAL_COMPUTE_SIGNAL_STACK_H

/* From now on this thread has one (sigaltstack): a handler with SA_ONSTACK runs although the thread's own
 * stack is full, as after an endless recursion. A stack that the thread has is left alone. Call it before
 * code of a user; it costs something at the first call only. */
void signal_stack_provide(void);

#endif
