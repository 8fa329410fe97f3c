import type { Services } from '../context.ts';
import { readFile } from '../files.ts';
import { logoId } from './html.ts';
import type { OutgoingMail } from './transport.ts';

/** The logo of a mail as it goes along with it; nothing where there is none any more. */
export async function logoOf(services: Services, id: string | null): Promise<Pick<OutgoingMail, 'attachments'>> {
  if (id === null) return {};
  const file = await readFile(services, id).catch(() => null);
  if (!file) return {};
  const { stream, contentType } = file;
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return { attachments: [{ filename: 'logo', content: Buffer.concat(parts), contentType, cid: logoId }] };
}
