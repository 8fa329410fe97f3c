import { crc32, deflateSync } from 'node:zlib';

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const big = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const chunk = (type: string, data: Buffer): Buffer =>
  Buffer.concat([big(data.length), text(type), data, big(crc32 ? crc32(Buffer.concat([text(type), data])) : 0)]);

/** A PNG of these dimensions, whatever pixels it really holds. */
export const pngOf = (width: number, height: number, pixels: Buffer = deflateSync(Buffer.alloc(1_024))): Buffer =>
  Buffer.concat([
    text('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', Buffer.concat([big(width), big(height), Buffer.from([8, 6, 0, 0, 0])])),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);

const jpegHead = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
    text('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
    Buffer.from([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
  ]);
const riff = (kind: string, body: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length + 4 + kind.length);
  return Buffer.concat([text('RIFF'), size, text(`WEBP${kind}`), body]);
};
const html = '<!doctype html><script>alert(document.domain)</script>';

/** Thirty files that are no picture, or not only one, or more than a server should draw (C9, C12). */
export function hostileFiles(goodPng: Buffer, goodJpeg: Buffer): [name: string, bytes: Buffer][] {
  const pad = Buffer.alloc(64, 0x20);
  return [
    ['empty', Buffer.alloc(0)],
    ['one byte', text('\x89')],
    ['html', Buffer.concat([text(html), pad])],
    ['html called png', Buffer.concat([text(`<html>${html}</html>`), pad])],
    ['svg with script', Buffer.concat([text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), pad])],
    ['svg without prologue', Buffer.concat([text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), pad])],
    ['windows program', Buffer.concat([text('MZ\x90\0\x03\0\0\0'), Buffer.alloc(256)])],
    ['linux program', Buffer.concat([text('\x7fELF\x02\x01\x01'), Buffer.alloc(256)])],
    ['shell script', Buffer.concat([text('#!/bin/sh\nrm -rf /\n'), pad])],
    ['php', Buffer.concat([text('<?php system($_GET["c"]); ?>'), pad])],
    ['pdf', Buffer.concat([text('%PDF-1.7\n'), pad])],
    ['zip', Buffer.concat([text('PK\x03\x04'), Buffer.alloc(128)])],
    ['gif', Buffer.concat([text('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\0\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;'), pad])],
    ['gif that is javascript', Buffer.concat([text('GIF89a/*\0\0\0\0*/=1;alert(1);//'), pad])],
    ['bmp', Buffer.concat([text('BM'), Buffer.alloc(128)])],
    ['tiff', Buffer.concat([text('II*\0\x08\0\0\0'), Buffer.alloc(128)])],
    ['icon', Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(128)])],
    ['mp4', Buffer.concat([Buffer.from([0, 0, 0, 24]), text('ftypisom'), Buffer.alloc(128)])],
    ['avif', Buffer.concat([Buffer.from([0, 0, 0, 24]), text('ftypavif'), Buffer.alloc(128)])],
    ['png with a page behind it', Buffer.concat([goodPng, text(html)])],
    ['png with a zip behind it', Buffer.concat([goodPng, text('PK\x03\x04'), Buffer.alloc(64)])],
    ['png with a page in a comment', Buffer.concat([goodPng.subarray(0, 33), chunk('tEXt', text(`Comment\0${html}`)), goodPng.subarray(33)])],
    [
      'jpeg with a page in a comment',
      Buffer.concat([goodJpeg.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, html.length + 2]), text(html), goodJpeg.subarray(2)]),
    ],
    ['jpeg with a page behind it', Buffer.concat([goodJpeg, text(html)])],
    ['png head only', goodPng.subarray(0, 40)],
    ['png of garbage', pngOf(64, 64, Buffer.alloc(400, 7))],
    ['pixel flood: 60,000 by 60,000', pngOf(60_000, 60_000)],
    ['pixel flood: 12,001 by 10', pngOf(12_001, 10)],
    ['pixel flood: 8,000 by 8,000', pngOf(8_000, 8_000)],
    ['pixel flood: jpeg of 65,000 by 65,000', Buffer.concat([jpegHead(65_000, 65_000), Buffer.alloc(64), Buffer.from([0xff, 0xd9])])],
    ['no sides', pngOf(0, 0)],
    ['extended webp', riff('VP8X', Buffer.concat([Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 9, 0, 0]), Buffer.alloc(64)]))],
    ['webp of 16,383 by 16,383', riff('VP8L', Buffer.concat([Buffer.from([10, 0, 0, 0, 0x2f, 0xfe, 0xff, 0xff, 0x0f]), Buffer.alloc(64)]))],
  ];
}

/** A multipart form with one file and text fields. */
export function form(
  fields: Record<string, string | number>,
  file: Buffer,
  name = 'avatar.png',
  type = 'image/png',
  field = 'image',
): { body: Buffer; headers: Record<string, string> } {
  const edge = 'edge-of-the-form';
  const parts = Object.entries(fields).map(([key, value]) => text(`--${edge}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`));
  const body = Buffer.concat([
    ...parts,
    text(`--${edge}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`),
    file,
    text(`\r\n--${edge}--\r\n`),
  ]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${edge}` } };
}

/** A multipart form of text fields alone. */
export function plainForm(fields: Record<string, string>): { body: Buffer; headers: Record<string, string> } {
  const edge = 'edge-of-the-form';
  const parts = Object.entries(fields).map(([key, value]) => text(`--${edge}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`));
  return { body: Buffer.concat([...parts, text(`--${edge}--\r\n`)]), headers: { 'content-type': `multipart/form-data; boundary=${edge}` } };
}
