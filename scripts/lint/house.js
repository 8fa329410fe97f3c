// Two rules of this house: who may import whom, and how events are spelled.
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mayImport } from './layers.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The path from the root of the house: where the house itself stands decides nothing. */
const pathOf = ({ filename }) => relative(root, filename).split(sep).join('/');

const layers = {
  create(context) {
    const path = pathOf(context);
    const check = ({ source }) => {
      if (typeof source?.value !== 'string') return;
      if (!mayImport(path, source.value)) context.report({ node: source, message: `${path} may not import ${source.value}` });
      if (source.value.startsWith('../../')) context.report({ node: source, message: 'leave the folder by its # name' });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};
const EVENT = /^(\*|xstate\.[\w.*:-]+|[a-z][a-zA-Z]*(\.[a-z][a-zA-Z]*)+(\.\*)?)$/;
const eventNames = {
  create(context) {
    if (!/^(?:tests\/)?machines\//.test(pathOf(context))) return {};
    return {
      Property({ key, value }) {
        if ((key.name ?? key.value) !== 'on' || value.type !== 'ObjectExpression') return;
        for (const { key: event } of value.properties) {
          const name = event?.name ?? event?.value;
          if (name && !EVENT.test(name)) context.report({ node: event, message: `event '${name}' is not spelled subject.verb` });
        }
      },
    };
  },
};
export default { meta: { name: 'house' }, rules: { layers, 'event-names': eventNames } };
