// Everything that `npm start` does: install, build, begin; each only where it is needed.
import { makeReady, requireNode, root } from './setup.mjs';

requireNode();
process.chdir(root);
makeReady();
await import('../dist/server/main.js');
