import { it } from 'vitest';
import { GATEWAY_ROWS } from '../../../support/replies/gateway-rows.ts';
import { checkReply } from '../../../support/replies/run-reply.ts';

it.each(GATEWAY_ROWS)('$wire: $name', (row) => checkReply(row, 'sources'));
