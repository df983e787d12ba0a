/** The library `ybs/agent`: the loop and its ports, without configuration, session, tools and rules. */

export { type ContextOptions, type ContextSettings, fitIntoWindow } from './context/fit-into-window.ts';
export { createAgent, type LoopAgent, type LoopOptions } from './create-agent.ts';
export { FileSystemError, ModelError, ToolError } from './errors.ts';
export type * from './ports/index.ts';
export { MISSING_RESULT, repairHistory } from './repair-history.ts';
export type { Decide, NextRequest, PrepareRequest } from './run-input.ts';
export { applyEvent, EMPTY_SESSION, type SessionState } from './session-state.ts';
