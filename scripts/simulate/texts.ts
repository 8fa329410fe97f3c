import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScenarioRun } from '#models/simulator.ts';

const file = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'locales', 'en', `${name}.json`), 'utf8')) as Record<string, unknown>;
const simulator = file('simulator') as { scenarios: Record<string, { name: string; says: string }>; steps: Record<string, string> };
const { options } = file('areas/device-events') as { options: { reason: Record<string, string> } };

/** What a scenario shows, in the words of the page. */
export const sayScenario = (name: string): string => `${simulator.scenarios[name]?.name}. ${simulator.scenarios[name]?.says}`;

/** What a step was, where, and why a device said no. */
export function sayLine({ step, device, reason }: ScenarioRun['lines'][number]): string {
  const what = simulator.steps[step] ?? step;
  return `${device ? `${device.name}: ` : ''}${what}${reason ? ` (${options.reason[reason]?.toLowerCase()})` : ''}`;
}
