// Nothing to call: linking the target is what counts. See mutex.c.
