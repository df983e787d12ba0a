import { it } from 'vitest';
import { checkReply } from '../../../support/replies/run-reply.ts';
import { SHAPE_ROWS } from '../../../support/replies/shape-rows.ts';

it.each(SHAPE_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
