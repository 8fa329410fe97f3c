import { randomUUID } from 'node:crypto';
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

const paragraph = '<p style="margin:0 0 16px">';
/** Mailboxes know nothing of style sheets: what a tag looks like stands at each. */
const styles: readonly [RegExp, string][] = [
  [/<p>/g, paragraph],
  [/<h2>/g, '<h2 style="margin:20px 0 8px;font-size:19px">'],
  [/<h3>/g, '<h3 style="margin:16px 0 8px;font-size:16px">'],
  [/<(ul|ol)>/g, '<$1 style="margin:0 0 16px;padding-left:24px">'],
  [/<blockquote>/g, '<blockquote style="margin:0 0 16px;padding-left:12px;border-left:3px solid #dde3ea">'],
  [/<img /g, '<img style="max-width:100%;height:auto;border-radius:6px" '],
  [/<a /g, '<a style="color:#2b5bd7" '],
];

/** A mail in which values are shown with the formatting they have: `write` is given what stands for them until then. */
export function withFormatted(formatted: Readonly<Record<string, string>>, write: (marks: Record<string, string>) => string): string {
  // Nobody who types a text can know what will stand for another.
  const marks = Object.fromEntries(Object.keys(formatted).map((key) => [key, `mark-${randomUUID()}`]));
  let html = write(marks);
  for (const [key, mark] of Object.entries(marks)) {
    const styled = styles.reduce((text, [tag, look]) => text.replaceAll(tag, look), formatted[key] ?? '');
    html = html.replaceAll(`${paragraph}${mark}</p>`, () => styled).replaceAll(mark, () => `</p>${styled}${paragraph}`);
  }
  return html;
}

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
    `<tr><td style="padding:24px">${paragraphs.map((one) => `${paragraph}${lines(one, link)}</p>`).join('')}</td></tr>`,
    footer === ''
      ? ''
      : `<tr><td style="padding:16px 24px;border-top:1px solid #dde3ea;color:#5c6878;font-size:13px">${lines(footer, link)}</td></tr>`,
    '</tbody></table></body></html>',
  ].join('');
}
