import {
  ACCOUNT_KEYS,
  COPY_WORDS,
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
    ...SENSITIVE_ENDS.map((end) => `*${end}`),
    // Copies
    ...[...SENSITIVE_NAMES].flatMap((name) => [`${name}[ ._-][0-9]*`, `*[%!]${name}`]),
    ...[...SENSITIVE_NAMES]
      .filter((name) => /.\./.test(name))
      .flatMap((name) =>
        ['*[0-9)]', 'bak', 'backup', 'old', 'orig', 'copy'].map((end) => name.replace(EXTENSION, `[ ._-]${end}`)),
      ),
    ...COPY_WORDS.flatMap((word) => [`*[ ._-]${word}`, `*[ ._-]${word}*[0-9]`]),
    '*~',
    '* copy*',
    '* (*)*',
    'copy *',
    'kopie *',
    'copie *',
    'copia *',
    'kopia *',
    'backup of *',
    '*.sync-conflict-*',
    '#*#',
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

/** The begin of the extension of a name. */
const EXTENSION = /(?=\.[a-z]+$)/;

/** A pattern that matches a name in any case, as the classes of paths do. `core.ignoreCase` would change more. */
function anyCase(pattern: string): string {
  const written = pattern.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return /[ #]/.test(written) ? `"${written}"` : written;
}

/** The attributes of a repository itself, which take precedence over all others, with those that hide secrets. Pure. */
export function attributesWithSecrets(own: string): string {
  return `${own}\n${secretAttributes()}`;
}
