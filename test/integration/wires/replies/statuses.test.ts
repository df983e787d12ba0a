import { it } from 'vitest';
import { checkReply } from '../../../support/replies/run-reply.ts';
import { STATUS_ROWS } from '../../../support/replies/status-rows.ts';

it.each(STATUS_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
