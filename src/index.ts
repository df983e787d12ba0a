/** The library: `openAgent`, and the types of its options, its events and its ports. */
export { createNodeFileSystem } from './adapters/files/node-file-system.ts';
export type { Prompt } from './app/session.ts';
export type { SessionAdapters } from './app/settings.ts';
export { FileSystemError, ModelError, ToolError, UsageError } from './core/errors.ts';
export { type AgentOptions, type OpenAgent, openAgent } from './open-agent.ts';
export type {
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  PermissionDecision,
  PermissionMode,
  PermissionRule,
} from './ports/approver.ts';
export type { Clock } from './ports/clock.ts';
export type { AgentEvent, CallOutcome, RunError, RunOutcome } from './ports/events.ts';
export type { FileSystem } from './ports/file-system.ts';
export type { JsonObject, JsonValue } from './ports/json.ts';
export type {
  ContextWindow,
  FinishReason,
  LanguageModel,
  ModelErrorCode,
  ModelEvent,
  ModelIdentity,
  ModelRequest,
  TokenUsage,
} from './ports/language-model.ts';
export type {
  AssistantMessage,
  ImageContent,
  Message,
  ProviderState,
  ToolCall,
  ToolMessage,
  UserMessage,
} from './ports/messages.ts';
export type { ProgramCommand, Shell, ShellCommand, ShellExit, ShellOutput } from './ports/shell.ts';
export type {
  PlannedCall,
  PlannedEffect,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolEffect,
  ToolProgress,
  ToolResult,
} from './ports/tool.ts';
export type { TextSearch } from './tools/search/text-search.ts';
