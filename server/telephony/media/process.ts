import { constants, setPriority } from 'node:os';
import type { FromMedia, ToMedia } from './messages.ts';
import { machineAddresses, type MediaNetwork } from './path.ts';
import { MediaFailure, type MediaPort } from './port.ts';
import { certificate } from './secure.ts';
import { Studio } from './studio.ts';

/** More unforeseen errors than this in a minute, and it is better to begin anew. */
const mostErrors = 100;
let errors = 0;

// Voice cannot wait: before the rest of the machine, where the system lets us.
try {
  setPriority(constants.priority.PRIORITY_HIGH);
} catch {
  // Not everybody may.
}
/** Where it is reached, as the server was told; said by who began this process. */
const network = JSON.parse(process.argv[2] ?? 'null') as MediaNetwork | null;
const studio: MediaPort = new Studio(network ? machineAddresses(network) : machineAddresses());
const say = (message: FromMedia): void => {
  // A server that has just gone hears nothing any more.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};
type Answer = string | boolean | Uint8Array | string[] | null;
const done = async (work: Promise<string | boolean | void>): Promise<Answer> => (await work) ?? null;

function perform(call: ToMedia): Promise<Answer> {
  switch (call.method) {
    case 'answer':
      return studio.answer(...call.given);
    case 'offer':
      return studio.offer(...call.given);
    case 'accept':
      return done(studio.accept(...call.given));
    case 'bridge':
      return studio.bridge(...call.given);
    case 'unbridge':
      return done(studio.unbridge(...call.given));
    case 'play':
      return done(studio.play(...call.given));
    case 'sendDtmf':
      return studio.sendDtmf(...call.given);
    case 'still':
      return studio.still(...call.given);
    case 'close':
      return done(studio.close(...call.given));
  }
}

// One call's misfortune is not that of the others: it is written down, and media go on.
for (const kind of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(kind, (error: unknown) => {
    process.stderr.write(`media: ${error instanceof Error ? error.stack : String(error)}\n`);
    errors += 1;
    if (errors > mostErrors) process.exit(1);
  });
setInterval(() => {
  errors = 0;
}, 60_000).unref();

studio.listen((event) => say({ type: 'event', event }));
process.on('message', (call: ToMedia) => {
  perform(call).then(
    (value) => say({ type: 'done', id: call.id, value }),
    (error: unknown) => {
      const { code, message } =
        error instanceof MediaFailure ? error : new MediaFailure('unavailable', error instanceof Error ? error.message : String(error));
      say({ type: 'failed', id: call.id, code, message });
    },
  );
});
// The server has gone, in whatever way: so do we. What stops a whole group of processes (Ctrl-C, the end of a session or service) is the server's to answer.
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
say({ type: 'ready' });
// Not for the first caller to wait for.
void certificate();
