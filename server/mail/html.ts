import type { MailLook } from './look.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
/** Up to the first sign that no link of ours has; what closes a sentence or a bracket is not part of it. */
const LINK = /https?:\/\/[^\s<>"'«»“”()[\]{}]+/g;

/** A line of text as HTML: nothing in it is markup, and addresses can be pressed. */
function line(text: string, color: string): string {
  let html = '';
  let from = 0;
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const link = found.replace(/[.,;:!?]+$/, '');
    html += `${escaped(text.slice(from, index))}<a href="${escaped(link)}" style="color:${color}">${escaped(link)}</a>`;
    from = index + link.length;
  }
  return html + escaped(text.slice(from));
}

const lines = (text: string, color: string): string =>
  text
    .split('\n')
    .map((one) => line(one, color))
    .join('<br>');

/** The logo is sent along with the mail: addresses of pictures stop working, and are blocked by many mailboxes. */
export const logoId = 'logo@doorward';

/** A mail as HTML, in the look of its place. Everything that was typed is text. */
export function asHtml(text: string, { name, logoFile, ground, text: onGround, footer }: MailLook): string {
  const paragraphs = text.trim().split(/\n{2,}/);
  const link = '#2b5bd7';
  const logo =
    logoFile === null ? '' : `<img src="cid:${logoId}" alt="" height="32" style="vertical-align:middle;margin-right:12px;max-width:120px">`;
  return [
    '<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>',
    '<body style="margin:0;padding:24px 12px;background:#f4f6f9;font:15px/1.5 system-ui,Arial,sans-serif;color:#1b2430">',
    '<table role="presentation" width="100%" style="max-width:600px;margin:0 auto;border-collapse:collapse;background:#ffffff"><tbody>',
    `<tr><td style="padding:16px 24px;background:${ground};color:${onGround};font-weight:600">${logo}${escaped(name)}</td></tr>`,
    `<tr><td style="padding:24px">${paragraphs.map((one) => `<p style="margin:0 0 16px">${lines(one, link)}</p>`).join('')}</td></tr>`,
    footer === ''
      ? ''
      : `<tr><td style="padding:16px 24px;border-top:1px solid #dde3ea;color:#5c6878;font-size:13px">${lines(footer, link)}</td></tr>`,
    '</tbody></table></body></html>',
  ].join('');
}
