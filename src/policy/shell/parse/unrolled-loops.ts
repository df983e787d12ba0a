import { type For, forEachChild, type ParsedScript, type SyntaxNode, type Word } from 'unbash';
import type { ParsedCommandLine } from './parsed-command-line.ts';
import { expandBraces, programName, readWord, type ShellWord, staticWord } from './shell-word.ts';
import { StepBudget } from './step-budget.ts';

/** Variables of a loop that no program reads from its environment. */
export const LOOP_NAME = /^(?!p?npm_|yarn_|.*_proxy$)[a-z][a-z0-9_]*$/;
/** A value that the shell uses as it is: words with single spaces between them. */
const PLAIN_VALUE = /^(?:[\w./:@%+=,-]|\b~(?=\d))+(?: (?:[\w./:@%+=,-]|\b~(?=\d))+)*$/;
/** A pattern that matches neither `.` nor `..`, nor a hidden name. */
const PLAIN_PATTERN = /^(?!.*(?:^|\/)\.[^/]*[*?])(?!.*(?:^|\/)\.\.(?:\/|$))[\w./*?-]+$/;

/** A loop around its body, with nothing that the parser left out. */
const FORM =
  /^for\s+\w+\s+in[ \t](?:[\w./:@%+=,~"'*?{}$ \t-]|\$\(seq [\d ]+\))*[;\n]\s*do\s(?:\s|#.*\n)*…(?:[\s;]|#.*\n)*done$/;
/** Syntax with text outside of its node, as a here-document has, or that the shell reads before it reads words. */
const UNCLEAR_SYNTAX = /`|\\\n|(?<!<)<<(?!<)|\(\(|\(\s*\)/;
/** Syntax that sets no variable, or whose variables are known. All other syntax leaves a line as it is. */
const CLEAR_SYNTAX =
  /^(?:Script|Statement|CompoundList|Command|Pipeline|Negation|AndOr|If|Elif|While|Case|CaseItem|Subshell|BraceGroup|Redirected|Redirect|FileDescriptor|HereString|Test\w+|Word|Literal|Glob|SingleQuoted|DoubleQuoted|BraceExpansion|SimpleExpansion|CommandExpansion|Default|Remove|Replace)$/;
/** Variables that bash gives a meaning, such as one in which a value is arithmetic. */
const OWN_NAME =
  /^(?:IFS|GLOBIGNORE|S?RANDOM|OPT[A-Z]+|HIST\w+|PS\d|BASH\w*|POSIXLY_CORRECT|SECONDS|LINENO|EPOCH\w+|DIRSTACK|GROUPS|FUNC\w+|PIPESTATUS|REPLY|SHELLOPTS|TMOUT|ENV|EXECIGNORE|MAPFILE|COPROC|COMP_\w+|READLINE\w*|PATH|_)$/;
/** The name of a program as bash sees it before it replaces anything: no other spelling of `break`, or of a builtin. */
const PLAIN_NAME = /^[\w./:@+-]+$|^\[$/;
const TESTS = /^(?:test|\[)$/;
/** Builtins, and programs whose name is not known, that may set a variable or change how one is expanded. */
const SETS_VARIABLES =
  /^(?:\.|alias|bind|builtin|comp(?:gen|lete|opt)|declare|emulate|enable|eval|exec|export|fc|float|getopts|hash|history|integer|jobs|let|local|mapfile|print|read(?:array|only)?|setopt|shift|shopt|source|time|trap|typeset|unalias|unset|unsetopt|vared|wait|z\w+)$/;

/** The most characters that are written for loops, and the most words in their lists. */
const MAX_LENGTH = 16_384;

type Values = ReadonlyMap<string, ShellWord>;

/** The place of a variable: in double quotes, where its value is split into words, or where it is one word. */
type Place = 'quoted' | 'split' | 'whole';

function placeIn(type: SyntaxNode['type'], around: Place): Place {
  if (type === 'DoubleQuoted') return 'quoted';
  if (type === 'Command' || type === 'For') return 'split';
  return /^(?:Assignment|Redirect|HereString|TestCommand|Case)$/.test(type) ? 'whole' : around;
}

/**
 * Writes each `for` loop over known words as its body for one word after the other: `for f in a b; do rm "$f"; done` as
 * `rm 'a'` and `rm 'b'`. A pattern stands for the names that it matches, if each use of it is in double quotes. Pure.
 * The text as it is if there is no such loop, or if the variable is used in another way than as `$f`, `${f}` or `${f%end}`.
 */
export function unrollLoops(source: string, parser: (source: string) => ParsedScript): string {
  if (!/\bfor\b/.test(source) || UNCLEAR_SYNTAX.test(source)) return source;
  let length = 0;
  const budget = new StepBudget();

  const write = (node: SyntaxNode, values: Values, from: Place): string => {
    let [text, position] = ['', node.pos];
    const visit = (child: SyntaxNode, around: Place): void => {
      refuse(!isClear(child));
      // Braces are replaced before variables: `$f{a,b}` is `$fa` and `$fb`, and `{$f,z}` is `$f`, with its spaces, and `z`.
      const hasBraces = child.type === 'Word' && /(?<!\$)\{/.test(child.text);
      refuse(hasBraces && /\$\w+[{},]/.test(child.text));
      const place = hasBraces && around === 'split' ? 'whole' : placeIn(child.type, around);
      const replaced = child.type === 'For' ? bodiesOf(child, values) : textFor(child, values, place);
      if (replaced === undefined) {
        forEachChild(child, (next) => visit(next, place));
        return;
      }
      text += source.slice(position, child.pos) + replaced;
      position = child.end;
    };
    visit(node, from);
    text += source.slice(position, node.end);
    length += text.length;
    for (const name of values.keys()) refuse(new RegExp(`\\$\\{?[#!]?${name}(?!\\w)`).test(text));
    refuse(length > MAX_LENGTH);
    return text;
  };

  const bodiesOf = ({ name: { value: name }, wordlist = [], body, pos, end }: For, values: Values) => {
    refuse(values.has(name) || !FORM.test(`${source.slice(pos, body.pos)}…${source.slice(body.end, end)}`));
    if (!LOOP_NAME.test(name)) return undefined;
    const words = wordlist.flatMap((word) => {
      const read = wordsOf(word, budget);
      length += read.length;
      refuse(length > MAX_LENGTH);
      return read;
    });
    const isKnown = ({ text, static: isStatic, pattern }: ShellWord): boolean =>
      (isStatic && PLAIN_VALUE.test(text)) || (pattern && PLAIN_PATTERN.test(text));
    if (words.length === 0 || !words.every(isKnown)) return undefined;
    const texts = words.map((word) => write(body, new Map([...values, [name, word]]), 'split'));
    // What leaves a body still needs a loop.
    const wrapped = texts.map((text) =>
      /\b(?:break|continue)\b/.test(text) ? `for ${name} in 1; do\n${text}\ndone` : text,
    );
    return `{ ${wrapped.join('\n')}\n}`;
  };

  try {
    const script = parser(source);
    if (script.errors !== undefined) return source;
    return source.slice(0, script.pos) + write(script, new Map(), 'split') + source.slice(script.end);
  } catch {
    return source;
  }
}

function refuse(isRefused: boolean): void {
  if (isRefused) throw new Error('The loop stays as it is.');
}

/** The words of a list, with braces replaced: `{a,b}` and `{1..5}`, and `$(seq 5)`. */
function wordsOf(word: Word, budget: StepBudget): readonly ShellWord[] {
  const text = word.text.replace(/^\$\(seq (?:1 )?([1-9]\d*)\)$/, '{1..$1}');
  const [, first = '', last] = /^\{(0|[1-9]\d{0,2})\.\.(0|[1-9]\d{0,2})\}$/.exec(text) ?? [];
  if (last === undefined) {
    const words = expandBraces(readWord(word), budget);
    // An empty word with quotes is still a word.
    refuse(/["'\\]/.test(word.text) && (words.length !== 1 || word.text.includes('{')));
    return words;
  }
  const [from, to] = [Number(first), Number(last)];
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) =>
    staticWord(`${from < to ? from + index : from - index}`),
  );
}

/** The text for a variable of a loop, perhaps without an end that is known. */
function textFor(node: SyntaxNode, values: Values, place: Place): string | undefined {
  if (node.type === 'Assignment') refuse(values.has(node.name));
  if (node.type !== 'SimpleExpansion' && node.type !== 'ParameterExpansion') return undefined;
  const word = values.get(node.type === 'SimpleExpansion' ? node.text.slice(1) : node.parameter);
  if (word === undefined) return undefined;
  const use = /^\$(?:\w+|\{\w+(?:%([\w.-]+|\/))?\})$/.exec(node.text);
  const end = use?.[1] ?? '';
  refuse(use === null || (word.pattern && (place !== 'quoted' || !word.text.endsWith(end))));
  // The end may be the whole name, as `ts` of `*ts`; a name that begins with a dot is not matched.
  refuse(word.pattern && /^[^./]/.test(end));
  const text = word.text.endsWith(end) ? word.text.slice(0, word.text.length - end.length) : word.text;
  refuse(!(word.pattern ? PLAIN_PATTERN : PLAIN_VALUE).test(text));
  // A name that a pattern matches may have spaces, which split a word that is not quoted.
  if (place === 'quoted') return word.pattern ? `"${text}"` : text;
  refuse(place === 'whole' && text.includes(' '));
  return `'${text.replaceAll(' ', "' '")}'`;
}

/** True for syntax that sets no variable of a loop, and none that changes how one is expanded. */
function isClear(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'Command':
      if (node.name === undefined) return true;
      // A pattern may become an operator, too.
      if (TESTS.test(node.name.text) && node.args.some(({ text }) => /[*?[]|(?<!\$)\{/.test(text))) return false;
      return PLAIN_NAME.test(node.name.text);
    case 'Assignment':
      return node.value.type === 'Word' && node.index === undefined && !OWN_NAME.test(node.name);
    case 'For':
      return !OWN_NAME.test(node.name.value);
    case 'ParameterExpansion':
      return node.index === undefined && !node.operation?.operator.includes('=');
    default:
      return CLEAR_SYNTAX.test(node.type);
  }
}

/** True for a command line in which no builtin changes a variable of a loop, or how its value is expanded. */
export function keepsValues({ commands, arithmetic, uncertainties }: ParsedCommandLine): boolean {
  if (uncertainties.length > 0 || arithmetic) return false;
  return commands.every(({ words: [name, ...rest] }) => {
    const program = programName(name);
    const [first] = rest;
    switch (program) {
      case 'command':
        return /^-[vV]$/.test(`${first?.text}`);
      case 'printf':
        // `%n` is the number of characters so far, for a variable.
        return first?.static === true && !/^-|%[^a-zA-Z%]*[hlqjztL]*n/.test(first.text);
      case 'set':
        return /^(?:-[eux]+|-[eux]*o pipefail| )*$/.test(rest.map(({ text }) => text).join(' '));
      case 'test':
      case '[':
        // After some operators, a name with a subscript is arithmetic.
        return (
          rest.filter(({ pattern }) => pattern).length <= 1 &&
          rest.every(({ text, static: isStatic, pattern }) => (isStatic || pattern) && !/^-[vR]|\[/.test(text))
        );
      default:
        return program !== undefined && !SETS_VARIABLES.test(program);
    }
  });
}
