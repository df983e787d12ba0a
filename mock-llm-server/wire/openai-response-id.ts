import type { Continuation, Reply } from '../conversation.ts';
import { digestOf, scenarioTagOf } from '../ids.ts';

const DIGEST_LENGTH = 24;
const CHECK_LENGTH = 8;
const MINTED = /^resp_((?:[0-9a-f]{8}_\d{1,4}_)?[0-9a-f]{24})([0-9a-f]{8})$/;

/**
 * The id of a response: `resp_<scenario tag>_<step>_<digest><check>`, without the first two for an answer that is no
 * scenario's. It is all that a server needs to go on from the answer; `check` tells it from an id it never gave.
 */
export function mintResponseId({ source, digest }: Reply): string {
  const place = source === undefined ? '' : `${scenarioTagOf(source.scenario)}_${source.step}_`;
  const said = `${place}${digest.slice(0, DIGEST_LENGTH)}`;
  return `resp_${said}${checkOf(said)}`;
}

/** Reads an id back; nothing for an id that no server minted. */
export function parseResponseId(id: string): Continuation | undefined {
  const [, said = '', check] = MINTED.exec(id) ?? [];
  if (check === undefined || check !== checkOf(said)) return undefined;
  const [digest = '', step, scenarioTag] = said.split('_').reverse();
  if (scenarioTag === undefined) return { id, digest };
  return { id, digest, place: { scenarioTag, step: Number(step) } };
}

function checkOf(said: string): string {
  return digestOf('response', said).slice(0, CHECK_LENGTH);
}
