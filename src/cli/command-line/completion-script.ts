import type { Subcommand } from '../subcommands/subcommand.ts';
import { commandForms } from './command-forms.ts';
import { OPTIONS, type OptionRow } from './options.ts';

/** The shells that `ybs completion` knows. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The subcommands of ybs but `start` and `test`. */
type Subcommands = readonly Pick<Subcommand, 'form' | 'description'>[];

/** The first words of the command line that are not a prompt, with a description. */
function firstWords(subcommands: Subcommands): readonly (readonly [string, string])[] {
  const words = commandForms(subcommands).map(
    ({ form, description }) => [form.split(' ', 1).join(''), description] as const,
  );
  // Of several forms with the same first word, the first one describes it.
  return [...new Map(words.toReversed())].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (subcommands: Subcommands) => string>> = { bash, zsh, fish };

/** The script that completes the command line of ybs in a shell. Made of the tables of options and subcommands; pure. */
export function completionScript(shell: (typeof SHELLS)[number], subcommands: Subcommands): string {
  return SCRIPTS[shell](subcommands);
}

/** The names of an option on the command line: `--model` and `-m`. */
function namesOf({ name, short }: OptionRow): readonly string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

function bash(subcommands: Subcommands): string {
  const choices = OPTIONS.flatMap((option) =>
    option.choices === undefined
      ? []
      : [
          `    ${namesOf(option).join('|')}) COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$cur")); return ;;`,
        ],
  );
  const valued = OPTIONS.filter(({ value, choices, optional }) => value !== undefined && !choices && !optional);
  return `# Completion of ybs for bash: source <(ybs completion bash)
_ybs() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  case $prev in
${choices.join('\n')}
    ${valued.flatMap(namesOf).join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W '${OPTIONS.flatMap(namesOf).join(' ')}' -- "$cur"))
  elif [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${firstWords(subcommands)
      .map(([word]) => word)
      .join(' ')}' -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _ybs ybs
`;
}

/** A text between single quotes of a shell that knows no escape in them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function zsh(subcommands: Subcommands): string {
  const marks = (text: string): string => text.replaceAll(/[[\]:\\]/gu, '\\$&');
  const options = OPTIONS.map((option) => {
    const { value, choices, optional, description } = option;
    const action = choices === undefined ? '_files' : `(${choices.join(' ')})`;
    const argument = value === undefined ? '' : `${optional === true ? '::' : ':'}${marks(value)}:${action}`;
    const names = namesOf(option);
    const form = names.length > 1 ? `'(${names.join(' ')})'{${names.join(',')}}` : quoted(names.join(''));
    return `    ${form}${quoted(`[${marks(description)}]${argument}`)} \\`;
  });
  const words = firstWords(subcommands).map(
    ([word, description]) => `    ${quoted(`${word}:${description.replaceAll(':', '\\:')}`)}`,
  );
  return `#compdef ybs
# Completion of ybs for zsh: source <(ybs completion zsh)
_ybs_words() {
  local -a words=(
${words.join('\n')}
  )
  _describe 'command of ybs' words
}
_ybs() {
  _arguments -s \\
${options.join('\n')}
    '1: :_ybs_words' '*: :_files'
}
compdef _ybs ybs
`;
}

function fish(subcommands: Subcommands): string {
  const text = (written: string): string => `'${written.replaceAll(/['\\]/gu, '\\$&')}'`;
  const options = OPTIONS.map(({ name, short, value, choices, optional, description }) => {
    const argument = value === undefined || optional === true ? '' : ' -r';
    const offered = choices === undefined ? '' : ` -f -a ${text(choices.join(' '))}`;
    return `complete -c ybs -l ${name}${short === undefined ? '' : ` -s ${short}`}${argument}${offered} -d ${text(description)}`;
  });
  const words = firstWords(subcommands).map(
    ([word, description]) => `complete -c ybs -n __fish_use_subcommand -f -a ${word} -d ${text(description)}`,
  );
  return `# Completion of ybs for fish: ybs completion fish | source\n${[...options, ...words].join('\n')}\n`;
}
