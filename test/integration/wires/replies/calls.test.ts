import { it } from 'vitest';
import { CALL_ROWS } from '../../../support/replies/call-rows.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

it.each(CALL_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
