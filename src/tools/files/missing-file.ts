import { FileSystemError } from '../../core/errors.ts';
import { classifyPath, displayPath, pathFlavour } from '../../safety/paths/path-policy.ts';
import { nearestNames } from '../../text/closest-match.ts';
import type { ToolPorts } from '../tool-ports.ts';
import type { ResolvedPath } from './resolve-path.ts';

/**
 * What to tell the model of a file that does not exist: up to three names of the same directory that it may have
 * meant, none that the rules forbid.
 */
export async function missingFileText(
  file: ResolvedPath,
  ports: Pick<ToolPorts, 'fileSystem' | 'pathRules'>,
): Promise<string> {
  const { fileSystem, pathRules } = ports;
  const flavour = pathFlavour(pathRules.platform);
  const directory = flavour.dirname(file.realPath);
  const entries = await fileSystem.list(directory).catch((error: unknown) => {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  });
  const shownDirectory = displayPath(directory, pathRules);
  if (entries === undefined) {
    return `${file.display} does not exist, nor does its directory ${shownDirectory}. Use list_files to look for it.`;
  }
  const names = entries
    .map(({ name }) => name)
    .filter((name) => classifyPath(flavour.join(directory, name), 'read', pathRules).type === 'inside');
  const near = nearestNames(flavour.basename(file.realPath), names, 3);
  if (near.length === 0) return `${file.display} does not exist. Use list_files to look for it.`;
  const paths = near.map((name) => displayPath(flavour.join(directory, name), pathRules));
  return `${file.display} does not exist. Did you mean ${paths.join(' or ')}?`;
}
