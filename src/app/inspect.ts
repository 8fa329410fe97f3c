import { createBrowserInspector, type StatelyInspectionEvent } from '@statelyai/inspect';
import type { InspectionEvent, Observer } from 'xstate';
import { redacted } from './redact.ts';

/** Every event leaves this page plain and redacted, whoever listens. */
const serialize = (event: StatelyInspectionEvent): StatelyInspectionEvent => redacted(event) as StatelyInspectionEvent;

/**
 * Streams all actors in the protocol of the Stately inspector: as messages in this window, for our own tools; to the
 * inspector's own window only when the address asks for it by `?inspect=window`.
 */
export function openInspector(page: Window, wish: string): Observer<InspectionEvent> {
  const elsewhere = wish === 'window';
  const { inspect } = createBrowserInspector({
    window: page,
    autoStart: elsewhere,
    serialize,
    maxDeferredEvents: 2_000,
    ...(!elsewhere && { send: (event: StatelyInspectionEvent) => page.postMessage(event, page.location.origin) }),
  });
  return inspect;
}
