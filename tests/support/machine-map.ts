import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyStateMachine } from 'xstate';
import { expect, it } from 'vitest';
import { nodesOf, type Walk, walkMachine } from './machine-walk.ts';
import { mapTexts } from './map-text.ts';

export type { Samples, Walk } from './machine-walk.ts';

/** Context as data only: no class instances, no handles; references to actors are allowed. */
function impurities(value: unknown, path = 'context'): string[] {
  if (value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)) return [];
  if (typeof value !== 'object') return [`${path} is a ${typeof value}`];
  if ('sessionId' in value && 'send' in value) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => impurities(item, `${path}[${at}]`));
  const kind: unknown = Object.getPrototypeOf(value);
  if (kind !== Object.prototype && kind !== null) return [`${path} is a ${value.constructor.name}`];
  return Object.entries(value).flatMap(([key, item]) => impurities(item, `${path}.${key}`));
}

const folder = '../machines/maps';
const fileOf = (machine: AnyStateMachine, region: string): string => `${[machine.id, ...(region ? [region] : [])].join('.')}.txt`;
/** No map is longer than a person reads. */
const mostLines = 400;

/** The tests every machine has: its maps as reviewed, one file a region, nothing in it unreached, and plain data in every state. */
export function mapTests<M extends AnyStateMachine>(machine: M, walk: Walk<M>): void {
  const walked = walkMachine(machine, walk);
  const texts = mapTexts(walked);
  it('behaves as its maps say', async () => {
    for (const [region, text] of texts) await expect(text).toMatchFileSnapshot(`${folder}/${fileOf(machine, region)}`);
    const known = new Set([...texts.keys()].map((region) => fileOf(machine, region)));
    const files = readdirSync(join(import.meta.dirname, folder)).filter((file) => file.startsWith(`${machine.id}.`));
    expect(files.filter((file) => !known.has(file))).toEqual([]);
  });
  it('has maps that a person can read', () => {
    const long = [...texts].map(([region, text]) => ({ region, lines: text.split('\n').length - 1 })).filter(({ lines }) => lines > mostLines);
    expect(long).toEqual([]);
  });
  it('has no state unreached and no transition untaken in its maps', () => {
    const states = nodesOf(walked.machine.root).filter((node) => node.type !== 'history' && !walked.reached.has(node));
    const taken = new Set(walked.steps.flatMap((step) => step.taken.map(({ key }) => key)));
    expect([...states.map(({ id }) => id), ...walked.rows.filter(({ key }) => !taken.has(key)).map(({ key }) => key)]).toEqual([]);
  });
  it('holds plain data in every state of its maps', () => {
    expect(walked.snapshots.flatMap(({ context }) => impurities(context))).toEqual([]);
  });
}
