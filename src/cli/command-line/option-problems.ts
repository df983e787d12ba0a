import { choiceProblem, suggest } from '../../text/suggest.ts';
import { isHostFlag } from '../host/host-options.ts';
import { commandHabit, modeHabit, optionHabit, SHORT_HABITS } from './habits.ts';
import { type ArgumentToken, OPTIONS, type OptionRow } from './options.ts';

/** The problem with one option of a command line whose words are `words`. */
export function optionProblem(
  token: Extract<ArgumentToken, { kind: 'option' }>,
  words: readonly string[],
): string | undefined {
  const option = OPTIONS.find(({ name }) => name === token.name);
  if (option === undefined) return unknownOption(token.rawName, words);
  if (option.value === undefined) {
    return token.value === undefined ? undefined : `--${option.name} takes no value, but got ${quote(token.value)}.`;
  }
  if (option.optional && token.value !== undefined) return undefined;
  if (token.value === undefined || token.value === '') return missingValue(token.rawName, option);
  const habit = SHORT_HABITS.get(token.rawName);
  if (habit !== undefined && /[\s=]/.test(token.value) && !/[\\/]/.test(token.value)) {
    return `${token.rawName} takes the ${option.value} of --${option.name}, which ${quote(token.value)} is not. ${habit}`;
  }
  // In `-m --dry-run` the value is more likely forgotten than a model of that name.
  if (token.inlineValue !== true && token.value.length > 1 && token.value.startsWith('-')) {
    const isValue = ` If ${quote(token.value)} is the value, write --${option.name}=${token.value}.`;
    return missingValue(token.rawName, option, isValue);
  }
  if (option.choices === undefined || option.choices.includes(token.value)) return undefined;
  const meant = option.name === 'permission-mode' ? modeHabit(token.value) : undefined;
  return choiceProblem(`--${option.name}`, token.value, option.choices, meant);
}

function missingValue(rawName: string, option: OptionRow, advice = ''): string {
  const habit = SHORT_HABITS.get(rawName);
  return `${rawName} needs a value: --${option.name} <${option.value}>.${advice}${habit === undefined ? '' : ` ${habit}`}`;
}

/** Suggests an option of the command that is the first of `words`. */
function unknownOption(rawName: string, words: readonly string[]): string {
  // `mcp add -s user …`, where the option is that of another agent, too.
  const known = commandHabit(words.slice(0, 2).join(' ')) ?? optionHabit(rawName.replace(/^--?/, ''));
  if (known !== undefined && words[0] !== 'check') return `Unknown option ${rawName}. ${known}`;
  if (isHostFlag(rawName.replace(/^--/, ''))) {
    return `${rawName} has no meaning here: it is for programs that use --output-format stream-json (docs/headless.md).`;
  }
  const [command = ''] = words;
  const own = OPTIONS.filter(({ subcommands }) => subcommands === undefined || subcommands.includes(command));
  // The dashes would make short names similar that have nothing in common.
  const names = own.map(({ name }) => name);
  const [nearest] = rawName.startsWith('--') ? suggest(rawName.slice(2), names) : [];
  const [, ...args] = words;
  const quoted = `If it belongs to the command, put the whole command in quotes: ybs check "${args.join(' ')} …"`;
  const advice = command === 'check' && args.length > 0 ? quoted : 'See ybs --help.';
  return `Unknown option ${rawName}. ${nearest === undefined ? advice : `Did you mean --${nearest}?`}`;
}

function quote(value: string): string {
  return JSON.stringify(value);
}
