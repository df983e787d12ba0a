import { it } from 'vitest';
import { FORM_ROWS } from '../../../support/replies/form-rows.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

it.each(FORM_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
