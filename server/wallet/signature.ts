import { createHash, sign } from 'node:crypto';
import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifiers,
  EncapsulatedContentInfo,
  id_data,
  id_signedData,
  IssuerAndSerialNumber,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms';
import { AsnConvert, AsnObjectIdentifierConverter, AsnUTCTimeConverter, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';
import type { Signer } from './certificate.ts';

const sha256 = '2.16.840.1.101.3.4.2.1';
/** By the kind of key: rsaEncryption (RFC 3370), ecdsa-with-SHA256 (RFC 5754). */
const signatureAlgorithms: Readonly<Record<string, AlgorithmIdentifier>> = {
  rsa: new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.1', parameters: new Uint8Array([5, 0]).buffer }),
  ec: new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' }),
};
const attributeTypes = { contentType: '1.2.840.113549.1.9.3', messageDigest: '1.2.840.113549.1.9.4', signingTime: '1.2.840.113549.1.9.5' } as const;

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;
const attribute = (attrType: string, value: ArrayBuffer): Attribute => new Attribute({ attrType, attrValues: [value] });

/** What is signed in place of the content (RFC 5652 5.4): as a SET OF, in the order of its encoding. */
function asSet(attributes: readonly Attribute[]): Buffer {
  const body = Buffer.concat(attributes.map((one) => Buffer.from(AsnConvert.serialize(one))));
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([0x31, ...length]), body]);
}

/** A detached CMS signature (PKCS #7, DER) of some content, with the signer's certificates in it. */
export function signatureOf(content: Buffer, { certificate, issuer, key }: Signer, at: Date): Buffer {
  const digest = createHash('sha256').update(content).digest();
  const attributes = [
    attribute(attributeTypes.contentType, AsnObjectIdentifierConverter.toASN(id_data).toBER()),
    attribute(attributeTypes.signingTime, AsnUTCTimeConverter.toASN(at).toBER()),
    attribute(attributeTypes.messageDigest, AsnConvert.serialize(new OctetString(digest))),
  ];
  const [own, above] = [certificate, issuer].map((one) => AsnConvert.parse(one.raw, Certificate));
  const signatureAlgorithm = signatureAlgorithms[key.asymmetricKeyType ?? ''];
  if (!own || !above || !signatureAlgorithm) throw new Error('a wallet pass cannot be signed by a key of this kind');
  const digestAlgorithm = new AlgorithmIdentifier({ algorithm: sha256 });
  const { issuer: issuedBy, serialNumber } = own.tbsCertificate;
  const signer = new SignerInfo({
    version: CMSVersion.v1,
    sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer: issuedBy, serialNumber }) }),
    digestAlgorithm,
    signedAttrs: attributes,
    signatureAlgorithm,
    signature: new OctetString(bufferOf(sign('sha256', asSet(attributes), key))),
  });
  const signed = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([digestAlgorithm]),
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: id_data }),
    certificates: new CertificateSet([own, above].map((one) => new CertificateChoices({ certificate: one }))),
    signerInfos: new SignerInfos([signer]),
  });
  return Buffer.from(AsnConvert.serialize(new ContentInfo({ contentType: id_signedData, content: AsnConvert.serialize(signed) })));
}
