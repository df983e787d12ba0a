import { raceAbort } from '../../agent/async/abort.ts';
import { ToolError, UsageError } from '../../agent/errors.ts';
import type { Approver, PermissionRule } from '../../agent/ports/approver.ts';
import type { AttachedFile } from '../../agent/ports/messages.ts';
import type { ToolErrorCode } from '../../agent/ports/tool.ts';
import type { Decide } from '../../agent/run-input.ts';
import { contains, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { countOf, formatSize } from '../../text/quantities.ts';
import { takeStart } from '../../text/truncate.ts';
import { TOOL_DEFINITIONS } from '../definitions.data.ts';
import { type FilePorts, requireLoadedFile, requireText, similarPaths } from '../files/load-file.ts';
import { pictureOf } from '../files/picture.ts';
import { type ResolvedPath, resolvePath } from '../files/resolve-path.ts';
import { recordFile } from '../files/store-file.ts';

/** Ports of the reading of a file that the user names. `rules` are those that the user's answers have added. */
export interface AttachPorts extends FilePorts {
  readonly decide: Decide;
  readonly rules: readonly PermissionRule[];
  readonly approver: Approver;
  readonly redact: (text: string) => string;
}

/** A file for the next request, and one line about it for people. */
export interface Attachment extends AttachedFile {
  readonly summary: string;
}

/** The maximum length of the text of one file, in characters; the model can read the rest itself. */
const MAX_CHARACTERS = 50_000;

/**
 * Reads a file that the user names in a message. Its path is planned and decided like that of a call of `read_file`, and
 * the user is asked where that call would ask. Throws `UsageError` if the file cannot be used, and `AbortedError`.
 */
export async function attachFile(path: string, ports: AttachPorts, signal: AbortSignal): Promise<Attachment> {
  const { pathRules } = ports;
  try {
    const file = await raceAbort(resolvePath(path, 'read', ports), signal);
    requireWorkspace(path, file, pathRules);
    await requirePermission(path, file, ports, signal);
    return await raceAbort(readAttachment(path, file, ports), signal);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new UsageError(`@file:${path} cannot be read: ${await problemOf(error, path, ports)}`, { cause: error });
  }
}

/** False for a path of a file or a directory that `attachFile` refuses whatever the user answers. */
export async function mayAttach(path: string, ports: Pick<FilePorts, 'fileSystem' | 'pathRules'>): Promise<boolean> {
  try {
    requireWorkspace(path, await resolvePath(path, 'read', ports), ports.pathRules);
    return true;
  } catch (error) {
    if (error instanceof ToolError || error instanceof UsageError) return false;
    throw error;
  }
}

/** A relative path stays in the workspace, links included. */
function requireWorkspace(path: string, { realPath }: ResolvedPath, { workspace, platform }: PathRules): void {
  if (pathFlavour(platform).isAbsolute(path) || /^~(?:$|[/\\])/u.test(path)) return;
  if (contains(workspace, realPath, platform)) return;
  throw new UsageError(
    `@file:${path} cannot be read: it leads out of the workspace. Type the absolute path if you mean that file.`,
  );
}

async function requirePermission(
  path: string,
  { use, display }: ResolvedPath,
  { decide, rules, approver, digest }: AttachPorts,
  signal: AbortSignal,
): Promise<void> {
  const definition = TOOL_DEFINITIONS.read_file;
  const effect = { summary: `read ${display}`, paths: [use] };
  const permission = decide({ definition, effect }, rules);
  if (permission.type === 'allow') return;
  const refused = `@file:${path} is not read`;
  if (permission.type === 'deny') throw new UsageError(`${refused} (rule: ${permission.rule}).`);
  const { reason } = permission;
  const callId = `@file:${path}`;
  const asked = digest(new TextEncoder().encode(JSON.stringify([definition.name, { path }, effect])));
  const question = { callId, toolName: definition.name, effect, reason, digest: asked };
  const answer = await raceAbort(approver.decide(question, signal), signal);
  if (answer.type === 'once' || answer.type === 'session') return;
  if (answer.type === 'unavailable') throw new UsageError(`${refused}, because nobody can be asked. ${reason}`);
  throw new UsageError(`${refused}: you declined.`);
}

async function readAttachment(path: string, file: ResolvedPath, ports: AttachPorts): Promise<Attachment> {
  const loaded = await requireLoadedFile(file, ports);
  const picture = pictureOf(file, loaded);
  const header = `@file:${path}`;
  if (picture !== undefined) {
    return { file: path, text: header, images: [picture.image], summary: picture.summary };
  }
  const { text } = requireText(file, loaded);
  const shown = wholeLines(text, MAX_CHARACTERS);
  const isWhole = loaded.isWhole && shown === text;
  if (isWhole) recordFile(file, loaded, ports);
  const size = formatSize(loaded.size);
  const note = isWhole
    ? ''
    : `\n[truncated: the first ${shown.length} characters of ${size}; read_file shows the rest]`;
  const lines = countOf(shown.split('\n').length - (shown.endsWith('\n') || shown === '' ? 1 : 0), 'line');
  return {
    file: path,
    text: ports.redact(`${header}\n${shown}${note}`),
    summary: isWhole ? `${lines}, ${size}` : `the first ${lines} of ${size}`,
  };
}

/** The start of a text, up to the end of its last whole line if there is one. */
function wholeLines(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = takeStart(text, length);
  return start.slice(0, start.lastIndexOf('\n') + 1) || start;
}

/** Reasons in the words for a user; the messages of `ToolError` advise the model. */
const PROBLEMS: Readonly<Partial<Record<ToolErrorCode, string>>> = {
  path_outside_workspace: 'the rules for paths allow no file there; see safety.sandbox_allowed_paths.',
  path_blocked: 'the rules for paths block it; see safety.sandbox_blocked_paths.',
  is_directory: 'it is a directory. Name a file in it.',
  not_a_directory: 'a part of the path is a file.',
  not_a_file: 'it is a device, a pipe or a socket.',
  binary_file: 'it is neither text nor a picture (PNG, JPEG, GIF, WebP).',
  too_large: 'the picture is too large for a model. Use a smaller one.',
  permission_denied: 'permission denied.',
};

async function problemOf({ code, message }: ToolError, path: string, ports: FilePorts): Promise<string> {
  if (code !== 'not_found') return PROBLEMS[code] ?? message;
  const similar = await similarPaths(await resolvePath(path, 'read', ports), ports).catch(() => undefined);
  const hint = similar === undefined || similar.length === 0 ? '' : ` Did you mean ${similar.join(' or ')}?`;
  return `it does not exist.${hint}`;
}
