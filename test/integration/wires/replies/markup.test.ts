import { it } from 'vitest';
import { MARKUP_ROWS } from '../../../support/replies/markup-rows.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

it.each(MARKUP_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
