/** A log that never throws: what somebody's own log throws costs its line only. Silent where there is none. */
export function harmlessLog(log: ((line: string) => void) | undefined): (line: string) => void {
  if (log === undefined) return () => {};
  return (line) => {
    try {
      log(line);
    } catch {
      // Nobody is there to tell, and the answer does not depend on it.
    }
  };
}
