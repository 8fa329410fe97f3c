import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useTypedParam } from '#src/views/shell/address-params.ts';
import { manyPeople, openPage } from './support/area-page.ts';
import { pause } from './support/fake-server.ts';

/** Longer than the box waits for a next letter, in ms. */
const waited = 400;
const openPeople = async (path = '/users', number = 128) => {
  const page = await openPage(path, { 'GET /users': manyPeople(number) });
  await screen.findByText(number === 0 ? 'No results' : '1–20 of 128');
  return page;
};
const box = () => screen.getByRole<HTMLInputElement>('searchbox');
/** The box holds this from now on; the pointer and the focus stay where they are. */
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const enter = () => fireEvent.keyDown(box(), { key: 'Enter' });

describe('what is typed into the search box', () => {
  it('goes into the address by itself once nothing has been typed for a while', async () => {
    const { where, at } = await openPeople();
    type('anna');
    expect(where()).toBe('/users');
    await at('/users?search=anna');
  });

  it('goes there at once with Enter', async () => {
    const { where } = await openPeople();
    type('anna');
    enter();
    expect(where()).toBe('/users?search=anna');
  });

  it('counts together with an order that is chosen before it has gone there', async () => {
    const { where, at } = await openPeople();
    type('anna');
    fireEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(where()).toBe('/users?sort=login');
    await at('/users?sort=login&search=anna');
  });

  it('stays whole when its first letters reach the address while the next are typed', async () => {
    const { router, at } = await openPeople();
    const stop = router.subscribe(({ location }) => {
      if (location.search === '?search=an') type('anna');
    });
    type('an');
    await at('/users?search=an');
    stop();
    await at('/users?search=anna');
    expect(box().value).toBe('anna');
  });

  it('is dropped where the search is cleared meanwhile', async () => {
    const { where } = await openPeople('/users?search=zz', 0);
    type('zzz');
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await act(() => pause(waited));
    expect([where(), box().value]).toEqual(['/users', '']);
  });

  it('is dropped where the search is cleared, though Enter comes before that is drawn', async () => {
    const { where, router } = await openPeople('/users?search=zz', 0);
    type('zzz');
    const stop = router.subscribe(enter);
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    stop();
    await waitFor(() => expect(box().value).toBe(''));
    expect(where()).toBe('/users');
  });

  it('gives way to what Back brings', async () => {
    const { router, at } = await openPeople('/users?search=bo');
    await act(async () => router.navigate('/users?search=anna'));
    await waitFor(() => expect(box().value).toBe('anna'));
    type('anna s');
    await act(async () => router.navigate(-1));
    await at('/users?search=bo');
    await act(() => pause(waited));
    expect([location.search, box().value]).toEqual(['?search=bo', 'bo']);
  });

  it('leaves the page alone that is on its way', async () => {
    let bring: (page: object) => void = () => {};
    const Box = () => <input type="search" {...useTypedParam('search', (search) => void router.navigate(`?search=${search}`))} />;
    window.history.replaceState(null, '', '/here');
    const router = createBrowserRouter([
      { path: '/here', element: <Box /> },
      { path: '/there', lazy: () => new Promise<object>((resolve) => (bring = resolve)) },
    ]);
    onTestFinished(() => router.dispose());
    render(<RouterProvider router={router} />);
    type('anna');
    await act(async () => void router.navigate('/there'));
    await act(() => pause(waited));
    await act(async () => bring({ element: <p>There</p> }));
    await screen.findByText('There');
    expect(location.pathname + location.search).toBe('/there');
  });

  it('is nothing where it is blank', async () => {
    const { where } = await openPeople();
    type('  ');
    await act(() => pause(waited));
    expect([where(), box().value]).toEqual(['/users', '  ']);
    type(' a');
    enter();
    expect(new URLSearchParams(location.search).get('search')).toBe(' a');
  });
});
