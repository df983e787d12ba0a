import type { ScenarioFile } from '../../mock-llm-server/scenario/format.ts';
import type { Terminal, WriteText } from '../ports/terminal.ts';
import type { PathPlatform } from '../safety/paths/path-policy.ts';
import type { StoryFiles } from '../stories/load-story.ts';
import type { StoryDisk } from '../stories/play-story.ts';
import type { StoryListing } from '../stories/story-prompts.ts';
import type { Palette } from './output.ts';

/** A scenario file with the path it was read from. */
export interface NamedScenarioFile {
  readonly file: string;
  readonly content: ScenarioFile;
}

/** The model that comes with ybs. */
export interface MockModel {
  /** Where the stories are that come with ybs. */
  readonly shippedStories: string;
  /** Reads scenario files, story directories and directories of them. Rejects with `ScenarioError` of the server. */
  load(paths: readonly string[]): Promise<readonly NamedScenarioFile[]>;
  /** Starts a server on a free port of this machine that answers from these files. */
  start(files: readonly NamedScenarioFile[]): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** Everything that the command line takes from the process it runs in, read once and handed in. */
export interface World {
  readonly version: () => string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory: string;
  readonly home: string;
  readonly temporaryDirectory: string;
  readonly platform: 'posix' | 'windows';
  /** The platform as far as paths differ. */
  readonly pathPlatform: PathPlatform;
  readonly exists: (path: string) => boolean;
  readonly newId: () => string;
  readonly random: () => number;
  /** Milliseconds, for durations. */
  readonly now: () => number;
  readonly stdout: WriteText;
  readonly stderr: WriteText;
  /** Standard output is a terminal. */
  readonly outputIsTerminal: boolean;
  /** A person sits at standard input and output. */
  readonly interactive: boolean;
  /** Styles for a terminal, or none at all. */
  readonly palette: (colour: boolean) => Palette;
  /** Opens standard input. */
  readonly openTerminal: () => Promise<Terminal>;
  /** Calls `listener` when the process is told to stop; returns what ends that. */
  readonly onStop: (listener: () => void) => () => void;
  readonly storyDisk: () => Promise<StoryDisk>;
  readonly storyFiles: StoryFiles & StoryListing;
  readonly mockModel: MockModel;
}
