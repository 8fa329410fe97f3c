import { createHash } from 'node:crypto';
import { Transformer } from '@napi-rs/image';
import { zipSync } from 'fflate';
import type { WalletLook } from '#models/wallet.ts';
import { type Signer, describeCertificate } from './certificate.ts';
import { signatureOf } from './signature.ts';

/** What a pass says. */
export interface PassContent {
  id: string;
  name: string;
  project: string;
  message: string | null;
  /** What a reader or a phone reads off the screen; null: there is only a code to be typed. */
  barcode: string | null;
  /** A code for the keypad. */
  code: string | null;
  from: Date | null;
  to: Date | null;
  passesLeft: number | null;
  /** It opens nothing any more. */
  isVoid: boolean;
}

/** The words of a pass, by the language of the phone that shows it. */
const words = {
  en: { DOORS: 'Access', CODE: 'Code', FROM: 'Valid from', UNTIL: 'Valid until', PASSES: 'Passes left', MESSAGE: 'Message', ABOUT: 'About' },
  ru: {
    DOORS: 'Доступ',
    CODE: 'Код',
    FROM: 'Действует с',
    UNTIL: 'Действует до',
    PASSES: 'Осталось проходов',
    MESSAGE: 'Сообщение',
    ABOUT: 'Сведения',
  },
} as const;
const strings = (language: keyof typeof words): string =>
  Object.entries(words[language])
    .map(([key, text]) => `"${key}" = "${text}";\n`)
    .join('');

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#2b5bd7"/>
<path d="M10.5 24.5V13a5.5 5.5 0 0 1 11 0v11.5z" fill="#fff"/><circle cx="18.6" cy="18.2" r="1.3" fill="#2b5bd7"/></svg>`;
const iconOf = (pixels: number): Promise<Buffer> => Transformer.fromSvg(icon).resize(pixels, pixels).png();

const rgb = (color: string): string => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
};
const field = (key: string, label: string, value: string | number | null) => (value === null || value === '' ? [] : [{ key, label, value }]);
const moment = (key: string, label: string, at: Date | null) =>
  at === null ? [] : [{ key, label, value: at.toISOString(), dateStyle: 'PKDateStyleShort', timeStyle: 'PKDateStyleShort' }];

function describePass(content: PassContent, look: WalletLook, signer: Signer): object {
  const { pass_type: passTypeIdentifier, team: teamIdentifier } = describeCertificate(signer);
  const { id, name, project, message, barcode, code, from, to, passesLeft, isVoid } = content;
  return {
    formatVersion: 1,
    passTypeIdentifier,
    teamIdentifier,
    serialNumber: id,
    organizationName: look.developer_name ?? project,
    description: name,
    logoText: project,
    foregroundColor: rgb(look.foreground_color),
    backgroundColor: rgb(look.background_color),
    labelColor: rgb(look.label_color),
    ...(to && { expirationDate: to.toISOString() }),
    ...(isVoid && { voided: true }),
    ...(barcode && {
      barcodes: [
        { format: 'PKBarcodeFormatQR', message: barcode, messageEncoding: 'iso-8859-1', ...(look.barcode_text && { altText: look.barcode_text }) },
      ],
    }),
    generic: {
      primaryFields: field('name', 'DOORS', name),
      secondaryFields: [...field('code', 'CODE', code), ...field('passes', 'PASSES', passesLeft)],
      auxiliaryFields: [...moment('from', 'FROM', from), ...moment('until', 'UNTIL', to)],
      backFields: [...field('message', 'MESSAGE', message), ...field('about', 'ABOUT', look.back_fields)],
    },
  };
}

/** A wallet pass as phones take it: a zip with its manifest (SHA-1 of each file) and a signature of that. */
export async function makePass(content: PassContent, look: WalletLook, signer: Signer, at: Date): Promise<Buffer> {
  const text = (value: string): Buffer => Buffer.from(value, 'utf8');
  const files: Record<string, Buffer> = {
    'pass.json': text(JSON.stringify(describePass(content, look, signer))),
    'icon.png': await iconOf(29),
    'icon@2x.png': await iconOf(58),
    'icon@3x.png': await iconOf(87),
    'en.lproj/pass.strings': text(strings('en')),
    'ru.lproj/pass.strings': text(strings('ru')),
  };
  const sums = Object.entries(files).map(([name, bytes]) => [name, createHash('sha1').update(bytes).digest('hex')]);
  const manifest = text(JSON.stringify(Object.fromEntries(sums)));
  return Buffer.from(zipSync({ ...files, 'manifest.json': manifest, signature: signatureOf(manifest, signer, at) }, { mtime: at }));
}
