// Three rules of this house: who may import whom, how events are spelled, and that dates have one way.
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layerOf, mayImport, timeOwners } from './layers.js';

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
const CLOCK = /^(?:[gs]et(?:UTC)?(?:Date|Day|Hours|Minutes|Seconds|Month|FullYear|Year)|getTimezoneOffset|toLocale(?:Date|Time)String)$/;
const FORMATS = new Set(['DateTimeFormat', 'RelativeTimeFormat', 'DurationFormat']);
/** A day and a week, in seconds and in ms: written out they tempt to reckon as if no day had 23 hours. */
const LENGTHS = new Set([86_400, 604_800, 86_400_000, 604_800_000]);
const time = {
  create(context) {
    const path = pathOf(context);
    if (!layerOf(path) || timeOwners.includes(path)) return {};
    const report = (node, what) => context.report({ node, message: `${what}: dates, durations and zones go through ${timeOwners[0]}` });
    return {
      MemberExpression(node) {
        const [object, name] = [node.object.name, node.property.name];
        if (CLOCK.test(name)) report(node, name);
        if ((object === 'Intl' && FORMATS.has(name)) || (object === 'Date' && name === 'UTC')) report(node, `${object}.${name}`);
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length > 1) report(node, 'a Date made of its parts');
      },
      Literal(node) {
        if (LENGTHS.has(node.value)) report(node, node.raw);
      },
    };
  },
};
export default { meta: { name: 'house' }, rules: { layers, 'event-names': eventNames, time } };
