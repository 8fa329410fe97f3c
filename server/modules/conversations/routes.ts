import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { uploadTextPicture } from '../text-pictures.ts';
import { readConversation, readConversations, readMessages, readRecipients } from './read.ts';
import { createConversation, deleteConversation, markRead, sendMessage } from './write.ts';

const numberIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/** What people write to each other. */
export function serveConversations(app: FastifyInstance, services: Services): void {
  const { db } = services;
  serve(app, services, calls.conversations, ({ principal, query }) =>
    readConversations(db, principal, { of: query['of'] === 'all' ? 'all' : 'own', offset: Number(query['offset']), limit: Number(query['limit']) }),
  );
  serve(app, services, calls.conversationRecipients, ({ principal, query }) =>
    readRecipients(db, principal, { search: query['search'], group: query['group'], desk: query['desk'] === 'yes' ? 'yes' : undefined }),
  );
  serve(app, services, calls.conversation, ({ principal, params }) => readConversation(db, principal, params.id));
  serve(app, services, calls.createConversation, ({ principal, body }) => createConversation(services, principal, body));
  serve(app, services, { ...calls.uploadMessagePicture, body: z.strictObject({}) }, ({ principal, files: { image } }) =>
    uploadTextPicture(services, principal, image),
  );
  serve(app, services, calls.messages, ({ principal, params, query }) =>
    readMessages(db, principal, params.id, { before: numberIn(query['before']), after: numberIn(query['after']) }),
  );
  serve(app, services, calls.sendMessage, ({ principal, params, body }) => sendMessage(services, principal, params.id, body));
  serve(app, services, calls.readMessages, ({ principal, params, body }) => markRead(services, principal, params.id, body.seq));
  serve(app, services, calls.deleteConversation, ({ principal, params }) => deleteConversation(services, principal, params.id));
}
