import { createHash } from 'node:crypto';
import type { Volume } from 'memfs';
import { ToolError } from '../../../src/agent/errors.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import type { PlannedCall, Tool, ToolContext, ToolResult } from '../../../src/agent/ports/tool.ts';
import type { FilePorts } from '../../../src/tools/files/load-file.ts';
import { ReadLedger } from '../../../src/tools/files/read-ledger.ts';
import { createMemoryFileSystem } from '../fakes/memory-file-system.ts';

/** A workspace `/w` in memory, with the ports of the file tools. */
export interface FileWorkspace {
  readonly ports: FilePorts;
  readonly volume: Volume;
  /** The bytes of a file of the workspace. */
  bytes(path: string): Uint8Array;
  /** Its content as text. */
  text(path: string): string;
}

/** Creates files by their path in the workspace. `change` overrides methods of the file system. */
export function fileWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  change: (fileSystem: FileSystem) => Partial<FileSystem> = () => ({}),
): FileWorkspace {
  const placed = Object.entries(files).map(([path, content]) => [`/w/${path}`, content]);
  const { fileSystem, volume } = createMemoryFileSystem({ '/outside/secret': 'secret', ...Object.fromEntries(placed) });
  volume.mkdirSync('/w', { recursive: true });
  const bytes = (path: string): Uint8Array => {
    const content = volume.readFileSync(`/w/${path}`);
    return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  };
  return {
    volume,
    bytes,
    text: (path) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes(path)),
    ports: {
      fileSystem: { ...fileSystem, ...change(fileSystem) },
      digest: (content) => createHash('sha256').update(content).digest('hex'),
      ledger: new ReadLedger(),
      pathRules: {
        workspace: '/w',
        allowedRoots: ['/w'],
        readOnlyRoots: [],
        blockedPaths: ['/w/blocked'],
        platform: 'posix',
      },
    },
  };
}

/** A context for calls that are never aborted. */
export const CONTEXT: ToolContext = {
  callId: 'call_1',
  signal: new AbortController().signal,
  pause: async () => {},
};

/** Runs a planned call to its end. */
export async function finish(planned: PlannedCall): Promise<ToolResult> {
  const run = planned.run();
  for (;;) {
    const step = await run.next();
    if (step.done === true) return step.value;
  }
}

/** The text that the model reads after a call: the result, or the code and the message of the `ToolError`. */
export async function call(tool: Tool, args: unknown, signal: AbortSignal = CONTEXT.signal): Promise<string> {
  return resultText(async () => finish(await tool.plan(args, { ...CONTEXT, signal })));
}

/** The text of the result that `action` resolves to, or the code and the message of its `ToolError`. */
export async function resultText(action: () => Promise<ToolResult>): Promise<string> {
  try {
    return (await action()).content;
  } catch (error) {
    if (error instanceof ToolError) return `${error.code}: ${error.message}`;
    throw error;
  }
}
