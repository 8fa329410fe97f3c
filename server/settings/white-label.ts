import type { ShownWhiteLabel, WhiteLabelSettings } from '#models/project-settings.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { fileAddress, removeFile, storeFile } from '../files.ts';
import type { Upload } from '../http/form.ts';
import { HttpError } from '../http-error.ts';
import { scaleDown } from '../modules/pictures.ts';
import { changeBlock, type Patch, readBlock } from './store.ts';

const longest = 512;

/** The look of a project. */
export async function shownWhiteLabel(db: Db, projectId: string): Promise<ShownWhiteLabel> {
  const { value, logoFile } = await readBlock(db, projectId, 'white_label');
  return { ...value, logo: fileAddress(logoFile) };
}

export async function setWhiteLabel(services: Services, principal: Principal, patch: Patch<WhiteLabelSettings>): Promise<ShownWhiteLabel> {
  await changeBlock(services, principal, 'white_label', patch);
  return shownWhiteLabel(services.db, principal.projectId);
}

/** Puts another logo, or none, in the place of the one there is. @throws HttpError `invalid_file` */
export async function setLogo(services: Services, principal: Principal, image: Upload | null): Promise<ShownWhiteLabel> {
  const picture = image && (await scaleDown(image.path, longest));
  await changeBlock(services, principal, 'white_label', {}, async ({ tx, before }, later) => {
    const logoFile = picture && (await storeFile(services, { projectId: principal.projectId, kind: 'logo', ...picture }, tx));
    const old = before.logoFile;
    if (old) later(() => removeFile(services, old));
    return { logoFile };
  });
  return shownWhiteLabel(services.db, principal.projectId);
}

/** The uploaded picture. @throws HttpError `invalid_file` */
export function uploaded(files: Record<string, Upload>): Upload {
  const { image } = files;
  if (!image) throw new HttpError('invalid_file');
  return image;
}
