import { connect } from 'mqtt';
import type { Services } from '../context.ts';
import { allResponses, allStatuses, deviceTopics, readDeviceTopic } from './protocol.ts';
import type { Listener, Wire } from './wire.ts';

/**
 * Speaks to devices through an outside broker, which lets them in by rules of its own (deploy/ has an example). The
 * server is a client like any other; when the broker is away it goes on trying.
 */
export async function openOutsideBroker({ log }: Services, url: string, listener: Listener): Promise<Wire> {
  const client = connect(url, {
    clientId: `doorward-${process.pid}-${Date.now().toString(36)}`,
    clean: true,
    reconnectPeriod: 4_000,
    protocolVersion: 5,
  });
  client.on('connect', () => {
    client.subscribe([allResponses, allStatuses], { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, 'the broker does not let the server hear devices');
      else log.info('the broker is connected');
    });
  });
  client.on('error', (error) => log.warn({ err: error }, 'the broker is not reached'));
  client.on('message', (name, payload, packet) => {
    const topic = readDeviceTopic(name);
    if (topic && topic.part !== 'request') listener.heard({ serial: topic.serial, part: topic.part, payload, retained: packet.retain });
  });
  return {
    send: async (serial, payload) => {
      if (!client.connected) throw new Error('the broker is not connected');
      await client.publishAsync(deviceTopics.request(serial), payload, { qos: 1 });
    },
    hears: () => true,
    drop: () => undefined,
    close: () => client.endAsync(),
  };
}
