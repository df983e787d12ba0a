/** The names of what may become of a request that the provider would refuse. */
export const LINT_MODES = ['off', 'warn', 'fail'] as const;

/** What becomes of a request that the provider would refuse: it is answered, answered and noted, or refused. */
export type LintMode = (typeof LINT_MODES)[number];
