import {
  ACCOUNT_KEYS,
  BACKUP_ENDS,
  ENV_EXAMPLES,
  SENSITIVE_ENDS,
  SENSITIVE_EXECUTABLES,
  SENSITIVE_NAMES,
  SENSITIVE_PAIRS,
} from '../paths/special-names.ts';

/**
 * Git attributes that hide the content of files with secrets: `git diff` reports only that they differ, whichever commits
 * it compares. They belong into `info/attributes`, because the files `.gitattributes` of a project take precedence over others. Pure.
 */
export function secretAttributes(): string {
  const patterns = [
    ...[...SENSITIVE_NAMES, ...SENSITIVE_EXECUTABLES, ...ACCOUNT_KEYS],
    ...[...SENSITIVE_NAMES].flatMap(copiesOf),
    ...[...SENSITIVE_ENDS, ...BACKUP_ENDS].flatMap((end) => [`*${end}`, `*${end}.[0-9]*`]),
    ...SENSITIVE_PAIRS.map((names) => `**/${names.join('/')}`),
    '.env[._~-]*',
  ];
  const examples = [...[...ENV_EXAMPLES].map((name) => `.env*[._-]${name}`), '.env*.d.ts'];
  const lines = [
    ...patterns.map((each) => `${anyCase(each)} -diff`),
    ...examples.map((each) => `${anyCase(each)} !diff`),
  ];
  return [...lines, ''].join('\n');
}

/** Patterns for copies of a file, as programs name them. A `?` stands for the space, and `[#]` begins no comment. */
function copiesOf(name: string): readonly string[] {
  const [, stem = name, end = ''] = /^(.+)(\.[a-z]+)$/.exec(name) ?? [];
  return [
    `${name}.*`,
    `[#]${name}#`,
    `${name}?copy*`,
    `${stem}?(*)${end}`,
    `${stem}?copy*${end}`,
    `${stem}?-?copy*${end}`,
  ];
}

/** A pattern that matches a name in any case, as the classes of paths do. `core.ignoreCase` would change more. */
function anyCase(pattern: string): string {
  return pattern.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** The attributes of a repository itself, which take precedence over all others, with those that hide secrets. Pure. */
export function attributesWithSecrets(own: string): string {
  return `${own}\n${secretAttributes()}`;
}
