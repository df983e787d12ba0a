import type { Subcommand } from '../subcommands/subcommand.ts';

/** A form of the command line that begins with a command. */
type CommandForm = Pick<Subcommand, 'form' | 'description'>;

/** The forms of the command line that begin with a command, in the order of the help: the subcommands, `start`, `test`. */
export function commandForms(subcommands: readonly CommandForm[]): readonly CommandForm[] {
  return [
    ...subcommands,
    {
      form: 'start',
      description: 'let Yume drive a session with lines of JSON; it must be the first word (docs/yume.md)',
    },
    { form: 'test <story…>', description: 'test an agent: play stories with the embedded mock model' },
  ];
}
