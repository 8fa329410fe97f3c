import { describe, expect, it } from 'vitest';
import { sourcesIn } from './sources.ts';

/** What was once said in words of our own; the glossary has the term that took its place. */
const retired: readonly { term: string; pattern: RegExp }[] = [
  { term: 'scope', pattern: /\b(?:Sight|sightOf|wholeSight)\b/ },
  { term: 'require*', pattern: /\bdemand[A-Z]\w*/ },
  { term: 'hasPermission', pattern: /\{[^}]*\bholds\b[^}]*\} from '#models\/permissions\.ts'/ },
  { term: 'AreaRepository', pattern: /\bdefine(?:Log)?Binding\b|\bWritableBinding\b/ },
  { term: 'Deps', pattern: /\b(?:Console|Socket|Session)?Around\b/ },
  { term: 'banners', pattern: /\b(?:Alarm|Emergency|Sound|Preview)Strip\b|--strips\b/ },
  { term: 'semaphore', pattern: /\bLanes?\b/ },
  { term: 'lease', pattern: /\bnew Keeper\b/ },
  { term: 'licence status', pattern: /\b\w*Outlook\b/ },
  {
    term: 'notify, publish',
    pattern: /\btell[A-Z]\w*|\b(?:const|let|function|type|interface|readonly|async) [[{]?\s?#?(?:tell|told|Told)\b|\.tell\(/,
  },
  { term: 'store, save', pattern: /\b(?:const|let|function|type|interface|readonly) [[{]?\s?#?(?:kept|Kept)\b|\.keep\(/ },
  { term: 'subscriber', pattern: /\b[hH]earers?(?:Of)?\b/ },
  { term: 'driver', pattern: /\b\w*Teller\b/ },
  { term: 'principal', pattern: /\b[aA]skers?\b/ },
  { term: 'HttpError', pattern: /\b(?:auditingRefusals|(?:database|guest|as|answer)Refusal|refusalOf)\b/ },
  { term: 'timeout', pattern: /\bpatience\b/ },
  { term: 'storage', pattern: /\bdrawer: \w*KeyValueStore|\bdrawer\.(?:read|write)\b/ },
];
/** Names of files that said what they were in words of our own. */
const retiredFiles =
  /(?:^|[/-])(?:sight|demand|binding|define-binding|lanes?|shared-reads|keeper|outlook|around|told|tell|tellings|patience|tidy|(?<!common-)words)(?:\.test)?\.tsx?$|-strip\.tsx$/;

const sources = sourcesIn(['models', 'machines', 'src', 'server', 'tests', 'scripts']).filter(({ path }) => path !== 'tests/house/glossary.test.ts');
/** Code without what is said in comments and between quotation marks, where words mean what they mean to everybody; imports stay. */
const codeOf = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
    .replaceAll(/(?<!from )'(?:[^'\n\\]|\\.)*'/g, "''");

describe('what has a term in the glossary', () => {
  it.each(retired)('is called by it: $term', ({ pattern }) => {
    const found = sources.filter(({ text }) => pattern.test(codeOf(text))).map(({ path, text }) => `${path}: ${pattern.exec(codeOf(text))?.[0]}`);
    expect(found).toEqual([]);
  });

  it('stands in files of that name', () => {
    expect(sources.map(({ path }) => path).filter((path) => retiredFiles.test(path))).toEqual([]);
  });
});
