import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { eventLine, versionLine } from '../../../src/session/log/log-line.ts';

/** The log of a session with about `count` events, in runs of four whose answers are numbered from 0. */
export function longSessionLog(workspace: string, count: number): string {
  const model = { provider: 'mock', wire: 'openai-chat', model: 'mock-model' };
  const facts = { sessionId: '00000000-0000-4000-8000-000000000001', model: 'mock/mock-model', permissionMode: 'ask' };
  const time = '2026-01-01T00:00:00.000Z';
  const events: AgentEvent[] = [{ type: 'session_start', time, workspace, ...facts }];
  for (let run = 0; run < count / 4; run += 1) {
    const message = { role: 'assistant', content: `This is *answer ${run}*.`, toolCalls: [] } as const;
    events.push(
      { type: 'user_message', text: `question ${run}` },
      { type: 'turn_start', turn: 1, model },
      { type: 'assistant_message', message, finish: 'stop' },
      { type: 'run_end', outcome: 'done', message: 'Done.' },
    );
  }
  const lines = [versionLine(time), ...events.flatMap((event) => eventLine(time, event, (text) => text) ?? [])];
  return `${lines.join('\n')}\n`;
}
