// For the tests' processes: writes down what ran of the code that is mutated.
import { writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { afterAll, expect } from 'vitest';

afterAll(() => {
  const path = relative('', expect.getState().testPath ?? '');
  const ran: unknown = Reflect.get(globalThis, '__ran');
  const note = { path, ran: ran instanceof Set ? [...ran] : [] };
  writeFileSync(join(process.env['MUTANTS_RECORD'] ?? '', `${basename(path)}.json`), JSON.stringify(note));
});
