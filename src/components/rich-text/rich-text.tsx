import purify from 'dompurify';
import { useEffect, useRef } from 'react';
import './rich-text.css';

const allowed = {
  ALLOWED_TAGS: ['p', 'br', 'strong', 'em', 'u', 's', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'a'],
  ALLOWED_ATTR: ['href', 'rel', 'target'],
  RETURN_DOM_FRAGMENT: true as const,
};

/** Formatted text, sanitised once more here: whatever a server sends, no more than this is drawn. */
export function RichText({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.replaceChildren(purify.sanitize(html, allowed)), [html]);
  return <div ref={place} className="rich-text" dir="auto" />;
}
