/** The library: `openAgent`, and the types of its options, its events and its ports. */

export { FileSystemError, ModelError, ToolError, UsageError } from './agent/errors.ts';
export type {
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  PermissionDecision,
  PermissionMode,
  PermissionRule,
} from './agent/ports/approver.ts';
export type { Clock } from './agent/ports/clock.ts';
export type { AgentEvent, CallOutcome, RunError, RunOutcome } from './agent/ports/events.ts';
export type { FileSystem } from './agent/ports/file-system.ts';
export type { JsonObject, JsonValue } from './agent/ports/json.ts';
export type {
  ContextWindow,
  FinishReason,
  LanguageModel,
  ModelErrorCode,
  ModelEvent,
  ModelIdentity,
  ModelRequest,
  TokenUsage,
} from './agent/ports/language-model.ts';
export type {
  AssistantMessage,
  ImageContent,
  Message,
  ProviderState,
  ToolCall,
  ToolMessage,
  UserMessage,
} from './agent/ports/messages.ts';
export type { ProgramCommand, Shell, ShellCommand, ShellExit, ShellOutput } from './agent/ports/shell.ts';
export type {
  PlannedCall,
  PlannedEffect,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolEffect,
  ToolProgress,
  ToolResult,
} from './agent/ports/tool.ts';
export type { Prompt } from './app/session.ts';
export type { SessionAdapters } from './app/settings.ts';
export { createNodeFileSystem } from './node/files/node-file-system.ts';
export { type AgentOptions, type OpenAgent, openAgent } from './open-agent.ts';
export type { TextSearch } from './tools/search/text-search.ts';
