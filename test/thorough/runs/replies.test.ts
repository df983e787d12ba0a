import { it } from 'vitest';
import { CALL_ROWS } from '../../support/replies/call-rows.ts';
import { FINISH_ROWS } from '../../support/replies/finish-rows.ts';
import { MARKUP_ROWS } from '../../support/replies/markup-rows.ts';
import { checkReply } from '../../support/replies/run-reply.ts';
import { SHAPE_ROWS } from '../../support/replies/shape-rows.ts';

// The integration tests send these bytes to the sources, and here they go to the built command.
it.each([...CALL_ROWS, ...FINISH_ROWS, ...MARKUP_ROWS, ...SHAPE_ROWS])('$wire: $name', (row) =>
  checkReply(row, 'built'),
);
