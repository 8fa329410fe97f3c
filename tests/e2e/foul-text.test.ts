import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AreaName } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { type Draft, withValue } from '#machines/editor/draft.ts';
import { leavesOf, metaAt, valueAt } from '#src/components/fields/field-meta.ts';
import { setGate } from './support/gate.ts';
import { payloads } from './support/payloads.ts';
import { atWork, type Person } from './support/person.ts';
import { make, named, read, type StoredRow } from './support/records.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';
import { type Witness, watchForLife } from './support/witness.ts';

const stage = setStage();
const areas = ['users', 'groups', 'roles', 'group-types', 'markers'] as const satisfies readonly AreaName[];

/** Every field of an area into which a person types. */
const typedFields = (area: AreaName): string[] => {
  const model = modelOf(area);
  return Object.keys(model.write.shape)
    .flatMap((field) => leavesOf(model, field))
    .filter((path) => ['text', 'email', 'phone', 'color'].includes(metaAt(model, path).kind));
};
/** What every field of an area is given and keeps; the rest it refuses. */
const collected = new Map<AreaName, Map<string, readonly string[]>>();
let valid: Record<(typeof areas)[number], Record<string, unknown>>;
beforeAll(async () => {
  const [[role], [group], [type]] = await Promise.all([
    named<StoredRow>(stage, 'roles', 'Resident'),
    named<StoredRow>(stage, 'groups', 'Tower A'),
    named<StoredRow>(stage, 'group-types', 'Building'),
  ]);
  valid = {
    users: { name: 'Foul', login: 'foul', role: role?.id, domains: [group?.id] },
    groups: { name: 'Foul', parent_id: group?.id, domain_type_id: type?.id },
    roles: { name: 'Foul' },
    'group-types': { name: 'Foul', has_logic_address: false },
    markers: { name: 'Foul', color: '#112233' },
  };
});

type Refused = { data?: { issues?: { path: string[] }[] } };
/** The wire body in which these fields hold a text, these switches of theirs are on, and all beside them is as in a new record. */
function filled(area: AreaName, texts: readonly (readonly [path: string, text: string])[], on: readonly string[] = []): Record<string, unknown> {
  const wanted = [...texts, ...on.map((path) => [path, true] as const)];
  const draft = wanted.reduce((so, [path, value]) => withValue(so, path.split('.'), value), modelOf(area).initial as Draft);
  const wire = modelOf(area).toWire({ ...draft });
  const fields = new Set(texts.map(([path]) => path.split('.')[0]));
  return Object.fromEntries(Object.entries(wire).filter(([field]) => fields.has(field)));
}

/** Sends one text to every field of a stored record: the fields that kept it as typed. Those that refused it are named in the refusal. */
async function send(area: AreaName, id: string, text: string): Promise<string[]> {
  const patch = (paths: readonly string[]) =>
    api<Refused>(stage.server, 'PATCH', `/${area}/${id}`, {
      token: stage.token,
      body: filled(
        area,
        paths.map((path) => [path, text] as const),
      ),
    });
  const paths = typedFields(area);
  const { status, body } = await patch(paths);
  const refused = status === 422 ? (body.data?.issues ?? []).map(({ path }) => path.join('.')) : [];
  const rest = paths.filter((path) => !refused.includes(path));
  const again = status === 200 || rest.length === 0 ? 200 : (await patch(rest)).status;
  expect(again, `${area}: ${text} in ${rest.join()}`).toBe(200);
  const row = await read(stage, area, id);
  expect(
    rest.map((path) => valueAt(row, path)),
    `${area}: ${text} in ${rest.join()}`,
  ).toEqual(rest.map(() => text));
  return rest;
}

/** Waits until what is on its way has come. */
const settled = (page: Page): Promise<unknown> => page.waitForFunction(() => !document.querySelector('.bone, .skeleton, main [aria-busy=true]'));

/** Somebody at a watched window. */
async function watched(): Promise<{ person: Person; witness: Witness }> {
  const person = await atWork(stage);
  const witness = await watchForLife(person.page);
  await person.page.reload();
  await person.page.locator('.person-button').waitFor();
  return { person, witness };
}

/** Stores as many records of an area as there are texts, so that each field holds each text in one of them; the texts of each, by field. */
async function store(area: (typeof areas)[number]): Promise<{ id: string; texts: [path: string, text: string][] }[]> {
  const fields = [...(collected.get(area) ?? [])].filter(([path, texts]) => path !== 'name' && texts.length > 0);
  if (fields.length === 0) return [];
  return Promise.all(
    payloads.map(async (_, at) => {
      const texts = fields.flatMap(([path, known], shift): [string, string][] => {
        const text = payloads[(at + shift) % payloads.length] ?? '';
        return known.includes(text) ? [[path, text]] : [];
      });
      const own = area === 'users' ? { login: `foul.${at}` } : {};
      const body: Record<string, unknown> = {
        ...valid[area],
        name: `Foul ${at}`,
        ...own,
        ...filled(area, texts, ['whitelabel.is_enabled', 'apple_wallet.is_enabled']),
      };
      return { id: await make(stage, area, body), texts };
    }),
  );
}

describe('text that pretends to be code (C13)', () => {
  it.each(areas)('is kept as typed or refused, in every field of %s', async (area) => {
    const id = await make(stage, area, valid[area]);
    const fields = new Map<string, string[]>(typedFields(area).map((path) => [path, []]));
    for (const text of payloads) for (const path of await send(area, id, text)) fields.get(path)?.push(text);
    collected.set(area, fields);
    // A name has an alphabet of its own, in which nothing can be markup.
    expect(fields.get('name')).toEqual(["'-canary(3)-'", '__proto__', 'null']);
    await api(stage.server, 'DELETE', `/${area}/${id}`, { token: stage.token });
  });

  it.each(areas)('is shown as text in lists, records, forms and the trail of %s', async (area) => {
    const rows = await store(area);
    const { person, witness } = await watched();
    const { page } = person;
    const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'begins_with', value: 'Foul' }] }));
    const columns = ['name', 'login', 'description', 'logic_address'].filter((field) => field in modelOf(area).write.shape);
    await page.goto(`/${area}?view=flat&size=50&columns=${columns.join()}&filters=${filters}`);
    if (rows.length > 0)
      await page
        .locator('tbody tr')
        .nth(rows.length - 1)
        .waitFor();
    await witness.look(`list of ${area}`, ...rows.flatMap(({ texts }) => texts.filter(([path]) => columns.includes(path)).map(([, text]) => text)));
    // Other records in each area: forms are made of the same parts everywhere.
    for (const { id, texts } of rows.filter((_, at) => at % 6 === areas.indexOf(area))) {
      const shown = texts.map(([, text]) => text);
      await page.goto(`/${area}/${id}`);
      await page.locator('.area-form[data-mode="view"]').waitFor();
      await witness.look(`${area}, read`, ...shown);
      await person.press('Edit');
      await page.locator('.area-form[data-mode="edit"]').waitFor();
      await witness.look(`${area}, edited`, ...shown);
    }
    await page.goto('/audit-events?size=50');
    await page.locator('tbody tr').first().waitFor();
    await witness.look('the trail');
    await page.locator('tbody tr').first().click();
    await settled(page);
    await witness.look('an entry of the trail');
    expect(witness.faults).toEqual([]);
    await person.close();
  });

  it('is shown as text where people are chosen and where one deletes', async () => {
    const { person, witness } = await watched();
    const { page } = person;
    const [group] = await named<StoredRow>(stage, 'groups', 'Foul 0');
    await page.goto(`/groups/${group?.id}/edit`);
    await person.frame('users').locator('button').last().click();
    await page.locator('dialog.sheet[open]').getByRole('searchbox').fill('Foul');
    await page.locator('.sheet-line', { hasText: 'Foul 1' }).first().waitFor();
    await witness.look('the sheet of people');
    await page.keyboard.press('Escape');
    await person.press('Delete');
    await page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).waitFor();
    await witness.look('the question before deleting');
    expect(witness.faults).toEqual([]);
    await person.close();
  });

  it('is nothing but text in an address, and in what the server says', async () => {
    const { person, witness } = await watched();
    const { page } = person;
    const rows = await setGate(page, (path, method) => path === '/markers' && method === 'GET');
    for (const [at, text] of payloads.entries()) {
      const value = encodeURIComponent(text);
      const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'description', rule: 'contains', value: text }] }));
      const ways = [
        [`/users?filters=${filters}`, text],
        [`/users?search=${value}`, text],
        [`/users?sort=${value}&columns=${value}`],
        [`/users?filters=${value}`],
        [`/users?page=${value}&size=${value}&pageId=${value}`],
        [`/users/${value}`],
        [`/${value}`],
        [`/groups/add?parent_id=${value}&name=${value}`],
      ] as const;
      // One of the ways with each text: all lead through the same few readers.
      const [address, ...shown] = ways[at % ways.length] ?? ways[0];
      await page.goto(address);
      await page.locator('main').waitFor();
      await settled(page);
      await witness.look(address, ...shown);
    }
    rows.hold();
    await page.goto('/markers');
    for (const text of payloads) {
      await rows.decideThese({ status: 418, code: 'unheard_of', message: text });
      await page.locator('.failure').waitFor();
      await witness.look('what the server says', text);
      await page.getByRole('button', { name: 'Try again' }).click();
    }
    expect(witness.faults).toEqual([]);
    await person.close();
  });

  it('is nothing but text in one’s own profile', async () => {
    const { person, witness } = await watched();
    const { page } = person;
    for (const text of payloads) {
      const { status } = await api(stage.server, 'PATCH', '/profile', { token: stage.token, body: { profile: { address: text } } });
      expect(status, text).toBe(200);
      if (payloads.indexOf(text) % 5 > 0) continue;
      await page.goto('/profile');
      await settled(page);
      await page.locator('.profile-grid').first().waitFor();
      await witness.look('the profile', text);
    }
    expect(witness.faults).toEqual([]);
    await person.close();
  });
});
