/** Rows of a card of figures. */
export const figureLines = 5;
