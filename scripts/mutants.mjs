// Changes the code in small ways and runs the tests that reach the place: a change that no test notices is printed. `npm run mutants -- --help`.
import { spawnSync } from 'node:child_process';
import { installWhenNeeded, requireNode, root } from './setup.mjs';

requireNode();
installWhenNeeded();
process.chdir(root);
process.exit(spawnSync(process.execPath, ['--import', 'tsx', 'scripts/mutants/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
