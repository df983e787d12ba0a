import type { RealServer } from './real-server.ts';
import { LITELLM } from './servers/litellm.ts';
import { LLAMA_CPP } from './servers/llama-cpp.ts';
import { OLLAMA } from './servers/ollama.ts';
import { VLLM } from './servers/vllm.ts';

/** The servers of `npm run test:real`, in its order. */
export const SERVERS: readonly RealServer[] = [LLAMA_CPP, OLLAMA, LITELLM, VLLM];
