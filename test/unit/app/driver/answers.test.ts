import { expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import { answersTo } from '../../../../src/app/driver/answers.ts';

function keysOf(command: string, keeps: boolean | undefined, more: Partial<ApprovalRequest> = {}): string {
  const effect = { summary: 's', paths: [], command, workingDirectory: '/w' };
  const offers = { type: 'exact_command', command, workingDirectory: '/w' } as const;
  const request = { callId: 'c', toolName: 'run_shell', reason: 'r', effect, offers, ...more };
  return answersTo(request, keeps)
    .map(({ key }) => key)
    .join('');
}

const PREFIX = { offersMore: [{ type: 'command_prefix', words: ['npm', 'test'] } as const] };

it.each([
  ['npm test', undefined, PREFIX, 'yap'],
  ['npm test', false, PREFIX, 'yapkg'],
  ['npm test', true, PREFIX, 'yapg'],
  ['./x', false, {}, 'yak'],
  ['rm x', false, {}, 'ya'],
  ['git push --force', true, {}, 'ya'],
  ['./x', undefined, { offersMore: [{ type: 'sandboxed_commands' } as const] }, 'yax'],
  ['./x', true, { offersMore: [{ type: 'hosts', hosts: ['a.org'] } as const] }, 'yah'],
  ['./x', undefined, { offersMore: [{ type: 'file_operations', directory: '/w' } as const] }, 'yaw'],
])('the question about %s, with stored rules: %s, offers the right answers', (command, keeps, more, keys) => {
  expect(keysOf(command, keeps, more)).toBe(keys);
});
