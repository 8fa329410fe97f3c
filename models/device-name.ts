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

const found = (agent: string, table: readonly (readonly [mark: string, name: string])[]) => table.find(([mark]) => agent.includes(mark));
const joined = (...parts: (string | undefined)[]): string | null => parts.filter(Boolean).join(', ') || null;

/** The version that follows a mark; Safari names its own elsewhere. */
const versionAt = (agent: string, mark: string): string | undefined =>
  agent
    .split(mark === 'Safari/' ? 'Version/' : mark)[1]
    ?.match(/^\d+/)
    ?.at(0);

/** What people call the browser and system that a session runs on; nothing where its user agent tells neither. */
export const deviceName = (agent: string | null): string | null => joined(found(agent ?? '', browsers)?.[1], found(agent ?? '', systems)?.[1]);

/** The same with the browser's version: "Chrome 156, Linux". A device is known by its name, which stays when the browser is brought up to date. */
export function agentText(agent: string | null): string | null {
  const browser = found(agent ?? '', browsers);
  const name = browser && [browser[1], versionAt(agent ?? '', browser[0])].filter(Boolean).join(' ');
  return joined(name, found(agent ?? '', systems)?.[1]);
}
