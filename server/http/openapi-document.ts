import { z } from 'zod';
import { type Access, type SuccessStatus, takesForm } from '#models/define-call.ts';
import { job } from '#models/job.ts';
import { statusOf, wireCodes } from '#models/problem.ts';
import { clientFrame, realtimeEvents, topics } from '#models/realtime.ts';
import { base, type ServedCall } from '../serve.ts';

type Json = Record<string, unknown>;

const topicShapes = [topics.user('{id}'), topics.appChanges, topics.calls('{number}'), topics.job('{id}'), 'areas.{area}', topics.device('{id}')];

/** Schemas that hold themselves, by the id in their meta; each stands once, among the components. */
const shared: Record<string, unknown> = {};

/** A schema as JSON. References of JSON Schema count from the document's root, so what they name is moved to where the root has it. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', target: 'draft-2020-12' });
  if (!('$defs' in whole)) return whole;
  const suffix = io === 'input' ? 'Input' : '';
  const text = JSON.stringify(whole).replaceAll(/"#\/\$defs\/([^"]+)"/g, `"#/components/schemas/$1${suffix}"`);
  const { $defs, ...rest } = JSON.parse(text) as Json & { $defs: Json };
  for (const [id, found] of Object.entries($defs)) shared[`${id}${suffix}`] = found;
  return rest;
}
const takesNothing = (schema: z.ZodType): boolean => schema instanceof z.ZodUndefined;

const accessText = (access: Access): string => {
  if (access === 'anyone') return 'Open to anyone.';
  if (access === 'signedIn') return 'For any signed-in user.';
  return 'codes' in access ? `For users with ${access.codes.join(' or ')}.` : `For users who can ${access.verb} ${access.area}.`;
};

const parametersOf = (schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] => {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema: property,
  }));
};

function bodyOf(call: ServedCall): Json | undefined {
  if (!takesForm(call))
    return takesNothing(call.body) ? undefined : { required: true, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } };
  const fields = takesNothing(call.body) ? {} : ((schemaOf(call.body, 'input')['properties'] as Json | undefined) ?? {});
  const files = Object.fromEntries(
    [...(call.files ?? []), ...(call.optionalFiles ?? [])].map((name) => [name, { type: 'string', contentMediaType: 'application/octet-stream' }]),
  );
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: { type: 'object', properties: { ...fields, ...files }, ...(call.files && { required: call.files }) } },
    },
  };
}

/** What stands inside `data`: of a call that may begin a job, the job, or what it answers otherwise. */
function schemaAt({ answer }: ServedCall, status: SuccessStatus): z.ZodType {
  if (status === 202) return job;
  if (!(answer instanceof z.ZodUnion)) return answer;
  const [first, ...others] = (answer.options as z.ZodType[]).filter((option) => option !== job);
  return first && others.length === 0 ? first : answer;
}

const answerAt = (call: ServedCall, status: SuccessStatus): Json => {
  if (status === 204) return { description: 'There is nothing' };
  if (status === 304) return { description: 'Nothing has changed' };
  if (call.download) return { description: 'The file', content: { 'application/octet-stream': {} } };
  const meta = call.query && call.answer instanceof z.ZodArray && { meta: { $ref: '#/components/schemas/PageMeta' } };
  const schema = { type: 'object', required: ['data'], properties: { data: schemaOf(schemaAt(call, status), 'output'), ...meta } };
  return { description: status === 202 ? 'Begun, as a job' : 'Done', content: { 'application/json': { schema } } };
};

const failure = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
});

/** The statuses with which a call may succeed. */
export const successesOf = ({ success = [200] }: Pick<ServedCall, 'success'>): readonly SuccessStatus[] => success;

function operationOf(call: ServedCall): Json {
  const body = bodyOf(call);
  return {
    summary: call.summary,
    description: accessText(call.access),
    tags: [call.path.split('/')[1] ?? 'general'],
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(successesOf(call).map((status) => [status, answerAt(call, status)])),
      default: failure('Refused or failed; see the code'),
    },
    ...(call.access === 'anyone' && { security: [] }),
  };
}

const components = {
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The `token` of a session from POST /login.' } },
  schemas: {
    Failure: {
      type: 'object',
      required: ['message', 'error'],
      properties: {
        message: { type: 'string' },
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { enum: wireCodes, description: wireCodes.map((code) => `${code}: ${statusOf(code)}`).join(', ') },
            message: { type: 'string' },
          },
        },
        data: { description: "The code's own: issues by path, the current row, related rows." },
      },
    },
    PageMeta: {
      type: 'object',
      required: ['page', 'size', 'total'],
      properties: { page: { type: 'integer' }, size: { type: 'integer' }, total: { type: 'integer' } },
    },
  },
};

const realtimeText = `Live updates come over a WebSocket at ${base}/ws?access_token=…: send {command: subscribe, topic}; events arrive as {topic, data}, where data is JSON whose type ends in the event's name. Topics: ${topicShapes.join(', ')}. The extension x-realtime holds the frames.`;

/** The realtime channel's frames, which OpenAPI has no place for. */
const realtime = {
  path: `${base}/ws`,
  topics: topicShapes,
  clientFrame: schemaOf(clientFrame, 'input'),
  events: Object.fromEntries(Object.entries(realtimeEvents).map(([name, schema]) => [name, schemaOf(schema, 'output')])),
};

/** The API as an OpenAPI 3.1 document, derived from the calls that are really served. */
export function describeApi(served: readonly ServedCall[]): Json {
  const paths: Record<string, Json> = {};
  for (const call of served) paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(call) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Doorward',
      version: '0',
      description: `The API of the Doorward server. Failures carry a code of the catalogue.\n\n${realtimeText}`,
    },
    servers: [{ url: base }],
    security: [{ bearer: [] }],
    paths,
    components: { ...components, schemas: { ...components.schemas, ...shared } },
    'x-realtime': realtime,
  };
}
