import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TextProvider } from '#src/components/text-provider.tsx';
import { AppContext, ServicesContext } from '#src/views/system.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { openConsole, signedInBefore, smallBuilding } from './support/console.tsx';
import { pause, refused } from './support/fake-server.ts';

const path = (id: string) => `/users/${id}/last-change`;
type Answer = Awaited<ReturnType<NonNullable<Parameters<typeof smallBuilding>[0]>[string]>>;
/** Who changed a row last, by its id. */
const changeOf = (name: string): Answer => ({ body: { data: { user: { id: name, name }, at: '2026-11-28T12:00:00.000Z' } } });

interface Question {
  id: string | null;
  again?: number;
  wait?: number;
}
function Probe({ id, again, wait = 0 }: Question) {
  const input = id === null ? null : { params: { area: 'users', id } };
  const { answer, last, problem, running, reload } = useReading('lastChange', input, { again, pause: wait });
  const said = [answer?.user?.name ?? '-', last?.user?.name ?? '-', problem?.code ?? '-', running ? 'asks' : 'rests'];
  return (
    <button type="button" onClick={reload}>
      {said.join(' ')}
    </button>
  );
}

/** Asks of three rows; each answer comes when it is given. */
async function openProbe(first: Question) {
  const given = new Map<string, ((answer: Answer) => void)[]>();
  const waiting = (id: string) => () => new Promise<Answer>((resolve) => given.set(id, [...(given.get(id) ?? []), resolve]));
  const server = smallBuilding(Object.fromEntries(['a', 'b', 'c'].map((id) => [`GET ${path(id)}`, waiting(id)])));
  signedInBefore();
  const { services, app } = await openConsole('/profile');
  const probe = (question: Question) => (
    <TextProvider>
      <ServicesContext value={services}>
        <AppContext value={app}>
          <Probe {...question} />
        </AppContext>
      </ServicesContext>
    </TextProvider>
  );
  await screen.findByText(/Display/);
  const { rerender } = render(probe(first));
  const asked = () => server.seen.flatMap((seen) => /^\/users\/(\w)\/last-change$/.exec(seen.path)?.[1] ?? []);
  const says = (text: string) => screen.findByRole('button', { name: text });
  return {
    asked,
    says,
    ask: async (question: Question) => act(async () => rerender(probe(question))),
    reload: async () => act(async () => screen.getByRole('button', { name: /asks$|rests$/ }).click()),
    /** Answers the oldest request about a row that has come, or comes. */
    give: async (id: string, answer: Answer = changeOf(id.toUpperCase())) => {
      await waitFor(() => expect(given.get(id)?.length ?? 0).toBeGreaterThan(0));
      await act(async () => given.get(id)?.shift()?.(answer));
    },
  };
}

it('asks the question that came last once the one before is answered, and takes no answer for another question’s', async () => {
  const { ask, give, says, asked } = await openProbe({ id: 'a' });
  await says('- - - asks');
  await ask({ id: 'b' });
  await ask({ id: 'c' });
  await give('a');
  await says('- A - asks');
  await give('c');
  await says('C C - rests');
  expect(asked()).toEqual(['a', 'c']);
});

it('asks the same once more when it is told to meanwhile, and keeps the answer of before', async () => {
  const { reload, give, says, asked } = await openProbe({ id: 'a' });
  await says('- - - asks');
  await reload();
  await give('a', changeOf('Anna'));
  await says('Anna Anna - asks');
  await give('a', changeOf('Boris'));
  await says('Boris Boris - rests');
  expect(asked()).toEqual(['a', 'a']);
});

it('asks once more when what it depends on is another', async () => {
  const { ask, give, says, asked } = await openProbe({ id: 'a', again: 1 });
  await give('a', changeOf('Anna'));
  await says('Anna Anna - rests');
  await ask({ id: 'a', again: 2 });
  await give('a', changeOf('Boris'));
  await says('Boris Boris - rests');
  expect(asked()).toEqual(['a', 'a']);
});

it('asks nothing while there is no question, and nothing that was changed within the pause', async () => {
  const { ask, give, says, asked } = await openProbe({ id: null, wait: 150 });
  await ask({ id: 'a', wait: 150 });
  await ask({ id: 'b', wait: 150 });
  await give('b');
  await says('B B - rests');
  await ask({ id: null, wait: 150 });
  await act(() => pause(250));
  await says('- B - rests');
  expect(asked()).toEqual(['b']);
});

it('says what was refused of the present question alone, and asks it once more when told to', async () => {
  const { ask, give, says, reload, asked } = await openProbe({ id: 'a' });
  await give('a', refused(404, 'not_found', 'item not found'));
  await says('- - not_found rests');
  await ask({ id: 'b' });
  await says('- - - asks');
  await give('b');
  await says('B B - rests');
  await ask({ id: 'a' });
  await give('a', refused(404, 'not_found', 'item not found'));
  await says('- B not_found rests');
  await reload();
  await give('a');
  await says('A A - rests');
  expect(asked()).toEqual(['a', 'b', 'a', 'a']);
});
