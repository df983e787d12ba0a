import { createNodeFileSystem } from '../adapters/files/node-file-system.ts';
import { WorkerTextSearch } from '../adapters/search/worker-text-search.ts';
import { createNodeShell } from '../adapters/shell/node-shell.ts';
import { chooseShellProgram } from '../adapters/shell/shell-program.ts';
import { computeDigest, systemClock } from '../adapters/system.ts';
import type { Agent } from '../app/session.ts';
import { createAgent } from '../app/session.ts';
import type { Config } from '../config/schema.ts';
import { FileSystemError } from '../core/errors.ts';
import type { Approver } from '../ports/approver.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import { keyVariables } from '../providers/presets.ts';
import { shellEnvironment } from '../tools/shell/shell-environment.ts';
import { TOOL_NAMES } from '../tools/tools.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** What a session is opened with. */
export interface SessionRequest {
  readonly config: Config;
  readonly workspace: string;
  readonly dryRun: boolean;
  readonly approver: Approver;
  readonly model: LanguageModel;
  readonly modelName: string;
}

/** An agent and what ends with it. */
export interface Session {
  readonly agent: Agent;
  close(): Promise<void>;
}

/** Opens a session on this machine. Throws `UsageError` when a directory it needs is not there. */
export async function openSession(request: SessionRequest, world: World): Promise<Session> {
  const { config } = request;
  const environment = shellEnvironment(world.environment, keyVariables(config.llm.api_key_variable));
  const program = chooseShellProgram({ platform: world.platform, environment, exists: world.exists });
  const sessionId = world.newId();
  const textSearch = new WorkerTextSearch();
  try {
    const agent = await createAgent(
      {
        sessionId,
        modelName: request.modelName,
        permissionMode: config.safety.permission_mode,
        dryRun: request.dryRun,
        maxIterations: config.agent.max_iterations,
        maxToolOutputChars: config.context.max_tool_output_chars,
        allowedPaths: config.safety.sandbox_allowed_paths,
        blockedPaths: config.safety.sandbox_blocked_paths,
        blockedCommands: config.safety.blocked_commands,
        disabledTools: TOOL_NAMES.filter((name) => config.tools.builtin[name]?.enabled === false),
      },
      {
        model: request.model,
        approver: request.approver,
        fileSystem: createNodeFileSystem(),
        shell: createNodeShell({ program }),
        textSearch,
        clock: systemClock,
        digest: computeDigest,
        platform: world.pathPlatform,
        shellName: program.name,
        environment,
        workspace: request.workspace,
        home: world.home,
        outputDirectory: world.storyFiles.resolve(world.temporaryDirectory, `ybs-${sessionId}`),
      },
    );
    return { agent, close: () => textSearch.dispose() };
  } catch (error) {
    await textSearch.dispose();
    if (error instanceof FileSystemError) throw new UsageError(`A directory cannot be used: ${error.message}`);
    throw error;
  }
}
