import { Node } from '@tiptap/core';
import { ownSource } from '#models/picture-sources.ts';

/** The size and the words of a picture as they stand in its tag. */
const attribute = (name: string, fallback: string | null = null) => ({
  default: fallback,
  parseHTML: (tag: HTMLElement) => tag.getAttribute(name) ?? fallback,
});

/** A picture that was uploaded here, a block of its own. Whatever else calls itself a picture is left out when it is pasted. */
export const Picture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes: () => ({ src: attribute('src'), alt: attribute('alt', ''), width: attribute('width'), height: attribute('height') }),
  parseHTML: () => [{ tag: 'img[src]', getAttrs: (tag) => (ownSource(tag.getAttribute('src') ?? '') === null ? false : null) }],
  renderHTML: ({ HTMLAttributes: attributes }) => ['img', attributes],
});
