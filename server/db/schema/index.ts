export * from './house-keeping.ts';
export * from './people.ts';
