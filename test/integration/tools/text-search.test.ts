import { WorkerTextSearch } from '../../../src/node/search/worker-text-search.ts';
import { textSearchContract } from '../../support/contracts/text-search.ts';
import { createInProcessTextSearch } from '../../support/fakes/in-process-text-search.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';

const DEADLINE_MS = 1_500;

textSearchContract([
  {
    name: 'in process',
    create: () => ({
      search: (patience) => createInProcessTextSearch(patience),
      passDeadline: () => {},
      dispose: async () => {},
    }),
  },
  {
    name: 'worker threads',
    create: () => {
      const clock = createManualClock();
      const search = new WorkerTextSearch({ deadlineMs: DEADLINE_MS, clock });
      return {
        search: () => search,
        passDeadline: () => clock.advance(DEADLINE_MS),
        dispose: () => search.dispose(),
      };
    },
  },
]);
