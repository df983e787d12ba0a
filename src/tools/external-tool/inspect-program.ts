import { FileSystemError } from '../../agent/errors.ts';
import type { Digest } from '../../agent/ports/digest.ts';
import type { FileStat } from '../../agent/ports/file-system.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { whyNotStarted } from '../../policy/trust/external-programs.ts';
import type { ExternalToolEntry } from './definition.ts';
import type { ExternalToolPorts } from './external-tool.ts';

/** A file that may be the program of a tool. `entry` is absent for a file of a search path. */
export interface Candidate {
  /** Absolute path. */
  readonly file: string;
  readonly entry?: ExternalToolEntry;
  /** A file of the project has the entry. */
  readonly namedByProject?: true;
  /** The digest of the file of a project that the user trusts. */
  readonly trusted?: Digest | undefined;
}

/**
 * The result of an inspection. `refusal` is the reason why ybs may not start the program by itself. `skipped`: the file
 * is not meant to be a tool.
 */
export type Inspected =
  | { readonly type: 'program'; readonly realPath: string; readonly refusal: string | undefined }
  | { readonly type: 'unavailable'; readonly reason: string; readonly isProblem: boolean }
  | { readonly type: 'skipped' };

const unavailable = (reason: string, isProblem = true) => ({ type: 'unavailable', reason, isProblem }) as const;

/** The ports of an inspection, which starts nothing. */
export type InspectionPorts = Pick<ExternalToolPorts, 'fileSystem' | 'pathRules' | 'digest'>;

/** The maximum size of a program of a project, in bytes. */
const MAX_PROGRAM_BYTES = 16 * 1024 * 1024;

/** Checks that a file is an executable, and whether it may be started. Starts nothing. */
export async function inspectProgram(
  { file, entry, namedByProject, trusted }: Candidate,
  ports: InspectionPorts,
): Promise<Inspected> {
  const { fileSystem, pathRules } = ports;
  const flavour = pathFlavour(pathRules.platform);
  try {
    const [realPath, realDirectory] = await Promise.all([
      fileSystem.realPath(file),
      fileSystem.realPath(flavour.dirname(file)),
    ]);
    const [stat, directory] = await Promise.all([fileSystem.stat(realPath), fileSystem.stat(realDirectory)]);
    if (stat.kind !== 'file') {
      return entry === undefined ? { type: 'skipped' } : unavailable('it is not a file; name the executable itself');
    }
    if (!isExecutable(realPath, stat, ports)) {
      const isMeant = entry !== undefined || (await isScript(realPath, ports));
      return isMeant ? unavailable(`it is not executable; use chmod +x ${file}`) : { type: 'skipped' };
    }
    const refusal = whyNotStarted(
      {
        paths: [file, flavour.join(realDirectory, flavour.basename(file)), realPath],
        modes: [directory.mode, stat.mode],
        isForeign: directory.isForeign === true || stat.isForeign === true,
        namedByProject: namedByProject === true,
        isTrusted: trusted !== undefined && (await digestOf(realPath, ports)) === trusted,
      },
      pathRules,
    );
    return { type: 'program', realPath, refusal };
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code !== 'not_found') return unavailable(`it cannot be used: ${error.reason}`);
    // An entry may be older or newer than its program. A file of a search path is a link, or was there before.
    return unavailable('the file, or the one that it links to, does not exist', entry === undefined);
  }
}

async function digestOf(realPath: string, { fileSystem, digest }: InspectionPorts): Promise<Digest | undefined> {
  return digest?.((await fileSystem.readFile(realPath, MAX_PROGRAM_BYTES, 'refuse')).bytes);
}

function isExecutable(realPath: string, { mode }: FileStat, { pathRules }: InspectionPorts): boolean {
  return pathRules.platform === 'windows' ? /\.(?:exe|com|cmd|bat)$/i.test(realPath) : (mode & 0o111) !== 0;
}

async function isScript(realPath: string, { fileSystem }: InspectionPorts): Promise<boolean> {
  const { bytes } = await fileSystem.readFile(realPath, 2);
  return new TextDecoder().decode(bytes) === '#!';
}
