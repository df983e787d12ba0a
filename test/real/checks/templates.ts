import assert from 'node:assert/strict';
import { askForAnswer } from '../../support/weights/ask-for-answer.ts';
import { HISTORIES } from '../../support/weights/histories.ts';
import type { Check } from '../check.ts';

/** The checks that the template engine of a server chooses the step of the mock. */
export const TEMPLATE_CHECKS: readonly Check[] = [
  {
    name: 'prompts and histories, as the mock reads them',
    async run({ address, mock, isFact }) {
      const differences: string[] = [];
      for (const [name, messages] of HISTORIES) {
        const expected = await askForAnswer(mock, messages);
        const found = await askForAnswer(address, messages);
        if (found === expected || isFact(name, found)) continue;
        differences.push(`${name}: ${found} – the mock: ${expected}`);
      }
      assert.equal(differences.length, 0, differences.join('\n'));
    },
  },
];
