/** The library: `openAgent`, and the types of its options, its events and its ports. */

export { FileSystemError, ModelError, ToolError, UsageError } from './agent/errors.ts';
export type * from './agent/ports/index.ts';
export type { Prompt } from './app/session.ts';
export type { SessionAdapters } from './app/settings.ts';
export { createNodeFileSystem } from './node/files/node-file-system.ts';
export { type AgentOptions, type OpenAgent, openAgent } from './open-agent.ts';
export type { TextSearch } from './tools/search/text-search.ts';
