// A second reading of BPF programs, written from linux/filter.h and the page bpf(4), not from the assembler of ybs.

/** The fields of `struct seccomp_data` that filters read. */
export interface SystemCallData {
  readonly number: number;
  readonly architecture: number;
  /** Six arguments of 64 bits. */
  readonly args?: readonly bigint[];
}

interface Step {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

function stepsOf(program: Uint8Array): readonly Step[] {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  return Array.from({ length: program.length / 8 }, (_, index) => ({
    code: view.getUint16(index * 8, true),
    jt: view.getUint8(index * 8 + 2),
    jf: view.getUint8(index * 8 + 3),
    k: view.getUint32(index * 8 + 4, true),
  }));
}

/** Runs a filter on a system call, as a processor with the low bytes first does, and returns its action. */
export function runFilter(program: Uint8Array, { number, architecture, args = [] }: SystemCallData): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number >>> 0, true);
  data.setUint32(4, architecture >>> 0, true);
  for (const [index, value] of args.entries()) data.setBigUint64(16 + index * 8, BigInt.asUintN(64, value), true);
  const steps = stepsOf(program);
  let accumulator = 0;
  for (let at = 0; at < steps.length; at += 1) {
    const { code, jt, jf, k } = steps[at] ?? { code: -1, jt: 0, jf: 0, k: 0 };
    switch (code) {
      case 0x20: // BPF_LD | BPF_W | BPF_ABS
        accumulator = data.getUint32(k, true);
        break;
      case 0x54: // BPF_ALU | BPF_AND | BPF_K
        accumulator = (accumulator & k) >>> 0;
        break;
      case 0x15: // BPF_JMP | BPF_JEQ | BPF_K
        at += accumulator === k ? jt : jf;
        break;
      case 0x35: // BPF_JMP | BPF_JGE | BPF_K
        at += accumulator >= k ? jt : jf;
        break;
      case 0x45: // BPF_JMP | BPF_JSET | BPF_K
        at += (accumulator & k) === 0 ? jf : jt;
        break;
      case 0x06: // BPF_RET | BPF_K
        return k;
      default:
        throw new Error(`the instruction ${at} has the unknown code ${code}`);
    }
  }
  throw new Error('the program ends without an answer');
}

const NAMES: Readonly<Record<number, string>> = { 32: 'ld', 84: 'and', 21: 'jeq', 53: 'jge', 69: 'jset', 6: 'ret' };

/** The lines of a program. Throws for a jump beyond its end, which the kernel refuses. */
export function disassemble(program: Uint8Array): readonly string[] {
  const steps = stepsOf(program);
  return steps.map(({ code, jt, jf, k }, index) => {
    const name = NAMES[code];
    if (name === undefined) throw new Error(`the instruction ${index} has the unknown code ${code}`);
    if (!name.startsWith('j')) return `${index}: ${name} 0x${k.toString(16)}`;
    if (index + 1 + Math.max(jt, jf) >= steps.length) throw new Error(`the instruction ${index} jumps beyond the end`);
    return `${index}: ${name} 0x${k.toString(16)} ? ${index + 1 + jt} : ${index + 1 + jf}`;
  });
}
