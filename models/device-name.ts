const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['YaBrowser/', 'Yandex'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const named = (agent: string, table: readonly (readonly [mark: string, name: string])[]): string | undefined =>
  table.find(([mark]) => agent.includes(mark))?.[1];

/** What people call the browser and system that a session runs on; nothing where its user agent tells neither. */
export function deviceName(agent: string | null): string | null {
  const parts = [named(agent ?? '', browsers), named(agent ?? '', systems)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(', ') : null;
}
