import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');

/** Absolute path of the file that starts `ybs`: the built bin, or its source when coverage is measured (`YBS_ENTRY`). */
export const ybsEntry = path.resolve(root, process.env['YBS_ENTRY'] ?? 'dist/ybs.js');

/** Absolute path of the file that starts `mock-llm-server`: built or source, like `ybsEntry`. */
export const mockServerEntry = path.join(
  root,
  ybsEntry.endsWith('.ts') ? 'mock-llm-server/bin.ts' : 'dist/mock-llm-server.js',
);
