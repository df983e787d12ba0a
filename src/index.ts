/** The library: an agent, its ports, and the adapters that `ybs` itself uses. */
export { createNodeFileSystem } from './adapters/files/node-file-system.ts';
export { WorkerTextSearch } from './adapters/search/worker-text-search.ts';
export { createNodeShell } from './adapters/shell/node-shell.ts';
export { chooseShellProgram } from './adapters/shell/shell-program.ts';
export { computeDigest, systemClock } from './adapters/system.ts';
export { type Agent, createAgent, type SessionPorts, type SessionSettings } from './app/session.ts';
export { FileSystemError, ModelError, ToolError } from './core/errors.ts';
export type {
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  PermissionDecision,
  PermissionRule,
} from './ports/approver.ts';
export type { Clock } from './ports/clock.ts';
export type { ComputeDigest, Digest } from './ports/digest.ts';
export type { AgentEvent, CallOutcome, RunError, RunOutcome } from './ports/events.ts';
export type { FileSystem } from './ports/file-system.ts';
export type {
  FinishReason,
  LanguageModel,
  ModelErrorCode,
  ModelEvent,
  ModelRequest,
  TokenUsage,
} from './ports/language-model.ts';
export type { AssistantMessage, Message, ToolCall, ToolMessage, UserMessage } from './ports/messages.ts';
export type { Shell, ShellCommand, ShellExit, ShellOutput } from './ports/shell.ts';
export type { TextSearch } from './ports/text-search.ts';
export type { PlannedEffect, ToolDefinition, ToolEffect } from './ports/tool.ts';
export { createModel, type ModelChoice, type ModelConfig, type ModelPorts } from './providers/create-model.ts';
