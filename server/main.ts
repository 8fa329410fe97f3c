import { helpText, loadConfig } from './config.ts';
import { sentenceOf } from './start-error.ts';

// Settings are read before the rest of the server is: a wrong one is said at once.
if (process.argv.includes('--help') || process.argv.includes('-h')) process.stdout.write(helpText());
else {
  try {
    const config = loadConfig(process.env);
    const { start } = await import('./start.ts');
    await start(config);
  } catch (error) {
    process.stderr.write(`${sentenceOf(error) ?? `Doorward could not start: ${error instanceof Error ? error.stack : String(error)}`}\n`);
    process.exit(1);
  }
}
