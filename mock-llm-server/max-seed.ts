/** The greatest seed of chaos; the least is 0. */
export const MAX_SEED = 2 ** 32 - 1;
