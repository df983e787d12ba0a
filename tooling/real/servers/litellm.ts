import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { ofOpenAiServer, type RealServer, type ServerStart } from '../real-server.ts';
import { LLAMA_CPP } from './llama-cpp.ts';
import { startMock } from './mock.ts';
import { OLLAMA } from './ollama.ts';
import { packageCommands, pythonOf } from './python-package.ts';
import { VLLM } from './vllm.ts';

/** The proxy refuses to start without a key of its own, except for tests. It listens on this machine only. */
const WITHOUT_KEY = { LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true' };

/** The servers with the weights that it stands in front of, if they are installed, by its name of their API. */
const BEHIND = [
  { server: LLAMA_CPP, provider: 'openai', path: '/v1' },
  { server: OLLAMA, provider: 'ollama_chat', path: '' },
  { server: VLLM, provider: 'hosted_vllm', path: '/v1' },
] as const;

/** LiteLLM as a gateway: in front of the mock, as OpenAI, Anthropic and Gemini, and of each other server. */
export const LITELLM: RealServer = {
  name: 'litellm',
  version: '1.108.7',
  cost: '1 minute, 460 MB; needs python3',
  program: (directory) => path.join(directory, 'venv/bin/litellm'),
  install: (directory) => packageCommands(directory, 'litellm.txt'),
  async start(context) {
    const { installation, temporary, freePort, model } = context;
    const [port, mockPort] = [await freePort(), await freePort()];
    const mock = startMock(model.scenarios, mockPort);
    const mockBase = `http://127.0.0.1:${mockPort}`;
    const behind: Omit<ServerStart, 'addresses'>[] = [mock];
    const models: Record<string, { readonly model: string; readonly api_base: string; readonly api_key: string }> = {
      'mock as OpenAI': { model: 'openai/mock-model', api_base: `${mockBase}/v1`, api_key: 'unused' },
      'mock as Anthropic': { model: 'anthropic/mock-model', api_base: mockBase, api_key: 'unused' },
      'mock as Gemini': { model: 'gemini/mock-model', api_base: `${mockBase}/v1beta`, api_key: 'unused' },
    };
    for (const { server, provider, path: apiPath } of BEHIND) {
      const other = await context.installationOf(server.name);
      if (other === undefined) continue;
      const { addresses, ...start } = await server.start({ ...context, installation: other });
      behind.push(start);
      const [address] = addresses;
      if (address === undefined) continue;
      const base = new URL(apiPath, address.endpoint).href.replace(/\/$/, '');
      models[server.name] = { model: `${provider}/${address.model}`, api_base: base, api_key: 'unused' };
    }
    const names = Object.keys(models);
    const config = path.join(temporary, 'litellm.yaml');
    await writeFile(
      config,
      stringify({
        model_list: names.map((name) => ({
          model_name: modelName(name),
          litellm_params: models[name],
          // Without it, a request that asks for reasoning is refused.
          model_info: { supports_reasoning: true },
        })),
        router_settings: { disable_cooldowns: true, num_retries: 0 },
      }),
    );
    const base = `http://127.0.0.1:${port}`;
    return {
      file: pythonOf(installation),
      args: [
        path.join(installation, 'venv/bin/litellm'),
        ...['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'],
      ],
      environment: { LITELLM_LOCAL_MODEL_COST_MAP: 'True', NO_DOCS: 'True', ...WITHOUT_KEY },
      readyUrl: `${base}/health/liveliness`,
      readyMs: 180_000,
      behind,
      addresses: names.flatMap((name) =>
        ofOpenAiServer(base, modelName(name)).map((address) => ({
          ...address,
          behind: name,
          window: name.startsWith('mock') ? ('none' as const) : ('not stated' as const),
        })),
      ),
    };
  },
};

function modelName(behind: string): string {
  return behind.replaceAll(' ', '-').toLowerCase();
}
