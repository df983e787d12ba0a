import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HostRun } from '../hosts.ts';

/** The checks with the Claude Agent SDK as the host of ybs. Its optional packages are Claude Code itself. */
export const SDK_RUN: HostRun = {
  name: 'claude-agent-sdk',
  protocol: 'stream-json',
  agent: {
    title: 'Claude Agent SDK',
    name: '@anthropic-ai/claude-agent-sdk',
    version: '0.3.329',
    bin: 'claude-agent-sdk',
    needsInstallScript: false,
    omitsOptional: true,
  },
  args: () => [],
  expected: { exitCode: 0, fixed: false, output: [] },
};

/** A message of the Claude Agent SDK, as far as the checks look at it. */
export interface SdkMessage {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly [field: string]: unknown;
}

/** A running query of the SDK. */
export interface SdkQuery extends AsyncIterable<SdkMessage> {
  interrupt(): Promise<unknown>;
  setPermissionMode(mode: string): Promise<void>;
  setModel(model: string): Promise<void>;
  initializationResult(): Promise<object>;
  mcpServerStatus(): Promise<readonly object[]>;
}

/** The functions of the SDK that the checks use. */
export interface Sdk {
  query(request: { readonly prompt: unknown; readonly options: object }): SdkQuery;
  createSdkMcpServer(server: object): unknown;
  tool(
    name: string,
    description: string,
    schema: object,
    run: (args: object) => Promise<object>,
    more?: object,
  ): unknown;
}

/** Loads the SDK from the directory that npm installed it in. */
export async function loadSdk(directory: string): Promise<Sdk & { readonly schema: () => object }> {
  const modules = path.join(directory, 'node_modules');
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(path.join(modules, file)).href);
  const sdk: unknown = await load('@anthropic-ai/claude-agent-sdk/sdk.mjs');
  const zod: unknown = await load('zod/index.js');
  if (!isSdk(sdk) || !isZod(zod)) throw new Error('The Claude Agent SDK has changed: a function is missing.');
  const { query, createSdkMcpServer, tool } = sdk;
  return { query, createSdkMcpServer, tool, schema: () => ({ city: zod.string() }) };
}

function isSdk(value: unknown): value is Sdk {
  return isModule(value) && ['query', 'createSdkMcpServer', 'tool'].every((name) => typeof value[name] === 'function');
}

function isZod(value: unknown): value is { string(): object } {
  return isModule(value) && typeof value['string'] === 'function';
}

function isModule(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
