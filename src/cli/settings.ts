import { createNodeFileSystem } from '../adapters/files/node-file-system.ts';
import { loadConfig } from '../config/load.ts';
import type { LoadedConfig } from '../config/merge-layers.ts';
import { ConfigError } from '../config/read-layer.ts';
import type { Config } from '../config/schema.ts';
import { FileSystemError } from '../core/errors.ts';
import type { FileSystem } from '../ports/file-system.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { TOOL_NAMES } from '../tools/tools.ts';
import type { CommandLineOptions } from './arguments.ts';
import { wantsColour } from './output.ts';
import type { RenderSettings } from './render.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** What the command line and the configuration files say together. */
export interface Settings {
  readonly config: Config;
  /** Real path of the directory to work in. */
  readonly workspace: string;
  readonly dryRun: boolean;
  readonly render: RenderSettings;
}

/**
 * Reads the configuration for these options. What has no effect is said on standard error. Throws `UsageError` when
 * the directory or the configuration cannot be used.
 */
export async function loadSettings(options: CommandLineOptions, world: World): Promise<Settings> {
  const fileSystem = createNodeFileSystem();
  const workspace = await realDirectory(options.cwd ?? '.', fileSystem, world);
  const { config, warnings } = await orUsageError(() =>
    loadConfig(fileSystem, {
      platform: world.platform,
      home: world.home,
      workspace,
      xdgConfigHome: world.environment['XDG_CONFIG_HOME'],
      configFile: options.config === undefined ? undefined : resolve(options.config, world),
      overrides: overridesOf(options),
      toolNames: TOOL_NAMES,
    }),
  );
  for (const warning of warnings) await world.stderr(`ybs: ${escapeForTerminal(warning)}\n`);
  const colour = wantsColour(config.ui.color, world.outputIsTerminal, world.environment);
  const render = { palette: world.palette(colour), showTokenUsage: config.ui.show_token_usage };
  return { config, workspace, dryRun: options.dryRun, render };
}

/** What the command line sets, by the names of the keys. */
function overridesOf(options: CommandLineOptions): Readonly<Record<string, unknown>> {
  return {
    'llm.provider': options.provider,
    'llm.model': options.model,
    'llm.endpoint': options.endpoint,
    'safety.permission_mode': options.permissionMode,
  };
}

async function realDirectory(given: string, fileSystem: FileSystem, world: World): Promise<string> {
  const directory = resolve(given, world);
  try {
    const real = await fileSystem.realPath(directory);
    if ((await fileSystem.stat(real)).kind === 'directory') return real;
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
  }
  throw new UsageError(`There is no directory ${directory} to work in. Check --cwd.`);
}

function resolve(given: string, world: World): string {
  return world.storyFiles.resolve(world.currentDirectory, given);
}

async function orUsageError(load: () => Promise<LoadedConfig>): Promise<LoadedConfig> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}
