import { render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RichText } from '#src/components/rich-text/rich-text.tsx';
import { uuid } from '#tests/support/people.ts';

const own = `/api/v0/files/${uuid(1)}?until=1764000000&signature=abc-_d`;

it('draws pictures of this server alone', async () => {
  const html = `<p>Lobby</p><img src="${own.replaceAll('&', '&amp;')}" alt="The lobby" width="32" height="24">
    <img src="https://e.example/track.png" alt="tracks"><img src="//e.example/x.png" alt="tracks"><img src="data:image/svg+xml,<svg onload=alert(1)>" alt="tracks">`;
  render(<RichText html={html} />);
  const picture = await screen.findByRole('img', { name: 'The lobby' });
  expect(picture.getAttribute('src')).toBe(own);
  expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['32', '24']);
  await waitFor(() => expect(screen.queryByRole('img', { name: 'tracks' })).toBeNull());
});
