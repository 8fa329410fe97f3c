import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { areaTexts } from '#src/app/area-texts.ts';
import { resources } from '#src/resources/index.ts';

const source = (path: string): string => readFileSync(path, 'utf8');
/** The frame of the console has loaded these. */
const always = ['areas/device-alarms'];

/** A resource and all files that it draws with, its dialogs and their views among them. */
function filesOf(area: string): Set<string> {
  const files = new Set([`src/resources/${area}.resource.tsx`]);
  for (const file of files)
    for (const [, path = ''] of source(file).matchAll(/(?:from |import\()'([^']+\.tsx?)'/g)) {
      const whole = path.startsWith('#') ? path.slice(1) : posix.join(posix.dirname(file), path);
      if (whole.startsWith('src/resources/') || whole.startsWith('src/views/')) files.add(whole);
    }
  return files;
}

describe.each(resources.map(({ area }) => area))('the list of %s', (area) => {
  it('has the words it speaks before it is drawn', () => {
    const spoken = [...filesOf(area)].flatMap((file) =>
      [...source(file).matchAll(/['"`]areas\.([\w-]+)\./g)].map(([, other = '']) => `areas/${other}`),
    );
    const known: readonly string[] = [...always, ...areaTexts(area)];
    expect([...new Set(spoken)].filter((words) => !known.includes(words))).toEqual([]);
  });
});
