/** What users of the library may import: the shape of an agent and the stream of events that comes out of it. */
export type { Agent } from './app/agent.ts';
export { FileSystemError, ModelError, ToolError } from './core/errors.ts';
export type {
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  PermissionDecision,
  PermissionRule,
} from './ports/approver.ts';
export type { AgentEvent, CallOutcome, RunError, RunOutcome } from './ports/events.ts';
export type {
  FinishReason,
  LanguageModel,
  ModelErrorCode,
  ModelEvent,
  ModelRequest,
  TokenUsage,
} from './ports/language-model.ts';
export type { AssistantMessage, Message, ToolCall, ToolMessage, UserMessage } from './ports/messages.ts';
export type { PlannedEffect, ToolDefinition, ToolEffect } from './ports/tool.ts';
