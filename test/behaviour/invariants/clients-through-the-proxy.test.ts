import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** An address of this machine that programs, unlike 127.0.0.1, do not treat as local. */
const HOST = '127.0.0.2';

function execute(directory: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd: directory, stdio: 'ignore' });
}

/** Serves the files of a directory over TLS, with a certificate in the file `ca.crt` of it. Returns the address. */
async function serve(directory: string): Promise<string> {
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test'];
  // Behind any proxy, npm compares the certificate of a server that has only an address with `localhost`.
  const names = `subjectAltName=IP:${HOST},DNS:localhost`;
  execute(directory, 'openssl', ...request, '-addext', names, '-keyout', 'tls', '-out', 'ca.crt');
  const [key, cert] = ['tls', 'ca.crt'].map((name) => readFileSync(path.join(directory, name)));
  const server = https.createServer({ key, cert }, ({ url = '/' }, response) => {
    const file = path.join(directory, url.replace(/\?.*/, '').replace(/\/$/, '/index.html'));
    const type = file.endsWith('.html') ? 'text/html' : 'application/octet-stream';
    if (existsSync(file)) response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `${HOST}:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** The Python of this machine that has pip, which may be a shim that looks for it in the home. */
function pythonWithPip(): string | undefined {
  try {
    return execFileSync('python3', ['-c', 'import pip, sys; print(sys.executable)'], {
      env: { PYENV_ROOT: path.join(os.userInfo().homedir, '.pyenv'), ...process.env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

/** The directory with the programs of the default toolchain, which the shims of rustup would look for in the home. */
function cargoDirectory(): string | undefined {
  try {
    // The tests have their own home directory.
    const env = { RUSTUP_HOME: path.join(os.userInfo().homedir, '.rustup'), ...process.env };
    const root = execFileSync('rustc', ['--print', 'sysroot'], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return path.join(root.trim(), 'bin');
  } catch {
    return undefined;
  }
}

function write(directory: string, name: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
  writeFileSync(path.join(directory, name), content);
}

const granted = { safety: { sandbox_hosts: [HOST] } };
const options = ['--permission-mode', 'full-access'];

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('through the proxy of the sandbox', () => {
  it.each([
    ['a granted host', granted, true],
    ['control: no granted host', {}, false],
  ])('git clones over HTTPS with %s', async (_name, config, works) => {
    const files = temporaryDirectory();
    const address = await serve(files);
    write(files, 'work/a.txt', 'from the server\n');
    const work = path.join(files, 'work');
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one'],
      ['clone', '-q', '--bare', '.', '../lib.git'],
    ])
      execute(work, 'git', ...args);
    execute(path.join(files, 'lib.git'), 'git', 'update-server-info');
    const clone = `git -c http.sslCAInfo="$PWD/ca.crt" clone -q https://${address}/lib.git lib; cat lib/a.txt`;
    const certificate = readFileSync(path.join(files, 'ca.crt'), 'utf8');
    const { calls } = await playDecisions([[run(clone)]], { options, config, files: { 'ws/ca.crt': certificate } });
    expect(calls[0]?.reads.includes('from the server')).toBe(works);
  });

  const cargo = cargoDirectory();
  it.skipIf(cargo === undefined)('cargo fetches from a registry', async () => {
    const files = temporaryDirectory();
    const address = await serve(files);
    write(files, 'leaf-1.0.0/Cargo.toml', '[package]\nname = "leaf"\nversion = "1.0.0"\nedition = "2021"\n');
    write(files, 'leaf-1.0.0/src/lib.rs', '// from the server\n');
    mkdirSync(path.join(files, 'crates/leaf/1.0.0'), { recursive: true });
    execute(files, 'tar', '-czf', 'crates/leaf/1.0.0/download', 'leaf-1.0.0');
    const cksum = createHash('sha256')
      .update(readFileSync(path.join(files, 'crates/leaf/1.0.0/download')))
      .digest('hex');
    write(files, 'index/config.json', JSON.stringify({ dl: `https://${address}/crates` }));
    write(
      files,
      'index/le/af/leaf',
      `${JSON.stringify({ name: 'leaf', vers: '1.0.0', deps: [], features: {}, cksum, yanked: false })}\n`,
    );
    const project = {
      'ws/ca.crt': readFileSync(path.join(files, 'ca.crt'), 'utf8'),
      'ws/Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nleaf = "1"\n',
      'ws/src/lib.rs': '',
      'ws/.cargo/config.toml': `[http]\ncainfo = "ca.crt"\n[source.crates-io]\nreplace-with = "near"\n[source.near]\nregistry = "sparse+https://${address}/index/"\n`,
    };
    const command = 'cargo fetch && cat "$CARGO_HOME"/registry/src/*/leaf-1.0.0/src/lib.rs';
    const environment = { PATH: `${cargo}:${process.env['PATH']}` };
    const { calls } = await playDecisions([[run(command)]], { options, config: granted, files: project, environment });
    expect(calls[0]?.reads).toContain('from the server');
  });

  it('npm installs from a registry', async () => {
    const files = temporaryDirectory();
    const address = await serve(files);
    write(files, 'package/package.json', JSON.stringify({ name: 'leaf', version: '1.0.0' }));
    write(files, 'package/index.js', '// from the server\n');
    execute(files, 'tar', '-czf', 'leaf-1.0.0.tgz', 'package');
    const dist = { tarball: `https://${address}/leaf-1.0.0.tgz` };
    const versions = { '1.0.0': { name: 'leaf', version: '1.0.0', dist } };
    write(files, 'leaf', JSON.stringify({ name: 'leaf', 'dist-tags': { latest: '1.0.0' }, versions }));
    const project = {
      'ws/ca.crt': readFileSync(path.join(files, 'ca.crt'), 'utf8'),
      'ws/package.json': JSON.stringify({ dependencies: { leaf: '^1.0.0' } }),
    };
    const command = `npm install --registry=https://${address}/ --cafile=ca.crt && cat node_modules/leaf/index.js`;
    const { calls } = await playDecisions([[run(command)]], { options, config: granted, files: project });
    expect(calls[0]?.reads).toContain('from the server');
  });

  const python = pythonWithPip();
  it.skipIf(python === undefined)('pip installs from an index', async () => {
    const files = temporaryDirectory();
    const address = await serve(files);
    const wheel = 'leaf-1.0.0-py3-none-any.whl';
    write(files, 'wheel/leaf.py', 'text = "from the server"\n');
    write(files, 'wheel/leaf-1.0.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: leaf\nVersion: 1.0.0\n');
    write(files, 'wheel/leaf-1.0.0.dist-info/WHEEL', 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n');
    write(files, 'wheel/leaf-1.0.0.dist-info/RECORD', 'leaf.py,,\n');
    const zip = `import shutil; shutil.make_archive('${wheel}', 'zip', 'wheel')`;
    execute(files, 'python3', '-c', `${zip}; import os; os.rename('${wheel}.zip', '${wheel}')`);
    write(files, 'simple/leaf/index.html', `<a href="https://${address}/${wheel}">${wheel}</a>`);
    const project = { 'ws/ca.crt': readFileSync(path.join(files, 'ca.crt'), 'utf8') };
    const index = `--index-url https://${address}/simple/ --cert ca.crt --disable-pip-version-check`;
    const command = `${python} -m pip install ${index} --target lib leaf; cat lib/leaf.py`;
    const environment = { PATH: `${path.dirname(python ?? '')}:${process.env['PATH']}` };
    const { calls } = await playDecisions([[run(command)]], { options, config: granted, files: project, environment });
    expect(calls[0]?.reads).toContain('text = "from the server"');
  });
});
