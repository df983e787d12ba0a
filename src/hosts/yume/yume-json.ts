import type { ApprovalDecision } from '../../agent/ports/approver.ts';
import type { ApprovalFront } from '../../app/driver/questions.ts';
import type { Agent } from '../../app/session.ts';
import { costOf, priceOf } from '../../providers/target/price.ts';
import { conforms } from '../../schema/conforms.ts';
import { mapTexts } from '../../text/json/map-texts.ts';
import type { HostFormat, Lines } from '../drive.ts';
import { createHostRequests, type HostRequests } from '../host-requests.ts';
import type { SeenCall } from '../stream-json/messages.ts';
import type { HostSettings, StreamJson, StreamJsonOptions } from '../stream-json/stream-json.ts';
import type { WriteLine } from '../write-lines.ts';
import { decodeYume } from './decode.ts';
import { problemLine, YumeEncoder } from './encode.ts';
import { TOOL_APPROVAL } from './frames.data.ts';

export interface YumeJsonPorts {
  readonly writeLine: WriteLine;
  readonly now: () => number;
}

/** Yume gives the settings of its sessions on the command line. */
const NO_SETTINGS: HostSettings = {
  systemPrompt: undefined,
  appendSystemPrompt: undefined,
  answerSchema: undefined,
  tools: [],
  hooks: undefined,
};

/** The settings of the command line. */
type YumeJsonOptions = Pick<StreamJsonOptions, 'asksHost' | 'sessionId'> & {
  /** The name of the host for the mode `ask`. */
  readonly asks?: string | undefined;
};

/** Creates a conversation in the flat format of Yume. */
export function createYumeJson({ asksHost, sessionId, asks }: YumeJsonOptions, ports: YumeJsonPorts): StreamJson {
  const encoder = new YumeEncoder(asks);
  const writeLine: WriteLine = (line) => ports.writeLine(wellFormed(line));
  const requests = createHostRequests(writeLine);
  const contextOf = (agent: Agent) => ({
    ...{ sessionId: agent.record.id, hostSessionId: sessionId, mode: agent.permissionMode, init: initFields(agent) },
  });
  const format: HostFormat = {
    decode(frame) {
      return decodeYume(
        frame,
        (id) => requests.questions.isOpen(id),
        (mode, word) => encoder.mode(mode, word),
      );
    },
    begin: (agent) => encoder.begin(contextOf(agent)),
    encode(event, agent) {
      const { prices } = agent.configuration.config.models;
      return encoder.encode(event, {
        now: ports.now(),
        ...contextOf(agent),
        costOf: (usage) => costOf(usage, priceOf(usage.model, prices)),
      });
    },
    fail: failureLines,
  };
  return {
    format,
    writeLine,
    requests,
    approvals: asksHost ? yumeApprovals(requests, (id) => encoder.callOf(id)) : undefined,
    hooks: () => undefined,
    begin: async () => NO_SETTINGS,
  };
}

/** Questions for approval to Yume, with `approval_request`; each has the id of its call, and so has its `tool_approval`. */
function yumeApprovals(
  requests: HostRequests,
  callOf: (callId: string) => SeenCall | undefined,
): ApprovalFront<unknown> {
  return {
    newId: ({ callId }) => callId,
    agreesToChanges: true,
    show: (id, { toolName: name, reason }) =>
      requests.show({ type: 'approval_request', id, ...(callOf(id) ?? { name, input: {} }), reason }),
    read: (answer, { callId }) => decisionOf(answer, callOf(callId)),
  };
}

function decisionOf(answer: unknown, call: SeenCall | undefined): ApprovalDecision {
  if (!conforms(answer, TOOL_APPROVAL)) return { type: 'unavailable', host: true };
  const { approved, input, message } = answer;
  if (!approved) return typeof message === 'string' ? { type: 'deny', feedback: message } : { type: 'deny' };
  const isChanged =
    input !== undefined && input !== null && JSON.stringify(input) !== JSON.stringify(call?.input ?? {});
  return isChanged ? { type: 'change', arguments: input } : { type: 'once' };
}

function initFields({ workspace, model, tools }: Agent): object {
  return {
    model: model.slice(model.indexOf('/') + 1),
    cwd: workspace,
    tools: tools.map(({ name }) => name),
  };
}

/** A failure without a run: the session could not be opened. */
function failureLines(message: string, code = 'failed'): Lines {
  const result = { type: 'result', subtype: 'error_during_execution', is_error: true, result: message };
  return [
    problemLine(code, message),
    { ...result, errors: [message], num_turns: 0, duration_ms: 0 },
    { type: 'message_stop' },
  ];
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The line without halves of characters, which the reader of Yume refuses even in their escaped form. */
function wellFormed(line: object): object {
  return mapTexts(line, (text) => text.replace(LONE_SURROGATE, '\ufffd'));
}
