import { fromPromise } from 'xstate';
import { alarmsMachine } from '#machines/alarms/alarms.machine.ts';
import { sayNotice } from '#machines/notifications/notice-texts.ts';
import { notificationsMachine } from '#machines/notifications/notifications.machine.ts';
import type { Mark, OutsideCommand } from '#machines/notifications/notifications.setup.ts';
import { openAlarmMachine } from '#machines/alarms/open-alarm.machine.ts';
import { soundsMachine, type SpeakerCommand } from '#machines/sounds.machine.ts';
import type { Notification as Notice } from '#models/notifications.ts';
import { openAlarms } from '#src/adapters/alarms.ts';
import type { Remembered } from '#src/adapters/followed.ts';
import type { Http } from '#src/adapters/http.ts';
import { openNotices } from '#src/adapters/notices.ts';
import { openOutside } from '#src/adapters/outside.ts';
import type { SoundVolumes } from '#src/adapters/sound-volumes.ts';
import { openSpeaker } from '#src/adapters/speaker.ts';
import type { Texts } from './i18n.ts';
import { lasting } from './lasting.ts';

interface Deps {
  http: Http;
  texts: Texts;
  volumes: Pick<Remembered<SoundVolumes>, 'get'>;
  now: () => number;
}

/** So long a page takes to open on a slow machine, ms. */
const opening = 3_000;

/** The sounds of this page, one tab of a person's at a time. */
function plugSounds(volumes: Deps['volumes']) {
  const { locks, userActivation: activation } = navigator as { locks?: LockManager; userActivation?: UserActivation };
  const context = (): AudioContext | null => ('AudioContext' in window ? new AudioContext() : null);
  return soundsMachine.provide({
    actors: {
      speaker: lasting<SpeakerCommand, { person: string }>((report, { person }) => {
        const touched = activation?.hasBeenActive ?? true;
        const { send, close } = openSpeaker({ context, page: document, locks, volume: () => volumes.get().notice, touched }, person, report);
        // A source of sound takes the browser a while to make: not while the page opens, unless something is to be heard.
        const timer = touched ? setTimeout(() => send({ type: 'sound.arm' }), opening) : undefined;
        const end = (): void => {
          clearTimeout(timer);
          close();
        };
        return { send, close: end };
      }),
    },
  });
}

/** What watches over the building for a person: sounds, notifications and alarms, with their ports. */
export function composeWatch({ http, texts, volumes, now }: Deps) {
  const { locks } = navigator as { locks?: LockManager };
  const notices = openNotices(http, now);
  const desk = openAlarms(http);

  const words = (notice: Notice): { title: string; body: string } => {
    const { title, sentence } = sayNotice(notice, (key, params) => String(texts.i18n.t(key, { ...params })));
    return { title, body: sentence };
  };
  const notifications = notificationsMachine.provide({
    actors: {
      readInbox: fromPromise(({ signal }) => notices.readInbox(signal)),
      markRead: fromPromise(({ input }: { input: Mark }) => notices.markRead(input)),
      outside: lasting<OutsideCommand, { person: string }>((_report, { person }) =>
        openOutside({ notifications: window.Notification, locks, words, focus: () => window.focus() }, person),
      ),
    },
  });
  const openAlarm = openAlarmMachine.provide({
    actors: {
      claimAlarm: fromPromise(({ input }: { input: { id: string } }) => desk.claimAlarm(input)),
      processAlarm: fromPromise(({ input }: { input: { id: string; comment: string | null } }) => desk.processAlarm(input)),
    },
  });
  const alarms = alarmsMachine.provide({ actors: { openAlarm, readAlarms: fromPromise(({ signal }) => desk.readAlarms(signal)) } });
  return { sounds: plugSounds(volumes), notifications, alarms };
}
