import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { plainWalletLook, type WalletLook, type WalletSettings } from '#models/wallet.ts';
import { audit, changesBetween } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { projectWallets } from '#server/db/schema/index.ts';
import { seal, unseal } from '#server/devices/secrets.ts';
import type { Upload } from '#server/http/form.ts';
import { HttpError } from '#server/http-error.ts';
import { storedPem, readSigner, type Signer, describeCertificate } from './certificate.ts';

const longestFile = 65_536;
type Stored = Partial<typeof projectWallets.$inferSelect>;

async function read(db: Db, projectId: string): Promise<Stored> {
  const [stored] = await db.select().from(projectWallets).where(eq(projectWallets.projectId, projectId));
  return stored ?? {};
}
const shown = ({ certificate = null, look = plainWalletLook }: Stored): WalletSettings => ({ certificate, look });

/** How passes of a project look, and what signs them. */
export const readWallet = async ({ db }: Services, projectId: string): Promise<WalletSettings> => shown(await read(db, projectId));

/** Changes the settings; the trail names the certificate, never what is in it. */
function change(
  services: Services,
  principal: Principal,
  set: Partial<Omit<typeof projectWallets.$inferInsert, 'projectId'>>,
): Promise<WalletSettings> {
  const { projectId } = principal;
  return transact(services, async (tx) => {
    const before = shown(await read(tx, projectId));
    await tx
      .insert(projectWallets)
      .values({ projectId, look: plainWalletLook, ...set })
      .onConflictDoUpdate({ target: projectWallets.projectId, set });
    const after = shown(await read(tx, projectId));
    const flat = ({ certificate, look }: WalletSettings) => ({ ...look, certificate: certificate?.fingerprint ?? null });
    await audit(tx, principal, { area: 'wallet', action: 'update', changes: changesBetween(flat(before), flat(after)) }, services.now());
    return after;
  });
}

export const setLook = (services: Services, principal: Principal, look: WalletLook): Promise<WalletSettings> => change(services, principal, { look });

/** Keeps an uploaded certificate, sealed. @throws HttpError as `readSigner`; `wallet_certificate_expired` */
export async function setCertificate(
  services: Services,
  principal: Principal,
  file: Upload | undefined,
  passphrase: string | undefined,
): Promise<WalletSettings> {
  if (!file) throw new HttpError('invalid_file');
  const bytes = await readFile(file.path);
  if (bytes.length > longestFile) throw new HttpError('too_large');
  const signer = readSigner(bytes.toString('latin1'), passphrase);
  requireValid(signer, services.now());
  return change(services, principal, { certificateCipher: seal(services, storedPem(signer)), certificate: describeCertificate(signer) });
}

export const removeCertificate = (services: Services, principal: Principal): Promise<WalletSettings> =>
  change(services, principal, { certificateCipher: null, certificate: null });

function requireValid({ certificate }: Signer, at: Date): void {
  if (new Date(certificate.validTo) <= at) throw new HttpError('wallet_certificate_expired');
}

/** Whether passes of a project can be signed now. */
export async function hasWallet(services: Services, projectId: string): Promise<boolean> {
  const { certificate } = await readWallet(services, projectId);
  return certificate !== null && Date.parse(certificate.valid_to) > services.now().getTime();
}

/** What signs passes of a project now. @throws HttpError `wallet_no_certificate`, `wallet_certificate_expired` */
export async function signerOf(services: Services, projectId: string): Promise<Signer> {
  const { certificateCipher } = await read(services.db, projectId);
  if (!certificateCipher) throw new HttpError('wallet_no_certificate');
  const signer = readSigner(unseal(services, certificateCipher));
  requireValid(signer, services.now());
  return signer;
}
