import sanitize from 'sanitize-html';
import { ownSource } from '#models/picture-sources.ts';

/** Px. */
const longestSide = 12_000;
const pixels = (value: string | undefined): string | null =>
  /^[1-9]\d{0,4}$/.test(value ?? '') && Number(value) <= longestSide ? String(value) : null;
/** A picture as it is stored: by its own address, unsigned, with its size and what it shows in words. */
function pictureTag(_tag: string, { src, alt = '', width, height }: sanitize.Attributes): sanitize.Tag {
  const [wide, high] = [pixels(width), pixels(height)];
  return { tagName: 'img', attribs: { src: ownSource(src) ?? '', alt, ...(wide && high && { width: wide, height: high }) } };
}

/** The tags of the editor and nothing else: no styles, no pictures from elsewhere, no addresses but of the web and of mail. */
const options: sanitize.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'em', 'u', 's', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'a', 'img'],
  allowedAttributes: { a: ['href', 'rel', 'target'], img: ['src', 'alt', 'width', 'height'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  transformTags: {
    img: pictureTag,
    a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow', target: '_blank' }),
    b: 'strong',
    i: 'em',
    h1: 'h2',
  },
};
/** The text turned the other way by these would be read as something else than what stands there. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Formatted text as it is kept and shown. */
// Written as entities they come to light only afterwards.
export const cleanBody = (html: string): string => sanitize(html, options).replaceAll(OVERRIDES, '').trim();

const ends = /<\/(?:p|h2|h3|li|blockquote)>|<br\s*\/?>/g;
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ', '&amp;': '&' };

/** What somebody reads of formatted text: its words, a line for each of its paragraphs. */
export const plainBody = (html: string): string =>
  sanitize(cleanBody(html).replaceAll(/<li>/g, '<li>- ').replaceAll(ends, '$&\n'), { allowedTags: [], allowedAttributes: {} })
    .replaceAll(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (sign) => entities[sign] ?? sign)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
