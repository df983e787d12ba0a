import type { ServiceName } from '../../conversation/conversation.ts';
import type { WireError } from '../../wire/wire.ts';

type ByService<Value> = Readonly<Partial<Record<ServiceName, Value>>>;

/** The status and the body of an answer; METHOD and PATH stand for those of the request. */
type Answer = readonly [status: number, body: string];
/** The answers to an unknown path and to another method; a service without the second gives the first for both. */
type Stray = readonly [path: Answer, method?: Answer];

// Recordings vllm-0.32.0/005-unknown-route and litellm-1.108.7-mock/006-get-chat.
const FASTAPI: Stray = [
  [404, '{"detail":"Not Found"}'],
  [405, '{"detail":"Method Not Allowed"}'],
];

const STRAY: ByService<Stray> = {
  // https://github.com/microsoft/TaskWeaver/issues/11, 2023-12-04
  openai: [
    [404, '{"error":{"message":"Invalid URL (METHOD PATH)","type":"invalid_request_error","param":null,"code":null}}'],
    [
      405,
      '{"error":{"message":"Not allowed to METHOD on PATH. (HINT: Perhaps you meant to use a different HTTP method?)","type":"invalid_request_error","param":null,"code":"method_not_supported"}}',
    ],
  ],
  vllm: FASTAPI,
  'vllm-without-parser': FASTAPI,
  sglang: FASTAPI,
  litellm: FASTAPI,
  // Recordings ollama-0.17.4-scripted/005-unknown-route and 006-get-chat.
  ollama: [
    [404, '404 page not found'],
    [405, '405 method not allowed'],
  ],
  // Recordings llamacpp-11434-scripted/005-unknown-route and 006-get-chat.
  llamacpp: [[404, '{"error":{"message":"File Not Found","type":"not_found_error","code":404}}']],
  // lmstudio-ai/lms#169, 2025-02-19: an error with the status of a success.
  lmstudio: [[200, '{"error":"Unexpected endpoint or method. (METHOD PATH)"}']],
  // ChatGPTNextWeb/NextChat#4599, 2024-04-30; TAGonSoft/groq-dart#15, 2024-12-02
  groq: [
    [
      404,
      '{"error":{"message":"Unknown request URL: METHOD PATH. Please check the URL for typos, or see the docs at https://console.groq.com/docs/","type":"invalid_request_error","code":"unknown_url"}}',
    ],
  ],
  // MoonshotAI/moonpalace#5, 2024-12-13
  moonshot: [
    [
      404,
      '{"code":5,"error":"url.not_found","message":"没找到对象","method":"METHOD","scode":"0x5","status":false,"ua":"","url":"PATH"}',
    ],
  ],
  // nextcloud/assistant#593, 2026-06-29
  mistral: [[404, '{"message":"no Route matched with those values","request_id":"4e66bb7fa0db6457e2b7e7d17e5b2875e"}']],
  // cline/cline#926, 2024-12-16: no body
  dashscope: [[404, '']],
  // vellum-ai/vellum-assistant#25930, 2026-04-15: the page of the web site
  openrouter: [[404, '<!DOCTYPE html><html lang="en"><head><title>Not Found | OpenRouter</title></head></html>']],
  // simonlin1212/Vibe-Research#22, 2026-08-02: without the path of the gateway
  zai: [[404, '{"timestamp":"2026-08-02T00:00:00.000+00:00","status":404,"error":"Not Found","path":"PATH"}']],
  // fredrikburmester/streamystats#491, 2026-03-28
  anthropic: [[404, '{"type":"error","error":{"type":"not_found_error","message":"Not Found"}}']],
  // MicrosoftDocs/azure-docs#114602, 2023-09-12
  azure: [[404, '{"error":{"code":"404","message":"Resource not found"}}']],
};

/** The answer of a service to a path or a method that the service does not have; `undefined` if it is not known. */
export function strayAnswerOf(
  service: ServiceName | undefined,
  { code }: Pick<WireError, 'code'>,
  { method, path }: { readonly method: string; readonly path: string },
): { readonly status: number; readonly body: string } | undefined {
  const stray = service && (code === 'unknown_url' || code === 'method_not_supported') ? STRAY[service] : undefined;
  if (stray === undefined) return undefined;
  const [status, body] = (code === 'method_not_supported' ? stray[1] : undefined) ?? stray[0];
  const shown = JSON.stringify(service === 'zai' ? path.replace(/^\/api(?:\/coding)?\/paas/, '') : path).slice(1, -1);
  return { status, body: body.replace('METHOD', method).replace('PATH', () => shown) };
}
