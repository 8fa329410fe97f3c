/** A packet of RTP as far as it is passed on (RFC 3550 section 5.1). `payload` looks into the datagram. */
export interface Packet {
  type: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payload: Buffer;
}

/** @returns null for what is no packet of RTP */
export function readPacket(bytes: Buffer): Packet | null {
  if (bytes.length < 12) return null;
  const [first = 0, second = 0] = bytes;
  if (first >> 6 !== 2) return null;
  let start = 12 + (first & 15) * 4;
  if (first & 0x10) {
    if (bytes.length < start + 4) return null;
    start += 4 + bytes.readUInt16BE(start + 2) * 4;
  }
  const padding = first & 0x20 ? (bytes.at(-1) ?? 0) : 0;
  const end = bytes.length - padding;
  if (start > end) return null;
  return {
    type: second & 0x7f,
    marker: (second & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    payload: bytes.subarray(start, end),
  };
}
/** A packet as it is sent where nothing encrypts it. */
export function writePacket({ type, marker, sequence, timestamp, ssrc, payload }: Packet): Buffer {
  const bytes = Buffer.allocUnsafe(12 + payload.length);
  bytes[0] = 0x80;
  bytes[1] = type | (marker ? 0x80 : 0);
  bytes.writeUInt16BE(sequence, 2);
  bytes.writeUInt32BE(timestamp, 4);
  bytes.writeUInt32BE(ssrc, 8);
  payload.copy(bytes, 12);
  return bytes;
}

/** Whether a datagram of a path on which both travel is RTCP (RFC 5761 section 4). */
export const isRtcp = (bytes: Buffer): boolean => (bytes[1] ?? 0) >= 192 && (bytes[1] ?? 0) <= 223;

/** What a packet of VP8 carries of its picture: all behind its descriptor (RFC 7741 section 4.2). */
export function vp8Part(payload: Buffer): Buffer {
  const [first = 0, second = 0] = payload;
  let at = 1;
  if (first & 0x80) {
    at = 2;
    if (second & 0x80) at += (payload[2] ?? 0) & 0x80 ? 2 : 1;
    if (second & 0x40) at += 1;
    if (second & 0x30) at += 1;
  }
  return payload.subarray(at);
}
/** Whether a picture begins anew with this packet of VP8 (RFC 7741 section 4). */
function beginsVp8(payload: Buffer): boolean {
  if (((payload[0] ?? 0) & 0x1f) !== 0x10) return false;
  const [head] = vp8Part(payload);
  return head !== undefined && (head & 1) === 0;
}
const [idr, sps, aggregate, fragment] = [5, 7, 24, 28];
/** Whether a picture begins anew with this packet of H.264 (RFC 6184 section 5). */
function beginsH264(payload: Buffer): boolean {
  const [first = 0, second = 0, , inner = 0] = payload;
  const type = first & 31;
  if (type === aggregate) return [idr, sps].includes(inner & 31);
  if (type === fragment) return (second & 0x80) !== 0 && (second & 31) === idr;
  return type === idr || type === sps;
}
/** Whether a decoder that has seen nothing can begin here. */
export const beginsPicture = (key: string, payload: Buffer): boolean => (key === 'vp8' ? beginsVp8(payload) : beginsH264(payload));
