import { resolve } from 'node:path';
import { sayError } from './backups/say.ts';
import { restoreBackup } from './backups/restore.ts';
import { loadConfig } from './config.ts';
import type { Services } from './context.ts';
import { openDatabase } from './db/open.ts';
import { makeLog } from './http/log.ts';
import { saveSecret, prepareFolder } from './prepare.ts';
import { sentenceOf } from './start-error.ts';
import { systemTimers } from './timers.ts';

/** Whoever sits at the machine. */
const operator = { id: '00000000-0000-0000-0000-000000000000', name: 'npm run restore', ip: '', userAgent: null };

/** Restores a file into the database that the settings name, whatever project it is of. */
async function restore(file: string): Promise<void> {
  const given = loadConfig(process.env);
  await prepareFolder(given);
  const config = { ...given, secret: await saveSecret(given) };
  const { db, listen, close } = await openDatabase(config);
  try {
    const services: Services = { config, db, listen, log: makeLog('error'), now: () => new Date(), timers: systemTimers, random: Math.random };
    let [total, done] = [0, 0];
    const steps = {
      total: (units: number) => void (total = units),
      done: (units: number) => {
        done += units;
        process.stdout.write(`\r  ${done} of ${total} rows`);
        return Promise.resolve();
      },
      stopIfCancelled: () => undefined,
    };
    const { name, project, made_at } = await restoreBackup(services, file, { actor: operator, projectId: null }, steps);
    process.stdout.write(`\n  “${name}” of ${made_at} is restored in the project ${project.name}. All users must sign in again.\n`);
  } finally {
    await close();
  }
}

const [file] = process.argv.slice(2);
if (!file) {
  process.stderr.write('Name the file: npm run restore -- FILE\n');
  process.exit(2);
}
try {
  await restore(resolve(process.env['INIT_CWD'] ?? '.', file));
  process.exit(0);
} catch (error) {
  process.stderr.write(`\nNothing was restored: ${sayError(error) ?? sentenceOf(error) ?? (error instanceof Error ? error.stack : String(error))}\n`);
  process.exit(1);
}
