import { crc32, deflateSync } from 'node:zlib';
import type { ImageView } from '../../../extension/protocol/view';

/** A PNG of a plain gradient, in the form in which a session contains it. */
export function picture(width: number, height: number, hue: number): ImageView {
  const line = (y: number) => [
    0,
    ...Array.from({ length: width }, (_, x) => [(x * 255) / width, (y * 255) / height, hue]).flat(),
  ];
  const pixels = Buffer.from(Array.from({ length: height }, (_, y) => line(y)).flat());
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const file = Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { mediaType: 'image/png', source: `data:image/png;base64,${file.toString('base64')}` };
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
