// `npm run bench`: what Doorward costs on this machine, each figure beside a baseline of the same run. `npm run bench -- lists` runs one part.
import { benchAccess } from './access.ts';
import { benchAccessQuestions } from './access-questions.ts';
import { benchAnnounce } from './announce.ts';
import { benchBackups } from './backups.ts';
import { benchBeside } from './beside.ts';
import { benchBrowser } from './browser.ts';
import { benchCalls } from './calls.ts';
import { benchControls } from './controls.ts';
import { benchDelay } from './delay.ts';
import { benchDevices } from './devices.ts';
import { type Figure, print } from './figures.ts';
import { benchImports } from './imports.ts';
import { benchLists } from './lists.ts';
import { benchLogs } from './logs.ts';
import { benchMedia } from './media.ts';
import { benchRealtime } from './realtime.ts';
import { benchRush } from './rush.ts';
import { benchSearch } from './search.ts';
import { benchSip } from './sip.ts';
import { benchStarts } from './starts.ts';
import { benchTogether } from './together.ts';

const parts: Record<string, { title: string; measure: () => Promise<Figure[]> }> = {
  starts: { title: 'Starting', measure: benchStarts },
  lists: { title: 'Lists among 100,000 users (server; PGlite, or what TEST_DATABASE_URL names)', measure: benchLists },
  search: { title: 'Search and commands among 100,000 users (server, PGlite)', measure: benchSearch },
  realtime: { title: 'Live updates', measure: benchRealtime },
  devices: { title: 'Devices (server, PGlite)', measure: benchDevices },
  access: { title: 'Access decisions (server)', measure: benchAccess },
  questions: { title: 'Questions about access (server, PGlite)', measure: benchAccessQuestions },
  sip: { title: 'SIP (server)', measure: benchSip },
  calls: { title: 'Calls, browser to browser through the server', measure: benchCalls },
  media: { title: 'Media of calls (their own process)', measure: benchMedia },
  delay: { title: 'Delay of voice under load', measure: benchDelay },
  rush: { title: 'Fifty calls at once', measure: benchRush },
  together: { title: 'Conversations and reservations in the browser', measure: benchTogether },
  announce: { title: 'An announcement to 5,000 people (server, PGlite)', measure: benchAnnounce },
  imports: { title: 'Import of identifiers (server, PGlite)', measure: benchImports },
  logs: { title: 'Logs of 1,000,000 rows (server, PGlite)', measure: benchLogs },
  backups: { title: 'Backups (server, PGlite)', measure: benchBackups },
  browser: { title: 'In the browser', measure: benchBrowser },
  beside: { title: 'Beside react-admin, its smallest page with a list', measure: benchBeside },
  controls: { title: 'Controls beside those of PrimeReact', measure: benchControls },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}; the parts are ${Object.keys(parts).join(', ')}.`);
for (const [name, { title, measure }] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) print(title, await measure());
process.exit(0);
