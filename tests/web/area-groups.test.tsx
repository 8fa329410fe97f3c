import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { groups as groupModel } from '#models/groups.ts';
import { allLicensed } from '#models/licence-info.ts';
import { uuid } from '#tests/support/people.ts';
import { node, openPage, rowsAnswer } from './support/area-page.ts';
import { fill } from './support/user.ts';

const names = () => screen.queryAllByRole('treeitem').map((line) => line.getAttribute('aria-label'));
const current = () => document.activeElement?.getAttribute('aria-label');

describe('the tree of groups', () => {
  const tree = {
    'GET /groups': () => rowsAnswer([]),
    'GET /groups/tree': () => ({ body: { data: [node(1, null, 'Riverside'), node(2, 1, 'Tower A'), node(3, 2, 'Floor 1')] } }),
  };
  const openTree = async (handlers: Parameters<typeof openPage>[1] = {}) => {
    const page = await openPage('/groups', { ...tree, ...handlers });
    await waitFor(() => expect(names()).toHaveLength(2));
    return page;
  };

  it('opens at its roots and is walked by keyboard', async () => {
    const { user } = await openTree();
    act(() => screen.getByRole('treeitem', { name: 'Riverside' }).focus());
    await user.keyboard('{ArrowDown}');
    expect(current()).toBe('Tower A');
    await user.keyboard('{ArrowRight}');
    expect(names()).toEqual(['Riverside', 'Tower A', 'Floor 1']);
    await user.keyboard('{End}');
    expect(current()).toBe('Floor 1');
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(names()).toEqual(['Riverside', 'Tower A']);
    await user.keyboard('{Home}{ArrowLeft}');
    expect(names()).toEqual(['Riverside']);
  });

  it('finds a group with all above it', async () => {
    const { user } = await openTree();
    await fill(user, screen.getByRole('searchbox'), 'floor');
    await waitFor(() => expect(names()).toHaveLength(3));
    await fill(user, screen.getByRole('searchbox'), 'nothing like it');
    await screen.findByText('No results');
    expect(names()).toEqual([]);
  });

  it('turns to the flat list and back', async () => {
    const { user, at } = await openTree();
    await user.click(screen.getByRole('button', { name: 'List' }));
    await at('/groups?view=flat');
    await user.click(await screen.findByRole('button', { name: 'Tree' }));
    await at('/groups');
    await waitFor(() => expect(names()).toHaveLength(2));
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('adds a group below another', async () => {
    const { user, where } = await openTree({
      [`GET /groups/${uuid(1)}`]: () => ({ body: { data: { id: uuid(1), name: 'Riverside', version: 1 } } }),
    });
    await user.click(screen.getByRole('button', { name: 'Actions: Riverside' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Add subgroup' }));
    await waitFor(() => expect(where()).toContain(`parent_id=${uuid(1)}`));
    const parent = within(await screen.findByRole('group', { name: 'Parent group' }));
    await parent.findByRole('button', { name: 'Riverside' });
    expect(screen.getByRole('textbox', { name: 'Name' })).toBeTruthy();
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
    const { user, where, at } = await openPage('/groups?size=50', groups);
    await user.click(await screen.findByRole('button', { name: 'Actions: Riverside' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Add subgroup' }));
    await screen.findByRole('textbox', { name: 'Name' });
    expect(where()).toMatch(new RegExp(`^/groups/add\\?parent_id=${uuid(1)}&pageId=.`));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await at('/groups?size=50');
  });

  it('says what stands above and below it from the first frame on, whenever the tree comes', async () => {
    let tree: (value: object) => void = () => {};
    const parts = { parent: new Set<string>(), below: new Set<string>() };
    const watch = new MutationObserver(() => {
      const parent = screen.queryByText('Parent group')?.nextElementSibling;
      const below = screen.queryByRole('region', { name: 'Subgroups' });
      if (parent) parts.parent.add(parent.textContent);
      if (below) parts.below.add(below.textContent);
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
    await openPage(`/groups/${uuid(1)}`, {
      ...groups,
      'GET /groups/tree': () => new Promise<object>((resolve) => (tree = resolve)) as never,
      [`GET /groups/${uuid(1)}`]: () => ({ body: { data: row } }),
    });
    await screen.findByRole('link', { name: /Gate/ });
    await act(async () => tree({ body: { data: [node(4, null, 'Riverside'), node(3, 4, 'East'), node(1, 3, 'Tower'), node(2, 1, 'Gate')] } }));
    watch.disconnect();
    expect([...parts.parent]).toEqual(['Riverside · East']);
    expect([...parts.below]).toEqual(['SubgroupsHouse Gate+ Add subgroup']);
  });

  it('opened from the one above leads back to it', async () => {
    const { user, where } = await openPage(`/groups/${uuid(1)}?pageId=one`, groups);
    await user.click(await screen.findByRole('link', { name: /Tower/ }));
    await waitFor(() => expect(where()).toMatch(new RegExp(`^/groups/${uuid(2)}\\?pageId=`)));
    const back = () => within(screen.getByRole('main')).getByRole('link', { name: 'Groups' }).getAttribute('href');
    await waitFor(() => expect(back()).toBe(`/groups/${uuid(1)}?pageId=one`));
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
    const { user, server } = await openPage('/groups', {
      'GET /groups': () => rowsAnswer([]),
      'GET /groups/tree': () => ({ body: { data: [node(1, null, 'Riverside')] } }),
      'GET /group-types': () => rowsAnswer([{ id: uuid(90), name: 'Floor' }]),
      [`POST /groups/${uuid(1)}/generate`]: () => ({ body: { data: { count: 2, groups: proposed } } }),
      [`POST /groups/${uuid(1)}/generated`]: () => ({ status: 202, body: { data: job } }),
    });
    await user.click(await screen.findByRole('button', { name: 'Actions: Riverside' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Generate groups' }));
    const dialog = within(await screen.findByRole('dialog'));
    const type = await dialog.findByRole('combobox', { name: 'Group type' });
    await within(type).findByRole('option', { name: 'Floor' });
    await user.click(dialog.getByRole('button', { name: 'Preview' }));
    await waitFor(() => expect(type.getAttribute('aria-invalid')).toBe('true'));
    expect(server.asked('POST', `/groups/${uuid(1)}/generate`)).toEqual([]);
    await user.selectOptions(type, 'Floor');
    await user.click(dialog.getByRole('button', { name: 'Preview' }));
    await waitFor(() => expect(dialog.getAllByRole('button', { name: /^Remove Floor/ })).toHaveLength(2));
    const [first] = dialog.getAllByRole('textbox');
    if (!first) throw new Error('nothing is proposed');
    await fill(user, first, 'Ground floor');
    await user.click(dialog.getByRole('button', { name: 'Remove Floor 2' }));
    await user.click(dialog.getByRole('button', { name: 'Create 1 group' }));
    await waitFor(() => expect(server.asked('POST', `/groups/${uuid(1)}/generated`)).toHaveLength(1));
    expect(server.asked('POST', `/groups/${uuid(1)}/generated`)[0]?.body).toEqual({ groups: [{ ...proposed[0], name: 'Ground floor' }] });
  });
});
