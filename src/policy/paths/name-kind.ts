import { foldSpecial } from './fold-name.ts';
import {
  ACCOUNT_KEYS,
  COPY_WORDS,
  ENV_EXAMPLES,
  EXECUTABLE_DIRECTORIES,
  EXECUTABLE_ENDS,
  EXECUTABLE_FILES,
  EXECUTABLE_FORMS,
  EXECUTABLE_PAIRS,
  GIT_SETTINGS,
  SENSITIVE_ENDS,
  SENSITIVE_EXECUTABLES,
  SENSITIVE_NAMES,
  SENSITIVE_PAIRS,
} from './special-names.ts';

const ACCOUNT_KEY = new RegExp(
  `^(?:${ACCOUNT_KEYS.join('|').replaceAll('.', String.raw`\.`).replaceAll('*', '.*')})$`,
  's',
);

const SENSITIVE_END = endingWith(SENSITIVE_ENDS);
/** The mark of a copy, behind the name of its original or before its extension: `~`, `.~1~`, `_bak-2`, `.1`, ` (1)`. */
const COPY_MARK = new RegExp(
  String.raw`(?:~+|(?: -)?[ ._~-]+(?:(?:${COPY_WORDS.join('|')})(?:[ ._~-]*\d[\dtz:._~-]*)?|\d[\dtz:._~-]*)|[ ._-]conflict-[^.]+| \([^()]+\))(?=(\.[a-z\d]+)?$)`,
);
/** The same before the name, and the directory that some editors write there. */
const COPY_START = /^(?:(?:copy|backup|kopie|copie|copia|kopia) (?:\(\d+\) )?(?:of|von|de|di|av) |[!%].*[!%](?=.))/;

/** An expression for the names with one of these ends; one expression is faster than a test for each. */
function endingWith(ends: readonly string[]): RegExp {
  return new RegExp(`(?:${ends.map((end) => end.replaceAll('.', String.raw`\.`)).join('|')})$`);
}

/** The kind of a file with these names, which begin below an allowed directory and are folded. */
export function specialName(names: readonly string[]): 'sensitive' | 'executable' | 'sensitive_executable' | undefined {
  return secretName(names) ?? (isExecutable(names) ? 'executable' : undefined);
}

/** The kind of a file that holds secrets, by its folded names; `undefined` for any other. */
export function secretName(names: readonly string[]): 'sensitive' | 'sensitive_executable' | undefined {
  const last = names.at(-1) ?? '';
  const parent = names.at(-2);
  const secret = originalName(last);
  if (isSecretName(secret)) return 'sensitive';
  if (SENSITIVE_EXECUTABLES.has(last)) return 'sensitive_executable';
  if (ACCOUNT_KEY.test(secret) || isEnvironment(last)) return 'sensitive';
  if (GIT_SETTINGS.has(last) && names.slice(0, -1).some(isGitDirectory)) return 'sensitive';
  const isPaired = SENSITIVE_PAIRS.some(([directory, file]) => parent === directory && secret === file);
  return isPaired ? 'sensitive' : undefined;
}

/** The maximum number of marks of copies in one name: `a.bak.2 (1)~`. */
const MAX_MARKS = 4;

/** The name of the original, for the name of a copy as editors and other programs write it. */
function originalName(name: string): string {
  const [, saved] = /^#(.+)#$/.exec(name) ?? [];
  if (saved !== undefined) return saved;
  let original = name.replace(COPY_START, '');
  for (let marks = 0; marks < MAX_MARKS && !isSecretName(original) && COPY_MARK.test(original); marks += 1)
    original = original.replace(COPY_MARK, '');
  // Vim puts a dot before the name of the file that it edits.
  return /^\..*\.sw[a-p]$/.test(name) && !isSecretName(original) ? original.slice(1) : original;
}

function isSecretName(name: string): boolean {
  return SENSITIVE_NAMES.has(name) || SENSITIVE_END.test(name);
}

function isGitDirectory(name: string): boolean {
  return name === '.git' || name === 'git~1';
}

/** True for a file that other programs run or follow, by its folded names. */
function isExecutable(names: readonly string[]): boolean {
  const last = names.at(-1) ?? '';
  if (names.some((name) => EXECUTABLE_DIRECTORIES.has(name))) return true;
  if (EXECUTABLE_FILES.has(last) || EXECUTABLE_ENDS.some((end) => last.endsWith(end))) return true;
  if (EXECUTABLE_FORMS.some((form) => form.test(last))) return true;
  return names.some((name, index) =>
    EXECUTABLE_PAIRS.some(([directory, other]) => directory === names[index - 1] && other === name),
  );
}

/** `.env.NAME`, `.env_NAME`, `.env-NAME` or `.env~`, unless it is an example or a declaration of types. */
function isEnvironment(name: string): boolean {
  if (!/^\.env[._~-]/.test(name) || name.endsWith('.d.ts')) return false;
  return !ENV_EXAMPLES.has(name.replace(/^.*[._-]/s, ''));
}

/**
 * The kind that a file may have by its own name and that of its directory, wherever it lies. Cheap; only a first look.
 */
export function kindOfName(directory: string, name: string): ReturnType<typeof specialName> {
  return specialName([foldSpecial(directory), foldSpecial(name)]);
}
