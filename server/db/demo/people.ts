import type { DemoLogin } from '#models/demo-accounts.ts';
import { allLicensed } from '#models/licence-info.ts';
import { lengthOf, utc } from '#models/time.ts';
import type { users } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import { familyNames, givenNames } from './names.ts';
import type { DemoGroup } from './tree.ts';

export type UserRow = typeof users.$inferInsert & { id: string };
export interface DemoPerson {
  user: UserRow;
  groupId: string;
}

const day = lengthOf(1, 'day');
/** Who writes the given name in Cyrillic writes the family name so, in the form that goes with it; logins are Latin. */
const russian: Record<string, { family: string; login: string }> = {
  Анна: { family: 'Белова', login: 'anna.belova' },
  Михаил: { family: 'Воронин', login: 'mikhail.voronin' },
  Светлана: { family: 'Орлова', login: 'svetlana.orlova' },
  Игорь: { family: 'Морозов', login: 'igor.morozov' },
};
const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, '');
const called = (given: string, family: string): { name: string; base: string } => {
  const own = russian[given];
  return own ? { name: `${given} ${own.family}`, base: own.login } : { name: `${given} ${family}`, base: `${plain(given)}.${plain(family)}` };
};

/** The people behind the demo logins, and where each belongs. */
export const demoPeople = [
  { login: 'admin', name: 'Anna Keller', role: 'administrator', group: 'root', phone: '+4930200100' },
  { login: 'dealer', name: 'Doorward Partner Ltd', role: 'dealer', group: 'root', phone: '+4930200110' },
  { login: 'manager', name: 'Irina Sokolova', role: 'propertyManager', group: 'Tower B', phone: '+4930200120' },
  { login: 'concierge', name: 'Marcus Webb', role: 'concierge', group: 'root', phone: '+4930200130' },
  { login: 'concierge2', name: 'Leila Haddad', role: 'concierge', group: 'Tower A', phone: '+4930200131' },
  { login: 'resident', name: 'Boris Hale', role: 'resident', group: 'Tower B flat 22', phone: '+4930200142' },
] as const satisfies readonly { login: DemoLogin; [about: string]: string }[];

const person = (values: Partial<UserRow> & Pick<UserRow, 'id' | 'projectId' | 'roleId' | 'login' | 'name'>): UserRow => ({
  licenseInfo: allLicensed,
  locale: 'en',
  ...values,
});

/** Somebody who signs in to the demo by name. */
export const demoAccount = (
  project: { id: string; uid: string },
  account: (typeof demoPeople)[number],
  roleId: string,
  passwordHash: string,
  at: Date,
): UserRow =>
  person({
    id: demoId(`${project.uid} user ${account.login}`),
    projectId: project.id,
    roleId,
    login: account.login,
    name: account.name,
    email: `${account.login}@${project.uid}.example`,
    phone: account.phone,
    passwordHash,
    isVerified: true,
    activatedAt: utc(at).subtract(90, 'day').unix(),
    createdAt: new Date(at.getTime() - 91 * day),
    lastSeenAt: new Date(at.getTime() - day / 3),
  });

type Dice = ReturnType<typeof dice>;
const reachable = ({ uid }: { uid: string }, login: string, { below, chance }: Dice): Pick<UserRow, 'email' | 'phone'> => ({
  email: chance(0.92) ? `${login}@${uid}.example` : null,
  phone: chance(0.7) ? `+4930${5_000_000 + below(999_999)}` : null,
});
const standing = (
  active: boolean,
  passwordHash: string,
  made: number,
  { chance }: Dice,
): Pick<UserRow, 'passwordHash' | 'isVerified' | 'isInvited' | 'activatedAt'> => ({
  passwordHash: active ? passwordHash : null,
  isVerified: active,
  isInvited: !active && chance(0.6),
  activatedAt: active ? utc(made).add(1, 'hour').unix() : 0,
});

/** Three to six people in every flat: most active, some invited, some not yet. */
export function residents(
  project: { id: string; uid: string },
  flats: readonly DemoGroup[],
  roleId: string,
  passwordHash: string,
  at: Date,
  seed: number,
): DemoPerson[] {
  const thrown = dice(seed);
  const { below, pick, chance } = thrown;
  const used = new Set<string>();
  return flats.flatMap((flat) => {
    const family = pick(familyNames);
    return Array.from({ length: 3 + below(4) }, (_, member) => {
      const given = pick(givenNames);
      const made = at.getTime() - (1 + below(90)) * day - below(day);
      const active = chance(0.84);
      const { name, base } = called(given, chance(0.9) ? family : pick(familyNames));
      const login = used.has(base) ? `${base}${flat.name}${member}` : base;
      used.add(login);
      const user = person({
        id: demoId(`${project.uid} user ${login}`),
        projectId: project.id,
        roleId,
        login,
        name,
        ...reachable(project, login, thrown),
        ...standing(active, passwordHash, made, thrown),
        locale: chance(0.2) ? 'ru' : 'en',
        elevatorAccessDisabled: chance(0.04),
        createdAt: new Date(made),
        updatedAt: new Date(made),
        lastSeenAt: active && chance(0.9) ? new Date(at.getTime() - below(20 * day)) : null,
      });
      return { user, groupId: flat.id };
    });
  });
}
