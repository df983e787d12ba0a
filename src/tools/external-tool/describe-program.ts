import { FileSystemError } from '../../agent/errors.ts';
import type { JsonValue } from '../../agent/ports/json.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { truncateText } from '../../text/truncate.ts';
import { parseDescription } from './definition.ts';
import type { ExternalToolPorts } from './external-tool.ts';
import { DefinitionError } from './parameters.ts';
import { collectProgram, describeProgramEnd } from './run-program.ts';

/** Limits of a description: of a sidecar file, and of the answer to `--schema`. */
const MAX_DESCRIPTION = 64 * 1024;
const SCHEMA_TIMEOUT_MS = 5_000;

/** The suffix of the name of a file that describes the program next to it. */
export const SIDECAR_SUFFIX = '.tool.json';

/** The description next to a program: `web-search.tool.json` for `web-search` and `web-search.sh`. */
export async function readSidecar(
  file: string,
  { fileSystem, pathRules }: Pick<ExternalToolPorts, 'fileSystem' | 'pathRules'>,
): Promise<JsonValue | undefined> {
  const { extname } = pathFlavour(pathRules.platform);
  for (const base of new Set([file, file.slice(0, file.length - extname(file).length)])) {
    try {
      const { bytes, size } = await fileSystem.readFile(`${base}${SIDECAR_SUFFIX}`, MAX_DESCRIPTION);
      if (size > MAX_DESCRIPTION) throw new DefinitionError(`its ${SIDECAR_SUFFIX} file is larger than 64 KB`);
      return parseDescription(new TextDecoder().decode(bytes));
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      if (error.code !== 'not_found') throw new DefinitionError(`its ${SIDECAR_SUFFIX} file: ${error.reason}`);
    }
  }
  return undefined;
}

/** Runs a program with `--schema`, in its own directory. Throws `DefinitionError`. */
export async function askForSchema(
  realPath: string,
  { shell, environment, pathRules }: Pick<ExternalToolPorts, 'shell' | 'environment' | 'pathRules'>,
  signal: AbortSignal,
): Promise<JsonValue> {
  const command = {
    program: realPath,
    args: ['--schema'],
    workingDirectory: pathFlavour(pathRules.platform).dirname(realPath),
    environment,
    timeoutMs: SCHEMA_TIMEOUT_MS,
    readOnly: true,
  };
  const running = collectProgram(shell, command, { maxOutput: MAX_DESCRIPTION }, signal);
  let step = await running.next();
  while (step.done !== true) step = await running.next();
  const { end, stdout, stderr } = step.value;
  const reason = describeProgramEnd(end, SCHEMA_TIMEOUT_MS);
  if (reason === undefined) return parseDescription(stdout);
  const said = truncateText(stderr.head.trim(), 500);
  throw new DefinitionError(`--schema failed: ${reason}${said === '' ? '' : ` (${said})`}`);
}
