import { lengthOf } from '#models/time.ts';
import type { Db } from '../database.ts';
import { conversationMembers, conversationMessages, conversations } from '../schema/index.ts';
import { demoId } from './chance.ts';
import type { DemoPerson } from './people.ts';

type Login = 'manager' | 'concierge' | 'concierge2' | 'resident';
/** What the people behind the demo's logins have written to each other; `hours`: how long ago it began. */
const talks: readonly { title: string; hours: number; unreadBy: readonly Login[]; said: readonly (readonly [Login, string])[] }[] = [
  {
    title: 'Parcel at the desk',
    hours: 5,
    unreadBy: ['resident'],
    said: [
      ['concierge', 'Good morning Mr Hale, a parcel for you has just arrived. It is quite heavy.'],
      ['resident', 'Thank you! I am at work until six. Could you keep it until then?'],
      ['concierge', 'Of course. Leila has the evening shift and will hand it to you.'],
    ],
  },
  {
    title: 'Шум на 4-м этаже',
    hours: 27,
    unreadBy: ['concierge'],
    said: [
      ['resident', 'Добрый вечер! На четвёртом этаже снова сверлят после девяти. Можно с этим что-то сделать?'],
      ['manager', 'Добрый вечер, Борис. Спасибо, что написали: я поговорю с бригадой завтра утром.'],
      ['concierge', 'Я поднялся и попросил остановить работы до утра. Сейчас тихо.'],
      ['resident', 'Спасибо, действительно стало тихо.'],
    ],
  },
  {
    title: 'Keys to the clubhouse',
    hours: 52,
    unreadBy: [],
    said: [
      ['manager', 'The caterer is coming on Saturday at nine. Could you let them in and note when they leave?'],
      ['concierge2', 'Noted in the shift log. I will give them the visitor card of the clubhouse.'],
    ],
  },
];
const step = lengthOf(7, 'minute');

/** A few conversations of the people one may sign in as. */
export async function seedConversations(db: Db, projectId: string, people: readonly DemoPerson[], at: Date): Promise<void> {
  const byLogin = new Map(people.map(({ user }) => [user.login, user]));
  for (const { title, hours, unreadBy, said } of talks) {
    const authors = said.flatMap(([login]) => byLogin.get(login) ?? []);
    const [first] = authors;
    if (!first || authors.length < said.length) continue;
    const id = demoId(`${projectId} conversation ${title}`);
    const begun = at.getTime() - hours * lengthOf(1, 'hour');
    const timeOf = (seq: number): Date => new Date(begun + seq * step);
    await db.insert(conversations).values({
      id,
      projectId,
      title,
      createdBy: first.id,
      lastSeq: said.length,
      lastAt: timeOf(said.length),
      createdAt: timeOf(1),
      updatedAt: timeOf(said.length),
    });
    const members = [...new Map(authors.map((person) => [person.id, person])).values()];
    const readSeq = (login: string): number => ((unreadBy as readonly string[]).includes(login) ? said.length - 1 : said.length);
    await db.insert(conversationMembers).values(members.map((person) => ({ conversationId: id, userId: person.id, readSeq: readSeq(person.login) })));
    await db.insert(conversationMessages).values(
      said.map(([login, text], index) => ({
        id: demoId(`${id} message ${index}`),
        conversationId: id,
        seq: index + 1,
        authorId: byLogin.get(login)?.id ?? null,
        authorName: byLogin.get(login)?.name ?? login,
        clientId: demoId(`${id} sent ${index}`),
        text,
        createdAt: timeOf(index + 1),
      })),
    );
  }
}
