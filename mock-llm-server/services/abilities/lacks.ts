import type { RawRequest, Rule, Violation } from '../service.ts';

/** Models of a service that lack an ability, and the error of the service for a request that needs it. */
export interface Lack extends Pick<Rule, 'protocols'> {
  /** The ability; by default, that of the name of the rule. */
  readonly lacks?: string;
  /** The models, and their names for the documentation. */
  readonly models: readonly [pattern: RegExp, names: string];
  readonly source: readonly [source: string, date: string];
  /** `found` is the name of the parameter, or the index of the message, that needs the ability. */
  readonly says: Violation | ((request: RawRequest, found: string) => Violation);
}

/** Rows by the name of their rule: the service, then the ability or a name of its own. */
export type Lacks = Readonly<Record<`${string}/${string}`, Lack>>;
