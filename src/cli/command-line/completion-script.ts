import type { Subcommand } from '../subcommands/subcommand.ts';
import { type COMPLETION_SHELLS, type Offer, offerFor, offersByPlace } from './completion-offers.ts';
import { OPTIONS, type OptionRow } from './options.ts';

/** The subcommands of ybs but `start` and `test`. */
type Subcommands = readonly Pick<Subcommand, 'form' | 'description'>[];

const SCRIPTS: Readonly<Record<(typeof COMPLETION_SHELLS)[number], (subcommands: Subcommands) => string>> = {
  bash,
  zsh,
  fish,
};

/** The script that completes the command line of ybs in a shell. Made of the tables of options and subcommands; pure. */
export function completionScript(shell: (typeof COMPLETION_SHELLS)[number], subcommands: Subcommands): string {
  return SCRIPTS[shell](subcommands);
}

/** The names of an option on the command line: `--model` and `-m`. */
function namesOf({ name, short }: OptionRow): readonly string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

const GENERAL = OPTIONS.filter(({ subcommands }) => subcommands === undefined);

function ownOptions(): readonly (readonly [command: string, options: readonly OptionRow[]])[] {
  const commands = [...new Set(OPTIONS.flatMap(({ subcommands = [] }) => subcommands))];
  return commands.map((command) => [command, OPTIONS.filter(({ subcommands }) => subcommands?.includes(command))]);
}

/** The names of the options with a value, whose next word is that value. */
const VALUED = OPTIONS.filter(({ value }) => value !== undefined).flatMap(namesOf);

/**
 * Bash and zsh: collects in `before` the words that are neither options nor their values; `skip` is set if the word to
 * complete is a value.
 */
const COLLECT_WORDS = (words: string): string => `  for word in ${words}; do
    if [[ -n $skip && $word != -* ]]; then skip=; continue; fi
    skip=
    case $word in
      ${VALUED.join('|')}) skip=1 ;;
      -*) ;;
      *) before+="$word " ;;
    esac
  done`;

/** Prints the names of the stored sessions, in their usual directory. */
const LIST_SESSIONS = "ls ~/.config/ybs/sessions 2>/dev/null | sed -n 's/[.]jsonl$//p'";

function bash(subcommands: Subcommands): string {
  const offer = ({ words, paths }: Offer): string => {
    const kinds = { none: '', files: ' -f', directories: ' -d', sessions: ` -W "$(${LIST_SESSIONS})"` };
    const given = words.length === 0 ? '' : ` -W '${words.map(([word]) => word).join(' ')}'`;
    const options = `${kinds[paths]}${given}`;
    return options === '' ? '' : `COMPREPLY=($(compgen${options} -- "$cur")) `;
  };
  const values = OPTIONS.flatMap((option) => {
    const offered = offer(offerFor(option));
    return offered === '' ? [] : [`      ${namesOf(option).join('|')}) ${offered};;`];
  });
  const own = ownOptions().map(
    ([command, options]) => `      '${command} '*) options+=' ${options.flatMap(namesOf).join(' ')}' ;;`,
  );
  const places = offersByPlace(subcommands).map(
    (place) => `    '${place.before}'${place.more ? '*' : ''}) ${offer(place)};;`,
  );
  return `# Completion of ybs for bash: source <(ybs completion bash)
_ybs() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} before= skip= word
  COMPREPLY=()
${COLLECT_WORDS(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  if [[ -n $skip && $cur != -* ]]; then
    case $prev in
${values.join('\n')}
    esac
    return
  fi
  if [[ $cur == -* ]]; then
    local options='${GENERAL.flatMap(namesOf).join(' ')}'
    case $before in
${own.join('\n')}
    esac
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  case $before in
${places.join('\n')}
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _ybs ybs
`;
}

/** A string in single quotes for a shell without escapes in them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function zsh(subcommands: Subcommands): string {
  const marks = (text: string): string => text.replaceAll(/[[\]:\\]/gu, '\\$&');
  const files = { none: ' ', files: '_files', directories: '_files -/', sessions: '_ybs_sessions' };
  const option = (row: OptionRow): string => {
    const { value, optional, description } = row;
    const { words, paths } = offerFor(row);
    const action = words.length === 0 ? files[paths] : `(${words.map(([word]) => word).join(' ')})`;
    const argument = value === undefined ? '' : `${optional === true ? '::' : ':'}${marks(value)}:${action}`;
    const names = namesOf(row);
    const form = names.length > 1 ? `'(${names.join(' ')})'{${names.join(',')}}` : quoted(names.join(''));
    return `    ${form}${quoted(`[${marks(description)}]${argument}`)}`;
  };
  const own = ownOptions().map(
    ([command, options]) => `    '${command} '*) options+=(\n${options.map(option).join('\n')}\n    ) ;;`,
  );
  const places = offersByPlace(subcommands).map(({ before, more, words, paths }) => {
    const rows = words.map(([word, text]) => quoted(text === '' ? word : `${word}:${text.replaceAll(':', '\\:')}`));
    const given = rows.length === 0 ? [] : [`offered=(${rows.join(' ')})`, "_describe 'word' offered"];
    const commands = [...given, ...(paths === 'none' ? [] : [files[paths]])];
    return `    '${before}'${more ? '*' : ''}) ${commands.join('; ')} ;;`;
  });
  return `#compdef ybs
# Completion of ybs for zsh: source <(ybs completion zsh)
_ybs_sessions() {
  compadd - \${(f)"$(${LIST_SESSIONS})"}
}
_ybs_words() {
  local -a offered
  case $before in
${places.join('\n')}
    *) _files ;;
  esac
}
_ybs() {
  local before= skip= word
  local -a options
${COLLECT_WORDS(`"\${(@)words[2,CURRENT-1]}"`)}
  options=(
${GENERAL.map(option).join('\n')}
  )
  case $before in
${own.join('\n')}
  esac
  _arguments -s $options '*: :_ybs_words'
}
compdef _ybs ybs
`;
}

function fish(subcommands: Subcommands): string {
  const text = (written: string): string => `'${written.replaceAll(/['\\]/gu, '\\$&')}'`;
  const paths = {
    none: '',
    files: '__fish_complete_path (commandline -ct)',
    directories: '__fish_complete_directories (commandline -ct)',
    sessions: LIST_SESSIONS,
  };
  const option = (row: OptionRow, command?: string): string => {
    const offer = offerFor(row);
    const offered =
      offer.words.map(([word]) => word).join(' ') || (offer.paths === 'none' ? '' : `(${paths[offer.paths]})`);
    const argument = row.value === undefined ? '' : ` -x${offered === '' ? '' : ` -a ${text(offered)}`}`;
    const short = row.short === undefined ? '' : ` -s ${row.short}`;
    const condition = command === undefined ? '' : ` -n ${text(`string match -q '${command} *' (__ybs_before)`)}`;
    return `complete -c ybs${condition} -l ${row.name}${short}${argument} -d ${text(row.description)}`;
  };
  const own = ownOptions().flatMap(([command, options]) => options.map((row) => option(row, command)));
  const places = offersByPlace(subcommands);
  const cases = places.map(({ before, more }, index) => {
    return `    case ${text(`${before}${more ? '*' : ''}`)}\n      echo ${index}`;
  });
  const offers = places.flatMap(({ words, paths: kind }, index) => {
    const row = `complete -c ybs -n 'test (__ybs_place) = ${index}' -a`;
    return [
      ...words.map(([word, description]) => `${row} ${word}${description === '' ? '' : ` -d ${text(description)}`}`),
      ...(kind === 'none' ? [] : [`${row} ${text(`(${paths[kind]})`)}`]),
    ];
  });
  return `# Completion of ybs for fish: ybs completion fish | source
function __ybs_before
  set -l words (commandline -opc)
  set -e words[1]
  set -l before ''
  set -l skip 0
  for word in $words
    if test $skip = 1; and not string match -q -- '-*' $word
      set skip 0
      continue
    end
    set skip 0
    if contains -- $word ${VALUED.join(' ')}
      set skip 1
    else if not string match -q -- '-*' $word
      set before "$before$word "
    end
  end
  echo $before
end
function __ybs_place
  switch (__ybs_before)
${cases.join('\n')}
    case '*'
      echo prompt
  end
end
complete -c ybs -f
complete -c ybs -n 'test (__ybs_place) = prompt' -a '(${paths.files})'
${offers.join('\n')}
${[...GENERAL.map((row) => option(row)), ...own].join('\n')}
`;
}
