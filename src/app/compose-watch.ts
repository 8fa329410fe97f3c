import { fromCallback, fromPromise } from 'xstate';
import { alarmsMachine } from '#machines/alarms.machine.ts';
import { sayNotice } from '#machines/notice-words.ts';
import { notificationsMachine } from '#machines/notifications.machine.ts';
import type { Mark, OutsideCommand } from '#machines/notifications.setup.ts';
import { openAlarmMachine } from '#machines/open-alarm.machine.ts';
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

interface Around {
  http: Http;
  texts: Texts;
  volumes: Pick<Remembered<SoundVolumes>, 'get'>;
  now: () => number;
}

/** What watches over the building for a person: sounds, notifications and alarms, with their ports. */
export function composeWatch({ http, texts, volumes, now }: Around) {
  const { locks, userActivation: activation } = navigator as { locks?: LockManager; userActivation?: UserActivation };
  const notices = openNotices(http, now);
  const desk = openAlarms(http);

  const sounds = soundsMachine.provide({
    actors: {
      speaker: fromCallback<SpeakerCommand, { person: string }>(({ input, sendBack, receive }) => {
        const speaker = openSpeaker(
          {
            context: () => ('AudioContext' in window ? new AudioContext() : null),
            page: document,
            locks,
            volume: () => volumes.get().notice,
            touched: activation?.hasBeenActive ?? true,
          },
          input.person,
          sendBack,
        );
        receive(speaker.tell);
        return speaker.close;
      }),
    },
  });
  const words = (notice: Notice): { title: string; body: string } => {
    const { title, sentence } = sayNotice(notice, (key, params) => String(texts.i18n.t(key, { ...params })));
    return { title, body: sentence };
  };
  const notifications = notificationsMachine.provide({
    actors: {
      readInbox: fromPromise(({ signal }) => notices.readInbox(signal)),
      markRead: fromPromise(({ input }: { input: Mark }) => notices.markRead(input)),
      outside: fromCallback<OutsideCommand, { person: string }>(({ input, receive }) => {
        const outside = openOutside({ notifications: window.Notification, locks, words, focus: () => window.focus() }, input.person);
        receive(outside.tell);
        return outside.close;
      }),
    },
  });
  const openAlarm = openAlarmMachine.provide({
    actors: {
      claimAlarm: fromPromise(({ input }: { input: { id: string } }) => desk.claimAlarm(input)),
      processAlarm: fromPromise(({ input }: { input: { id: string; comment: string | null } }) => desk.processAlarm(input)),
    },
  });
  const alarms = alarmsMachine.provide({ actors: { openAlarm, readAlarms: fromPromise(({ signal }) => desk.readAlarms(signal)) } });
  return { sounds, notifications, alarms };
}
