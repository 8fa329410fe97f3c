/** Whether the browser may show notifications of the desktop; asking follows a press of the person. */
export function openDesktop(notifications: Pick<typeof Notification, 'permission' | 'requestPermission'> | undefined) {
  const subscribers = new Set<() => void>();
  return {
    get: () => notifications?.permission ?? ('missing' as const),
    follow: (heard: () => void) => {
      subscribers.add(heard);
      return () => void subscribers.delete(heard);
    },
    async ask(): Promise<void> {
      await notifications?.requestPermission();
      for (const heard of subscribers) heard();
    },
  };
}
