import { execa } from 'execa';

/** Completes the last word of a command line, in a directory. The word stays as it is if nothing fits. */
export type CompleteWord = (script: string, words: readonly string[], directory: string) => Promise<string>;

/** The shells, each with a function that loads a script and completes a word. */
export const COMPLETIONS = { bash: completeInBash, zsh: completeInZsh, fish: completeInFish };

async function completeInBash(script: string, words: readonly string[], cwd: string): Promise<string> {
  const given = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
  const shown = `printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await execa('bash', ['--norc', '-c', [script, given, '_ybs', shown].join('\n')], { cwd });
  return stdout === '' ? (words.at(-1) ?? '') : stdout;
}

/** zsh completes only in its line editor, so the line is typed into another zsh, on a pseudo-terminal. */
const TYPE_IN_ZSH = String.raw`
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -D -u; eval "$SCRIPT"'
zpty -w shell 'complete-and-print() { zle complete-word; print -rn -- $'"'\1'"'$BUFFER$'"'\2'"'; BUFFER= }'
zpty -w shell 'zle -N complete-and-print; bindkey "^I" complete-and-print; print -n "rea"; print "dy\3"'
zpty -r shell shown $'*ready\3*'
zpty -w -n shell "$LINE"$'\t'
zpty -r shell shown $'*\1*\2'
zpty -d shell
print -r -- "$shown"
`;

async function completeInZsh(script: string, words: readonly string[], cwd: string): Promise<string> {
  const environment = { SCRIPT: script, LINE: words.join(' ') };
  const { stdout } = await execa('zsh', ['-f', '-c', TYPE_IN_ZSH], { cwd, env: environment });
  const [line = ''] = stdout.split('\u0001').at(-1)?.split('\u0002') ?? [];
  return line.trim().split(' ').at(-1) ?? '';
}

async function completeInFish(script: string, words: readonly string[], cwd: string): Promise<string> {
  const environment = { LINE: words.join(' ') };
  const { stdout } = await execa('fish', ['--no-config', '-c', `${script}\ncomplete -C $LINE`], {
    cwd,
    env: environment,
  });
  const found = stdout.split('\n').map((candidate) => candidate.split('\t', 1).join(''));
  return found.join('\n') || (words.at(-1) ?? '');
}
