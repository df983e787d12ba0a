import { FileSystemError, UsageError } from '../../agent/errors.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import { untilStopped } from '../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import type { Machine } from '../../app/settings.ts';
import { findSandbox } from '../../config/layers/sources.ts';
import type { ConfigWithKeys } from '../../config/load.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import { keyVariables } from '../../providers/target/presets.ts';
import { escapeLine } from '../../terminal/output.ts';
import { isJsonObject, jsonOr } from '../../text/json/json.ts';
import { programRules } from '../../tools/external-tools.ts';
import type { SubcommandRequest, Uses } from './subcommand.ts';

type ToolsPorts = {
  readonly wiring: { readConfig: LoadConfig };
} & Uses<{
  machine: 'digest' | 'fileSystem' | 'loadSessionAdapters' | 'newId' | 'probeSandbox' | keyof Paths;
  user: 'write' | 'onStop';
}>;
type LoadConfig = (
  options: SubcommandRequest['options'],
) => Promise<Pick<ConfigWithKeys, 'config' | 'origins' | 'trust'>>;
type Paths = Pick<Machine, 'environment' | 'home' | 'platform' | 'resolvePath' | 'temporaryDirectory'>;

/** `ybs tools new NAME [DIRECTORY]`: writes a tool that works, and never over another file. */
export async function newToolCommand(
  { args: [name = '', written = '~/.config/ybs/tools'] }: Pick<SubcommandRequest, 'args'>,
  { machine, user }: Omit<ToolsPorts, 'wiring'>,
): Promise<number> {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) {
    throw new UsageError(`${JSON.stringify(name)} cannot be the name of a tool. Use a-z, 0-9, - and _: web-search`);
  }
  const { fileSystem } = machine;
  const { toolSkeleton } = await import('../../tools/external-tool/skeleton.ts');
  const directory = absolutePath(written, machine);
  const fileName = `${name}.mjs`;
  const file = pathFlavour(machine.platform).join(directory, fileName);
  const bytes = new TextEncoder().encode(toolSkeleton(name.replaceAll('-', '_')));
  try {
    await fileSystem.createDirectory(directory);
    await fileSystem.createFile(file, bytes);
    // The file that was just created becomes executable.
    await fileSystem.replaceFile(await fileSystem.realPath(directory), fileName, bytes, 0o755);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'already_exists') throw new UsageError(`${file} exists already. Choose another name.`);
    throw new UsageError(`${file} cannot be written: ${error.reason}.`);
  }
  await user.write(
    [
      `Created ${file}`,
      `Change it, then try it: ybs tools check ${file}`,
      'A chat finds it with /reload-tools if its directory is in tools.search_paths.',
      '',
    ]
      .map(escapeLine)
      .join('\n'),
  );
  return EXIT_CODES.done;
}

/**
 * `ybs tools check FILE [JSON]`: checks a tool line by line; the exit code is 1 after a failure. It runs in the sandbox, if
 * there is one, and has the network if an entry of the user for this file says so.
 */
export async function checkToolCommand(
  { args: [written = '', json], options }: Pick<SubcommandRequest, 'args' | 'options'>,
  { machine, user, wiring }: ToolsPorts,
): Promise<number> {
  const input = json === undefined ? undefined : parseInput(json);
  const file = absolutePath(written, machine);
  const { fileSystem, platform } = machine;
  const workspace = await fileSystem.realPath(machine.resolvePath('.'));
  const { config, origins, trust } = await wiring.readConfig(options);
  // Tried before the adapters are loaded, because the shell needs it.
  const sandbox = await findSandbox({ config, origins }, workspace, machine);
  const [{ checkTool }, { shellEnvironment }, { readSessionSandbox }, adapters] = await Promise.all([
    import('../../tools/external-tool/check-tool.ts'),
    import('../../tools/shell/shell-environment.ts'),
    import('../../app/skills/session-skills.ts'),
    machine.loadSessionAdapters(),
  ]);
  const sandboxed = sandbox?.type === 'on';
  const rules = sandboxed ? await readSessionSandbox({ config, trust, workspace }, machine) : undefined;
  const environment = shellEnvironment(machine.environment, keyVariables([]), config.safety.environment, workspace);
  const outputDirectory = pathFlavour(platform).join(machine.temporaryDirectory, `ybs-tools-check-${machine.newId()}`);
  const ports = {
    fileSystem,
    shell: adapters.openShell(environment, rules).shell,
    sandboxed,
    entry: config.tools.external.find((entry) => absolutePath(entry.path, machine) === file),
    environment,
    outputDirectory,
    maxOutputChars: 10_000,
    pathRules: await programRules({ ...machine, workspace }),
  };
  const check = async ({ signal }: AbortController): Promise<number> => {
    let failed = false;
    for await (const { type, text } of checkTool(file, input, ports, signal)) {
      failed ||= type === 'fail';
      const [first = '', ...more] = text.trimEnd().split('\n');
      const rows = [`${type.padEnd(4)}  ${first}`, ...more.map((row) => `      ${row}`)];
      await user.write(`${rows.map(escapeLine).join('\n')}\n`);
    }
    if (signal.aborted) return EXIT_CODES.aborted;
    return failed ? EXIT_CODES.failed : EXIT_CODES.done;
  };
  return untilStopped(user.onStop, check).finally(() => fileSystem.removeDirectory(outputDirectory));
}

function parseInput(json: string): JsonObject {
  const value = jsonOr(undefined, json);
  if (isJsonObject(value)) return value;
  throw new UsageError(`The arguments of the call must be a JSON object: '{"query": "x"}'`);
}

/** A path of the command line, in which the shell may have left a `~`. */
function absolutePath(written: string, { resolvePath, platform, home }: Paths): string {
  return expandPath(written, { workspace: resolvePath('.'), platform, home });
}
