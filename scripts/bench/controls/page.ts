import '#src/styles/layers.css';
import 'primereact/resources/themes/lara-light-blue/theme.css';
import '#src/styles/index.css';
import { openTexts } from '#src/app/i18n.ts';

declare global {
  /** Draws a control of the side that the address names, and answers after how many ms it was painted. */
  var draw: ((name: string) => Promise<number>) | undefined;
}

const texts = await openTexts('en');
await texts.load('list', 'permissions', 'areas/device-events', 'areas/users');
const { draw } = location.search === '?ours' ? await import('./ours.tsx') : await import('./theirs.tsx');
globalThis.draw = draw;
