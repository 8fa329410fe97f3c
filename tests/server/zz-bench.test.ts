import { sql } from 'drizzle-orm';
import { it } from 'vitest';
import { openTestServer } from './support.ts';
import { jobIsOver } from './estate.ts';
it('bench', { timeout: 400_000 }, async () => {
  let t = performance.now();
  const server = await openTestServer({ demo: false, config: { checkAnswers: false, ratePerUser: 1_000_000, ratePerIp: 1_000_000 } });
  process.stderr.write(`open ${(performance.now() - t).toFixed(0)}\n`); t = performance.now();
  await (await import('#server/db/demo/seed.ts')).seedDemo(server.services);
  process.stderr.write(`seed ${(performance.now() - t).toFixed(0)}\n`);
  const { db } = server.services;
  await db.execute(sql`insert into users(project_id,role_id,login,name,email,license_info,created_at) select p.id, r.id,'u'||n, (array['Ann','Bob','Chen','Dmitry','Eva','Farid'])[1+n%6]||' '||md5(n::text), 'u'||n||'@x.org', (select license_info from users limit 1), now()- n*interval '1 min' from generate_series(1,100000) n, projects p join roles r on r.project_id=p.id and r.name='Resident' where p.uid='riverside'`);
  await db.execute(sql`insert into user_domains select u.id, (select array_agg(id order by name) from groups where project_id=u.project_id)[1+ (abs(hashtext(login)) % 100)] from users u where login ~ '^u[0-9]+$' on conflict do nothing`);
  await db.execute(sql`vacuum analyze users`); await db.execute(sql`analyze user_domains`); await db.execute(sql`analyze groups`);
  for (const login of ['admin', 'manager', 'resident']) {
    const c = await server.signIn(login);
    const f = (items: unknown[], match='match_all') => `filters=${encodeURIComponent(JSON.stringify({ match, items }))}`;
    const cases = { plain: '', page100: 'page=100', page3000: 'page=3000', page5000:'page=5000', 'name desc': 'sort=-name', login: 'sort=login', created: 'sort=-created_at', email: 'sort=email', role: 'sort=role',
      'contains a1b2': f([{ field: 'name', rule: 'contains', value: 'a1b2' }]), 'contains dmitry': f([{ field: 'name', rule: 'contains', value: 'dmitry' }]), 'contains a1': f([{ field: 'name', rule: 'contains', value: 'a1' }]),
      'search box': f(['name', 'login', 'email'].map((field) => ({ field, rule: 'contains', value: 'a1b2' })), 'match_any'), 'begins': f([{ field: 'name', rule: 'begins_with', value: 'Eva a' }]) };
    for (const [name, q] of Object.entries(cases)) {
      const a: number[] = []; let total = 0;
      for (let i = 0; i < 100; i++) { const t = performance.now(); const r = await c.get(`/users?${q}`); a.push(performance.now() - t); if (r.statusCode !== 200) throw new Error(r.body); total = (r.json() as any).meta.total; }
      a.sort((x, y) => x - y);
      process.stderr.write(`${login} ${name} total ${total} p50 ${a[50]!.toFixed(1)} p99 ${a[98]!.toFixed(1)} max ${a[99]!.toFixed(1)}\n`);
    }
  }
  const admin = await server.signIn('admin');
  for (const format of ['csv', 'json', 'xlsx']) {
    const t = performance.now(); let worst = 0; let last = performance.now();
    const timer = setInterval(() => { worst = Math.max(worst, performance.now() - last - 10); last = performance.now(); }, 10);
    const job = await jobIsOver(admin, (await admin.post('/users/export', { export_format: format })).json().data);
    clearInterval(timer);
    process.stderr.write(`export ${format} ${job.state} ${job.done} ${(performance.now() - t).toFixed(0)} ms, loop stall ${worst.toFixed(0)}, rss ${(process.memoryUsage().rss / 1e6).toFixed(0)}\n`);
  }
  await server.close();
});
