export * from './alarms.ts';
export * from './device-searches.ts';
export * from './devices.ts';
export * from './house-keeping.ts';
export * from './licences.ts';
export * from './notifications.ts';
export * from './people.ts';
