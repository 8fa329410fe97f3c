import { useSelector } from '@xstate/react';
import { useCallback, useEffect, useId, useRef } from 'react';
import type { DeviceSearchActor } from '#machines/device-search.machine.ts';
import type { EnrolmentActor } from '#machines/enrolment.machine.ts';
import type { PaletteActor, PaletteInput } from '#machines/palette/palette.machine.ts';
import type { FormActor, FormAnswer, FormEvent, FormInput } from '#machines/form/form.machine.ts';
import type { ListActor } from '#machines/list/list.machine.ts';
import type { ReservationMoveActor } from '#machines/reservation-move.machine.ts';
import type { SystemWatchActor } from '#machines/system-watch.machine.ts';
import type { Problem } from '#models/problem.ts';
import type { AreaName } from '#models/areas.ts';
import type { ListQuery } from '#models/query.ts';
import { type SessionRef, useOpenWorkspace, useSession, type WorkspaceRef } from './system.ts';

/** Keeps a view's actor as long as the view stands: `close` comes after it, but not where React only tries the view twice. */
function useClosing(host: WorkspaceRef | SessionRef | undefined, id: string): void {
  const standing = useRef<WorkspaceRef | SessionRef>(undefined);
  useEffect(() => {
    standing.current = host;
    return () => {
      standing.current = undefined;
      queueMicrotask(() => {
        if (standing.current !== host && host?.getSnapshot().status === 'active') host.send({ type: 'child.close', id });
      });
    };
  }, [host, id]);
}

/** A form of this view: the actor once it is there, and how to open it and tell it something. */
export interface OwnForm {
  actor: FormActor | undefined;
  open: () => void;
  send: (event: FormEvent) => void;
}
interface Heard {
  /** Told with what saving brought, and with how the form is told something further. */
  saved?: ((answer: unknown, send: OwnForm['send']) => void) | undefined;
  refused?: ((problem: Problem) => void) | undefined;
}

/** A form that the workspace keeps for this view, `form:<name>:<view>`; the session keeps it where there is no workspace. */
export function useOwnForm(name: string, input: FormInput, heard: Heard): OwnForm {
  const workspace = useOpenWorkspace();
  const session = useSession();
  const host = workspace ?? session;
  const id = `form:${name}:${useId()}`;
  const handlers = useRef(heard);
  const first = useRef(input);
  useEffect(() => {
    handlers.current = heard;
    first.current = input;
  });
  const send = useCallback<OwnForm['send']>((event) => host.send({ type: 'child.notify', id, event }), [host, id]);
  useEffect(() => {
    const hear = (fact: FormAnswer): void => {
      if (fact.form !== id) return;
      if (fact.type === 'form.saved') handlers.current.saved?.(fact.answer, send);
      else handlers.current.refused?.(fact.problem);
    };
    const subscriptions = workspace
      ? [workspace.on('form.saved', hear), workspace.on('form.refused', hear)]
      : [session.on('form.saved', hear), session.on('form.refused', hear)];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [workspace, session, id, send]);
  useClosing(host, id);
  const inWorkspace = useSelector(workspace, (snapshot) => snapshot?.children[id]);
  const inSession = useSelector(session, ({ children }) => children[id]);
  return {
    actor: (workspace ? inWorkspace : inSession) as FormActor | undefined,
    open: useCallback(() => host.send({ type: 'child.open', id, src: 'form', input: first.current }), [host, id]),
    send,
  };
}

/** Rows of an area outside of the workspace's own lists, as long as the view stands; not there in the first picture. */
export function useOwnList(area: AreaName, query: ListQuery): ListActor | undefined {
  const workspace = useOpenWorkspace();
  const id = `list:${area}:${useId()}`;
  const first = useRef(query);
  useClosing(workspace, id);
  useEffect(() => workspace?.send({ type: 'child.open', id, src: 'list', input: { area, query: first.current } }), [workspace, area, id]);
  return useSelector(workspace, (snapshot) => snapshot?.children[id]) as ListActor | undefined;
}

/** An actor of the workspace that needs to be told nothing to begin with, as long as the view stands. */
function useOwnActor(src: 'deviceSearch' | 'enrolment' | 'systemWatch' | 'reservationMove'): unknown {
  const workspace = useOpenWorkspace();
  const id = `${src}:${useId()}`;
  useClosing(workspace, id);
  useEffect(() => workspace?.send({ type: 'child.open', id, src }), [workspace, id, src]);
  return useSelector(workspace, (snapshot) => snapshot?.children[id]);
}

/** The search for devices, as long as its page stands. */
export const useDeviceSearch = (): DeviceSearchActor | undefined => useOwnActor('deviceSearch') as DeviceSearchActor | undefined;

/** The look at the system, as long as its page stands. */
export const useSystemWatch = (): SystemWatchActor | undefined => useOwnActor('systemWatch') as SystemWatchActor | undefined;

/** The enrolling of a card, as long as its dialog stands. */
export const useEnrolment = (): EnrolmentActor | undefined => useOwnActor('enrolment') as EnrolmentActor | undefined;

/** The move of a reservation, as long as the calendar stands. */
export const useReservationMove = (): ReservationMoveActor | undefined => useOwnActor('reservationMove') as ReservationMoveActor | undefined;

/** The command palette, as long as it stands open. */
export function usePaletteActor(input: PaletteInput): PaletteActor | undefined {
  const workspace = useOpenWorkspace();
  const id = `palette:${useId()}`;
  const first = useRef(input);
  useClosing(workspace, id);
  useEffect(() => workspace?.send({ type: 'child.open', id, src: 'palette', input: first.current }), [workspace, id]);
  return useSelector(workspace, (snapshot) => snapshot?.children[id]) as PaletteActor | undefined;
}
