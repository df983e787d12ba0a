import { it } from 'vitest';
import { REPORTED_ROWS } from '../../support/replies/reported/all.ts';
import { checkReply } from '../../support/replies/run-reply.ts';

// The bytes of public reports, which the integration tests send to the sources.
it.each(REPORTED_ROWS)('$wire: $name', (row) => checkReply(row, 'built'));
