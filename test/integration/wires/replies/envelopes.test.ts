import { it } from 'vitest';
import { ENVELOPE_ROWS } from '../../../support/replies/envelope-rows.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

it.each(ENVELOPE_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
