import type { FastifyInstance } from 'fastify';
import { Counter, Gauge } from 'prom-client';

/** What of the channel is counted. */
export interface ChannelMetrics {
  received: () => void;
  sent: () => void;
  dropped: (why: 'slow' | 'silent' | 'flood') => void;
}

/** Registers the channel's figures: open connections, frames both ways, and connections the server gave up. */
export function countChannel({ metrics }: FastifyInstance, open: () => number): ChannelMetrics {
  const registers = [metrics];
  new Gauge({
    name: 'doorward_realtime_connections',
    help: 'Open realtime connections',
    registers,
    collect() {
      this.set(open());
    },
  });
  const frames = new Counter({ name: 'doorward_realtime_frames_total', help: 'Realtime frames by direction', labelNames: ['direction'], registers });
  const drops = new Counter({
    name: 'doorward_realtime_drops_total',
    help: 'Realtime connections the server gave up',
    labelNames: ['why'],
    registers,
  });
  return {
    received: () => frames.inc({ direction: 'in' }),
    sent: () => frames.inc({ direction: 'out' }),
    dropped: (why) => drops.inc({ why }),
  };
}
