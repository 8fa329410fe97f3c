import { useActorRef } from '@xstate/react';
import type { ActorOptions, ActorRefFrom, AnyActorLogic } from 'xstate';
import { useServices } from './system.ts';

/** An actor that lives as long as this view, seen by the inspector while that is on. */
export function useOwnActor<Logic extends AnyActorLogic>(logic: Logic, input?: ActorOptions<Logic>['input']): ActorRefFrom<Logic> {
  const { inspect } = useServices();
  const options = { ...(input !== undefined && { input }), ...(inspect && { inspect }) };
  return (useActorRef as (machine: AnyActorLogic, given: object) => unknown)(logic, options) as ActorRefFrom<Logic>;
}
