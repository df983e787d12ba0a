/** Codes that open the page once. Other users of a machine can see the arguments of programs, so they have no token. */
export interface LaunchCodes {
  /** Creates a code, and makes the one before it invalid. */
  create(): string;
  /** True for the code that was created last, once, until its time is over. */
  take(code: string): boolean;
  /** True if the last code was used. */
  readonly isTaken: boolean;
}

/** Time in which a browser must have started, in milliseconds. */
const VALID_MS = 60_000;

/** Creates the codes of a server. `isEqual` compares in constant time. */
export function createLaunchCodes({
  now,
  random,
  isEqual,
}: {
  readonly now: () => number;
  readonly random: () => string;
  readonly isEqual: (left: string, right: string) => boolean;
}): LaunchCodes {
  let current: { readonly code: string; readonly until: number } | undefined;
  let isTaken = false;
  return {
    create() {
      current = { code: random(), until: now() + VALID_MS };
      isTaken = false;
      return current.code;
    },
    take(code) {
      if (current === undefined || now() > current.until || !isEqual(code, current.code)) return false;
      current = undefined;
      isTaken = true;
      return true;
    },
    get isTaken() {
      return isTaken;
    },
  };
}
