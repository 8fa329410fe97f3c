/** react-admin's smallest page with a list: its published package as an installation of its own, with the rows of a Doorward server. */
export const pageFiles: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'react-admin-page',
    private: true,
    type: 'module',
    dependencies: { react: '19.3.1', 'react-admin': '5.15.4', 'react-dom': '19.3.1', vite: '8.3.8' },
  }),
  'index.html': '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="/main.jsx"></script></body></html>',
  'vite.config.js': "export default { oxc: { jsx: { runtime: 'automatic' } }, build: { chunkSizeWarningLimit: 5000 } };\n",
  'main.jsx': `import { createRoot } from 'react-dom/client';
import { Admin, Datagrid, EmailField, List, Resource, TextField } from 'react-admin';

const dataProvider = {
  getList: async (resource, { pagination: { page, perPage } }) => {
    const answer = await fetch('/api/' + resource + '?page=' + page + '&size=' + perPage);
    const { data, meta } = await answer.json();
    return { data, total: meta.total };
  },
};
const Users = () => (
  <List perPage={20}>
    <Datagrid>
      <TextField source="name" />
      <EmailField source="email" />
      <TextField source="role.name" />
    </Datagrid>
  </List>
);
createRoot(document.getElementById('root')).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    <Resource name="users" list={Users} />
  </Admin>,
);
`,
};
