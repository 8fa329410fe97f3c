import { screen } from '@testing-library/react';
import { openConsole, signedInBefore, smallBuilding } from './console.tsx';

/** Opens the console signed in as Anna, at an address, and waits for the shell; the server answers by `handlers`, else as a small building does. */
export async function enterShell(path: string, handlers: Parameters<typeof smallBuilding>[0] = {}) {
  const server = smallBuilding(handlers);
  signedInBefore();
  const page = await openConsole(path);
  await page.at(path);
  await screen.findByRole('main');
  return { ...page, server };
}
