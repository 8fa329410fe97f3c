/** What stands where a secret was. */
export const hidden = '•••';

/** Names that hold a secret wherever they stand: passwords, tokens, keys of cards and devices. */
const secretName =
  /password|passwd|token|refresh|secret|authorization|credential|challenge|signature|api_?key|private_?key|ukey2|pin_?code|^(?:old|new|repeat|pin|code|answer_key)$/i;
/** A link that opens an account, wherever a text holds it: an address, a mail. */
const oneTimeLink = /(\/(?:registration(?:\/confirm)?|self-registration|password\/reset|v0\/calendar)\/)[\w-]+/g;
const maxDepth = 12;
const maxItems = 500;

const isActor = (value: object): value is { id: string; sessionId: string } => 'sessionId' in value && 'getSnapshot' in value;

/** An event that carries the value of a field beside its path: `{ path: ['password'], value }`. */
const namesSecret = (value: object): boolean =>
  'path' in value && Array.isArray(value.path) && value.path.some((part) => typeof part === 'string' && secretName.test(part));

function plainObject(value: object, depth: number, seen: readonly object[]): unknown {
  const secretValue = namesSecret(value);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => typeof item !== 'function')
      .map(([key, item]) => {
        const secret = (secretName.test(key) && typeof item !== 'object') || (secretValue && key === 'value');
        return [key, secret && item !== null && item !== undefined ? hidden : plain(item, depth + 1, seen)];
      }),
  );
}

function plain(value: unknown, depth: number, seen: readonly object[]): unknown {
  if (typeof value === 'string')
    return value.startsWith('{') || value.startsWith('[') ? redactedText(value) : value.replaceAll(oneTimeLink, `$1${hidden}`);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (depth > maxDepth || seen.includes(value)) return '…';
  if (isActor(value)) return { id: value.id, sessionId: value.sessionId };
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Date) return value.toISOString();
  const within = [...seen, value];
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => plain(item, depth + 1, within));
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null && !('toJSON' in value) && !('status' in value))
    return `[${value.constructor.name}]`;
  return plainObject(value, depth, within);
}

/** JSON inside a text (a machine's definition, a frame) is looked through as well. */
function redactedText(text: string): string {
  try {
    return JSON.stringify(plain(JSON.parse(text) as unknown, 0, []));
  } catch {
    return text;
  }
}

/** A copy as plain data with every secret hidden; actors by their names, files and handles by their kind. */
export const redacted = (value: unknown): unknown => plain(value, 0, []);
