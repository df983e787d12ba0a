import { it } from 'vitest';
import { PIECE_ROWS } from '../../../support/replies/piece-rows.ts';
import { RESPONSE_ROWS } from '../../../support/replies/response-rows.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

it.each([...RESPONSE_ROWS, ...PIECE_ROWS])('$wire: $name', (row) => checkReply(row, 'sources'));
