import type { Subcommand } from '../subcommands/subcommand.ts';

/** A form of the command line that begins with a command. */
export interface CommandForm extends Pick<Subcommand, 'form' | 'description'> {
  /** The whole command line, with the place of the options. */
  readonly usage: string;
}

/** The forms of the command line that begin with a command, in the order of the help: the subcommands, `start`, `test`. */
export function commandForms(subcommands: readonly Pick<Subcommand, 'form' | 'description'>[]): readonly CommandForm[] {
  const usageOf = (form: string): string => `ybs [options] ${form}`;
  const test = 'test <story…>';
  return [
    ...subcommands.map(({ form, description }) => ({ form, usage: usageOf(form), description })),
    {
      form: 'start',
      usage: 'ybs start [options]',
      description: 'let Yume drive a session with lines of JSON; docs/yume.md',
    },
    { form: test, usage: usageOf(test), description: 'test an agent: play stories with the embedded mock model' },
  ];
}
