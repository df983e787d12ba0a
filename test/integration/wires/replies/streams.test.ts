import { it } from 'vitest';
import { checkReply } from '../../../support/replies/run-reply.ts';
import { STREAM_ROWS } from '../../../support/replies/stream-rows.ts';

it.each(STREAM_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
