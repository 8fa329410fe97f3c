import { createHash } from 'node:crypto';
import {
  CipherContext,
  DtlsClient,
  DtlsServer,
  HashAlgorithm,
  keyLength,
  NamedCurveAlgorithm,
  RtpHeader,
  saltLength,
  SignatureAlgorithm,
  SrtcpSession,
  SrtpSession,
} from 'werift';
import type { Carrier } from './carrier.ts';
import { type Addresses, IcePath } from './path.ts';
import { MediaFailure } from './port.ts';
import { isRtcp, type Packet, readPacket } from './rtp.ts';
import type { Section } from './sdp.ts';

type Certificate = Awaited<ReturnType<typeof CipherContext.createSelfSignedCertificateWithKey>> & { fingerprint: string };
const hexOf = (der: Buffer, algorithm: string): string =>
  (createHash(algorithm).update(der).digest('hex').match(/../g) ?? []).join(':').toUpperCase();

let made: Promise<Certificate> | null = null;
/** The certificate of this process, new with every start; made when it is first asked for, which takes a moment. */
export function certificate(): Promise<Certificate> {
  made ??= CipherContext.createSelfSignedCertificateWithKey(
    { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 },
    NamedCurveAlgorithm.secp256r1_23,
  ).then((keys) => ({ ...keys, fingerprint: hexOf(Buffer.from(keys.certPem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'), 'sha256') }));
  return made;
}

const algorithms: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' };
/** Whether a certificate is the one a description names: `sha-256 AB:CD…` (RFC 8122 section 5). */
function isOf(der: Buffer | undefined, fingerprint: string): boolean {
  const [algorithm = '', value = ''] = fingerprint.split(' ');
  return der !== undefined && hexOf(der, algorithms[algorithm.toLowerCase()] ?? 'sha256') === value.toUpperCase();
}
/** AES-GCM first: one pass over a packet instead of two. */
const profiles = [7, 1] as const;
const handshake = 22;
const clientHello = 1;
/** Before an answer so many are secured at once, that a hundred phones which ring do not cost those who talk; others wait for theirs. */
const mostEarly = 4;
const early = new Set<SecureCarrier>();
const mostParts = 4;

/** Encrypted RTP (RFC 5763, RFC 5764) over a path found by ICE, keys and voice and picture all on it. */
export class SecureCarrier implements Carrier {
  readonly protocol = 'UDP/TLS/RTP/SAVPF';
  readonly #path: IcePath;
  readonly #certificate: Certificate;
  readonly #addresses: Addresses;
  #fingerprint: string | null = null;
  #dtls: DtlsServer | DtlsClient;
  #isClient = false;
  #isUp = false;
  #keys: { rtp: SrtpSession; rtcp: SrtcpSession } | null = null;
  readonly #header = new RtpHeader();
  isLate: (bytes: Buffer) => boolean = () => false;
  onPacket: (packet: Packet) => void = () => undefined;
  onControl: (bytes: Buffer) => void = () => undefined;
  onConnected: () => void = () => undefined;
  onLost: (how: 'disconnected' | 'failed') => void = () => undefined;

  private constructor(path: IcePath, own: Certificate, addresses: Addresses) {
    this.#path = path;
    this.#certificate = own;
    this.#addresses = addresses;
    this.#dtls = this.#begin(false);
    path.onData = (bytes) => this.#take(bytes);
    path.onChosen = () => this.#greet();
  }
  static async open(addresses: Addresses): Promise<SecureCarrier> {
    const [path, own] = await Promise.all([IcePath.open(addresses), certificate()]);
    return new SecureCarrier(path, own, addresses);
  }

  get host(): string {
    return this.#addresses.first;
  }
  get port(): number {
    return this.#path.port;
  }
  get heardAt(): number {
    return this.#path.heardAt;
  }
  get isConnected(): boolean {
    return this.#keys !== null;
  }
  describe(answering: boolean): string[] {
    const setup = this.#fingerprint === null && !answering ? 'actpass' : this.#isClient ? 'active' : 'passive';
    return [...this.#path.describe(), `a=fingerprint:sha-256 ${this.#certificate.fingerprint}`, `a=setup:${setup}`];
  }
  restart(): void {
    this.#path.restart();
  }
  meet({ ufrag, password, candidates, fingerprint, setup }: Section, lite: boolean): void {
    const [algorithm = '', value] = fingerprint?.split(' ') ?? [];
    if (!ufrag || !password || !value || !algorithms[algorithm.toLowerCase()])
      throw new MediaFailure('incompatible', 'no credentials, or no fingerprint');
    const isClient = setup === 'passive' || (setup !== 'active' && setup !== 'actpass' && this.#isClient);
    const isChanged = this.#fingerprint !== null && this.#fingerprint.toLowerCase() !== fingerprint?.toLowerCase();
    // Who greeted before anything was agreed may have been somebody else than is named now.
    const isOther = this.#isUp ? !isOf(this.#dtls.remoteCertificate, fingerprint ?? '') : isChanged;
    this.#fingerprint = fingerprint;
    early.delete(this);
    if (isOther || (isClient !== this.#isClient && !this.#isUp)) {
      this.#keys = null;
      this.#isUp = false;
      this.#dtls = this.#begin(isClient);
    }
    if (this.#path.meet({ ufrag, password, candidates }, lite)) this.#path.restart();
    this.#greet();
    this.#secure();
    for (const bytes of this.#held.splice(0)) this.#hear(bytes);
  }

  #begin(isClient: boolean): DtlsServer | DtlsClient {
    this.#isClient = isClient;
    this.#greeted = false;
    const transport = {
      type: 'ice',
      address: {} as never,
      closed: false,
      onData: () => undefined,
      send: (data: Buffer) => {
        this.#path.send(data);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
    const { certPem: cert, keyPem: key, signatureHash } = this.#certificate;
    const options = { cert, key, signatureHash, transport, srtpProfiles: [...profiles], extendedMasterSecret: true };
    const dtls = isClient ? new DtlsClient(options) : new DtlsServer({ ...options, certificateRequest: true });
    const ifCurrent = (then: () => void) => () => {
      if (this.#dtls === dtls) then();
    };
    dtls.onConnect.once(
      ifCurrent(() => {
        this.#isUp = true;
        early.delete(this);
        this.#secure();
      }),
    );
    dtls.onError.once(ifCurrent(() => this.#broke('failed')));
    dtls.onClose.once(ifCurrent(() => this.#broke('disconnected')));
    return dtls;
  }
  /** What breaks before anything was agreed is nothing lost. */
  #broke(how: 'disconnected' | 'failed'): void {
    if (this.#fingerprint !== null) return this.onLost(how);
    early.delete(this);
    this.#isUp = false;
    this.#dtls = this.#begin(this.#isClient);
  }
  #greeted = false;
  /** The side that begins does so as soon as there is a path. */
  #greet(): void {
    if (!(this.#dtls instanceof DtlsClient) || this.#greeted || !this.#path.isChosen) return;
    this.#greeted = true;
    this.#dtls.connect().catch(() => this.onLost('failed'));
  }
  /** Opens the way once the far side has proven to be whom its description names. */
  #secure(): void {
    if (!this.#isUp || this.#fingerprint === null || this.#keys) return;
    const profile = this.#dtls.srtp.srtpProfile;
    if (!isOf(this.#dtls.remoteCertificate, this.#fingerprint) || (profile !== 1 && profile !== 7)) {
      this.onLost('failed');
      return;
    }
    const drawn = this.#dtls.extractSessionKeys(keyLength(profile), saltLength(profile)) as Record<
      'localKey' | 'localSalt' | 'remoteKey' | 'remoteSalt',
      Buffer
    >;
    const keys = {
      localMasterKey: drawn.localKey,
      localMasterSalt: drawn.localSalt,
      remoteMasterKey: drawn.remoteKey,
      remoteMasterSalt: drawn.remoteSalt,
    };
    this.#keys = { rtp: new SrtpSession({ keys, profile }), rtcp: new SrtcpSession({ keys, profile }) };
    this.onConnected();
  }

  #hear(bytes: Buffer): void {
    (this.#dtls.transport.socket.onData as (data: Buffer) => void)(bytes);
  }
  /** Before anything is agreed only a few are secured at a time. */
  #mayBegin(): boolean {
    if (this.#fingerprint === null && early.size < mostEarly) early.add(this);
    return this.#fingerprint !== null || early.has(this);
  }
  /** The greeting that waits until there is an answer, in its parts: its sender would say it again too late. */
  readonly #held: Buffer[] = [];
  #hold(bytes: Buffer): void {
    const isFirstPart = bytes.readUIntBE(19, 3) === 0;
    if (isFirstPart) this.#held.length = 0;
    if (this.#held.length < mostParts) this.#held.push(bytes);
  }

  #take(bytes: Buffer): void {
    const [first = 0] = bytes;
    if (first >= 20 && first <= 63) {
      const isGreeting = first === handshake && bytes.length > 22 && bytes.readUInt16BE(3) === 0 && bytes[13] === clientHello;
      // Once connected nobody begins anew without a new description; an unprotected greeting is not the far side's.
      if (isGreeting && this.#isUp) return;
      if (isGreeting && !this.#mayBegin()) this.#hold(bytes);
      else this.#hear(bytes);
      return;
    }
    if (first < 128 || first > 191 || !this.#keys) return;
    try {
      if (isRtcp(bytes)) this.onControl(this.#keys.rtcp.decrypt(bytes));
      else if (!this.isLate(bytes)) {
        const packet = readPacket(this.#keys.rtp.decrypt(bytes));
        if (packet) this.onPacket(packet);
      }
    } catch {
      // Not from the far side, or broken on the way.
    }
  }
  send({ type, marker, sequence, timestamp, ssrc, payload }: Packet): void {
    if (!this.#keys) return;
    const header = this.#header;
    header.payloadType = type;
    header.marker = marker;
    header.sequenceNumber = sequence;
    header.timestamp = timestamp;
    header.ssrc = ssrc;
    this.#path.send(this.#keys.rtp.encrypt(payload, header));
  }
  control(bytes: Buffer): void {
    if (this.#keys) this.#path.send(this.#keys.rtcp.encrypt(bytes));
  }
  close(): void {
    early.delete(this);
    this.#path.close();
  }
}
