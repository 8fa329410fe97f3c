import { readdirSync } from 'node:fs';

/** A part of the code that is mutated, and the tests that are asked about it, both by their paths. */
interface Folder {
  name: string;
  sources: RegExp;
  tests: RegExp;
}

const pure = 'tests/(models|machines)/.*';
const server = (...names: string[]): string => `tests/server/(${names.join('|')})`;
const testsOf = (...parts: string[]): RegExp => new RegExp(`^(${parts.join('|')})\\.test\\.ts$`);

/** The folders of `npm run mutants`. Of the server's telephony: what decides who may call, intercept, hear and open. */
export const folders: readonly Folder[] = [
  {
    name: 'models',
    sources: /^models\//,
    tests: testsOf(
      pure,
      server('crud-fields', 'crud-defaults', 'licences', 'roles', 'import-users', 'access-worlds', 'access-intervals', 'identifiers'),
    ),
  },
  { name: 'machines', sources: /^machines\//, tests: testsOf(pure) },
  {
    name: 'access',
    sources: /^server\/access\//,
    tests: testsOf(
      server(
        'access-.*',
        'belonging',
        'scope.*',
        'second-factor.*',
        'passkeys',
        'session',
        'licence-flags',
        'own-doors',
        'matrix',
        'device-copies',
        'amenity-reservations',
        'roles',
        'groups',
        'users',
        'crud-filters',
      ),
    ),
  },
  {
    name: 'telephony permissions',
    sources:
      /^server\/(telephony\/(callable|number-seats|calls\/(may-call|directory|doors))|modules\/(calls\/(interception|scope)|devices\/doors))\.ts$/,
    tests: testsOf(
      server(
        'may-call',
        'call-(directory|reach)',
        'door-list',
        'interception-choice',
        'calls-(matrix|door|http|queue|forward|normal)',
        'numbers.*',
        'own-doors',
        'licence-flags',
        'licence-cascade',
      ),
    ),
  },
];

const typescript = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'));

/** The files of the project whose path (`models/users.ts`) is like that. */
export const filesLike = (pattern: RegExp): string[] =>
  ['models', 'machines', 'server', 'tests']
    .flatMap(typescript)
    .filter((path) => pattern.test(path))
    .toSorted();
