import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { groups as groupModel } from '#models/groups.ts';
import { allLicensed } from '#models/licence-info.ts';
import { uuid } from '#tests/support/people.ts';
import { all, areaPages, node, one, press, rowsAnswer, type } from './support/area-page.ts';

const open = areaPages();

describe('the tree of groups', () => {
  const tree = {
    'GET /groups': () => rowsAnswer([]),
    'GET /groups/tree': () => ({ body: { data: [node(1, null, 'Riverside'), node(2, 1, 'Tower A'), node(3, 2, 'Floor 1')] } }),
  };
  const names = () => all('[role="treeitem"]').map((line) => line.getAttribute('aria-label'));
  const key = (name: string) =>
    act(async () =>
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })),
    );

  it('opens at its roots and is walked by keyboard', async () => {
    const page = await open('/groups', tree);
    await page.until('the tree', () => names().length === 2);
    await act(async () => one('[role="treeitem"]').focus());
    await key('ArrowDown');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Tower A');
    await key('ArrowRight');
    expect(names()).toEqual(['Riverside', 'Tower A', 'Floor 1']);
    await key('End');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Floor 1');
    await key('ArrowLeft');
    await key('ArrowLeft');
    expect(names()).toEqual(['Riverside', 'Tower A']);
    await key('Home');
    await key('ArrowLeft');
    expect(names()).toEqual(['Riverside']);
  });

  it('finds a group with all above it', async () => {
    const page = await open('/groups', tree);
    await page.until('the tree', () => names().length === 2);
    await type('[data-search]', 'floor');
    await page.until('found', () => names().length === 3);
    await type('[data-search]', 'nothing like it');
    await page.shows('No results');
    expect(names()).toEqual([]);
  });

  it('turns to the flat list and back', async () => {
    const page = await open('/groups', tree);
    await page.until('the tree', () => names().length === 2);
    await press('List');
    await page.at('/groups?view=flat');
    await press('Tree');
    await page.at('/groups');
    await page.until('the tree again', () => names().length === 2);
    expect(all('table')).toEqual([]);
  });

  it('adds a group below another', async () => {
    const page = await open('/groups', {
      ...tree,
      [`GET /groups/${uuid(1)}`]: () => ({ body: { data: { id: uuid(1), name: 'Riverside', version: 1 } } }),
    });
    await page.until('the tree', () => names().length === 2);
    await press(one('[role="treeitem"] button'));
    await press('Add subgroup');
    await page.until('the form', () => page.where().includes(`parent_id=${uuid(1)}`));
    await page.until('the parent', () => one('[data-path="parent_id"]').textContent?.includes('Riverside') === true);
    expect(all('[data-path="name"] input')).toHaveLength(1);
  });
});

describe('a group on a group', () => {
  const stored = {
    ...groupModel.initial,
    ...node(1, null, 'Riverside'),
    domain_type_id: null,
    whitelabel: { is_enabled: false, name: null, address: null, email: null, phone: null, logo: null },
    licenseInfo: { isEnabled: true, notifications: { period: 'never', notify_before: 0 }, info: allLicensed },
    path: ['Riverside'],
    created_by: null,
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: '2026-01-02T03:04:05.000Z',
  };
  const groups = {
    'GET /groups': () => rowsAnswer([]),
    'GET /groups/tree': () => ({ body: { data: [node(1, null, 'Riverside'), node(2, 1, 'Tower')] } }),
    [`GET /groups/${uuid(1)}`]: () => ({ body: { data: stored } }),
  };
  it('is added on top of the list it was asked for in, and giving up leads back there', async () => {
    const page = await open('/groups?size=50', groups);
    await page.until('the tree', () => all('[role="treeitem"]').length > 0);
    await press(one('[role="treeitem"] button'));
    await press('Add subgroup');
    await page.until('the form', () => all('.area-form').length === 1);
    expect(page.where()).toMatch(new RegExp(`^/groups/add\\?parent_id=${uuid(1)}&pageId=.`));
    await press('Cancel');
    await page.until('back', () => page.where() === '/groups?size=50');
  });

  it('says what stands above and below it from the first frame on, whenever the tree comes', async () => {
    let tree: (value: object) => void = () => {};
    const parts = { parent: new Set<string>(), below: new Set<string>() };
    const watch = new MutationObserver(() => {
      all('[data-path="parent_id"] .field-value').forEach(({ textContent }) => parts.parent.add(textContent ?? ''));
      all('.chips:has(.chip-link), .chips:has(.field-value-none)').forEach(({ textContent }) => parts.below.add(textContent ?? ''));
    });
    watch.observe(document, { subtree: true, childList: true, characterData: true });
    const type = { id: uuid(90), name: 'House' };
    const row = {
      ...stored,
      name: 'Tower',
      path: ['Riverside', 'East', 'Tower'],
      parent_id: { id: uuid(3), name: 'East', path: ['Riverside', 'East'] },
      children: [{ id: uuid(2), name: 'Gate', type }],
    };
    const page = await open(`/groups/${uuid(1)}`, {
      ...groups,
      'GET /groups/tree': () => new Promise<object>((resolve) => (tree = resolve)) as never,
      [`GET /groups/${uuid(1)}`]: () => ({ body: { data: row } }),
    });
    await page.until('the one below', () => all('.chip-link').length === 1);
    await act(async () => tree({ body: { data: [node(4, null, 'Riverside'), node(3, 4, 'East'), node(1, 3, 'Tower'), node(2, 1, 'Gate')] } }));
    watch.disconnect();
    expect([...parts.parent]).toEqual(['Riverside · East']);
    expect([...parts.below]).toEqual(['House Gate+ Add subgroup']);
  });

  it('opened from the one above leads back to it', async () => {
    const page = await open(`/groups/${uuid(1)}?pageId=one`, groups);
    await page.until('the one below', () => all('.chip-link').length === 1);
    await press(one('.chip-link'));
    await page.until('opened', () => page.where().startsWith(`/groups/${uuid(2)}?pageId=`));
    expect(one('.editor-back').getAttribute('href')).toBe(`/groups/${uuid(1)}?pageId=one`);
  });
});

describe('generated groups', () => {
  it('are proposed, looked over, and stored as a job', async () => {
    const proposed = ['Floor 1', 'Floor 2'].map((name, at) => ({ name, domain_type_id: uuid(90), logic_address: String(at + 1), children: [] }));
    const job = {
      id: uuid(61),
      kind: 'generate_groups',
      state: 'completed',
      done: 1,
      total: 1,
      file_name: null,
      failures: [],
      problem: null,
      created_at: '2026-01-02T03:04:05.000Z',
    };
    const page = await open('/groups', {
      'GET /groups': () => rowsAnswer([]),
      'GET /groups/tree': () => ({ body: { data: [node(1, null, 'Riverside')] } }),
      'GET /group-types': () => rowsAnswer([{ id: uuid(90), name: 'Floor' }]),
      [`POST /groups/${uuid(1)}/generate`]: () => ({ body: { data: { count: 2, groups: proposed } } }),
      [`POST /groups/${uuid(1)}/generated`]: () => ({ status: 202, body: { data: job } }),
    });
    await page.until('the tree', () => all('[role="treeitem"]').length === 1);
    await press(one('[role="treeitem"] button'));
    await press('Generate groups');
    await page.until('the types', () => all('.modal select option').length === 2);
    await press('Preview');
    await page.until('the finding', () => all('.modal .field-issue').length === 1);
    const select = one<HTMLSelectElement>('.modal select');
    await act(async () => {
      Reflect.set(Object.getPrototypeOf(select) as object, 'value', uuid(90), select);
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await press('Preview');
    await page.until('the proposal', () => all('.preview-line').length === 2);
    await type(one('.preview-line input'), 'Ground floor');
    await press(one('.preview li:nth-child(2) [aria-label="Remove Floor 2"]'));
    await press('Create 1 group');
    await page.until('the job', () => page.server.asked('POST', `/groups/${uuid(1)}/generated`).length === 1);
    expect(page.server.asked('POST', `/groups/${uuid(1)}/generated`)[0]?.body).toEqual({ groups: [{ ...proposed[0], name: 'Ground floor' }] });
  });
});
