import type { Node } from 'oxc-parser';

/** A change of one place of a source: what stands from `start` to `end` becomes `text`. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

type Mutator = (node: Node, around: readonly Node[], source: string) => Change[];

const swapped: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};
const negated: Record<string, string> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };
const otherMethods: Record<string, string> = { some: 'every', every: 'some', min: 'max', max: 'min', startsWith: 'endsWith', endsWith: 'startsWith' };
/** Methods whose result is like what they are called on. */
const passedOver = ['filter', 'toSorted', 'toReversed', 'slice', 'trim', 'toLowerCase', 'toUpperCase', 'flat'];
/** What a chart says of a state besides where it goes. */
const ofCharts = ['guard', 'entry', 'exit', 'actions', 'always', 'after', 'onError', 'onDone', 'reenter', 'tags', 'invoke'];

const isText = (node: Node): boolean => node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
const instead = ({ start, end }: Node, ...texts: string[]): Change[] => texts.map((text) => ({ start, end, text }));

const operators: Mutator = (node, _around, source) => {
  if (node.type !== 'BinaryExpression' && node.type !== 'LogicalExpression') return [];
  if (node.operator === '+' && (isText(node.left) || isText(node.right))) return [];
  const between = source.slice(node.left.end, node.right.start);
  return [swapped[node.operator], negated[node.operator]].flatMap((operator) =>
    operator === undefined ? [] : [{ start: node.left.end, end: node.right.start, text: between.replace(node.operator, operator) }],
  );
};

const conditions: Mutator = (node, _around, source) => {
  if (node.type === 'UnaryExpression' && node.operator === '!') return instead(node, source.slice(node.argument.start, node.argument.end));
  return node.type === 'IfStatement' || node.type === 'ConditionalExpression' ? instead(node.test, 'true', 'false') : [];
};

/** An arrow that answers yes or no, as its type says, answers always the same. */
const answers: Mutator = (node) => {
  if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionDeclaration') return [];
  const type = node.returnType?.typeAnnotation.type;
  if ((type !== 'TSBooleanKeyword' && type !== 'TSTypePredicate') || !node.body) return [];
  const isBlock = node.body.type === 'BlockStatement';
  return instead(node.body, ...['true', 'false'].map((answer) => (isBlock ? `{ return ${answer}; }` : answer)));
};

/** Names are left to the type checker; a number becomes another by far, so that delays count. */
const constants: Mutator = (node, around) => {
  if (node.type === 'TemplateLiteral') return around.at(-1)?.type === 'TaggedTemplateExpression' ? [] : instead(node, '``');
  if (node.type !== 'Literal') return [];
  if (typeof node.value === 'boolean') return instead(node, String(!node.value));
  if (typeof node.value === 'number') return instead(node, node.value === 0 ? '1' : String(node.value * 10));
  const isRead = typeof node.value === 'string' && /[^\w$]/.test(node.value);
  return isRead && !/^(Import|Export)/.test(around.at(-1)?.type ?? '') && around.at(-1)?.type !== 'ExpressionStatement'
    ? instead(node, "'mutated'")
    : [];
};

const calls: Mutator = (node, _around, source) => {
  if (node.type === 'ExpressionStatement') {
    const { expression } = node;
    const called = expression.type === 'AwaitExpression' ? expression.argument : expression;
    return called.type === 'CallExpression' && called.callee.type !== 'Super' ? instead(node, ';') : [];
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier') return [];
  const { object, property } = node.callee;
  const other = otherMethods[property.name];
  if (other) return instead(property, other);
  return passedOver.includes(property.name) ? instead(node, source.slice(object.start, object.end)) : [];
};

/** One of several left out: an action, a guard, a field of a list. */
const members: Mutator = (node, around) => {
  if (node.type === 'ArrayExpression')
    return node.elements.flatMap((element, at) => {
      const next = node.elements[at + 1];
      return element ? [{ start: element.start, end: next ? next.start : element.end, text: '' }] : [];
    });
  const isOfChart = node.type === 'Property' && node.key.type === 'Identifier' && ofCharts.includes(node.key.name);
  return isOfChart && around.at(-1)?.type === 'ObjectExpression' ? instead(node, '...{}') : [];
};

/** In SQL: one condition or the other, and what there is or is not. */
const sql: Mutator = (node, around, source) => {
  if (node.type !== 'TemplateElement' || around.at(-2)?.type !== 'TaggedTemplateExpression') return [];
  return [...node.value.raw.matchAll(/\b(?:and|or|(?<!not )exists|is not null|is null)\b|<>/g)].map(({ 0: word, index }) => {
    const others: Record<string, string> = {
      and: 'or',
      or: 'and',
      exists: 'not exists',
      '<>': '=',
      'is null': 'is not null',
      'is not null': 'is null',
    };
    const start = source.indexOf(node.value.raw, node.start) + index;
    return { start, end: start + word.length, text: others[word] ?? '' };
  });
};

/** All ways to change code. */
export const mutators: readonly Mutator[] = [operators, conditions, answers, constants, calls, members, sql];
