import { execa } from 'execa';

/**
 * Completes the last word of each command line, in a directory and in one shell. A word without a candidate stays
 * unchanged.
 */
export type CompleteWords = (script: string, lines: readonly string[], directory: string) => Promise<readonly string[]>;

/** The shells, each with a function that loads a script and completes words. */
export const COMPLETIONS: Readonly<Record<'bash' | 'zsh' | 'fish', CompleteWords>> = {
  bash: completeInBash,
  zsh: completeInZsh,
  fish: completeInFish,
};

const inHome = (cwd: string, env: Readonly<Record<string, string>> = {}) => ({ cwd, env: { ...env, HOME: cwd } });

/** Printed after the candidates for a line. */
const END = '\u0002';

async function completeInBash(script: string, lines: readonly string[], cwd: string): Promise<readonly string[]> {
  const completed = lines.map((line) => {
    const words = line.split(' ');
    const given = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
    return `${given}; COMPREPLY=(); _ybs; printf '%s\\n' "\${COMPREPLY[@]}"; printf '\\2'`;
  });
  const { stdout } = await execa('bash', ['--norc', '-c', [script, ...completed].join('\n')], inHome(cwd));
  return wordsOf(stdout, lines);
}

/** zsh completes only in its line editor, so the lines are typed into another zsh, on a pseudo-terminal. */
const TYPE_IN_ZSH = String.raw`
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -D -u; eval "$SCRIPT"'
zpty -w shell 'complete-and-print() { zle complete-word; print -rn -- $'"'\1'"'$BUFFER$'"'\2'"'; BUFFER= }'
zpty -w shell 'zle -N complete-and-print; bindkey "^I" complete-and-print; print -n "rea"; print "dy\3"'
zpty -r shell shown $'*ready\3*'
for line in "$@"; do
  zpty -w -n shell "$line"$'\t'
  zpty -r shell shown $'*\1*\2'
  print -rn -- "$shown"
done
zpty -d shell
`;

async function completeInZsh(script: string, lines: readonly string[], cwd: string): Promise<readonly string[]> {
  const args = ['-f', '-c', TYPE_IN_ZSH, 'zsh', ...lines];
  const { stdout } = await execa('zsh', args, inHome(cwd, { SCRIPT: script }));
  // The line editor shows what is typed before the line that it has completed.
  const completed = stdout.split(END).map((shown) => shown.split('\u0001').at(-1) ?? '');
  return lines.map((_, index) => completed[index]?.trim().split(' ').at(-1) ?? '');
}

async function completeInFish(script: string, lines: readonly string[], cwd: string): Promise<readonly string[]> {
  const completed = `for line in $argv; complete -C $line; printf '\\2'; end`;
  const { stdout } = await execa('fish', ['--no-config', '-c', `${script}\n${completed}`, ...lines], inHome(cwd));
  const words = wordsOf(stdout, lines);
  return words.map((found) => found.replaceAll(/\t.*/g, ''));
}

/** The candidates for each line, or the unchanged word if there are none. */
function wordsOf(stdout: string, lines: readonly string[]): readonly string[] {
  const found = stdout.split(END);
  return lines.map((line, index) => found[index]?.trim() || (line.split(' ').at(-1) ?? ''));
}
