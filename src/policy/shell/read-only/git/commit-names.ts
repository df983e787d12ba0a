import { LOOP_NAME } from '../../parse/unrolled-loops.ts';

/** A revision by name, or a range. Without a colon, it is no file of a commit. */
const REVISION = String.raw`[A-Za-z][\w./-]*(?:(?:@\{[\w-]+\}|[~^])[\w./-]*)*`;
const OPERANDS = String.raw`(?: ${REVISION})*(?: --(?: [\w./-]+)+)?`;
const OPTIONS = String.raw`(?: -\d+| -n ?\d+| --(?:max-count=\d+|all|reverse|merges|no-merges|first-parent))*`;
const HASH_FORMAT = ` --(?:format|pretty)=(?:%[hH]|'%[hH]'|"%[hH]"|format:%[hH])`;
/** Programs that leave out lines, or move them. */
const FILTERS = String.raw`(?: \| (?:(?:head|tail)(?: -n? ?\d+)?|sort|uniq|tac))*`;
/** Calls of git that print nothing but hashes of commits. */
const HASHES = [
  `(?:git merge-base(?: --all| --octopus| --fork-point)?${OPERANDS}`,
  `git rev-list${OPTIONS}${OPERANDS}`,
  `git log${OPTIONS}${HASH_FORMAT}${OPTIONS}${OPERANDS})${FILTERS}`,
].join('|');
/** Prints the hash of a revision, and a name that git does not know as it is. */
const PARSED = String.raw`git rev-parse(?: --short(?:=\d+)?| --verify| --quiet| -q)* (?<revision>${REVISION})`;
/** A branch may have the name of any object. */
const SHORT_NAME = String.raw`(?:'%\(refname:short\)'|"%\(refname:short\)")`;
const BRANCHES = String.raw`git branch(?: --format=${SHORT_NAME})?(?: \| cut -c ?3-)?${FILTERS}`;
const SHOWS_CONTENT = /\b(?:show|diff\S*|cat-file)\b/;

/** The rest of a command. */
const REST = String.raw`(?<rest>(?:[^|;&\n<>()'"\x60\\$]|'[^']*'|"[^"$\x60\\]*")*)`;

/** Ways in which a line uses names of commits, and the text that does the same with the name of one commit. */
const USES: readonly (readonly [form: string, text: (groups: Readonly<Record<string, string>>) => string])[] = [
  [String.raw`\$\(${PARSED}\)`, ({ revision = '' }) => revision],
  [String.raw`\$\(git describe(?: --(?:tags|abbrev=0|always))*${OPERANDS}\)(?=\.\.)`, () => 'HEAD'],
  [String.raw`\$\(${HASHES}\)`, () => 'HEAD'],
  [String.raw`(?<=\bfor \w+ in )\$\(${BRANCHES}\)`, () => 'HEAD'],
  [
    String.raw`(?:${HASHES}|${BRANCHES}) \| while (?:IFS= )?read (?:-r )?(?<name>\w+); do`,
    ({ name }) => `for ${name} in HEAD; do`,
  ],
  [String.raw`${HASHES} \| xargs(?: -n ?1| -r)* git ${REST}`, ({ rest }) => `git ${rest} HEAD`],
  [
    String.raw`${HASHES} \| xargs(?: -r)? -I ?\{\} git ${REST}`,
    ({ rest = '' }) => `git ${rest.replaceAll('{}', 'HEAD')}`,
  ],
];
const REWRITES = USES.map(([form, text]) => [new RegExp(form, 'g'), text] as const);
const ASSIGNED = new RegExp(
  String.raw`(?<=^|[;&\n] ?)(?<name>\w+)=("?)\$\((?:${PARSED}|${HASHES})\)\2(?= ?(?:[;\n]|&&|$))`,
  'g',
);
const USES_BRANCHES = new RegExp(BRANCHES);

/**
 * The command with names of commits in place of the calls of git that print them, as in `git show $(git rev-parse HEAD)`,
 * which then shows no more than `git show HEAD`. `undefined` if there are none, or if something else in the command could
 * change what they print or how the shell splits it. Pure.
 */
export function withCommitNames(command: string): string | undefined {
  if (/\(\s*\)|\bfunction\b| -C |.\b(?:cd|pushd|popd)\b/s.test(command)) return undefined;
  if (USES_BRANCHES.test(command) && SHOWS_CONTENT.test(command)) return undefined;
  let text = command;
  for (const { groups = {} } of command.matchAll(ASSIGNED)) {
    const { name = '', revision = 'HEAD' } = groups;
    text = text.replaceAll(new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`, 'g'), revision);
    // It may get another value.
    const others = text.match(new RegExp(`(?<![\\w-])${name}\\b`, 'g'));
    if (!LOOP_NAME.test(name) || others?.length !== 1) return undefined;
  }
  for (const [form, replacement] of REWRITES) {
    text = text.replaceAll(form, (...parts) => replacement(parts.at(-1)));
  }
  return text === command || /\bIFS\b/.test(text) ? undefined : text;
}
