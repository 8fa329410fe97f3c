// Everything that `npm start` does: install, build, begin; each only where it is needed.
import { demandNode, install, makeReady, root } from './ready.mjs';

demandNode();
process.chdir(root);
if (process.argv.includes('--help') || process.argv.includes('-h')) install();
else console.log('Doorward');
makeReady();
await import('../dist/server/main.js');
