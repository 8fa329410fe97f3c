import { SipClient } from '#tests/server/sip-client.ts';
import type { ClientCall } from '#tests/server/sip-compose.ts';
import { api, sessionsOf } from './server.ts';
import type { Stage } from './stage.ts';

const print = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, '0').toUpperCase()).join(':');
/** What a browser without a camera offers, of a connection that is never made. */
const voice = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 110',
  'c=IN IP4 0.0.0.0',
  'a=mid:0',
  'a=sendrecv',
  'a=rtpmap:111 opus/48000/2',
  'a=rtpmap:110 telephone-event/48000',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  `a=fingerprint:sha-256 ${print}`,
  'a=setup:actpass',
  'a=rtcp-mux',
  '',
].join('\r\n');

/** A phone without a browser, of one of the demo people; it does nothing by itself but what is told here. */
export interface Caller {
  client: SipClient;
  dial: (number: string, headers?: Record<string, string>) => ClientCall;
}

/** Signs somebody in and registers their number, as their browser would. */
export async function callerOf(stage: Stage, login: string): Promise<Caller> {
  const [session] = await sessionsOf(stage.server, login);
  const token = session?.token ?? '';
  const ask = async <T>(path: string): Promise<T> => (await api<{ data: T }>(stage.server, 'GET', path, { token })).body.data;
  const [{ profile }, { sip }] = await Promise.all([
    ask<{ profile: { sip_number: { number: string; password: string } } }>('/profile'),
    ask<{ sip: { port: number } }>('/calls/settings'),
  ]);
  const { number, password } = profile.sip_number;
  const client = await SipClient.registered({ url: `ws://127.0.0.1:${sip.port}`, number, password });
  return { client, dial: (to, headers = {}) => client.invite(to, { sdp: voice, headers }) };
}

/** Waits until the call is answered, and says that it heard so. */
export async function talk({ client }: Caller, call: ClientCall): Promise<void> {
  const answer = await client.response('INVITE', call.callId, 200, 15_000);
  if (answer.status !== 200) throw new Error(`the call was answered ${answer.status}`);
  client.acknowledge(call, answer);
}

/** Hangs up, or takes a call back that nobody has answered. */
export async function leave({ client }: Caller, call: ClientCall): Promise<void> {
  const said = client.heard.find((one) => one.of('call-id') === call.callId && one.cseq.method === 'INVITE' && (one.status ?? 0) >= 200);
  if (!said) client.cancel(call);
  else if (said.status === 200) await client.bye(call);
}

/** How long it takes from now until the server hangs up, in ms. */
export async function heardEndAfter({ client }: Caller, call: ClientCall, atMost: number): Promise<number> {
  const begun = performance.now();
  const bye = await client.next((one) => one.method === 'BYE' && one.of('call-id') === call.callId, atMost);
  client.reply(bye, 200);
  return performance.now() - begun;
}
