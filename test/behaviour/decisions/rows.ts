import type { ScriptedCall } from '../../support/stories/decided-run.ts';

/** A call of the model with the decision on it, and a part of what the model reads. */
export interface DecisionRow {
  readonly call: ScriptedCall;
  /** `none`: the tool refuses the call while it plans, so that no rule is asked. */
  readonly decision: 'allow' | 'ask' | 'deny' | 'none';
  /** The name in `DECISION_RULES` of the rule that decides, or `none`. */
  readonly name: string;
  /** The rule that the user is shown. */
  readonly rule?: string;
  readonly reads: string;
  /** Fields of the effect that the events have. */
  readonly effect?: Readonly<Record<string, unknown>>;
}

export const run = (command: string, others: object = {}): ScriptedCall => ['run_shell', { command, ...others }];
export const read = (path: string): ScriptedCall => ['read_file', { path }];
export const write = (path: string, content = 'new\n'): ScriptedCall => ['write_file', { path, content }];

/** A row of a rule of `DECISION_RULES`. */
export function rowOf(
  name: string,
  call: ScriptedCall,
  decision: DecisionRow['decision'],
  rule: string,
  reads: string,
): DecisionRow {
  return { name, call, decision, rule, reads };
}

/** A row of a call that the tool refuses while it plans. */
export function refused(call: ScriptedCall, reads: string): DecisionRow {
  return { name: 'none', call, decision: 'none', reads };
}
