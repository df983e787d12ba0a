import { it } from 'vitest';
import { REPORTED_ROWS } from '../../../support/replies/reported/all.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

it.each(REPORTED_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
