import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Popup } from '#src/components/popup.tsx';

it('closes by Escape also before what it holds has come', async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const onClose = vi.fn<() => void>();
  const anchor = document.createElement('button');
  document.body.append(anchor);
  render(
    <Popup anchor={anchor} label="Notifications" onClose={onClose}>
      <p>Loading</p>
    </Popup>,
  );
  expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'Notifications' }));
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  anchor.remove();
  vi.unstubAllGlobals();
});
