import { it } from 'vitest';
import { CHAT_REPORTS } from '../../../support/replies/reported/chat.ts';
import { CALL_REPORTS } from '../../../support/replies/reported/chat-calls.ts';
import { ERROR_REPORTS } from '../../../support/replies/reported/errors.ts';
import { FORM_REPORTS } from '../../../support/replies/reported/forms.ts';
import { HEAD_REPORTS } from '../../../support/replies/reported/heads.ts';
import { MORE_CHAT_REPORTS } from '../../../support/replies/reported/more-chat.ts';
import { MORE_ERROR_REPORTS } from '../../../support/replies/reported/more-errors.ts';
import { MORE_WIRE_REPORTS } from '../../../support/replies/reported/more-wires.ts';
import { OTHER_REPORTS } from '../../../support/replies/reported/other-wires.ts';
import { REFUSAL_REPORTS } from '../../../support/replies/reported/refusals.ts';
import { RESPONSES_REPORTS } from '../../../support/replies/reported/responses.ts';
import { STREAM_REPORTS } from '../../../support/replies/reported/streams.ts';
import { TEXT_CALL_REPORTS } from '../../../support/replies/reported/text-calls.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

const ROWS = [
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
  TEXT_CALL_REPORTS,
].flat();

it.each(ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
