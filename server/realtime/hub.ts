import { type EventName, type EventPayload, frameOf, readTopic, topics, type WordName } from '#models/realtime.ts';
import { sessionAgain } from '../access/principal.ts';
import type { Services } from '../context.ts';
import type { Totals } from '../crud/totals.ts';
import { callFor } from './caller.ts';
import { Editors } from './editors.ts';
import { closeCodes, type Connection } from './connection.ts';
import { auditRefused, mayListen } from './permission.ts';
import { type Announced, channel, type Message } from './publish.ts';
import { RowBatches } from './row-batches.ts';

const mostTopics = 200;
const lookAgainEvery = 60_000;

/** What went wrong with a subscription, as the error frame says it. */
type RefusedCode = 'forbidden' | 'unknown_topic' | 'wrong_parameters' | 'too_many_requests' | 'unavailable';

const key = (project: string, topic: string): string => `${project} ${topic}`;
const bytes = (text: string): Buffer => Buffer.from(text);

/**
 * Who listens to what, and telling them: everything that any process announced goes to the subscribers of its topic in its
 * project, as far as each may see it.
 */
export class Hub {
  readonly connections = new Set<Connection>();
  readonly #services: Services;
  readonly #byTopic = new Map<string, Set<Connection>>();
  readonly #batches: RowBatches;
  readonly #totals: Totals;
  readonly #editors: Editors;
  #stop: (() => Promise<void>) | null = null;

  constructor(services: Services, totals: Totals) {
    this.#services = services;
    this.#totals = totals;
    this.#editors = new Editors(services, (project, topic) => this.#listeners(project, topic));
    this.#batches = new RowBatches(services, (project, topic) => this.#listeners(project, topic));
  }

  /** Begins to hear what is announced. */
  async open(): Promise<void> {
    this.#stop = await this.#services.listen(
      channel,
      (line) => this.#hear(line),
      () => {
        this.#totals.forget();
        this.#notifyAll('Gap');
      },
    );
  }

  async close(): Promise<void> {
    this.#batches.close();
    await this.#stop?.();
  }

  add(connection: Connection): void {
    this.connections.add(connection);
  }

  remove(connection: Connection): void {
    this.connections.delete(connection);
    for (const topic of connection.topics) this.#leave(connection, topic);
  }

  /** Subscribes a connection to a topic, or refuses it; either is said in a frame. */
  async subscribe(connection: Connection, topic: string): Promise<void> {
    const about = readTopic(topic);
    if (!about) return this.refuse(connection, topic, 'unknown_topic');
    if (connection.topics.size >= mostTopics && !connection.topics.has(topic)) return this.refuse(connection, topic, 'too_many_requests');
    for (;;) {
      await connection.checking;
      const { principal } = connection;
      const allowed = await mayListen(this.#services, principal, about);
      if (!connection.isOpen) return;
      // Rights that changed while they were being looked at are looked at again.
      if (principal !== connection.principal || connection.checking) continue;
      if (!allowed) {
        this.refuse(connection, topic, 'forbidden');
        return auditRefused(this.#services, principal, about, topic);
      }
      this.#join(connection, topic);
      connection.send(bytes(frameOf(topic, 'Subscribed', {})));
      if (about.kind === 'area') this.#batches.welcome(connection, about.area);
      return this.#editors.join(connection, topic);
    }
  }

  unsubscribe(connection: Connection, topic: string): void {
    this.#leave(connection, topic);
  }

  refuse(connection: Connection, topic: string, code: RefusedCode): void {
    this.#leave(connection, topic);
    connection.send(bytes(frameOf(topic, 'Refused', { code })));
  }

  /** What time brings: tokens run out, and rights are looked at now and then in any case. */
  tick(): void {
    this.#editors.tick();
    const at = this.#services.now().getTime();
    for (const connection of this.connections)
      if (!connection.isSpent(at) && at - connection.checkedAt >= lookAgainEvery) this.#lookAgain(connection);
  }

  #hear(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch (error) {
      this.#services.log.warn({ err: error }, 'something that is no announcement came over the channel');
      return;
    }
    if ('users' in message) this.#lookAgainAt(({ principal }) => message.users.includes(principal.id));
    else if ('editor' in message) this.#editors.heard(message);
    else if (message.name === 'RoleChanged') this.#lookAgainAt(({ principal }) => principal.roleId === message.payload['roleId']);
    else if (message.name === 'RowsChanged') this.#hearRows(message);
    else this.#publish(message);
  }

  #hearRows(message: Announced): void {
    const { area, ids } = message.payload as EventPayload<'RowsChanged'>;
    this.#totals.changed(message.project, area);
    this.#batches.add(message.project, area, ids, message.fresh === true);
    // A device that moved may be out of the sight of those who listen to it.
    for (const id of ids) for (const connection of this.#listeners(message.project, topics.device(id))) this.#lookAgain(connection);
  }

  #publish({ project, topic, name, payload, ends }: Announced): void {
    const listeners = this.#listeners(project, topic);
    if (listeners.length === 0) return;
    const whole = bytes(frameOf(topic, name as EventName, payload as never));
    const { call } = payload as Partial<EventPayload<'CallUpdated'>>;
    const frameFor = ({ principal }: Connection): Buffer =>
      ends && call ? bytes(frameOf(topic, 'CallUpdated', { call: callFor(principal, call, ends) })) : whole;
    const at = this.#services.now().getTime();
    for (const connection of listeners) {
      const send = (): void => {
        if (connection.topics.has(topic) && !connection.isSpent(at)) connection.send(frameFor(connection));
      };
      if (connection.checking) void connection.checking.then(send);
      else send();
    }
  }

  #notifyAll(name: WordName & 'Gap'): void {
    const frame = bytes(frameOf('', name, {}));
    for (const connection of this.connections) connection.send(frame);
  }

  #listeners(project: string, topic: string): Connection[] {
    return [...(this.#byTopic.get(key(project, topic)) ?? [])];
  }

  #join(connection: Connection, topic: string): void {
    const name = key(connection.principal.projectId, topic);
    connection.topics.add(topic);
    this.#byTopic.set(name, (this.#byTopic.get(name) ?? new Set()).add(connection));
  }

  #leave(connection: Connection, topic: string): void {
    const name = key(connection.principal.projectId, topic);
    const set = this.#byTopic.get(name);
    if (connection.topics.delete(topic)) this.#editors.leave(connection, topic);
    set?.delete(connection);
    if (set?.size === 0) this.#byTopic.delete(name);
  }

  #lookAgainAt(concerns: (connection: Connection) => boolean): void {
    for (const connection of this.connections) if (concerns(connection)) this.#lookAgain(connection);
  }

  /** Reads session and rights anew; what is to be told to the connection meanwhile waits. */
  #lookAgain(connection: Connection): void {
    connection.checkWanted = true;
    connection.checking ??= this.#checkUntilStill(connection).finally(() => {
      connection.checking = null;
    });
  }

  async #checkUntilStill(connection: Connection): Promise<void> {
    while (connection.isOpen && connection.checkWanted) {
      connection.checkWanted = false;
      await this.#check(connection).catch((error: unknown) => {
        this.#services.log.warn({ err: error }, 'the rights of a realtime connection could not be read');
        connection.close(closeCodes.tryLater);
      });
    }
  }

  async #check(connection: Connection): Promise<void> {
    const before = connection.principal;
    const session = await sessionAgain(this.#services, before);
    if (!session || session.principal.mustEnrol) return connection.close(closeCodes.signedOut);
    connection.renew(session, this.#services.now().getTime());
    const { principal } = session;
    for (const topic of connection.topics) {
      const about = readTopic(topic);
      if (!about || !(await mayListen(this.#services, principal, about))) this.refuse(connection, topic, 'forbidden');
    }
    if (principal.profileVersion === before.profileVersion || !connection.topics.has(topics.appChanges)) return;
    connection.send(bytes(frameOf(topics.appChanges, 'RoleChanged', { roleId: principal.roleId })));
  }
}
