import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { deliveryKinds, integrations, integrationTypes } from './integrations.ts';

/** What somebody who chooses an integration is told of it. */
const available = z.strictObject({ id: z.uuid(), name: z.string(), type: z.enum(integrationTypes) });
const delivery = z.strictObject({
  id: z.uuid(),
  kind: z.enum([...deliveryKinds, 'test']),
  event: z.string(),
  created_at: z.iso.datetime(),
  tried_at: z.iso.datetime().nullable(),
  delivered_at: z.iso.datetime().nullable(),
  attempts: z.int(),
  /** When it is tried next; null once it was taken. */
  next_at: z.iso.datetime().nullable(),
  /** The HTTP status of the last answer; null where there was none. */
  status: z.int().nullable(),
  error: z.string().nullable(),
});
/** One message of a webhook, as its log has it. */
export type Delivery = z.infer<typeof delivery>;

const devicePicture = z.strictObject({
  /** The picture itself, as a data address. */
  picture: z.string(),
  camera: z.string(),
  taken_at: z.iso.datetime(),
});
/** What the camera of a device shows. */
export type DevicePicture = z.infer<typeof devicePicture>;

const view = { area: 'integrations', verb: 'view' } as const;
const edit = { area: 'integrations', verb: 'edit' } as const;
/** A form with the fields as JSON, and the certificate as a file. */
const form = { body: z.strictObject({ data: z.string().max(100_000).optional() }), optionalFiles: ['certificate'] };

/** What is asked of integrations besides the plain calls (INTG-01, INTG-02). */
export const integrationCalls = {
  createIntegration: call({
    method: 'POST',
    path: '/integrations',
    access: { area: 'integrations', verb: 'create' },
    summary: 'Create an integration by a form: `data` holds its fields as JSON, `certificate` is a PEM file; returns its id',
    ...form,
    answer: z.uuid(),
  }),
  updateIntegration: call({
    method: 'POST',
    path: '/integrations/{id}',
    access: edit,
    summary:
      'Change fields of an integration by a form: `data` holds them as JSON, `certificate` is a PEM file; 412 if the version in If-Match is not the latest',
    params: byId,
    ...form,
    answer: integrations.row,
  }),
  availableIntegrations: call({
    method: 'GET',
    path: '/integrations/available',
    access: view,
    summary: 'Active integrations to choose from, of one type or all',
    query: z.strictObject({ type: z.enum(integrationTypes) }).partial(),
    answer: z.array(available),
  }),
  integrationMacros: call({
    method: 'GET',
    path: '/integrations/{id}/macros',
    access: view,
    summary: 'What the other system can be told to do; webhooks and plain cameras have no macros',
    params: byId,
    answer: z.array(z.strictObject({ name: z.string(), guid: z.string() })),
  }),
  integrationCameras: call({
    method: 'GET',
    path: '/integrations/{id}/cameras',
    access: view,
    summary: 'The cameras of an integration',
    params: byId,
    answer: integrations.row.shape.cameras,
  }),
  integrationDeliveries: call({
    method: 'GET',
    path: '/integrations/{id}/deliveries',
    access: edit,
    summary: 'What a webhook was told lately and how it was answered: the last 100, newest first',
    params: byId,
    answer: z.array(delivery),
  }),
  testIntegration: call({
    method: 'POST',
    path: '/integrations/{id}/test',
    access: edit,
    summary: 'Try an integration: a webhook is sent a test event, a camera is asked for its first picture',
    params: byId,
    answer: z.strictObject({ picture: z.string().nullable() }),
    timeout: 20_000,
  }),
  resumeIntegration: call({
    method: 'POST',
    path: '/integrations/{id}/resume',
    access: edit,
    summary: 'Send what waits now; also where a webhook was stopped because it failed for long',
    params: byId,
    answer: integrations.row,
  }),
  devicePicture: call({
    method: 'GET',
    path: '/devices/{id}/picture',
    access: { area: 'devices', verb: 'view' },
    summary: 'What the camera of a device shows now',
    params: byId,
    answer: devicePicture,
    timeout: 20_000,
  }),
} as const;
