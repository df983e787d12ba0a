import type { Protocol, ServiceName } from '../../conversation/conversation.ts';
import { anthropicStatusError } from '../../wire/anthropic/errors.ts';
import { geminiStatusError } from '../../wire/gemini/errors.ts';
import { openaiStatusError } from '../../wire/openai/errors.ts';
import type { StatusRequest } from '../../wire/wire.ts';
import { statusErrorOf } from '../errors/status-error.ts';
import { textOf } from '../raw.ts';
import type { Check, RawRequest, Rule, Service, Violation } from '../service.ts';
import { shareRules } from '../share-rules.ts';
import { KEYS, NO_JSON, NO_MODELS, PATHS, type Source } from './access-table.ts';

const OPENAI: readonly Protocol[] = ['openai-chat', 'openai-responses'];
const ALL: readonly Protocol[] = [...OPENAI, 'anthropic-messages'];
const GEMINI: readonly Protocol[] = ['gemini'];
const UNNAMED = 'text/plain;charset=UTF-8';

/** The first key of a request with the name of its header or parameter before it; empty if it has none. */
function keyOf({ headers, query, protocol }: RawRequest, service: ServiceName): string {
  // OpenAI also takes a key as the password of a user without a name.
  const scheme = service === 'openai' ? /^(?:Bearer|Basic) +(\S.*)/i : /^Bearer +(\S.*)/i;
  const bearer = scheme.exec(headers['authorization'] ?? '')?.[1];
  const places = {
    ...(protocol === 'anthropic-messages' && { 'x-api-key': headers['x-api-key'] }),
    ...(protocol === 'gemini' && { 'x-goog-api-key': headers['x-goog-api-key'], key: query['key'] }),
    ...(service === 'azure' && { 'api-key': headers['api-key'] }),
    [protocol === 'anthropic-messages' ? 'bearer' : 'authorization']: bearer,
  };
  const found = Object.entries(places).find(([, key]) => key);
  return found?.join(' ') ?? '';
}

/** True if a request has a place for a key, filled or not. None is needed: tests have no keys. */
function bringsKey({ headers, query }: RawRequest): boolean {
  const { authorization, 'x-api-key': own, 'x-goog-api-key': ofGoogle, 'api-key': ofAzure } = headers;
  return [authorization, own, ofGoogle, ofAzure, query['key']].some((value) => value !== undefined);
}

/** The error of a service for a status, in its own words or in those of the protocol. */
function errorOf(service: ServiceName, { protocol }: RawRequest, request: StatusRequest): Violation {
  const encode = protocol === 'gemini' ? geminiStatusError : openaiStatusError;
  return (
    statusErrorOf(service, protocol, request) ??
    (protocol === 'anthropic-messages' ? anthropicStatusError : encode)(request)
  );
}

/** The parts of a rule that differ from column to column. */
type Column = readonly [name: string, refuses: string, accepts: string, from: Source | undefined, check: Check];

/** The columns of the tables, in the order in which a service checks a request. */
function columnsOf(service: ServiceName): readonly Column[] {
  const [, pathFrom] = PATHS[service] ?? [];
  const { source: keyFrom, none, wrong, error } = KEYS[service] ?? {};
  const [typeError = '', typeFrom, code = null] = NO_JSON[service] ?? [];
  const [models, status = 404, modelFrom] = NO_MODELS[service] ?? [];
  const faults = [
    ...(none === false ? [] : ['an empty key or one in another header']),
    ...(wrong === undefined ? [] : ['a key in a form that the service does not take']),
  ];
  const refusePath: Check = (request) =>
    lacksPath(service, request) ? { status: 404, code: 'unknown_url', message: 'Not found' } : undefined;
  const refuseKey: Check = (request) => {
    const key = keyOf(request, service);
    const { 'anthropic-version': version = '', 'copilot-integration-id': integration = '' } = request.headers;
    const isWrong = key === '' ? none !== false && bringsKey(request) : wrong?.test(`${key} ${version} ${integration}`);
    if (!isWrong) return undefined;
    return (key === '' ? none || error : error) ?? errorOf(service, request, { status: 401, model: '' });
  };
  // A client that names no type sends that of `fetch` for a string.
  const refuseType: Check = ({ headers: { 'content-type': type = UNNAMED } }) =>
    type === UNNAMED || /^application\/json *(?:;|$)/i.test(type)
      ? undefined
      : { code, message: typeError.replaceAll('TYPE', type) };
  const refuseModel: Check = (request) => {
    // The path of a deployment names the model.
    if (request.path.includes('/deployments/')) return undefined;
    const model = service === 'gemini' ? request.model : textOf(request.body['model'] ?? request.model);
    return models?.test(model) ? errorOf(service, request, { status, model }) : undefined;
  };
  return [
    ['path', 'a path that the service does not have', 'its own paths and `/v1`', pathFrom, refusePath],
    ['key', faults.join(', and '), 'other keys, and none at all', keyFrom, refuseKey],
    ['media-type', 'another `content-type` than JSON', '`application/json`', typeFrom, refuseType],
    ['unknown-model', 'a model that the service does not have', 'one that it has', modelFrom, refuseModel],
  ];
}

/** The rules about what surrounds the body. Where no service is named, the server may have other keys and models. */
function accessRules(service: ServiceName): readonly Rule[] {
  const ofModel = service === 'gemini' ? GEMINI : service === 'anthropic' ? ALL.slice(2) : OPENAI;
  const ofAll = service === 'gemini' ? GEMINI : ALL;
  return columnsOf(service).flatMap(([name, refuses, accepts, from, check]) => {
    const [, page, date] = /(.*) (.*)/.exec(from ?? '') ?? [];
    if (page === undefined || date === undefined) return [];
    const rule: Rule = {
      id: `${service}/${name}`,
      protocols: name === 'unknown-model' ? ofModel : ofAll,
      only: true,
      refuses: `${refuses}, if the service is named`,
      accepts,
      source: /^(?:https:|recording )/.test(page) ? page : `https://github.com/${page}`,
      date,
      check: (request) => (request.isNamed ? check(request) : undefined),
    };
    return [rule];
  });
}

/** The service with the rules of its cells in the tables before its own. */
export function withAccess(service: Service): Service {
  const { name, rules } = service;
  const own = name === 'vllm-without-parser' ? shareRules(name, accessRules('vllm')) : accessRules(name);
  return { ...service, rules: [...own, ...rules] };
}

/** True if a service does not have a path for its protocols, nor for models and embeddings. */
export function lacksPath(
  service: ServiceName | undefined,
  { path, query }: Pick<RawRequest, 'path' | 'query'>,
): boolean {
  const [paths] = (service && PATHS[service]) ?? [];
  return paths?.test(query['api-version'] ? `${path}?` : path) === false;
}
