/** Has the browser keep the console's own files, so that it starts, and goes on, while the server is away. Quietly without it where it cannot. */
export async function saveForOffline(): Promise<void> {
  // Without encryption, and in some private windows, there is none.
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  await workers?.register('/sw.js').catch((error: unknown) => console.warn('The console is not kept for when the server is away:', error));
}
