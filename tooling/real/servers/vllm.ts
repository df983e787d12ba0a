import path from 'node:path';
import type { MarkupName } from '../../../mock-llm-server/weights/markups/markups.ts';
import { ofOpenAiServer, type RealServer } from '../real-server.ts';
import { packageCommands, pythonOf } from './python-package.ts';

/**
 * The parsers for the markups. That of gpt-oss is tied to the type of the model. Those of DeepSeek and Qwen3-Coder want
 * their marks as tokens, and in a model whose weights are a script a token can be followed by one other alone.
 */
const PARSERS: ReadonlyMap<MarkupName, readonly string[]> = new Map([
  ['hermes', ['--tool-call-parser', 'hermes']],
  ['llama3', ['--tool-call-parser', 'llama3_json']],
  ['mistral', ['--tool-call-parser', 'mistral', '--reasoning-parser', 'mistral']],
]);

const OVERRIDES = path.join(import.meta.dirname, '../requirements/vllm-overrides.txt');

/** vLLM on the processor. Its packages have 6 GB, so it is installed only by its name. */
export const VLLM: RealServer = {
  name: 'vllm',
  version: '0.32.0',
  cost: '2 minutes, 6 GB; needs python3 and a C++ compiler',
  onlyByName: true,
  markups: [...PARSERS.keys()],
  program: (directory) => path.join(directory, 'venv/bin/vllm'),
  install: (directory) => packageCommands(directory, 'vllm.txt', ['--override', OVERRIDES]),
  async start({ installation, freePort, model }) {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const name = 'scripted';
    return {
      file: pythonOf(installation),
      // Mostly no reasoning parser: that of Qwen 3 takes the whole answer as reasoning if it has no </think>.
      args: [
        ...['-m', 'vllm.entrypoints.openai.api_server', '--model', model.directory, '--served-model-name', name],
        ...['--host', '127.0.0.1', '--port', String(port), '--max-model-len', String(model.window), '--enforce-eager'],
        ...['--enable-auto-tool-choice', ...(PARSERS.get(model.markup) ?? [])],
      ],
      environment: {
        HF_HUB_OFFLINE: '1',
        VLLM_CPU_KVCACHE_SPACE: '1',
        VLLM_CPU_OMP_THREADS_BIND: 'nobind',
        OMP_NUM_THREADS: '1',
        VLLM_NO_USAGE_STATS: '1',
        DO_NOT_TRACK: '1',
      },
      readyUrl: `${base}/health`,
      readyMs: 600_000,
      addresses: ofOpenAiServer(base, name),
    };
  },
};
