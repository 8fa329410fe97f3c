import { act, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom';
import { expect, it } from 'vitest';
import { openTexts } from '#src/app/i18n.ts';
import { TextProvider } from '#src/components/text-provider.tsx';
import { PageProgress } from '#src/views/shell/page-progress.tsx';
import { pause } from './support/fake-server.ts';

const frame = (
  <>
    <PageProgress />
    <Outlet />
  </>
);

/** Two pages, the second of which comes when it is let through. */
async function twoPages() {
  await openTexts('en');
  let resolve!: (route: object) => void;
  const promise = new Promise<object>((settle) => (resolve = settle));
  const second = { path: '/second', lazy: () => promise };
  const router = createMemoryRouter([{ element: frame, children: [{ path: '/', element: <p>first</p> }, second] }]);
  render(
    <TextProvider>
      <RouterProvider router={router} />
    </TextProvider>,
  );
  const goTo = (path: string) => act(async () => void router.navigate(path));
  return { goTo, come: () => act(async () => resolve({ element: <p>second</p> })) };
}
const said = (): string | null => screen.getByRole('status').textContent;

it('a page whose code is long on its way is said to be, and the one before it stays until then', async () => {
  const { goTo, come } = await twoPages();
  expect(said()).toBe('');
  await goTo('/second');
  expect([said(), screen.queryByText('first') !== null]).toEqual(['', true]);
  await waitFor(() => expect(said()).toBe('Loading…'));
  expect(screen.queryByText('first')).not.toBeNull();
  await come();
  expect([said(), screen.queryByText('second') !== null]).toEqual(['', true]);
});

it('a page that comes at once, or that somebody turns back from, is not spoken of', async () => {
  const { goTo, come } = await twoPages();
  await goTo('/second');
  await goTo('/');
  await act(() => pause(600));
  expect(said()).toBe('');
  await goTo('/second');
  await come();
  await act(() => pause(600));
  expect([said(), screen.queryByText('second') !== null]).toEqual(['', true]);
});
