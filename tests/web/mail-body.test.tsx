import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MailBody } from '#src/views/mails/mail-body.tsx';

beforeEach(() => void vi.spyOn(window, 'location', 'get').mockReturnValue({ origin: 'https://door.example.org' } as Location));
afterEach(() => void vi.restoreAllMocks());

it('an address of this console is a link in a mail, any other is text, and so is what pretends to be code', () => {
  const body = 'Here:\nhttps://door.example.org/registration/abc\nnot https://door.example.org.evil.example/registration/abc <b>x</b>';
  expect(renderToStaticMarkup(<MailBody text={body} />)).toBe(
    'Here:\n<a href="/registration/abc" target="_blank" rel="noopener noreferrer">https://door.example.org/registration/abc</a>\nnot https://door.example.org.evil.example/registration/abc &lt;b&gt;x&lt;/b&gt;',
  );
});
