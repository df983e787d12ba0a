import { EXIT_CODES } from '../../app/exit.ts';
import type { Machine } from '../../app/settings.ts';
import type { Wiring } from '../../app/wiring.ts';
import type { StoryFiles } from '../../stories/load-story.ts';
import type { StoryDisk } from '../../stories/play/play-story.ts';
import type { CommandPlayPorts } from '../../stories/play/play-with-command.ts';
import type { MockModel } from '../../stories/run-stories.ts';
import type { UserConsole } from '../../terminal/output.ts';
import type { CommandLineOptions, TestOptions } from '../command-line/options.ts';
import type { RecordingPort } from '../recording.ts';

export interface StoryAdapters {
  readonly mockModel: MockModel;
  readonly disk: StoryDisk & StoryFiles & Pick<CommandPlayPorts['disk'], 'writeFile'>;
}

/** Plays stories as `ybs test` does, and returns the exit code. */
export type TestStories = (stories: readonly string[], options: TestOptions) => Promise<number>;

export interface SubcommandPorts {
  readonly wiring: Wiring;
  readonly machine: Machine;
  readonly user: UserConsole;
  /** Loads what plays stories. */
  readonly loadStories: () => Promise<StoryAdapters>;
  readonly recording: RecordingPort;
  readonly testStories: TestStories;
  /** Standard input as bytes. */
  readonly openInput: () => Promise<ReadableStream<Uint8Array>>;
  readonly version: string;
  /** See `keepMemorySmall` of the adapters. */
  readonly keepMemorySmall: () => Promise<void>;
}

/** The members of these ports that a subcommand uses: `Uses<{ user: 'write' }>`. */
export type Uses<Names extends { readonly [Port in keyof SubcommandPorts]?: keyof SubcommandPorts[Port] }> = {
  readonly [Port in keyof SubcommandPorts & keyof Names]: Pick<
    SubcommandPorts[Port],
    keyof SubcommandPorts[Port] & Names[Port]
  >;
};

export interface SubcommandRequest {
  /** The arguments, which the form of the subcommand allows. */
  readonly args: readonly string[];
  readonly options: CommandLineOptions;
  /** The values of the options that not every subcommand takes, by name, in the given order; '' for a switch. */
  readonly ownOptions: ReadonlyMap<string, readonly string[]>;
}

/** Runs a subcommand and returns the exit code. Rejects with an error for `reportFailure`. */
export type RunSubcommand = (request: SubcommandRequest, ports: SubcommandPorts) => Promise<number>;

/** One form of a subcommand; several may begin with the same word. */
export interface Subcommand {
  /**
   * The words after `ybs`: fixed ones first, then `<argument>`, `[argument]` for one that may be missing, or
   * `<argument…>` for one or more: `config set <key> <value…>`.
   */
  readonly form: string;
  readonly description: string;
  /** Loads the code on demand. */
  load(): Promise<RunSubcommand>;
}

/** Writes the result of a subcommand as text or, with `--json` or `--output-format json`, as one line. Returns `code`. */
export async function report(
  { options, ownOptions }: Pick<SubcommandRequest, 'options'> & Partial<Pick<SubcommandRequest, 'ownOptions'>>,
  { user }: Uses<{ user: 'write' }>,
  result: { readonly json: () => object; readonly text: () => string },
  code: number = EXIT_CODES.done,
): Promise<number> {
  const isJson = ownOptions?.has('json') === true || options.outputFormat === 'json';
  await user.write(`${isJson ? JSON.stringify(result.json()) : result.text()}\n`);
  return code;
}
