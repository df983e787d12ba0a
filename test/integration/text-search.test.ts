import { WorkerTextSearch } from '../../src/adapters/search/worker-text-search.ts';
import { textSearchContract } from '../support/contracts/text-search.ts';
import { createInProcessTextSearch } from '../support/in-process-text-search.ts';

textSearchContract([
  {
    name: 'in process',
    create: () => ({ search: (patience) => createInProcessTextSearch(patience), dispose: async () => {} }),
  },
  {
    name: 'worker threads',
    create: () => {
      const opened: WorkerTextSearch[] = [];
      return {
        search: (patience) => {
          // Long enough to find something on a busy machine. The pattern itself never finishes.
          const search = new WorkerTextSearch({ deadlineMs: patience === undefined ? 600_000 : 1_500 });
          opened.push(search);
          return search;
        },
        dispose: async () => {
          for (const search of opened) await search.dispose();
        },
      };
    },
  },
]);
