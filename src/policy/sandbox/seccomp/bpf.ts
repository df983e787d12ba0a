/** One instruction of a classic BPF program, which jumps forward only. */
export interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

/** The codes of the instructions that filters of system calls use, by the names of linux/bpf_common.h. */
const BPF_CODES = {
  /** Loads 32 bits of the data at an offset. */
  load: 0x20,
  and: 0x54,
  jumpIfEqual: 0x15,
  jumpIfGreaterOrEqual: 0x35,
  jumpIfAnyBit: 0x45,
  return: 0x06,
} as const;

/** The offsets of `struct seccomp_data`. The kernel reads `int` arguments as their low 32 bits, so nothing else counts. */
const OFFSETS = { number: 0, architecture: 4, arguments: 16 } as const;

function instruction(code: keyof typeof BPF_CODES, value: number, ifTrue = 0, ifFalse = 0): Instruction {
  return { code: BPF_CODES[code], ifTrue, ifFalse, value: value >>> 0 };
}

export function loadNumber(): Instruction {
  return instruction('load', OFFSETS.number);
}

export function loadArchitecture(): Instruction {
  return instruction('load', OFFSETS.architecture);
}

/** Loads the low 32 bits of an argument, on a processor that stores the low bytes first. */
export function loadArgument(index: number): Instruction {
  return instruction('load', OFFSETS.arguments + 8 * index);
}

export function keepBits(mask: number): Instruction {
  return instruction('and', mask);
}

export function end(action: number): Instruction {
  return instruction('return', action);
}

/** The body runs if the loaded value equals `value`; otherwise it is skipped. */
export function ifEqual(value: number, body: readonly Instruction[]): readonly Instruction[] {
  return [instruction('jumpIfEqual', value, 0, body.length), ...body];
}

export function ifAtLeast(value: number, body: readonly Instruction[]): readonly Instruction[] {
  return [instruction('jumpIfGreaterOrEqual', value, 0, body.length), ...body];
}

/** The body runs if the loaded value has any bit of `mask`. */
export function ifAnyBit(mask: number, body: readonly Instruction[]): readonly Instruction[] {
  return [instruction('jumpIfAnyBit', mask, 0, body.length), ...body];
}

/** The body runs if the loaded value does not equal `value`. */
export function unlessEqual(value: number, body: readonly Instruction[]): readonly Instruction[] {
  return [instruction('jumpIfEqual', value, body.length, 0), ...body];
}

/** The longest jump of an instruction, and the longest program that the kernel accepts. */
const MAX_JUMP = 255;
const MAX_INSTRUCTIONS = 4_096;

/** The bytes of a program: `struct sock_filter`, with the low bytes first. Throws if a jump or the program is too long. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  if (program.length > MAX_INSTRUCTIONS) throw new Error('The program is too long.');
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    if (Math.max(ifTrue, ifFalse) > MAX_JUMP) throw new Error('A jump is too long.');
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, value, true);
  }
  return bytes;
}
