import { it } from 'vitest';
import { CALL_ROWS } from '../../support/replies/call-rows.ts';
import { ENVELOPE_ROWS } from '../../support/replies/envelope-rows.ts';
import { FINISH_ROWS } from '../../support/replies/finish-rows.ts';
import { FORM_ROWS } from '../../support/replies/form-rows.ts';
import { GATEWAY_ROWS } from '../../support/replies/gateway-rows.ts';
import { MARKUP_ROWS } from '../../support/replies/markup-rows.ts';
import { PIECE_ROWS } from '../../support/replies/piece-rows.ts';
import { RESPONSE_ROWS } from '../../support/replies/response-rows.ts';
import { checkReply } from '../../support/replies/run-reply.ts';
import { SHAPE_ROWS } from '../../support/replies/shape-rows.ts';
import { STATUS_ROWS } from '../../support/replies/status-rows.ts';
import { STREAM_ROWS } from '../../support/replies/stream-rows.ts';

// The integration tests send these bytes to the sources, and here they go to the built command. Those of reports have a
// file of their own, so that both can run at the same time.
const ROWS = [
  ...[CALL_ROWS, FINISH_ROWS, FORM_ROWS, MARKUP_ROWS, SHAPE_ROWS].flat(),
  ...[STREAM_ROWS, PIECE_ROWS, RESPONSE_ROWS, STATUS_ROWS, ENVELOPE_ROWS, GATEWAY_ROWS].flat(),
];
it.each(ROWS)('$wire: $name', (row) => checkReply(row, 'built'));
