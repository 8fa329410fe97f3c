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

/** The version that follows a mark; Safari names its own elsewhere. */
const versionAt = (agent: string, mark: string): string | undefined =>
  agent
    .split(mark === 'Safari/' ? 'Version/' : mark)[1]
    ?.match(/^\d+/)
    ?.at(0);

/** Browser with version, and system, of a user agent: "Chrome 156, Linux"; what is not known of them is left out, null where nothing is. */
export function agentText(agent: string | null): string | null {
  const browser = browsers.find(([mark]) => agent?.includes(mark));
  const name = browser && [browser[1], versionAt(agent ?? '', browser[0])].filter(Boolean).join(' ');
  return [name, named(agent ?? '', systems)].filter(Boolean).join(', ') || null;
}

/** What people call the browser and system that a session runs on; nothing where its user agent tells neither. */
export function deviceName(agent: string | null): string | null {
  const parts = [named(agent ?? '', browsers), named(agent ?? '', systems)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(', ') : null;
}
