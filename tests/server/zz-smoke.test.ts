import { expect, it } from 'vitest';
import { openTestServer } from './support.ts';
it('smokes', async () => {
  const t = performance.now();
  const server = await openTestServer({ demo: true });
  console.log('open', performance.now() - t);
  const admin = await server.signIn('admin');
  for (const path of ['/users', '/roles', '/groups?with=users,children', '/group-types', '/markers', '/audit-events', '/groups/tree', '/users?sort=-role&with=mobile_clients,domains']) {
    const t = performance.now();
    const a = await admin.get(path);
    console.log(path, a.statusCode, (performance.now() - t).toFixed(1), a.body.slice(0, a.statusCode === 200 ? 300 : 1500));
  }
  for (const login of ['dealer', 'manager', 'concierge', 'resident']) {
    const c = await server.signIn(login);
    for (const path of ['/users', '/roles', '/groups?with=users,children', '/group-types', '/markers', '/audit-events', '/groups/tree']) {
      const a = await c.get(path);
      const j = a.json() as any;
      console.log(login, path, a.statusCode, j.meta?.total ?? j.data?.length, a.statusCode === 500 ? a.body : '');
    }
  }
  await server.close();
});
