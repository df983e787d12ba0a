import type { FileSystem } from '../../agent/ports/file-system.ts';
import { ownDirectories } from '../../config/layers/sources.ts';
import type { Config } from '../../config/schema.ts';
import type { PathPlatform } from '../../policy/paths/path-policy.ts';
import type { PromptSettings } from './gather-prompt.ts';
import { findProjectPlace, mayHaveInstructions } from './project-root.ts';

/** The part of the machine that the system prompt depends on. */
interface PromptMachine {
  readonly fileSystem: FileSystem;
  readonly platform: PathPlatform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The settings of the system prompt. Throws `UsageError` if the file that replaces the rules cannot be read. */
export async function readPromptSettings(
  { context, git, prompt }: Config,
  workspace: string,
  machine: PromptMachine,
): Promise<PromptSettings> {
  const { readRulesFile } = await import('./gather-prompt.ts');
  return {
    instructions: context.instructions,
    projectType: context.project_type,
    fileTree: context.file_tree,
    git: git.context,
    repoMapTokens: context.repo_map_tokens,
    excludePatterns: context.exclude_patterns,
    recentCommits: git.recent_commits,
    rules: prompt.system_file === undefined ? undefined : await readRulesFile(prompt.system_file, workspace, machine),
    append: prompt.append,
  };
}

/** The paths of the instructions files of the project that the system prompt has, for people. */
export async function findInstructions(
  config: Config,
  workspace: string,
  { fileSystem, platform, home, environment }: PromptMachine,
): Promise<readonly string[]> {
  const place = await findProjectPlace(workspace, platform, fileSystem);
  // The rules of paths are not loaded before the first prompt, unless there is something to check.
  if (!config.context.instructions || !(await mayHaveInstructions(place, platform, fileSystem))) return [];
  const [{ readProjectInstructions }, { buildPathRules }, { realPathOf }] = await Promise.all([
    import('./gather-prompt.ts'),
    import('../../policy/paths/build-path-rules.ts'),
    import('../../tools/files/resolve-path.ts'),
  ]);
  const pathRules = await buildPathRules(
    {
      ...{ workspace, home, platform, allowedPaths: ['.'], readOnlyRoots: [] },
      blockedPaths: config.safety.sandbox_blocked_paths,
      ownDirectories: ownDirectories(config, { platform, home, environment }),
    },
    (file) => realPathOf(file, fileSystem, platform),
  );
  return (await readProjectInstructions(place, { fileSystem, pathRules })).map(({ path }) => path);
}
