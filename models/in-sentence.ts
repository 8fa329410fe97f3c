/** A label as it stands within a sentence: "Name" becomes "name", "IP address" stays. */
export const inSentence = (label: string): string => label.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLocaleLowerCase());
