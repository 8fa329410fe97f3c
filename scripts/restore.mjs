// Restores a backup on a machine whose console is gone: `npm run restore -- FILE`, while the server does not run.
import { makeReady, requireNode, root } from './setup.mjs';

requireNode();
process.chdir(root);
makeReady();
await import('../dist/server/restore.js');
