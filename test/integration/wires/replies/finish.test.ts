import { it } from 'vitest';
import { FINISH_ROWS } from '../../../support/replies/finish-rows.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

it.each(FINISH_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
