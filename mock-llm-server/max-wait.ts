/** The longest time that Node waits for, in milliseconds: 24 days. It takes a longer one for none at all. */
export const MAX_WAIT_MS = 2 ** 31 - 1;
