import { Transformer } from '@napi-rs/image';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillText, mailTypeIds, mailTypes, templateIssues } from '#models/mail-templates.ts';
import { groups, mails, mailTemplates, projectSettings as table, users } from '#server/db/schema/index.ts';
import { asHtml } from '#server/mail/html.ts';
import { builtIn } from '#server/mail/letters.ts';
import { attachmentsOf } from '#server/mail/attachment.ts';
import { sendRegistrationLink } from '#server/modules/mail.ts';
import { mailPasswordChanged, recipientColumns } from '#server/modules/account-mails.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { form } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let keeper: Person;
let resident: Person;
const path = '/mail-templates';
const template = (over: object = {}) => ({
  mail_type_id: 'registration',
  locale: 'en',
  subject: 'Welcome, {{name}}',
  body: 'Dear {{name}}, come in:\n{{link}}',
  domain_id: null,
  ...over,
});
const put = (over: object = {}, who = boss) => who.client.put(path, template(over));
const issuesOf = (answer: { json: () => unknown }): string[] =>
  (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues.map(({ path: at, rule }) => `${at.join('.')} ${rule}`);
/** The invitation that the resident would get now. */
async function invitation(locale = 'en') {
  const { db } = server.services;
  await db.delete(mails);
  await sendRegistrationLink(db, server.services, { id: resident.id, projectId: estate.here, name: 'Boris <b>', email: 'boris@example.org', locale });
  const [mail] = await db.select().from(mails);
  if (!mail?.html) throw new Error('nothing was written');
  return { ...mail, html: mail.html };
}

beforeAll(async () => {
  server = await openTestServer({ config: { publicUrl: 'https://door.example.org' } });
  estate = await buildEstate(server.services);
  const { town, north, n1 } = estate.groups;
  boss = await makePerson(server, estate, { permissions: ['can_change_project_settings', 'can_edit_all_groups', 'can_view_all_groups'], in: [town] });
  keeper = await makePerson(server, estate, { permissions: ['can_manage_own_group_mail_templates'], in: [north] });
  resident = await makePerson(server, estate, { permissions: [], in: [n1] });
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.services;
  await db.delete(mailTemplates);
  await db.delete(table);
  await db.update(groups).set({ whitelabel: {}, logoFile: null });
});

describe('the built-in mails', () => {
  it.each(mailTypeIds)('%s names what it must, and nothing that it cannot', (type) => {
    for (const locale of ['en', 'ru'] as const) expect(templateIssues({ mail_type_id: type, ...builtIn(type, locale) })).toEqual([]);
    expect(JSON.stringify(builtIn(type, 'en'))).not.toContain('Doorward');
    expect(mailTypes[type].placeholders).toContain('product');
  });
});

describe('a template', () => {
  it('is one of a type, a language and a place (ERR-056)', async () => {
    expect((await put()).statusCode).toBe(200);
    const again = await put();
    expect([codeOf(again), issuesOf(again)]).toEqual(['template_exists', ['mail_type_id template_exists']]);
    expect((await put({ locale: 'ru' })).statusCode).toBe(200);
    expect((await put({ domain_id: estate.groups.north })).statusCode).toBe(200);
    expect((await put({ mail_type_id: 'guest', subject: 'Come in', body: '{{link}}' })).statusCode).toBe(200);
  });

  it('names what its mail is about, and nothing else (VALID-30)', async () => {
    expect(issuesOf(await put({ body: 'Welcome!' }))).toEqual(['body required_placeholders']);
    expect(issuesOf(await put({ subject: 'Your {{password}}' }))).toEqual(['subject unknown_placeholder']);
    const id = dataOf<string>(await put());
    // Another type asks for other words.
    expect(issuesOf(await boss.client.patch(`${path}/${id}`, { mail_type_id: 'confirmation' }))).toEqual(['body required_placeholders']);
    expect((await boss.client.patch(`${path}/${id}`, { subject: 'Hello' })).statusCode).toBe(200);
  });

  it('of a group is for those who manage its templates, of the project for those who change its settings', async () => {
    expect(codeOf(await put({}, keeper))).toBe('forbidden');
    expect(codeOf(await put({ domain_id: estate.groups.s1 }, keeper))).toBe('invalid_related');
    expect(codeOf(await keeper.client.post(`${path}/preview`, template({ domain_id: estate.groups.s1 })))).toBe('forbidden');
    expect((await put({ domain_id: estate.groups.north }, keeper)).statusCode).toBe(200);
    expect((await keeper.client.get(path)).json()).toMatchObject({ meta: { total: 1 } });
    expect(codeOf(await resident.client.get(path))).toBe('forbidden');
    expect(codeOf(await boss.client.post(`${path}/preview`, template({ domain_id: estate.groups.abroad })))).toBe('forbidden');
    expect(dataOf<{ mail_templates: object[] }>(await boss.client.get(`/groups/${estate.groups.north}`)).mail_templates).toMatchObject([
      { name: 'Welcome, {{name}}' },
    ]);
  });

  it('comes to a group by its form, and back to the project; only for those who may edit it there', async () => {
    const [ours, theirs] = [dataOf<string>(await put()), dataOf<string>(await put({ domain_id: estate.groups.s1, locale: 'ru' }))];
    const north = `/groups/${estate.groups.north}`;
    const placeOf = async (id: string) => dataOf<{ domain_id: { id: string } | null }>(await boss.client.get(`${path}/${id}`)).domain_id?.id ?? null;
    // Of the project's they see none.
    expect(codeOf(await keeper.client.patch(north, { mail_templates: [ours] }))).toBe('invalid_related');
    expect((await boss.client.patch(north, { mail_templates: [ours, theirs] })).statusCode).toBe(200);
    expect([await placeOf(ours), await placeOf(theirs)]).toEqual([estate.groups.north, estate.groups.north]);
    expect((await invitation()).subject).toBe('Welcome, Boris <b>');
    expect(codeOf(await keeper.client.patch(north, { mail_templates: [ours] }))).toBe('forbidden');
    expect(await placeOf(theirs)).toBe(estate.groups.north);
    expect((await boss.client.patch(north, { mail_templates: [ours] })).statusCode).toBe(200);
    expect(await placeOf(theirs)).toBeNull();
    // The project has one of this type and language already.
    await put();
    expect(codeOf(await boss.client.patch(north, { mail_templates: [] }))).toBe('template_exists');
    expect(await placeOf(ours)).toBe(estate.groups.north);
  });

  it('of the nearest group counts, then of the project, then the built-in text, each in the language of the reader', async () => {
    expect((await invitation()).subject).toBe('Your Doorward account');
    await put({ subject: 'From the project' });
    expect((await invitation()).subject).toBe('From the project');
    await put({ subject: 'From the town', domain_id: estate.groups.town });
    await put({ subject: 'From the north', domain_id: estate.groups.north });
    await put({ subject: 'From the south', domain_id: estate.groups.south });
    expect((await invitation()).subject).toBe('From the north');
    expect((await invitation('ru')).subject).toBe('Ваша учётная запись Doorward');
  });

  it('cannot break a link, nor put anything into a mail but text', async () => {
    await put({ subject: 'For {{name}}\r\nBcc: all@example.org', body: '<script>x()</script> ({{link}}). {{name}} {{ link }}' });
    const { subject, body, html } = await invitation();
    expect(subject).toBe('For Boris <b> Bcc: all@example.org');
    const [link = ''] = /https:\/\/door\.example\.org\/registration\/[\w-]{43}/.exec(body) ?? [];
    expect(html.split(`href="${link}"`)).toHaveLength(3);
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain('Boris &lt;b&gt;');
    expect(html).not.toContain('<script>');
    // What is filled in is not read for placeholders again.
    expect(fillText('{{name}}', { name: '{{link}}', link: 'secret' })).toBe('{{link}}');
  });

  it('is previewed with examples, and not stored', async () => {
    const preview = dataOf<{ subject: string; text: string; html: string }>(await boss.client.post(`${path}/preview`, template()));
    expect(preview.subject).toBe('Welcome, Anna Example');
    expect(preview.text).toContain('https://door.example.org/example');
    expect(issuesOf(await boss.client.post(`${path}/preview`, template({ body: 'x' })))).toEqual(['body required_placeholders']);
    expect((await boss.client.get(path)).json()).toMatchObject({ meta: { total: 0 } });
    expect(issuesOf(await boss.client.post(`${path}/preview/send`, { ...template(), email: 'a@example.org' }))).toEqual(['email no_mail_server']);
    expect(dataOf<{ id: string }[]>(await boss.client.get(`${path}/types`)).map(({ id }) => id)).toEqual(mailTypeIds);
  });
});

describe('white label in mails', () => {
  const look = { is_enabled: true, name: 'Riverside Homes', address: '1 River Street', accent_color: '#112233', accent_text_color: '#ffffff' };
  const logo = async () => form({}, await Transformer.fromRgbaPixels(Buffer.alloc(32 * 32 * 4, 80), 32, 32).png());

  it('stands for the product: name, colours, logo and address', async () => {
    await boss.client.patch('/project-settings/white-label', look);
    const { body, headers } = await logo();
    await boss.client.send('POST', '/project-settings/white-label/logo', body, headers);
    const mail = await invitation();
    expect(mail.subject).toBe('Your Riverside Homes account');
    expect(mail.html).toContain('background:#112233;color:#ffffff');
    expect(mail.html).toContain('src="cid:logo@doorward"');
    expect(mail.html).not.toContain('Doorward');
    expect(mail.body).toMatch(/-- \nRiverside Homes\n1 River Street\n$/);
    const { attachments } = await attachmentsOf(server.services, { html: '', logoFile: mail.logoFile });
    expect(attachments).toMatchObject([{ contentType: 'image/webp', cid: 'logo@doorward' }]);
    await boss.client.delete('/project-settings/white-label/logo');
    expect(await attachmentsOf(server.services, { html: '', logoFile: mail.logoFile })).toEqual({});
    expect((await invitation()).html).not.toContain('cid:');
  });

  it('of the nearest group comes before the project’s; one that is switched off does not count', async () => {
    const { db } = server.services;
    await boss.client.patch('/project-settings/white-label', look);
    const block = { is_enabled: true, name: 'North Tower', address: null, email: 'north@example.org', phone: null };
    await db.update(groups).set({ whitelabel: block }).where(eq(groups.id, estate.groups.north));
    await db
      .update(groups)
      .set({ whitelabel: { ...block, is_enabled: false, name: 'Flat' } })
      .where(eq(groups.id, estate.groups.n1));
    const mail = await invitation();
    expect([mail.subject, mail.body]).toEqual(['Your North Tower account', expect.stringContaining('north@example.org')]);
    const [user] = await db.select(recipientColumns).from(users).where(eq(users.id, boss.id));
    await db.delete(mails);
    if (user) await mailPasswordChanged(db, server.services, user, { ip: '203.0.113.7', userAgent: null });
    expect((await db.select().from(mails))[0]?.subject).toBe('Your Riverside Homes password was changed');
  });

  it('never lets a name be markup', () => {
    const html = asHtml('Hi', { name: '<img src=x onerror=1>', logoFile: null, ground: '#000000', text: '#ffffff', footer: '"quoted" & <b>' });
    expect(html).toContain('&lt;img src=x onerror=1&gt;');
    expect(html).toContain('&quot;quoted&quot; &amp; &lt;b&gt;');
  });
});
