import { useState } from 'react';
import './portrait.css';

/** The first letters of a name's first and last word. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => Array.from(word ?? '')[0] ?? '');
  return letters.join('').toLocaleUpperCase();
}

interface PortraitProps {
  url: string | null;
  name: string;
  fallback: string;
  size?: number;
}

/** A person's picture, or the first letters of the name where there is none. */
export function Portrait({ url, name, fallback, size = 32 }: PortraitProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const box = { width: size, height: size, fontSize: Math.round(size * 0.38) };
  return url && url !== broken ? (
    <img className="portrait" src={url} alt={name} style={box} onError={() => setBroken(url)} />
  ) : (
    <span className="portrait" style={box} aria-hidden="true">
      {fallback}
    </span>
  );
}
