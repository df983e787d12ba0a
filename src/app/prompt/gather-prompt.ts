import { FileSystemError, UsageError, unlessFileError } from '../../agent/errors.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type PathPlatform, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import type { RunGit } from '../../session/git/git-command.ts';
import { describeFileTree, readFileTree } from './file-tree.ts';
import { describeGit, readGitFacts } from './git-facts.ts';
import type { Instructions } from './instructions/read-file.ts';
import { readUserInstructions } from './instructions/user-instructions.ts';
import {
  describeInstructions,
  instructionTokens,
  limitInstructions,
  readInstructions,
  uniqueTexts,
} from './instructions.ts';
import { findProjectPlace, type ProjectPlace } from './project-root.ts';
import { describeProjectTypes, findProjectTypes, isReadForProjectType, type ProjectFiles } from './project-type.ts';
import { type PromptPart, partOf } from './prompt-parts.ts';
import { environmentText, type PromptFacts, rulesText } from './system-prompt.ts';

export interface PromptSettings {
  /** `context.instructions`, and so on: the switches of parts. */
  readonly instructions: boolean;
  readonly projectType: boolean;
  readonly fileTree: boolean;
  /** `git.context`. */
  readonly git: boolean;
  /** Estimated tokens of the file tree. */
  readonly repoMapTokens: number;
  /** Patterns in the form of `.gitignore`: the file tree leaves these files out, and their instructions do not count. */
  readonly excludePatterns: readonly string[];
  /** Number of recent commits. */
  readonly recentCommits: number;
  /** Replaces the working rules. */
  readonly rules?: string | undefined;
  /** Added at the end. */
  readonly append?: string | undefined;
}

/** More than a model reads before it begins to work. */
const MAX_RULES_BYTES = 256 * 1024;

/** Reads the file that replaces the working rules. Throws `UsageError` if it cannot be read or is too long. */
export async function readRulesFile(
  written: string,
  workspace: string,
  {
    fileSystem,
    home,
    platform,
  }: { readonly fileSystem: FileSystem; readonly home: string; readonly platform: PathPlatform },
): Promise<string> {
  const file = expandPath(written, { workspace, platform, home });
  try {
    const { bytes, size } = await fileSystem.readFile(file, MAX_RULES_BYTES);
    if (size <= MAX_RULES_BYTES) return new TextDecoder().decode(bytes);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    throw new UsageError(`prompt.system_file: ${file} cannot be read: ${error.reason}. Check the path.`);
  }
  throw new UsageError(`prompt.system_file: ${file} has more than ${MAX_RULES_BYTES} bytes. Check the path.`);
}

/** Ports of the facts about a project. */
export interface PromptPorts {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
  readonly clock: Clock;
  /** Absent: the state of a repository is not read. */
  readonly runGit?: RunGit | undefined;
}

/**
 * The parts of the system prompt of a conversation. Reads the facts about the project side by side; what cannot be read
 * is left out. Equal facts give equal parts.
 */
export async function gatherPrompt(
  settings: PromptSettings,
  ports: PromptPorts,
  facts: PromptFacts & { readonly windowTokens: number; readonly skills?: string },
): Promise<readonly PromptPart[]> {
  const { fileSystem, pathRules, runGit, clock } = ports;
  const place = await findProjectPlace(pathRules.workspace, pathRules.platform, fileSystem);
  const { repository } = place;
  const [instructions, types, tree, git] = await Promise.all([
    settings.instructions
      ? Promise.all([readUserInstructions(ports), readProjectInstructions(place, ports)]).then((all) =>
          uniqueTexts(all.flat()),
        )
      : [],
    settings.projectType ? readProjectFiles(ports).then(findProjectTypes) : [],
    settings.fileTree ? readFileTree({ ...ports, ...settings, maxTokens: settings.repoMapTokens }) : undefined,
    settings.git && repository !== undefined
      ? runGit && readGitFacts(repository, settings.recentCommits, { runGit, clock })
      : undefined,
  ]);
  return [
    ...partOf('rules', settings.rules ?? rulesText(facts)),
    ...partOf('environment', environmentText(facts)),
    ...partOf(
      'instructions',
      describeInstructions(limitInstructions(instructions, instructionTokens(facts.windowTokens))),
    ),
    ...partOf('project_type', describeProjectTypes(types)),
    ...partOf('file_tree', tree === undefined ? '' : describeFileTree(tree)),
    ...partOf('git', describeGit(git)),
    ...partOf('skills', facts.skills ?? ''),
    ...partOf('append', settings.append ?? ''),
  ];
}

/** Reads the instructions from the root of the repository down to the workspace. */
export function readProjectInstructions(
  { workspace, directories, repository }: ProjectPlace,
  ports: Pick<PromptPorts, 'fileSystem' | 'pathRules'>,
): Promise<readonly Instructions[]> {
  return readInstructions(directories, { ...ports, boundary: repository ?? workspace });
}

/** Entries of the workspace among which the files of a project are looked for. */
const MAX_ENTRIES = 10_000;

/** Number of bytes that are read of a file such as package.json. */
const MAX_BYTES = 256 * 1024;

async function readProjectFiles({ fileSystem, pathRules }: PromptPorts): Promise<ProjectFiles> {
  const { join } = pathFlavour(pathRules.platform);
  const entries = await unlessFileError(fileSystem.list(pathRules.workspace, MAX_ENTRIES));
  const names = (entries ?? []).filter(({ kind }) => kind === 'file').map(({ name }) => name);
  const texts = names.filter(isReadForProjectType).map(async (name): Promise<readonly [string, string]> => {
    const file = await unlessFileError(fileSystem.readFile(join(pathRules.workspace, name), MAX_BYTES, 'refuse'));
    return [name, new TextDecoder().decode(file?.bytes)];
  });
  return { names: new Set(names), texts: new Map(await Promise.all(texts)) };
}
