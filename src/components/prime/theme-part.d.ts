/** The rules of Lara's theme for one component; `scripts/lara-on-tokens.ts` makes them. */
declare module 'primereact/resources/themes/lara-light-blue/theme.css?only=*';
