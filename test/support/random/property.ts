/** True in `npm run test:long`. */
export const LONG = process.env['YBS_TEST_LONG'] === '1';

/**
 * Settings for a property: a fixed seed, so that a failure is reproducible, and few runs unless the long tests run.
 * `runs` is the number of runs in the short tests.
 */
export function propertySettings(runs = 100): { readonly seed: number; readonly numRuns: number } {
  return { seed: 20261120, numRuns: LONG ? 10_000 : runs };
}

/** Settings for a check of which only the outcome matters, as in a control that must fail: failures are not shrunk. */
export function verdictSettings(runs?: number): ReturnType<typeof propertySettings> & { readonly endOnFailure: true } {
  return { ...propertySettings(runs), endOnFailure: true };
}
