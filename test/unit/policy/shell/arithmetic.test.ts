import { describe, expect, it } from 'vitest';
import { ARITHMETIC_TESTS, EVALUATORS } from '../../../../src/policy/shell/parse/arithmetic.ts';
import { parseCommandLine } from '../../../../src/policy/shell/parse/command-line.ts';

const PLAIN = `x='a[$(ls)]'`;
const TEXT = 'a text may run a command as arithmetic';
const QUOTES = 'arithmetic contains a substitution in quotes';
const uncertainties = (command: string): readonly string[] => parseCommandLine(command).uncertainties;

/** Commands that evaluate the variable `x`, or the text itself, by the row of the table that knows them. */
const BUILTINS: Readonly<Record<string, string>> = {
  '[': '[ -v x ]',
  declare: 'declare -i y=x',
  export: 'export "y[x]=1"',
  getopts: 'getopts a y',
  let: 'let x',
  local: 'local -i y=x',
  mapfile: 'mapfile y',
  printf: 'printf -v y %s',
  read: 'read y',
  readarray: 'readarray y',
  readonly: 'readonly y',
  test: 'test -R x',
  typeset: 'typeset -i y=x',
  unset: 'unset y',
  wait: 'wait -p y',
};

describe('a quoted text with a substitution in a subscript', () => {
  it.each([
    ...Object.values(BUILTINS),
    ...['-eq', '-ne', '-lt', '-le', '-gt', '-ge'].map((operator) => `[[ x ${operator} 1 ]]`),
    ...['-v', '-R'].map((operator) => `[[ ${operator} x ]]`),
    'echo $((x))',
    'echo $[x]',
    '((x))',
    'for ((i=x;i<1;i++)); do :; done',
    `echo \${y:x}`,
    `echo \${y[x]}`,
    `echo \${!x}`,
    'y[x]=1',
    'command let x',
    'l"et" x',
  ])('makes a command line with %s uncertain', (command) => {
    expect(uncertainties(command)).toEqual([]);
    expect(uncertainties(`${PLAIN}; ${command}`)).toEqual([TEXT]);
    expect(uncertainties(`${command}; ${PLAIN}`)).toEqual([TEXT]);
  });

  it.each([
    'x="a[\\$(ls)]"',
    "x='a[$''(ls)]'",
    'x="a[\\`ls\\`]"',
    "x='a[`ls`]'",
    `x='a[\${y@P}]'`,
    `x=$'a[\\x24(ls)]'`,
    'x=a[\\$\\(ls\\)]',
    "x='a['\\$\\(ls\\)]",
    "read x <<'E'\na[$(ls)]\nE",
    "x='b]a[c[$(ls)]'",
    "x='$(ls)[`'",
  ])('is found in %s', (text) => {
    expect(uncertainties(`${text}\n((x))`)).toEqual([TEXT]);
  });

  it.each([
    PLAIN,
    `${PLAIN}; [ -n x ]`,
    `${PLAIN}; printf %s x`,
    `${PLAIN}; [[ x == y ]]`,
    `${PLAIN}; [[ -n x ]]`,
    `${PLAIN}; echo \${y:-x} \${#x}`,
    `${PLAIN}; lets x`,
    `${PLAIN}; toString x`,
    `x='$(ls)'; ((x))`,
    `x='a[1]$(ls)'; ((x))`,
    `x='$(ls)[]$(ls)'; ((x))`,
    `x='[a](b) $c'; ((x))`,
    'x="a[$(ls)]"; ((x))',
    'read x <<E\na[$(ls)]\nE\n((x))',
    'cat <<E\na[1]\nE\n((x))',
  ])('does not make %s uncertain', (command) => {
    expect(uncertainties(command)).toEqual([]);
  });

  it('is tested with each row of the tables', () => {
    expect(Object.keys(BUILTINS).toSorted()).toEqual([...EVALUATORS.keys()].toSorted());
    expect([...ARITHMETIC_TESTS].toSorted()).toEqual(['-R', '-eq', '-ge', '-gt', '-le', '-lt', '-ne', '-v'].toSorted());
  });
});

describe('a substitution that begins like arithmetic', () => {
  it.each([
    ['echo $((ls) & id)', 'a substitution begins like arithmetic, with $(('],
    [`echo "$(A=$((ls) & echo $'a;id'))"`, 'a substitution begins like arithmetic, with $(('],
    ['A=$((ls && $(case a in a) id;; esac)))', 'arithmetic has parentheses without a pair'],
    ['echo $((1 + $(case a in (a) id;; esac)))', undefined],
    ['echo $( (ls) & id)', undefined],
    ['echo $((1 + (2 * 3)))', undefined],
  ])('is uncertain in %s if it may contain commands', (command, reason) => {
    expect(uncertainties(command)[0]).toBe(reason);
  });
});

describe('single quotes in arithmetic', () => {
  it.each([
    `echo $(('$(ls)'))`,
    `echo $((1 + '$(ls)'))`,
    `echo $((a'$(ls)'))`,
    `(('\`ls\`'))`,
    `(($'\\x24(ls)'))`,
    `for ((i='$(ls)';i<1;i++)); do :; done`,
    `echo \${a['$(ls)']}`,
    `a['$(ls)']=1`,
  ])('do not hide the substitution in %s', (command) => {
    expect(parseCommandLine(command).complete).toBe(false);
    expect(uncertainties(command)).toContain(QUOTES);
  });

  it.each([`echo $(('1'))`, `echo \${a['x']}`, `a['x']=1`, `echo $(("$(ls)"))`, 'echo $((x))', 'a[1]=1'])(
    'are not suspicious in %s',
    (command) => {
      expect(uncertainties(command)).toEqual([]);
    },
  );
});
