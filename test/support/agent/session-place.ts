import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '../processes/temporary-directory.ts';
import { startRecordingServer } from '../wires/recording-server.ts';

/** A model that answers two prompts, and a home directory and a directory that several processes of ybs share. */
export async function sessionPlace() {
  const step = (content: string) => ({ steps: [{ response: { content } }] });
  const server = await startRecordingServer({
    scenarios: [
      { name: 'second', trigger: 'and then', ...step('Then tea.') },
      { name: 'first', trigger: 'what first', ...step('First water.') },
    ],
  });
  const home = temporaryDirectory();
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const directory = temporaryDirectory();
  const sessions = path.join(home, '.config/ybs/sessions');
  const logs = () => readdirSync(sessions).filter((name) => name.endsWith('.jsonl'));
  const read = (name: string) => readFileSync(path.join(sessions, name), 'utf8');
  return {
    server,
    options: { environment, directory },
    args: ['-p', 'mock', '--endpoint', server.url],
    sessions,
    logs,
    read,
  };
}
