import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ofOpenAiServer, type RealServer } from '../real-server.ts';
import { sourceCommands } from './llama-cpp.ts';

const VERSION = '0.17.4';
const MODULE = 'github.com/ollama/ollama';
/** The checksum of the module, as in go.sum. */
const SUM = 'h1:X3KNm9x4BlHqk/AXMGtC7pBAFd46nmJmy8yDaBZLo9s=';

/** Files that the installation does not need any more. */
const LEFTOVERS = ['headers', 'go-build', 'go/pkg', 'config'];

const program = (directory: string): string => path.join(directory, 'go/bin/ollama');

/** Ollama, built by Go from its module. Go leaves vendored headers out of a module; those of llama.cpp take their place. */
export const OLLAMA: RealServer = {
  name: 'ollama',
  version: VERSION,
  cost: '4 minutes, 48 MB; needs go, python3 and a C++ compiler',
  program,
  install(directory) {
    const headers = path.join(directory, 'headers');
    const { source, commands } = sourceCommands(headers, ['vendor']);
    const folders = ['', '/nlohmann', '/stb', '/miniaudio'].map((folder) => `-I${source}/vendor${folder}`);
    const flags = ['-O3', '-march=native', ...folders].join(' ');
    // Go counts its uses beside the user's settings, which it still reads.
    const settings = process.env['XDG_CONFIG_HOME'] || path.join(os.homedir(), '.config');
    const environment = {
      XDG_CONFIG_HOME: path.join(directory, 'config'),
      GOENV: process.env['GOENV'] || path.join(settings, 'go/env'),
      GOPATH: path.join(directory, 'go'),
      GOCACHE: path.join(directory, 'go-build'),
      GOFLAGS: '-modcacherw',
      CGO_ENABLED: '1',
      CGO_CFLAGS: flags,
      CGO_CXXFLAGS: flags,
    };
    const module = `${MODULE}@v${VERSION}`;
    return [
      { command: ['mkdir', '-p', headers] },
      ...commands.map((each) => ({ ...each, directory: headers })),
      { command: ['go', 'mod', 'download', '-json', module], environment, prints: `"Sum": "${SUM}"` },
      { command: ['go', 'install', module], environment },
      { command: ['rm', '-rf', ...LEFTOVERS.map((name) => path.join(directory, name))] },
    ];
  },
  async start({ installation, temporary, freePort, model }) {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const environment = {
      OLLAMA_HOST: `127.0.0.1:${port}`,
      OLLAMA_MODELS: path.join(temporary, 'models'),
      OLLAMA_NUM_PARALLEL: '1',
      OLLAMA_MAX_LOADED_MODELS: '2',
      OLLAMA_KEEP_ALIVE: '10m',
      OLLAMA_NOPRUNE: '1',
    };
    // One thread: several spin while they wait for each other, which is slow on a busy machine.
    const modelfile = path.join(temporary, 'Modelfile');
    const compiled = await readFile(path.join(model.directory, 'Modelfile'), 'utf8');
    const source = compiled.replace('FROM ./model.gguf', `FROM ${path.join(model.directory, 'model.gguf')}`);
    await writeFile(modelfile, `${source}PARAMETER num_thread 1\n`);
    return {
      file: program(installation),
      args: ['serve'],
      environment,
      readyUrl: `${base}/api/version`,
      readyMs: 30_000,
      load: [{ command: [program(installation), 'create', 'scripted', '-f', modelfile], environment }],
      addresses: [{ wire: 'ollama-chat', endpoint: base, model: 'scripted' }, ...ofOpenAiServer(base, 'scripted')],
    };
  },
};
