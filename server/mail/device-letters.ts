import { defineLetter } from './letters.ts';

/** What is mailed of devices to those who asked for it. */
export const deviceLetters = {
  deviceOffline: defineLetter('device_offline', {
    en: ({ device, group }) => ({
      subject: `${device} is offline`,
      body: `The device “${device}” (${group}) has not responded for half a minute. Check its power and network.\n`,
    }),
    ru: ({ device, group }) => ({
      subject: `Устройство «${device}» не в сети`,
      body: `Устройство «${device}» (${group}) не отвечает уже полминуты. Проверьте его питание и сеть.\n`,
    }),
  }),
  deviceTaskFailed: defineLetter('device_task_failed', {
    en: ({ device, group, error }) => ({
      subject: `A task for ${device} failed`,
      body: `The device “${device}” (${group}) could not complete its task: ${error}\n\nCheck the device, then retry the task in the console.\n`,
    }),
    ru: ({ device, group, error }) => ({
      subject: `Задача устройства «${device}» не выполнена`,
      body: `Устройство «${device}» (${group}) не смогло выполнить задачу: ${error}\n\nПроверьте устройство и повторите задачу в консоли.\n`,
    }),
  }),
};
