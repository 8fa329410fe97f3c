import type { ActorRefFrom, AnyActorRef } from 'xstate';
import type { AlarmsActor } from './alarms/alarms.machine.ts';
import type { alertsMachine } from './alerts/alerts.machine.ts';
import type { LicenceActor } from './licence/licence.machine.ts';
import type { PhoneActor } from './phone/phone.machine.ts';
import type { RealtimeActor } from './realtime/realtime.machine.ts';
import type { NotificationsActor } from './notifications/notifications.machine.ts';
import type { sessionMachine } from './session/session.machine.ts';
import type { SoundsActor } from './sounds.machine.ts';
import type { workspaceMachine } from './workspace/workspace.machine.ts';

/** The actors of which there is one, by the name under which any actor's system knows them. */
export interface Singletons {
  session: ActorRefFrom<typeof sessionMachine>;
  alerts: ActorRefFrom<typeof alertsMachine>;
  workspace: ActorRefFrom<typeof workspaceMachine>;
  realtime: RealtimeActor;
  sounds: SoundsActor;
  notifications: NotificationsActor;
  alarms: AlarmsActor;
  licence: LicenceActor;
  phone: PhoneActor;
}

/** The one actor of that name in the system `actor` belongs to; all but `session` and `alerts` are there only while somebody is signed in. */
export const singleton = <Name extends keyof Singletons>(actor: Pick<AnyActorRef, 'system'>, name: Name): Singletons[Name] | undefined =>
  actor.system.get(name) as Singletons[Name] | undefined;
