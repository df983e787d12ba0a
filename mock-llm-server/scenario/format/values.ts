// Values of the format that also apply where no schema is loaded.

/** Maximum delay of a Node timer in milliseconds (24 days); a longer one would fire at once. */
export const MAX_WAIT_MS = 2 ** 31 - 1;

/** Time of a command in `check` that states none. */
export const CHECK_SECONDS = 120;
