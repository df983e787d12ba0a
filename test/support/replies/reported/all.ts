import type { ReplyRow } from '../run-reply.ts';
import { CHAT_REPORTS } from './chat.ts';
import { CALL_REPORTS } from './chat-calls.ts';
import { ERROR_REPORTS } from './errors.ts';
import { FORM_REPORTS } from './forms.ts';
import { HEAD_REPORTS } from './heads.ts';
import { LATE_REPORTS } from './late-reports.ts';
import { MORE_CHAT_REPORTS } from './more-chat.ts';
import { MORE_ERROR_REPORTS } from './more-errors.ts';
import { MORE_WIRE_REPORTS } from './more-wires.ts';
import { OTHER_REPORTS } from './other-wires.ts';
import { REFUSAL_REPORTS } from './refusals.ts';
import { RESPONSES_REPORTS } from './responses.ts';
import { STREAM_REPORTS } from './streams.ts';

/** The rows of all public reports. */
export const REPORTED_ROWS: readonly ReplyRow[] = [
  CHAT_REPORTS,
  CALL_REPORTS,
  HEAD_REPORTS,
  RESPONSES_REPORTS,
  OTHER_REPORTS,
  ERROR_REPORTS,
  FORM_REPORTS,
  MORE_CHAT_REPORTS,
  MORE_WIRE_REPORTS,
  MORE_ERROR_REPORTS,
  STREAM_REPORTS,
  REFUSAL_REPORTS,
  LATE_REPORTS,
].flat();
