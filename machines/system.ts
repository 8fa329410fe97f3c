import type { ActorRefFrom, AnyActorRef } from 'xstate';
import type { alertsMachine } from './alerts.machine.ts';
import type { sessionMachine } from './session.machine.ts';
import type { workspaceMachine } from './workspace.machine.ts';

/** The actors of which there is one, by the name under which any actor's system knows them. */
export interface Singletons {
  session: ActorRefFrom<typeof sessionMachine>;
  alerts: ActorRefFrom<typeof alertsMachine>;
  workspace: ActorRefFrom<typeof workspaceMachine>;
}

/** The one actor of that name in the system `actor` belongs to; `workspace` is there only while somebody is signed in. */
export const singleton = <Name extends keyof Singletons>(actor: Pick<AnyActorRef, 'system'>, name: Name): Singletons[Name] | undefined =>
  actor.system.get(name) as Singletons[Name] | undefined;
