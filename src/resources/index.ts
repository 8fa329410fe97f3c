import type { AreaEntry } from '#src/views/area/resource.ts';

/**
 * Every area that has screens, with what menu and routes must know before the area is loaded. A line here is the one
 * switch: it turns on the menu entry, the routes, and the fields of other areas that name rows of this one.
 */
export const resources: readonly AreaEntry[] = [
  { area: 'users', path: '/users', icon: 'pi-users', menu: 'users', editor: 'page', load: () => import('./users.resource.tsx') },
  { area: 'roles', path: '/roles', icon: 'pi-id-card', menu: 'roles', editor: 'page', load: () => import('./roles.resource.tsx') },
  { area: 'groups', path: '/groups', icon: 'pi-sitemap', menu: 'groups', editor: 'page', load: () => import('./groups.resource.tsx') },
  { area: 'group-types', path: '/group-types', icon: 'pi-tags', menu: null, editor: 'dialog', load: () => import('./group-types.resource.tsx') },
  { area: 'markers', path: '/markers', icon: 'pi-bookmark', menu: null, editor: 'dialog', load: () => import('./markers.resource.tsx') },
  {
    area: 'audit-events',
    path: '/audit-events',
    icon: 'pi-history',
    menu: 'audit-events',
    editor: 'page',
    load: () => import('./audit-events.resource.tsx'),
  },
];
