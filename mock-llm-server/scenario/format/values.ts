// Values of the format that also apply where no schema is loaded.

/** The statuses that a fault can send. */
export const FAULT_STATUSES = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529] as const;

/** Maximum delay of a Node timer in milliseconds (24 days); a longer one would fire at once. */
export const MAX_WAIT_MS = 2 ** 31 - 1;

/** Time of a command in `check` that states none. */
export const CHECK_SECONDS = 120;
