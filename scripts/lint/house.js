// Two rules of this house: who may import whom, and how events are spelled.
const MAY = {
  models: [],
  'machines/lifecycles': ['models'],
  machines: ['models', 'machines/lifecycles'],
  'src/adapters': ['models', 'machines', 'machines/lifecycles'],
  'src/components': ['models'],
  'src/views': ['models', 'machines', 'machines/lifecycles', 'src/components'],
  'src/resources': ['models', 'src/components', 'src/views'],
  'src/app': ['models', 'machines', 'machines/lifecycles', 'src/adapters', 'src/components', 'src/views', 'src/resources', 'locales'],
  locales: [],
  server: ['models', 'machines/lifecycles'],
};
const folderOf = (path) => Object.keys(MAY).find((folder) => path.startsWith(`#${folder}/`) || path.includes(`/${folder}/`));
const layers = {
  create(context) {
    const tests = /\/(tests|scripts|lint)\//.test(context.filename);
    const from = tests ? undefined : folderOf(context.filename);
    const check = ({ source }) => {
      const to = typeof source?.value === 'string' && source.value.startsWith('#') && folderOf(source.value);
      if (from && to && to !== from && !MAY[from].includes(to)) context.report({ node: source, message: `${from} may not import ${to}` });
      if (typeof source?.value === 'string' && source.value.startsWith('../../'))
        context.report({ node: source, message: 'leave the folder by its # name' });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};
const EVENT = /^(\*|xstate\.[\w.*:-]+|[a-z][a-zA-Z]*(\.[a-z][a-zA-Z]*)+(\.\*)?)$/;
const eventNames = {
  create(context) {
    if (!context.filename.includes('/machines/')) return {};
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
