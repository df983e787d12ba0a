import { candidates, start } from './tooling/bench/mock/servers.ts';
import { workloadOf } from './tooling/bench/mock/workloads.ts';
import { sendRequest } from './tooling/bench/mock/load-client.ts';
import { mkdtempSync } from 'node:fs';
const proto = process.argv[2] as any, bursts = Number(process.argv[3] ?? 60), prof = process.argv[4];
const dir = mkdtempSync('/tmp/h-');
const c = candidates(dir);
const wrap = (x: any, tag: string) => ({ name: x.name, args: (p: number) => prof ? ['--cpu-prof', '--cpu-prof-dir=' + prof, '--cpu-prof-name=' + tag + '.cpuprofile', ...x.args(p)] : x.args(p) });
const on = await start(wrap(c.own, proto + '-on')), off = await start(wrap(c.unchecked, proto + '-off'));
const req = workloadOf(proto).requests.agent;
const per: number[][] = [[], []];
for (let b = 0; b < bursts; b++) for (const [i, s] of [on, off].entries()) {
  const t = s.cpuTime()!;
  let n = 64; await Promise.all(Array.from({ length: 16 }, async () => { while (n-- > 0) await sendRequest(s.port, req); }));
  per[i]!.push((s.cpuTime()! - t) / 64);
}
const med = (a: number[]) => [...a].sort((x, y) => x - y)[a.length >> 1]!;
for (const [lo, hi] of [[0, .25], [.25, .5], [.5, 1]]) {
  const a = per[0]!.slice(bursts * lo!, bursts * hi!), b = per[1]!.slice(bursts * lo!, bursts * hi!);
  console.log(proto, lo, Math.round(med(a)), Math.round(med(b)), (med(a) / med(b)).toFixed(3));
}
await on.stop(); await off.stop();
