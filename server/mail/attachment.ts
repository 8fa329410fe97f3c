import type { Services } from '../context.ts';
import { readFile } from '../files.ts';
import { logoId } from './html.ts';
import type { OutgoingMail } from './transport.ts';

type Attachment = NonNullable<OutgoingMail['attachments']>[number];

/** A stored picture as the text of a mail shows it; nothing of one that is gone. */
async function enclosed(services: Services, id: string, filename: string, cid: string): Promise<Attachment[]> {
  const file = await readFile(services, id).catch(() => null);
  if (!file) return [];
  const { stream, contentType } = file;
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return [{ filename, content: Buffer.concat(parts), contentType, cid }];
}

const ENCLOSED = /\ssrc="cid:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"/g;

/** What goes along with a mail, the logo and the pictures in its text: signed links end, and many mailboxes load nothing. */
export async function attachmentsOf(
  services: Services,
  { html, logoFile }: { html: string; logoFile: string | null },
): Promise<Pick<OutgoingMail, 'attachments'>> {
  const logo = logoFile === null ? [] : await enclosed(services, logoFile, 'logo', logoId);
  const ids = new Set([...html.matchAll(ENCLOSED)].map(([, id]) => String(id)));
  const pictures = await Promise.all([...ids].map((id, at) => enclosed(services, id, `picture-${at + 1}.webp`, id)));
  const attachments = [...logo, ...pictures.flat()];
  return attachments.length > 0 ? { attachments } : {};
}
