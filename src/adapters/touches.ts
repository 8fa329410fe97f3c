/**
 * The events after which a browser lets a page sound. A click and not the press that begins it: "Turn on sound" leaves once the page may
 * sound, what stands below moves up, and a press that had begun there would end beside its button.
 */
export const touches = ['click', 'keydown'] as const;
