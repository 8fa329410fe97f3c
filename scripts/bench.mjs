import { spawnSync } from 'node:child_process';
import { requireChromium } from './chromium.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode } from './setup.mjs';

requireNode();
installWhenNeeded();
buildWhenNeeded();
process.env.CHROMIUM = requireChromium();
// What people use is measured, not the shell that tests save time with.
process.env.HEADLESS_SHELL = process.env.CHROMIUM;
process.exit(spawnSync(process.execPath, ['--import', 'tsx', 'scripts/bench/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
