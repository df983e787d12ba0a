import type { MockModel } from '../stories/run-stories.ts';

/** The model server that comes with ybs. Its parts are loaded when they are needed. */
export const mockModel: MockModel = {
  async load(paths) {
    const { loadScenarioFiles, nodeScenarioFiles } = await import('../../mock-llm-server/scenario/loading/load.ts');
    return loadScenarioFiles(paths, nodeScenarioFiles);
  },
  async start(files, { drift = 'off', keepsPrompts = false } = {}) {
    const { createScenarioSet } = await import('../../mock-llm-server/scenario/prepare.ts');
    const scenarios = createScenarioSet(files);
    const [{ startMockServer }, { createJournal }, prompts] = await Promise.all([
      import('../../mock-llm-server/server/listen.ts'),
      import('../../mock-llm-server/journal/journal.ts'),
      keepsPrompts
        ? import('../../mock-llm-server/drift/check-drift.ts').then((room) => room.collectPrompts())
        : undefined,
    ]);
    const journal = createJournal();
    const results = new Map<string, string>();
    const server = await startMockServer({
      scenarios,
      journal,
      drift,
      ...(prompts && { observePrompt: prompts.add }),
      observe({ messages }) {
        for (const { parts } of messages) {
          for (const part of parts) {
            if (part.type === 'tool_result') results.set(JSON.stringify([part.callId, part.content]), part.content);
          }
        }
      },
    });
    return {
      ...server,
      requests: journal.entries,
      results: () => [...results.values()],
      prompts: () => prompts?.list ?? [],
    };
  },
  async watch(endpoint) {
    const { watchServer } = await import('../../mock-llm-server/record/watch-server.ts');
    return Object.assign(await watchServer(endpoint), { prompts: () => [] });
  },
  async draftLock(runs, lock) {
    return (await import('../../mock-llm-server/drift/lock.ts')).draftLock(runs, lock);
  },
};
