import { parseCommandLine } from '../parse/command-line.ts';
import { StepBudget } from '../parse/step-budget.ts';
import { parseAllowList, parseAllowRule } from './allowed-commands.ts';
import type { Match } from './command-operands.ts';
import { matchShellRule, parseShellRule, prepareToMatch } from './shell-rule.ts';

/** A rule about commands, with commands that it must match and others that it must not. */
export interface CommandRule {
  readonly rule: string;
  readonly match?: readonly string[] | undefined;
  readonly not_match?: readonly string[] | undefined;
}

/** A mistake in a rule. `path` leads to it from the rule. */
export interface RuleProblem {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The first mistake in a rule: it cannot be parsed, or one of its examples is wrong. Pure. */
export function findRuleProblem(list: 'allowed' | 'blocked', command: CommandRule): RuleProblem | undefined {
  const { rule, match = [], not_match: notMatch = [] } = command;
  const compare = list === 'allowed' ? compareAllowed(rule) : compareBlocked(rule);
  if (compare === undefined) {
    return { path: ['rule'], text: `${JSON.stringify(rule)} is not the beginning of one plain command` };
  }
  const problems = [
    ...match.flatMap((example, index) => {
      return compare(example) === 'yes' ? [] : [problem('match', index, `does not match ${JSON.stringify(example)}`)];
    }),
    ...notMatch.flatMap((example, index) => {
      const text = `${compare(example) === 'yes' ? 'matches' : 'may match'} ${JSON.stringify(example)}`;
      return compare(example) === 'no' ? [] : [problem('not_match', index, text)];
    }),
  ];
  return problems[0];

  function problem(name: string, index: number, text: string): RuleProblem {
    return { path: [name, index], text: `the rule ${JSON.stringify(rule)} ${text}` };
  }
}

type Compare = (example: string) => Match;

function compareAllowed(rule: string): Compare | undefined {
  if (parseAllowRule(rule) === undefined) return undefined;
  const list = parseAllowList([rule]);
  return (example) => (list.find(example) === undefined ? 'no' : 'yes');
}

function compareBlocked(rule: string): Compare | undefined {
  const parsed = parseShellRule(rule);
  if (parsed === undefined) return undefined;
  return (example) => {
    try {
      const budget = new StepBudget();
      return matchShellRule(parsed, prepareToMatch(parseCommandLine(example, { budget })), budget);
    } catch {
      // It takes too many steps.
      return 'maybe';
    }
  };
}
