// Plays a scene of the demo at the server that runs: `npm run simulate -- <scenario>`; without a scenario it lists them.
import { spawnSync } from 'node:child_process';
import { installWhenNeeded, requireNode, root } from './setup.mjs';

requireNode();
installWhenNeeded();
process.chdir(root);
process.exit(
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/simulate/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1,
);
