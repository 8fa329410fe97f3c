import { openMedia } from '#server/telephony/media/open.ts';
import type { MediaEvent, MediaPort } from '#server/telephony/media/port.ts';

type Log = NonNullable<NonNullable<Parameters<typeof openMedia>[0]>['log']>;

/** Camera, microphone and loudspeaker of all phones of the demo: one process of their own, begun when somebody looks at them. */
export class PanelMedia {
  readonly #open: () => Promise<MediaPort>;
  #port: Promise<MediaPort> | null = null;
  readonly #ears = new Map<string, (event: MediaEvent) => void>();

  constructor(log: Log, open: () => Promise<MediaPort> = () => openMedia({ log })) {
    this.#open = open;
  }
  /** The port, begun where it is not yet. @throws MediaFailure where it cannot begin */
  begin(): Promise<MediaPort> {
    this.#port ??= this.#open().then((port) => {
      port.listen((event) => this.#ears.get(event.leg)?.(event));
      return port;
    });
    // What could not begin is begun again with the next call.
    this.#port.catch(() => (this.#port = null));
    return this.#port;
  }
  /** The port; what happens to `leg` is told to `hear` until it is closed. */
  async at(leg: string, hear: (event: MediaEvent) => void): Promise<MediaPort> {
    this.#ears.set(leg, hear);
    return this.begin();
  }
  async close(leg: string): Promise<void> {
    this.#ears.delete(leg);
    await (await this.#port)?.close(leg);
  }
  async shut(): Promise<void> {
    this.#ears.clear();
    await (await this.#port?.catch(() => null))?.shut();
  }
}
