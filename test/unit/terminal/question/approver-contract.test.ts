import { createApprover, Questions } from '../../../../src/app/driver/questions.ts';
import { limitAnswerTime } from '../../../../src/session/approvals/limit-answer-time.ts';
import { createStoryApprover } from '../../../../src/stories/play/play-with-ybs.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { askAtTerminal } from '../../../../src/terminal/question/ask-at-terminal.ts';
import { webApprovals } from '../../../../src/web/session/answer.ts';
import type { WebAnswer } from '../../../../src/web/session/page-data.ts';
import { approverContract } from '../../../support/contracts/approver.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { createScriptedTerminal } from '../../../support/fakes/scripted-terminal.ts';

approverContract([
  {
    name: 'at a terminal',
    create: () => ({
      decision: { type: 'session' },
      approver: createApprover(() =>
        askAtTerminal({
          terminal: createScriptedTerminal(['a']),
          write: async () => true,
          palette: PLAIN,
          interruptRun: () => {},
        }),
      ),
    }),
  },
  {
    name: 'of a web page',
    create() {
      const questions = new Questions<WebAnswer>();
      const approvals = webApprovals({
        newId: () => 'q1',
        keepsApprovals: false,
        show(event) {
          if (event.type !== 'question') return;
          const { id, digest } = event;
          queueMicrotask(() => questions.answer(id, { id, digest, answer: { type: 'deny', feedback: ' not now ' } }));
        },
      });
      return { decision: { type: 'deny', feedback: 'not now' }, approver: createApprover(() => approvals, questions) };
    },
  },
  {
    name: 'of a story',
    create: () => ({
      decision: { type: 'deny', feedback: 'not now' },
      approver: createStoryApprover({ prompts: ['go'], approvals: [{ deny: 'not now' }] }).approver,
    }),
  },
  {
    name: 'with a time limit',
    create: () => ({
      decision: { type: 'once' },
      approver: limitAnswerTime(
        createStoryApprover({ prompts: ['go'], approvals: ['once'] }).approver,
        createManualClock(),
        5,
      ),
    }),
  },
  {
    name: 'without a user',
    create: () => ({ decision: { type: 'unavailable' }, approver: createApprover(() => undefined) }),
  },
]);
