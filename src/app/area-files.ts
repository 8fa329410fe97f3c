/** The words of every area in every language, a file each; apart, because before signing in nobody needs the names of ninety files. */
export const areaFiles = import.meta.glob<Record<string, unknown>>('/locales/*/areas/*.json', { import: 'default' });

/** The same as texts: those of one language come together, where many are wanted at once. */
export const allAreaFiles = import.meta.glob<string>('/locales/*/areas/*.json', { query: '?raw', import: 'default' });
