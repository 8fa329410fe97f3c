/** The words of every area in every language; apart, because before signing in nobody needs the names of ninety files. */
export const areaFiles = import.meta.glob<Record<string, unknown>>('/locales/*/areas/*.json', { import: 'default' });
