import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { type InspectionEvent, SimulatedClock } from 'xstate';
import type { ServerCall } from '#models/call.ts';
import { defaultRoles } from '#models/default-roles.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { calls, devices, groups, sipNumbers } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { Book } from '#server/telephony/calls/book.ts';
import { silentMedia } from '#server/telephony/media/silent.ts';
import type { MediaEvent, MediaPort } from '#server/telephony/media/port.ts';
import { openTelephony, type Telephony } from '#server/telephony/telephony.ts';
import { buildEstate, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { until } from './sip-support.ts';
import { SipClient } from './sip-client.ts';
import { type ClientCall, someSdp } from './sip-compose.ts';
import type { Heard } from './sip-heard.ts';
import { openTestServer, type TestServer, type TestServerOptions } from './support.ts';
import { longestWait } from '#tests/support/in-time.ts';

export const sipPassword = 'Phone-Secret-2026';
export type StoredCall = typeof calls.$inferSelect;

/** Media that agree to everything at once, keep what was asked of them, and say what a test tells them to. */
export interface Ears extends MediaPort {
  asked: { what: keyof MediaPort; leg: string; with: unknown }[];
  say: (event: MediaEvent) => void;
  /** Legs that did not agree on telephone-event. */
  deaf: Set<string>;
}
export function ears(): Ears {
  const silent = silentMedia();
  const asked: Ears['asked'] = [];
  const listeners = new Set<(event: MediaEvent) => void>();
  silent.listen((event) => {
    for (const listener of listeners) listener(event);
  });
  const recorded =
    <K extends 'offer' | 'bridge' | 'unbridge' | 'play' | 'sendDtmf' | 'close'>(what: K) =>
    (...given: Parameters<MediaPort[K]>): ReturnType<MediaPort[K]> => {
      asked.push({ what, leg: given[0], with: given.slice(1) });
      return (silent[what] as (...args: typeof given) => ReturnType<MediaPort[K]>)(...given);
    };
  const sendDtmf = recorded('sendDtmf');
  const deaf = new Set<string>();
  return {
    ...silent,
    offer: recorded('offer'),
    bridge: recorded('bridge'),
    deaf,
    unbridge: recorded('unbridge'),
    play: recorded('play'),
    sendDtmf: async (...given) => (await sendDtmf(...given)) && !deaf.has(given[0]),
    close: recorded('close'),
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    asked,
    say: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
}

/** Holds up the decision on the next answer, whoever's it is. */
export function holdUpClaim(): { asked: () => Promise<void>; decide: () => void } {
  let [isAsked, decide] = [false, (): void => {}];
  const decided = new Promise<void>((done) => (decide = done));
  vi.spyOn(Book.prototype, 'claim').mockImplementationOnce(async function (this: Book, ...given) {
    isAsked = true;
    await decided;
    return this.claim(...given);
  });
  return { asked: () => until(() => isAsked), decide };
}

/** A phone as a test has it: it says yes to every BYE and CANCEL, keeps them, and does nothing else by itself. */
export class Phone {
  readonly client: SipClient;
  /** BYEs and CANCELs that came, by the call they ended. */
  readonly ended = new Map<string, Heard>();
  readonly #incoming = new Map<string, ClientCall>();

  constructor(client: SipClient) {
    this.client = client;
    void this.#obey('BYE');
    void this.#obey('CANCEL');
  }
  get number(): string {
    return this.client.number;
  }
  async #obey(method: 'BYE' | 'CANCEL'): Promise<void> {
    for (;;) {
      const heard = await this.client.next((one) => one.method === method, 600_000).catch(() => null);
      if (!heard) return;
      const id = heard.of('call-id');
      this.client.reply(heard, 200);
      const call = this.#incoming.get(id);
      if (method === 'CANCEL' && call?.invite) this.client.reply(call.invite, 487, { call });
      this.ended.set(id, heard);
    }
  }
  dial(number: string, headers: Record<string, string> = {}, sdp = someSdp()): ClientCall {
    return this.client.invite(number, { headers, sdp });
  }
  /** Waits for the final answer of a call and acknowledges it. */
  async final(call: ClientCall, ms = longestWait): Promise<Heard> {
    const answer = await this.client.response('INVITE', call.callId, 200, ms);
    if (answer.status === 200) this.client.acknowledge(call, answer);
    else this.client.acknowledgeFailure(call, answer);
    return answer;
  }
  /** Waits for a call that comes in and rings; `id`: only this one. */
  async incoming(id?: string, ms?: number): Promise<ClientCall> {
    for (;;) {
      const call = await this.client.incoming(ms);
      this.#incoming.set(call.callId, call);
      this.client.ring(call);
      if (id === undefined || speechOf(call.invite) === id) return call;
    }
  }
  /** Waits until a call of its own is ended by the server. */
  async end(call: ClientCall, ms = longestWait): Promise<Heard> {
    const begun = performance.now();
    for (;;) {
      const heard = this.ended.get(call.callId);
      if (heard) return heard;
      if (performance.now() - begun > ms) throw new Error(`${this.number}: the call was not ended`);
      await pause(5);
    }
  }
}
/** The speech id a call came with, or was answered with. */
export const speechOf = (heard: Heard | null): string => heard?.of('x-speech-id') ?? '';

export interface CallServer {
  server: TestServer;
  estate: Estate;
  telephony: Telephony;
  media: Ears;
  clock: SimulatedClock | null;
  /** Gives somebody or something a number. */
  number: (number: string, owner: { userId?: string; deviceId?: string; domainId?: string }, project?: string) => Promise<void>;
  person: (number: string, permissions: readonly PermissionCode[], groups: readonly string[]) => Promise<Person>;
  panel: (number: string, groupId: string) => Promise<string>;
  phone: (number: string, instance?: string) => Promise<Phone>;
  /** Cuts the connection of a phone, and waits until the server knows that it cannot be reached by it. */
  unplug: (phone: Phone) => Promise<void>;
  /** The row of a call, once this holds. */
  row: (id: string, holds?: (call: StoredCall) => boolean) => Promise<StoredCall>;
  rows: () => Promise<StoredCall[]>;
  restart: () => Promise<void>;
  close: () => Promise<void>;
}
export const roleOf = (key: (typeof defaultRoles)[number]['key']): readonly PermissionCode[] =>
  defaultRoles.find((role) => role.key === key)?.permissions ?? [];

/** A server with telephony on a free port, the estate in it, and silent media. `still`: its time-outs are those of a clock of the test. */
export async function openCallServer({
  still = false,
  inspect,
  ...options
}: TestServerOptions & { still?: boolean; inspect?: (event: InspectionEvent) => void } = {}): Promise<CallServer> {
  const server = await openTestServer({ ...options, config: { sipPort: 0, ...options.config } });
  const { services } = server;
  const { db } = services;
  const estate = await buildEstate(services);
  const media = ears();
  const clock = still ? new SimulatedClock() : null;
  const open = () => openTelephony(services, { media, ...(clock && { clock: clock as never }), ...(inspect && { inspect }) });
  const phones: Phone[] = [];
  const self: CallServer = {
    server,
    estate,
    telephony: await open(),
    media,
    clock,
    number: async (number, owner, projectId = estate.here) => {
      await db.insert(sipNumbers).values({ projectId, number, name: `Number ${number}`, passwordCipher: seal(services, sipPassword), ...owner });
    },
    person: async (number, permissions, of) => {
      const person = await makePerson(server, estate, { permissions, in: of, name: `Person ${number}` });
      await self.number(number, { userId: person.id });
      return person;
    },
    panel: async (number, domainId) => {
      const [device] = await db
        .insert(devices)
        .values(deviceRow({ projectId: estate.here, domainId, name: `Panel ${number}` }))
        .returning({ id: devices.id });
      await self.number(number, { deviceId: device?.id ?? '' });
      return device?.id ?? '';
    },
    phone: async (number, instance) => {
      const url = `ws://127.0.0.1:${self.telephony.sip.ports.ws}`;
      const phone = new Phone(await SipClient.registered({ url, number, password: sipPassword, ...(instance && { instance }) }));
      phones.push(phone);
      return phone;
    },
    unplug: async ({ client, number }) => {
      const { sip } = self.telephony;
      const before = sip.bindings(number).length;
      client.kill();
      await until(() => sip.bindings(number).length < before);
    },
    row: async (id, holds = () => true) => {
      const begun = performance.now();
      for (;;) {
        const [call] = await db.select().from(calls).where(eq(calls.id, id));
        if (call && holds(call)) return call;
        if (performance.now() - begun > longestWait) throw new Error(`the row of ${id} never came true: ${JSON.stringify(call)}`);
        await pause(5);
      }
    },
    rows: () => db.select().from(calls),
    restart: async () => {
      await self.telephony.close();
      self.telephony = await open();
    },
    close: async () => {
      for (const { client } of phones) client.kill();
      await self.telephony.close();
      await server.close();
    },
  };
  return self;
}

/** Gives a group its logical address. */
export const address = ({ server }: CallServer, groupId: string, logicAddress: string): Promise<unknown> =>
  server.services.db.update(groups).set({ logicAddress }).where(eq(groups.id, groupId));

/** Calls that wait, as somebody is told of them. */
export const waitingFor = async (person: Person): Promise<ServerCall[]> =>
  ((await person.client.get('/calls/waiting')).json() as { data: ServerCall[] }).data;

/** Ends what a test left running, and waits until no leg of it is left. @throws Error where one stays */
export async function settle({ telephony }: Pick<CallServer, 'telephony'>): Promise<void> {
  for (const call of telephony.exchange.live) call.stop('test');
  const begun = performance.now();
  while (telephony.exchange.live.length > 0 || telephony.sip.load.legs > 0) {
    if (performance.now() - begun > 3_000) throw new Error(`${telephony.sip.load.legs} legs were left`);
    await pause(10);
  }
}
