import { inSentence } from '#models/in-sentence.ts';
import type { Notification } from '#models/notifications.ts';
import type { Text } from '../alerts/dialog.ts';

/** What a notification says, as keys and what fills them: a title, and a sentence below it. */
export interface NoticeTexts {
  title: Text;
  /** The key of the sensor's name, which fills `sensor` in the title. */
  sensor: string | null;
  sentence: Text;
}

/** The words of a notification; what ended with an error, and each turn of an announce, has words of its own. */
export function noticeTexts({ type, data }: Pick<Notification, 'type' | 'data'>): NoticeTexts {
  const variant = data.has_error ? `${type}_failed` : type;
  const turn = data.status ? `${variant}_${data.status}` : variant;
  const params = {
    title: data.title ?? '',
    user: data.user?.name ?? '',
    device: data.device?.name ?? '',
    group: data.group ?? '',
    identifier: data.identifier ?? '',
    ...(data.days !== undefined && { count: data.days }),
  };
  return {
    title: { key: `notifications.titles.${variant}`, params },
    sensor: data.alarm ? `areas.device-alarms.options.sensor.${data.alarm.sensor}` : null,
    sentence: { key: `notifications.sentences.${turn}`, params },
  };
}

/** A notification in words, given how keys are said. */
export function sayNotice(
  notice: Pick<Notification, 'type' | 'data'>,
  t: (key: string, params?: Record<string, unknown>) => string,
): { title: string; sentence: string } {
  const { title, sensor, sentence } = noticeTexts(notice);
  return {
    title: t(title.key, { ...title.params, ...(sensor && { sensor: inSentence(t(sensor)) }) }),
    sentence: t(sentence.key, { ...sentence.params }),
  };
}
