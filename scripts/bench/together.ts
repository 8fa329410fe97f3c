import type { Page } from 'playwright-core';
import { sql } from 'drizzle-orm';
import { utc } from '#models/time.ts';
import { enter } from '#tests/e2e/support/enter.ts';
import { launchBrowser, openWindow } from '#tests/e2e/support/browser.ts';
import type { Db } from '#server/db/database.ts';
import { startFilled } from './filled.ts';
import { type Figure, median, percentile } from './figures.ts';

const rounds = 30;
const messages = 10_000;
const amenities = 40;
const each = 30;
/** Two months to turn between, both full. */
const months = [utc(Date.now()).add(1, 'month').startOf('month'), utc(Date.now()).add(2, 'month').startOf('month')] as const;

const slots = JSON.stringify({
  duration: 3_600,
  items: [{ from: 28_800, to: 72_000, days: { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true } }],
});

/** A conversation of the desk with a resident, and another beside it; and amenities with a reservation on each of thirty days of both months. */
async function fill(db: Db): Promise<void> {
  for (const [title, count] of [
    ['Long talk', messages],
    ['Short talk', 20],
  ] as const)
    await db.execute(sql`with people as (select id, project_id, name, login from users where login in ('admin', 'resident')),
        talk as (insert into conversations (project_id, title, last_seq) select project_id, ${title}, ${count}::int from people where login = 'admin' returning id),
        members as (insert into conversation_members (conversation_id, user_id) select talk.id, people.id from talk, people)
      insert into conversation_messages (conversation_id, seq, author_id, author_name, client_id, text, created_at)
        select talk.id, n, p.id, p.name, gen_random_uuid(), 'Message ' || n || ': ' || repeat('what is said here. ', 1 + n % 8), now() - (${count}::int - n) * interval '1 minute'
        from talk, generate_series(1, ${count}::int) n join people p on p.login = case when n % 3 = 0 then 'admin' else 'resident' end`);
  const firsts = sql.join(
    months.map((month) => sql`${month.format('YYYY-MM-DD')}::date`),
    sql`, `,
  );
  await db.execute(sql`with desk as (select u.id, u.project_id, d.group_id from users u join user_domains d on d.user_id = u.id where u.login = 'admin' limit 1),
      made as (insert into amenities (project_id, name, time_slots) select project_id, 'Court ' || n, ${slots}::jsonb from desk, generate_series(1, ${amenities}::int) n returning id, project_id),
      grouped as (insert into amenity_groups (amenity_id, group_id) select made.id, desk.group_id from made, desk)
    insert into amenity_reservations (project_id, amenity_id, user_id, persons, date, from_seconds, to_seconds, starts_at, ends_at)
      select made.project_id, made.id, desk.id, 2, day, 36000, 39600, day + interval '10 hours', day + interval '11 hours'
      from made, desk, unnest(array[${firsts}]) first, generate_series(0, ${each - 1}::int) n, lateral (select (first + n)::date as day) d`);
}

/** From a press until what it asked for is painted, in ms: seen by the page itself. */
const pressed = (page: Page, press: string, painted: string): Promise<number> =>
  page.evaluate(
    async ({ press: button, painted: wanted }) => {
      const started = performance.now();
      document.querySelector<HTMLElement>(button)?.click();
      while (!document.querySelector(wanted)) await new Promise((done) => requestAnimationFrame(done));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - started;
    },
    { press, painted },
  );

async function turnMonths(page: Page): Promise<number[]> {
  const day = (month: (typeof months)[number]) =>
    `.calendar[aria-busy=false] td[data-date="${month.date(15).format('YYYY-MM-DD')}"]:not([data-outside]) .booking`;
  await page.goto(`/amenities/reservations?view=calendar&show=month&date=${months[0].format('YYYY-MM-DD')}`);
  await page.locator(day(months[0])).first().waitFor();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isForth = round % 2 === 0;
    times.push(await pressed(page, `.calendar-asks .pi-chevron-${isForth ? 'right' : 'left'}`, day(months[isForth ? 1 : 0])));
  }
  return times;
}

async function openTalk(page: Page, title: string, last: number): Promise<number[]> {
  const times: number[] = [];
  await page.goto('/conversations');
  for (let round = 0; round < rounds; round += 1) {
    const line = page.locator('.talk-line', { hasText: title });
    await line.waitFor();
    await line.evaluate((here) => here.setAttribute('data-pressed', ''));
    // Only its last message is awaited: it stands at the end, which is in sight. As text, for a compiled function would call its compiler's helpers.
    await page.evaluate(`(function mark() {
      const end = [...document.querySelectorAll('.talk-message .talk-text')].at(-1);
      if (end?.textContent.startsWith('Message ${last}:')) end.dataset.last = '';
      else requestAnimationFrame(mark);
    })()`);
    times.push(await pressed(page, '.talk-line[data-pressed]', '[data-last]'));
    await page.goto('/conversations');
  }
  return times;
}

/** What people wait for with a long conversation and a full calendar: from the press until it is painted, request included. */
export async function benchTogether(): Promise<Figure[]> {
  const server = await startFilled(fill);
  const browser = await launchBrowser();
  try {
    const { page } = await openWindow(browser, server.url);
    await enter(page, 'admin', { remember: true });
    await page.waitForURL('**/home');
    const turned = await turnMonths(page);
    const short = await openTalk(page, 'Short talk', 20);
    const long = await openTalk(page, 'Long talk', messages);
    return [
      { what: `month of ${amenities} amenities × ${each} reservations: p50`, unit: 'ms', ours: median(turned), atMost: 150 },
      { what: `month of ${amenities} amenities × ${each} reservations: p95`, unit: 'ms', ours: percentile(turned, 0.95) },
      {
        what: `conversation of ${messages.toLocaleString('en')} messages opened: p50`,
        unit: 'ms',
        ours: median(long),
        atMost: 300,
        baseline: { what: 'one of 20 messages', value: median(short) },
      },
      { what: `conversation of ${messages.toLocaleString('en')} messages opened: p95`, unit: 'ms', ours: percentile(long, 0.95), atMost: 300 },
    ];
  } finally {
    await browser.close();
    await server.discard();
  }
}
