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
  {
    area: 'devices',
    path: '/devices',
    icon: 'pi-tablet',
    menu: 'devices',
    editor: 'page',
    load: () => import('./devices.resource.tsx'),
    pages: { search: () => import('#src/views/devices/search-page.tsx').then(({ SearchPage }) => SearchPage) },
  },
  {
    area: 'device-events',
    path: '/devices/events',
    icon: 'pi-list',
    menu: 'device-events',
    editor: 'page',
    load: () => import('./device-events.resource.tsx'),
  },
  {
    area: 'device-tasks',
    path: '/devices/tasks',
    icon: 'pi-list-check',
    menu: 'device-tasks',
    editor: 'page',
    load: () => import('./device-tasks.resource.tsx'),
  },
  {
    area: 'device-alarms',
    path: '/devices/alarms',
    icon: 'pi-exclamation-triangle',
    menu: 'device-alarms',
    editor: 'page',
    load: () => import('./device-alarms.resource.tsx'),
  },
  {
    area: 'alarm-calls',
    path: '/devices/alarms-calls',
    icon: 'pi-phone',
    menu: 'alarm-calls',
    editor: 'page',
    load: () => import('./alarm-calls.resource.tsx'),
  },
  {
    area: 'sip-numbers',
    path: '/virtual-numbers',
    icon: 'pi-hashtag',
    menu: 'virtual-numbers',
    editor: 'page',
    load: () => import('./sip-numbers.resource.tsx'),
  },
  {
    area: 'call-history',
    path: '/call-history',
    icon: 'pi-history',
    menu: 'call-history',
    editor: 'page',
    load: () => import('./call-history.resource.tsx'),
  },
  {
    area: 'forward-rules',
    path: '/forward-rules',
    icon: 'pi-directions',
    menu: 'forward-rules',
    editor: 'page',
    load: () => import('./forward-rules.resource.tsx'),
  },
  {
    area: 'sip-trunks',
    path: '/sip-trunks',
    icon: 'pi-share-alt',
    menu: 'sip-trunks',
    editor: 'page',
    load: () => import('./sip-trunks.resource.tsx'),
  },
];
