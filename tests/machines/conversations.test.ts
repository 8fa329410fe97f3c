import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { conversationMachine, type MessagesAsked, type MessagesRead } from '#machines/conversations/conversation.machine.ts';
import { conversationOf as openOne, conversationsMachine } from '#machines/conversations/conversations.machine.ts';
import type { ListAsked, ListRead } from '#machines/conversations/conversations.setup.ts';
import { joined, nextOf, type Outgoing, type Unsent } from '#machines/conversations/outgoing.ts';
import type { Message } from '#models/conversation-calls.ts';
import type { Problem } from '#models/problem.ts';
import { conversationOf, messageOf } from '#tests/support/conversations.ts';
import { uuid } from '#tests/support/people.ts';

const { id } = conversationOf();
const waiting = (at: number, more: Partial<Outgoing> = {}): Outgoing => ({
  client_id: uuid(900 + at),
  conversation: id,
  text: `No. ${at}`,
  pictures: [],
  at,
  problem: null,
  ...more,
});
/** Lets what has been answered arrive. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** The conversations over a server that the test switches on and off, and a store of this device. */
function world(recalled: readonly Outgoing[] = []) {
  const server: Message[] = [messageOf(1)];
  const state: { lastProblem: Problem | null } = { lastProblem: null };
  const stored = new Map(recalled.map((one) => [one.client_id, one]));
  const clock = new SimulatedClock();
  const take = ({ client_id, text }: Outgoing): Message => {
    const known = server.find((message) => message.client_id === client_id);
    if (known) return known;
    const message = messageOf(server.length + 1, { client_id, text });
    server.push(message);
    return message;
  };
  const conversation = conversationMachine.provide({
    actors: {
      readConversation: fromPromise(() => Promise.resolve(conversationOf())),
      readMessages: fromPromise<MessagesRead, MessagesAsked>(({ input: { after = 0 } }) =>
        Promise.resolve({ items: server.filter(({ seq }) => seq > after), more: false }),
      ),
      markRead: fromPromise<unknown, { id: string; seq: number }>(() => Promise.resolve(null)),
    },
  });
  const machine = conversationsMachine.provide({
    actors: {
      conversation,
      readList: fromPromise<ListRead, ListAsked>(() => Promise.resolve({ items: [conversationOf()], total: 1, unread: 0 })),
      recallUnsent: fromPromise<Unsent>(() => Promise.resolve({ outgoing: [...stored.values()], drafts: {} })),
      sendMessage: fromPromise(({ input }: { input: Outgoing }) => {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- ports reject with problems
        if (state.lastProblem) return Promise.reject(state.lastProblem);
        return Promise.resolve(take(input));
      }),
    },
    actions: {
      saveOutgoing: (_, one: Outgoing) => void stored.set(one.client_id, one),
      forgetOutgoing: (_, { client_id }: { client_id: string }) => void stored.delete(client_id),
      saveDraft: () => {},
    },
  });
  const actor = createActor(machine, { clock }).start();
  const send = (at: number): void => actor.send({ type: 'message.send', ...waiting(at) });
  const texts = (): string[] => server.slice(1).map(({ text }) => text);
  return { actor, clock, server, state, stored, send, take, texts };
}

describe('messages on their way', () => {
  it('arrive in the order in which they were written, and are forgotten on this device', async () => {
    const { actor, send, texts, stored } = world();
    actor.send({ type: 'conversation.open', id });
    await settle();
    for (const at of [1, 2, 3]) send(at);
    await settle();
    expect(texts()).toEqual(['No. 1', 'No. 2', 'No. 3']);
    expect([actor.getSnapshot().context.outgoing, stored.size]).toEqual([[], 0]);
    const shown = openOne(actor.getSnapshot(), id)?.getSnapshot().context.messages;
    expect(shown?.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  it('wait over a lost connection, and go once when it is back', async () => {
    const { actor, send, texts, state, stored, clock } = world();
    await settle();
    state.lastProblem = { code: 'offline' };
    send(1);
    send(2);
    await settle();
    clock.increment(5_000);
    await settle();
    expect([texts(), stored.size]).toEqual([[], 2]);
    state.lastProblem = null;
    actor.send({ type: 'realtime.resynced', topics: [] });
    await settle();
    expect([texts(), stored.size]).toEqual([['No. 1', 'No. 2'], 0]);
  });

  it('are sent after a reload, and count once where the first sending had arrived', async () => {
    const { texts, take, stored } = world([waiting(1), waiting(2)]);
    take(waiting(1));
    await settle();
    expect([texts(), stored.size]).toEqual([['No. 1', 'No. 2'], 0]);
  });

  it('that were refused go again when the person says so, and those of other conversations still wait', async () => {
    const { actor, send, texts, state } = world();
    await settle();
    state.lastProblem = { code: 'forbidden' };
    send(1);
    actor.send({ type: 'message.send', ...waiting(2, { conversation: uuid(5) }) });
    await settle();
    const problems = () => actor.getSnapshot().context.outgoing.map(({ problem }) => problem?.code);
    expect(problems()).toEqual(['forbidden', 'forbidden']);
    state.lastProblem = null;
    actor.send({ type: 'message.retry', client_id: waiting(1).client_id });
    await settle();
    expect([texts(), problems()]).toEqual([['No. 1'], ['forbidden']]);
  });

  it('that were refused wait for the person, and hold back only those of their conversation', async () => {
    const { actor, send, texts, state } = world();
    await settle();
    state.lastProblem = { code: 'forbidden' };
    send(1);
    await settle();
    expect(actor.getSnapshot().context.outgoing).toMatchObject([{ problem: { code: 'forbidden' } }]);
    state.lastProblem = null;
    send(2);
    await settle();
    expect(texts()).toEqual([]);
    actor.send({ type: 'message.discard', client_id: waiting(1).client_id });
    send(3);
    await settle();
    expect(texts()).toEqual(['No. 2', 'No. 3']);
    expect(nextOf([waiting(1, { problem: { code: 'forbidden' } }), waiting(2, { conversation: uuid(5) })])?.at).toBe(2);
  });
});

it('messages read twice or in any order stand once, by their number', () => {
  expect(joined([messageOf(2), messageOf(1)], [messageOf(3), messageOf(2)]).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});
