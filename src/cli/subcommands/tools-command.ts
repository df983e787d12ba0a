import * as z from 'zod';
import type { Machine } from '../../app/settings.ts';
import { FileSystemError, UsageError } from '../../core/errors.ts';
import type { JsonObject } from '../../ports/json.ts';
import { keyVariables } from '../../providers/target/presets.ts';
import { pathFlavour } from '../../safety/paths/path-policy.ts';
import { expandPath } from '../../safety/paths/written-path.ts';
import { programRules } from '../../tools/external-tools.ts';
import { EXIT_CODES } from '../exit.ts';
import { escapeLine, type UserConsole } from '../output.ts';
import type { SubcommandRequest } from './subcommand.ts';

/** Ports of `ybs tools`. */
interface ToolsPorts {
  readonly machine: Pick<
    Machine,
    | 'environment'
    | 'fileSystem'
    | 'home'
    | 'loadSessionAdapters'
    | 'newId'
    | 'platform'
    | 'resolvePath'
    | 'temporaryDirectory'
  >;
  readonly user: Pick<UserConsole, 'write' | 'onStop'>;
}

const inputSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** `ybs tools new NAME [DIRECTORY]`: writes a tool that works, and never over another file. */
export async function newToolCommand(
  { args: [name = '', written = '~/.config/ybs/tools'] }: Pick<SubcommandRequest, 'args'>,
  { machine, user }: ToolsPorts,
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
    throw new UsageError(`${file} cannot be written: ${error.code}.`);
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

/** `ybs tools check FILE [JSON]`: checks a tool line by line; the exit code is 1 after a failure. */
export async function checkToolCommand(
  { args: [written = '', json] }: Pick<SubcommandRequest, 'args'>,
  { machine, user }: ToolsPorts,
): Promise<number> {
  const input = json === undefined ? undefined : parseInput(json);
  const file = absolutePath(written, machine);
  const [{ checkTool }, { shellEnvironment }, adapters] = await Promise.all([
    import('../../tools/external-tool/check-tool.ts'),
    import('../../tools/shell/shell-environment.ts'),
    machine.loadSessionAdapters(),
  ]);
  const { fileSystem, platform } = machine;
  const environment = shellEnvironment(machine.environment, keyVariables([]), [], machine.resolvePath('.'));
  const outputDirectory = pathFlavour(platform).join(machine.temporaryDirectory, `ybs-tools-check-${machine.newId()}`);
  const ports = {
    fileSystem,
    shell: adapters.openShell(environment).shell,
    environment,
    outputDirectory,
    maxOutputChars: 10_000,
    pathRules: await programRules({ ...machine, workspace: machine.resolvePath('.') }),
  };
  const stop = new AbortController();
  const unsubscribe = user.onStop(() => stop.abort());
  let failed = false;
  try {
    for await (const { type, text } of checkTool(file, input, ports, stop.signal)) {
      failed ||= type === 'fail';
      const [first = '', ...more] = text.trimEnd().split('\n');
      const rows = [`${type.padEnd(4)}  ${first}`, ...more.map((row) => `      ${row}`)];
      await user.write(`${rows.map(escapeLine).join('\n')}\n`);
    }
  } finally {
    unsubscribe();
    await fileSystem.removeDirectory(outputDirectory);
  }
  if (stop.signal.aborted) return EXIT_CODES.aborted;
  return failed ? EXIT_CODES.failed : EXIT_CODES.done;
}

function parseInput(json: string): JsonObject {
  const advice = `The arguments of the call must be a JSON object: '{"query": "x"}'`;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UsageError(advice);
  }
  const parsed = inputSchema.safeParse(value);
  if (!parsed.success) throw new UsageError(advice);
  return parsed.data;
}

/** A path of the command line, in which the shell may have left a `~`. */
function absolutePath(written: string, { resolvePath, platform, home }: ToolsPorts['machine']): string {
  return expandPath(written, { workspace: resolvePath('.'), platform, home });
}
