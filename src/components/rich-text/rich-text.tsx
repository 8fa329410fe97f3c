import purify from 'dompurify';
import { useEffect, useRef } from 'react';
import { ownSource } from '#models/picture-sources.ts';
import './rich-text.css';

const allowed = {
  ALLOWED_TAGS: ['p', 'br', 'strong', 'em', 'u', 's', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'a', 'img'],
  ALLOWED_ATTR: ['href', 'rel', 'target', 'src', 'alt', 'width', 'height'],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

/** Pictures are those of this server; another's would tell it who reads. */
function sanitised(html: string): DocumentFragment {
  const fragment = purify.sanitize(html, allowed);
  for (const picture of fragment.querySelectorAll('img')) {
    if (ownSource(picture.getAttribute('src') ?? '') === null) picture.remove();
    else picture.loading = 'lazy';
  }
  return fragment;
}

/** Formatted text, sanitised once more here: whatever a server sends, no more than this is drawn. */
export function RichText({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.replaceChildren(sanitised(html)), [html]);
  return <div ref={place} className="rich-text" dir="auto" />;
}
