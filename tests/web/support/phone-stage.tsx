import { act, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { onTestFinished } from 'vitest';
import { type ActorRefFrom, type AnyActorRef, createActor, fromCallback, fromPromise, setup } from 'xstate';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import type { PhoneMirror } from '#machines/phone/mirror.ts';
import { phoneMachine } from '#machines/phone/phone.machine.ts';
import type { CheckResult, ConciergeDoor, Contact, InterceptionSettings, RecentPage, TabsCommand, TabsReport } from '#machines/phone/ports.ts';
import { contactsMachine } from '#machines/phone/contacts/contacts.machine.ts';
import { doorMachine } from '#machines/phone/door.machine.ts';
import { interceptionMachine } from '#machines/phone/interception.machine.ts';
import { recentsMachine } from '#machines/phone/recents/recents.machine.ts';
import { selfTestMachine } from '#machines/phone/self-test.machine.ts';
import { tabsMachine } from '#machines/phone/tabs.machine.ts';
import { keypadMachine } from '#machines/phone/keypad.machine.ts';
import { listMachine } from '#machines/list/list.machine.ts';
import type { CallName } from '#models/api.ts';
import { type CallRequest, formMachine } from '#machines/form/form.machine.ts';
import type { Page } from '#machines/rows.ts';
import type { AreaName } from '#models/areas.ts';
import type { ListQuery } from '#models/query.ts';
import { workspaceMachine } from '#machines/workspace/workspace.machine.ts';
import type { Locale } from '#models/constants.ts';
import { type PermissionCode, permissionCodes } from '#models/permission-catalogue.ts';
import { type Act, acts } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { openTexts } from '#src/app/i18n.ts';
import { TextProvider } from '#src/components/text-provider.tsx';
import { ClockworkContext } from '#src/components/when.tsx';
import PhoneButton from '#src/views/phone/phone-button.tsx';
import PhoneHost from '#src/views/phone/phone-host.tsx';
import { AppContext, ServicesContext, type Services, type SoundVolumes } from '#src/views/system.ts';
import { anna, uuid } from '#tests/support/people.ts';
import { mirrorOf, stageNow } from '#tests/support/phone-mirrors.ts';
import { newUser } from './user.ts';

/** What the server of a stage answers. */
interface Estate {
  contacts: readonly Contact[];
  /** Asked in its stead, where it is to fail some day. */
  readContacts: (() => Promise<readonly Contact[]>) | null;
  recents: RecentPage;
  doors: readonly ConciergeDoor[];
  interception: InterceptionSettings;
  checks: readonly CheckResult[];
  openDoor: () => Promise<{ outcome: 'confirmed' | 'unconfirmed' }>;
  mayIntercept: boolean;
  mayOpen: boolean;
}
const emptyEstate: Estate = {
  contacts: [],
  readContacts: null,
  recents: { calls: [], total: 0 },
  doors: [],
  interception: { isActive: false, groups: [], userGroups: [] },
  checks: [],
  openDoor: () => Promise.resolve({ outcome: 'confirmed' }),
  mayIntercept: true,
  mayOpen: true,
};

const codesOf = (act: Act): readonly PermissionCode[] => acts[act];

/** Anna with a number. */
const annaOnPhone = ({ mayIntercept, mayOpen }: Estate): Profile => ({
  ...anna,
  role: {
    id: uuid(2),
    name: 'Concierge',
    permissions: permissionCodes.filter(
      (code) => (mayIntercept || !codesOf('intercept').includes(code)) && (mayOpen || !codesOf('haveDoors').includes(code)),
    ),
    available_roles: [],
  },
  profile: { ...anna.profile, sip_number: { number: '1001', name: 'Front desk' } },
});

/** The real phone in a tab that follows: it shows whatever mirror the stage gives it, and its commands come back to the stage. */
function followingPhone(estate: Estate, commands: PhoneCommand[]) {
  let show: (mirror: PhoneMirror) => void = () => {};
  const phoneTabs = fromCallback<TabsCommand, { number: string }>(({ sendBack, receive }) => {
    show = (mirror) => sendBack({ type: 'tabs.mirrored', mirror } satisfies TabsReport);
    receive((realtimeEvent) => {
      if (realtimeEvent.type === 'tabs.command') commands.push(realtimeEvent.command);
    });
    sendBack({ type: 'tabs.outvoted' } satisfies TabsReport);
  });
  const machine = phoneMachine.provide({
    actors: {
      tabs: tabsMachine.provide({ actors: { phoneTabs } }),
      contacts: contactsMachine.provide({ actors: { readContacts: fromPromise(estate.readContacts ?? (() => Promise.resolve(estate.contacts))) } }),
      recents: recentsMachine.provide({ actors: { readRecents: fromPromise(() => Promise.resolve(estate.recents)) } }),
      door: doorMachine.provide({
        actors: { readDoors: fromPromise(() => Promise.resolve(estate.doors)), openDoor: fromPromise(estate.openDoor) },
      }),
      interception: interceptionMachine.provide({
        actors: {
          readInterception: fromPromise(() => Promise.resolve(estate.interception)),
          setInterception: fromPromise(({ input }: { input: { isActive: boolean; groups: readonly string[] } }) =>
            Promise.resolve({ ...estate.interception, isActive: input.isActive }),
          ),
        },
      }),
      keypad: keypadMachine.provide({ actors: { lastDialled: fromCallback(() => {}) } }),
      selfTest: selfTestMachine.provide({ actors: { runSelfTest: fromPromise(() => Promise.resolve(estate.checks)) } }),
      notifier: fromCallback(() => {}),
      mediaDevices: fromCallback(() => {}),
      headset: fromCallback(() => {}),
    },
  });
  return { machine, show: (mirror: PhoneMirror) => show(mirror) };
}

/** A value that a stage remembers. */
function remembered<T>(first: T) {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next: T) => {
      value = next;
      for (const heard of listeners) heard();
    },
    follow: (heard: () => void) => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}

const noRows: Page = { rows: [], total: 0, asOf: '2026-01-01T00:00:00Z' };

/** Where the views' own forms and lists run: calls are answered by the stage, lists are empty. */
const answeringWorkspace = (runCall: (request: CallRequest) => Promise<unknown>) =>
  workspaceMachine.provide({
    actors: {
      form: formMachine.provide({ actors: { runCall: fromPromise<unknown, CallRequest>(({ input }) => runCall(input)) } }),
      list: listMachine.provide({ actors: { loadPage: fromPromise<Page, { area: AreaName; query: ListQuery }>(() => Promise.resolve(noRows)) } }),
      pageMemory: fromCallback(() => {}),
    },
  });

interface StageOptions {
  mirror?: PhoneMirror;
  estate?: Partial<Estate>;
  locale?: Locale;
  isOpen?: boolean;
  /** A phone whose ports the test holds; without it the phone follows the tab of the stage. */
  machine?: typeof phoneMachine;
  /** Time stands still unless it is given. */
  now?: () => number;
  /** What stands around the button and the phone. */
  frame?: (button: ReactNode, beside: ReactNode) => ReactNode;
  /** What the server answers to the views' own questions, by call; a promise that fails is a refusal. */
  answers?: Partial<Record<CallName, () => unknown>>;
}

/** The channel by which the server says what changed, as far as views ask for it. */
const channel = setup({}).createMachine({
  id: 'realtime',
  initial: 'connected',
  states: { connected: { on: { 'channel.lost': 'lost' } }, lost: { tags: 'apart', on: { 'channel.back': 'connected' } } },
});

/** The phone beside a page, over the real machines with a server and a tab of the stage's own; it goes with the end of the test. */
export async function openStage(options: StageOptions = {}) {
  const { mirror = mirrorOf(), locale = 'en', isOpen = true, now = () => stageNow } = options;
  const { frame = (button, beside) => [button, beside], answers = {} } = options;
  const estate = { ...emptyEstate, ...options.estate };
  const commands: PhoneCommand[] = [];
  const following = followingPhone(estate, commands);
  const machine = options.machine ?? following.machine;
  const { show } = following;
  const profile = annaOnPhone(estate);
  const asked: CallRequest[] = [];
  const workspace = answeringWorkspace((request) => {
    asked.push(request);
    return Promise.resolve(answers[request.call]?.() ?? null);
  });
  const person = { number: '1001', name: 'Front desk', isDesk: true, mayIntercept: estate.mayIntercept };
  const console = setup({ actors: { phone: machine, workspace, realtime: channel } }).createMachine({
    id: 'console',
    invoke: [
      { id: 'realtime', src: 'realtime', systemId: 'realtime' },
      { id: 'workspace', src: 'workspace', systemId: 'workspace' },
      { id: 'phone', src: 'phone', systemId: 'phone', input: { person } },
    ],
  });
  const session = setup({}).createMachine({ id: 'session', context: { profile } });
  const app = createActor(
    setup({ actors: { console, session } }).createMachine({
      id: 'app',
      invoke: [
        { id: 'session', src: 'session', systemId: 'session' },
        { id: 'console', src: 'console' },
      ],
    }),
  ).start();
  // Hooks of this kind run when the page is gone already.
  onTestFinished(() => void app.stop());
  if (!options.machine) show(mirror);
  const texts = await openTexts(locale);
  await texts.load('phone', 'areas/devices', 'notifications', 'validation');
  const phoneDesk = remembered<ReturnType<Services['phoneDesk']['get']>>({ isOpen, keys: {} });
  const volumes = remembered<SoundVolumes>({ sos: 1, call: 0.8, waiting: 0.6, notice: 1 });
  let ids = 900;
  const services = {
    now,
    freshId: () => uuid(ids++),
    phoneDesk,
    volumes,
    paths: new Set(['/conversations']),
    pictures: { attach: () => () => {}, still: () => Promise.resolve(null) },
  } as unknown as Services;
  const phone: ActorRefFrom<typeof phoneMachine> = app.system.get('phone');
  const alerts: string[] = [];
  phone.on('alert.show', ({ alert }) => alerts.push(alert.key ?? ''));
  await act(async () =>
    render(
      <MemoryRouter>
        <TextProvider>
          <ServicesContext value={services}>
            <AppContext value={app as never}>
              <ClockworkContext value={{ zoneHours: 2, zoneName: null, timeFormat: 'DD-MM-YYYY', now }}>
                {frame(<PhoneButton key="button" phone={phone} />, <PhoneHost key="beside" phone={phone} />)}
              </ClockworkContext>
            </AppContext>
          </ServicesContext>
        </TextProvider>
      </MemoryRouter>,
    ),
  );
  const user = newUser();
  return {
    phone: phone as AnyActorRef,
    commands,
    /** The keys of what was told in the alerts area. */
    alerts,
    /** What was asked of the server by the views themselves. */
    asked,
    phoneDesk,
    volumes,
    texts,
    user,
    /** Presses the button of this name. */
    press: (name: string | RegExp) => user.click(screen.getByRole('button', { name })),
    /** Turns to a part of the panel. */
    turnTo: (name: string) => user.click(screen.getByRole('tab', { name })),
    show: (next: PhoneMirror) => act(async () => show(next)),
    /** The server's word of changes goes missing, or comes again. */
    channel: (type: 'channel.lost' | 'channel.back') => act(async () => (app.system.get('realtime') as AnyActorRef).send({ type })),
  };
}

/** The button in the bar, which says how the phone stands. */
export const phoneButton = (): HTMLElement => screen.getByRole('button', { name: /^Phone 1001\./ });
/** The part of the phone that is unfolded. */
export const part = () => within(screen.getByRole('tabpanel'));
/** The parts that are there for this person. */
export const tabs = (): string[] => screen.getAllByRole('tab').map(({ textContent }) => textContent);
/** The card of a call, by whom it is with. */
export const callCard = (name = 'Main gate'): HTMLElement => screen.getByRole('listitem', { name });
/** What its buttons are called, in their order. */
export const buttonNames = (card: HTMLElement): string[] =>
  within(card)
    .queryAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent);
/** What was sent to the phone, each command as it was asked for, whichever part passed it on. */
export const dials = (commands: readonly object[]): object[] =>
  commands.map((command) => ('command' in command ? (command.command as object) : command));
