// `npm run bench`: what Doorward costs on this machine, each figure beside a baseline of the same run.
import { benchBrowser } from './browser.ts';
import { print } from './figures.ts';
import { benchLists } from './lists.ts';
import { benchStarts } from './starts.ts';

print('Starting', await benchStarts());
print('Lists among 100,000 users (server, PGlite)', await benchLists());
print('In the browser', await benchBrowser());
process.exit(0);
